"""onnxruntime, silenced: newer builds write a device id into the home folder and report usage unless told not to.

Memory that stays on the machine cannot have that. The switch is read when the library is loaded, so it must be set
before; whoever loaded it earlier in the same process has made that choice already, and is asked to stop. Every
session of ours is opened here, with the same options.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime as ort

ort.disable_telemetry_events()

__all__ = ["brief", "open_session", "ort"]


def open_session(path: Path) -> ort.InferenceSession:
    """A model on one thread of the CPU: a window is too small to share, and the texts of a batch take one core each.

    Measured on the shipped embedder: without the memory arena RSS grows by 8 MB over windows of many lengths, without
    prepacking it falls by 3 MB and a text costs half as much again; so both stay on. onnxruntime's errors share no
    class of their own: whoever opens a model catches what it must and says it in its own words.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 3
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def brief(error: Exception) -> str:
    """The first line of a library's error, for a message of ours."""
    lines = str(error).splitlines()
    return lines[0][:200] if lines else type(error).__name__

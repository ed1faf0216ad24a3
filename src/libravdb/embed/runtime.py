"""onnxruntime, silenced: newer builds write a device id into the home folder and report usage unless told not to.

Memory that stays on the machine cannot have that. The switch is read when the library is loaded, so it must be set
before; whoever loaded it earlier in the same process has made that choice already, and is asked to stop.
"""

from __future__ import annotations

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime as ort

ort.disable_telemetry_events()

__all__ = ["ort"]

"""The shipped model as its users meet it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from libravdb.adapters.embedders.bundled import open_minilm, shipped_folder
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.errors import EmbedderError, ModelInvalid

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def minilm() -> OnnxEmbedder:
    return open_minilm()


def test_it_has_384_dimensions_and_the_fingerprint_of_the_stores_of_this_edition(minilm: OnnxEmbedder) -> None:
    """Another fingerprint means other vectors: every store that holds these would have to be embedded again."""
    assert minilm.dimensions == 384
    assert minilm.fingerprint == "libravdb-minilm-82e1f98c6136c3fd"


def test_it_opens_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)

    assert open_minilm().embed_query("hello").shape == (384,)


def test_a_question_finds_its_answer(minilm: OnnxEmbedder) -> None:
    texts = ["My sister adopted a kitten in May.", "The deployment failed with exit code 1.", "I dislike mushrooms."]
    question = minilm.embed_query("When did she get the cat?")

    cosines = [float(rows[0] @ question) for rows in minilm.embed_texts(texts)]

    assert cosines.index(max(cosines)) == 0


def test_a_detail_in_a_long_text_is_found_by_its_passage(minilm: OnnxEmbedder) -> None:
    text = (
        "The quarterly report covers revenue, costs and the outlook for the coming year in detail. "
        "By the way, my grandmother's old bicycle is painted in bright orange with a green saddle. "
        "Shipping delays in the northern ports remain the largest risk for the second half of the year."
    )
    rows = minilm.embed_text(text)
    cosines = rows @ minilm.embed_query("What colour is the bicycle?")

    assert int(np.argmax(cosines)) == 2
    assert cosines[2] > cosines[0] + 0.1


def test_a_text_of_exactly_the_window_is_one_row_and_one_token_more_is_three(minilm: OnnxEmbedder) -> None:
    assert len(minilm.embed_text("word " * 254)) == 1
    assert len(minilm.embed_text("word " * 255)) == 3


def test_padding_and_truncation_of_the_original_tokenizer_are_gone(minilm: OnnxEmbedder) -> None:
    """The original cuts at 128 tokens: a change behind them would go unnoticed."""
    common = "word " * 200

    assert float(minilm.embed_query(common + "river") @ minilm.embed_query(common + "bank")) < 0.9999


def test_the_place_of_the_folder_does_not_change_the_fingerprint(minilm: OnnxEmbedder, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    shutil.copytree(shipped_folder(), copy)

    assert OnnxEmbedder.open(copy).fingerprint == minilm.fingerprint


def test_its_files_are_the_ones_that_were_shipped(minilm: OnnxEmbedder) -> None:
    minilm.verify_files()


def test_a_damaged_file_is_found_by_a_full_check(tmp_path: Path) -> None:
    copy = tmp_path / "damaged"
    shutil.copytree(shipped_folder(), copy)
    raw = bytearray((copy / "model.onnx").read_bytes())
    raw[12_000_000] ^= 1
    (copy / "model.onnx").write_bytes(raw)

    embedder = OnnxEmbedder.open(copy, is_shipped=True)  # sizes agree

    with pytest.raises(ModelInvalid, match=r"model\.onnx: is not the file"):
        embedder.verify_files()
    with pytest.raises(ModelInvalid, match="does not have the sha256 of its manifest"):
        OnnxEmbedder.open(copy)


def test_a_shortened_file_is_refused_at_once(tmp_path: Path) -> None:
    copy = tmp_path / "short"
    shutil.copytree(shipped_folder(), copy)
    (copy / "model.onnx").write_bytes((copy / "model.onnx").read_bytes()[:-1])

    with pytest.raises(ModelInvalid, match="its manifest says 23"):
        OnnxEmbedder.open(copy, is_shipped=True)


def test_a_closed_embedder_says_so() -> None:
    embedder = open_minilm()
    embedder.close()

    with pytest.raises(EmbedderError, match="closed"):
        embedder.embed_texts(["one", "two"])
    with pytest.raises(EmbedderError, match="closed"):
        embedder.embed_text("hello")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
def test_a_forked_process_embeds_on(tmp_path: Path) -> None:
    code = """
import os
from libravdb.adapters.embedders.bundled import open_minilm
embedder = open_minilm()
embedder.embed_texts(["one", "two"])
child = os.fork()
if child == 0:
    os._exit(len(embedder.embed_texts(["one", "two"])))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == "2"


def test_loading_and_using_the_model_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    """onnxruntime would write a device id for its telemetry there."""
    code = "from libravdb.adapters.embedders.bundled import open_minilm; print(open_minilm().embed_text('hello').shape)"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ORT_"))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "(1, 384)"
    assert list(tmp_path.rglob("*")) == []

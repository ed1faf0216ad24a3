"""What every embedder promises, run over each implementation."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from libravdb.adapters.embedders.bundled import open_minilm
from libravdb.adapters.embedders.http import EndpointEmbedder
from libravdb.adapters.embedders.onnx import OnnxEmbedder
from libravdb.errors import InvalidInput
from libravdb.text.passages import split

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import BuildModel, EmbeddingServer

    from libravdb.ports.embedder import Embedder

SHORT = "My sister adopted a kitten in May."
LONG = (
    "We moved the weekly planning meeting to Thursday afternoon because Anna was ill. "
    "The new budget for the observatory will be decided by the committee in early spring. "
    "Nobody has watered the tomatoes on the balcony since the last days of the summer holidays."
)
ENDLESS = "The lighthouse keeper wrote down the weather every evening before he lit the lamp. " * 60


@pytest.fixture(params=["minilm", "folder", "openai", "ollama"])
def open_embedder(request: pytest.FixtureRequest) -> Callable[[], Embedder]:
    kind: str = request.param
    if kind == "minilm":
        return open_minilm
    if kind == "folder":
        build: BuildModel = request.getfixturevalue("build_model")
        folder = build()
        return lambda: OnnxEmbedder.open(folder)
    server: EmbeddingServer = request.getfixturevalue("embedding_server")
    return lambda: EndpointEmbedder(kind=kind, url=server.url, model="test-model")


@pytest.fixture
def embedder(open_embedder: Callable[[], Embedder]) -> Embedder:
    return open_embedder()


def test_a_short_text_has_one_row_of_length_one(embedder: Embedder) -> None:
    rows = embedder.embed_text(SHORT)

    assert rows.shape == (1, embedder.dimensions)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_longer_text_has_its_whole_first_and_then_its_passages(embedder: Embedder) -> None:
    rows = embedder.embed_text(LONG)

    passages = split(LONG)
    assert len(passages) == 3
    assert rows.shape == (4, embedder.dimensions)
    for row, passage in zip(rows[1:], passages, strict=True):
        np.testing.assert_array_equal(row, embedder.embed_text(passage)[0])


def test_every_row_has_length_one(embedder: Embedder) -> None:
    for text in (LONG, ENDLESS):
        np.testing.assert_allclose(np.linalg.norm(embedder.embed_text(text), axis=1), 1, atol=1e-5)


def test_the_end_of_a_text_beyond_the_window_still_counts(embedder: Embedder) -> None:
    changed = ENDLESS + "Then, one night, the sea took the tower, the lamp, the keeper and all his books."

    assert embedder.embed_text(ENDLESS)[0] @ embedder.embed_text(changed)[0] < 0.999999


def test_a_long_text_without_any_mark_is_cut_into_rows_and_not_short(embedder: Embedder) -> None:
    rows = embedder.embed_text("weather " * 800)

    assert len(rows) > 2


def test_the_same_text_gives_the_same_bits(embedder: Embedder) -> None:
    np.testing.assert_array_equal(embedder.embed_text(LONG), embedder.embed_text(LONG))
    np.testing.assert_array_equal(embedder.embed_query(SHORT), embedder.embed_query(SHORT))


def test_a_text_keeps_its_vectors_in_any_company_and_order(embedder: Embedder) -> None:
    texts = [SHORT, LONG, ENDLESS[:2000], "Yes.", LONG[:90]]

    forwards = embedder.embed_texts(texts)
    backwards = embedder.embed_texts(texts[::-1])[::-1]

    for text, one, other in zip(texts, forwards, backwards, strict=True):
        alone = embedder.embed_text(text)
        np.testing.assert_array_equal(one, alone)
        np.testing.assert_array_equal(other, alone)


def test_threads_do_not_change_a_vector(embedder: Embedder) -> None:
    alone = embedder.embed_text(LONG)

    with ThreadPoolExecutor(max_workers=4) as pool:
        for rows in pool.map(embedder.embed_text, [LONG] * 8):
            np.testing.assert_array_equal(rows, alone)


def test_progress_counts_up_to_the_total(embedder: Embedder) -> None:
    told: list[tuple[int, int]] = []

    embedder.embed_texts([SHORT, LONG, "Yes."], lambda done, total: told.append((done, total)))

    assert told == [(1, 3), (2, 3), (3, 3)]


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_texts([]) == []


def test_a_query_is_one_vector_of_length_one(embedder: Embedder) -> None:
    for query in ("Which pet did she get?", ENDLESS):
        vector = embedder.embed_query(query)
        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", ["", " ", "\n\t \u3000"])
def test_an_empty_text_is_refused(embedder: Embedder, text: str) -> None:
    for embed in (embedder.embed_text, embedder.embed_query, lambda each: embedder.embed_texts([SHORT, each])):
        with pytest.raises(InvalidInput, match="text: is empty"):
            embed(text)


def test_a_lone_surrogate_is_refused_with_its_place(embedder: Embedder) -> None:
    for embed in (embedder.embed_text, embedder.embed_query):
        with pytest.raises(InvalidInput, match="lone surrogate at position 3"):
            embed("abc\ud800def")


@pytest.mark.parametrize(
    "text",
    ["\x00", "a\x00b", "👩‍👩‍👧 🎉", "مرحبا بالعالم", "今天天气很好。", "\u202e\u200b", "e\u0301" * 50, "x" * 5000],
)
def test_strange_texts_get_vectors_like_others(embedder: Embedder, text: str) -> None:
    rows = embedder.embed_text(text)

    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_the_fingerprint_is_the_same_for_the_same_model(open_embedder: Callable[[], Embedder]) -> None:
    first, second = open_embedder(), open_embedder()

    assert first.fingerprint == second.fingerprint
    assert first.fingerprint.rpartition("-")[2].isalnum()


def test_the_description_names_the_backend_and_is_plain_json(embedder: Embedder) -> None:
    description = json.loads(json.dumps(dict(embedder.description)))

    assert description["backend"] in {"bundled", "onnx", "openai", "ollama"}
    assert description["name"]


def test_closing_twice_is_fine(embedder: Embedder) -> None:
    embedder.close()
    embedder.close()

"""What every summariser promises, run over each implementation.

To join, an implementation adds its name to `KINDS` and how it is opened to `open_summariser`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING

import pytest
from tests.adapters.summarisers.copiers import LAYOUTS, Copier

from libravdb.adapters.summarisers.http import EndpointSummariser
from libravdb.adapters.summarisers.onnx import OnnxSummariser
from libravdb.errors import SummariserError
from libravdb.model import SummaryTask
from libravdb.text.tokens import prompt_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ChatServer

    from libravdb.ports.summariser import Summariser

KINDS = (*(f"onnx {layout}" for layout in LAYOUTS), "openai", "ollama")

SPOKEN = (
    ("user", "We moved the weekly planning meeting to Thursday afternoon because Anna was ill."),
    ("assistant", "Noted. The new budget for the observatory will be decided by the committee on 3 March 2027."),
    ("user", "Please run `make release` from /srv/build before that, the version is 4.17.2."),
    ("assistant", "Nobody has watered the tomatoes on the balcony since the end of the summer holidays."),
)


def task(*texts: str, max_tokens: int = 60, support: tuple[str, ...] = ()) -> SummaryTask:
    spoken = [("user", text) for text in texts] if texts else list(SPOKEN)
    return SummaryTask(
        texts=tuple(text for _, text in spoken),
        roles=tuple(role for role, _ in spoken),
        support=support,
        max_tokens=max_tokens,
    )


@pytest.fixture(params=KINDS)
def open_summariser(request: pytest.FixtureRequest) -> Callable[[], Summariser]:
    kind: str = request.param
    if kind.startswith("onnx"):
        path: Path = request.getfixturevalue("tmp_path")
        folder = Copier().save(path / "model", kind.removeprefix("onnx "))
        return lambda: OnnxSummariser.open(folder)
    server: ChatServer = request.getfixturevalue("chat_server")
    return lambda: EndpointSummariser(kind=kind, url=server.url, model="test-model")


@pytest.fixture
def summariser(open_summariser: Callable[[], Summariser]) -> Iterator[Summariser]:
    opened = open_summariser()
    yield opened
    opened.close()


def test_a_draft_says_something_and_names_who_wrote_it(summariser: Summariser) -> None:
    draft = summariser.summarise(task())

    assert any(letter.isalnum() for letter in draft.text)
    assert draft.text == draft.text.strip()
    assert draft.method == summariser.name
    assert summariser.name


def test_a_draft_is_shorter_than_what_it_stands_for(summariser: Summariser) -> None:
    draft = summariser.summarise(task())

    assert prompt_tokens(draft.text) < sum(prompt_tokens(text) for _, text in SPOKEN)


@pytest.mark.parametrize("most", [8, 20, 60, 200])
def test_a_draft_keeps_to_its_limit(summariser: Summariser, most: int) -> None:
    assert 1 <= prompt_tokens(summariser.summarise(task(max_tokens=most)).text) <= most


def test_confidence_is_a_probability_or_unknown(summariser: Summariser) -> None:
    confidence = summariser.summarise(task()).confidence

    assert confidence is None or 0 <= confidence <= 1


def test_the_same_task_gives_the_same_draft(open_summariser: Callable[[], Summariser]) -> None:
    first, second = open_summariser(), open_summariser()

    assert first.summarise(task()) == first.summarise(task()) == second.summarise(task())


def test_threads_do_not_change_a_draft(summariser: Summariser) -> None:
    alone = summariser.summarise(task())

    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(summariser.summarise, [task()] * 8)) == [alone] * 8


def test_earlier_summaries_may_be_given(summariser: Summariser) -> None:
    draft = summariser.summarise(task(support=("Anna leads the planning.", "The release is in March.")))

    assert draft.text


@pytest.mark.parametrize(
    "texts",
    [
        ("a\x00b says hello to everybody",),
        ("half an emoji \ud83d is here",),
        ("👩‍👩‍👧 went to the fair 🎉",),
        ("مرحبا بالعالم من هنا",),
        ("今天天气很好。我们去公园。",),
        ("\u202eevil\u202c \u200bwords",),
        ("e\u0301" * 50,),
        ("", "only this one speaks", "   "),
        ("one",),
    ],
)
def test_strange_texts_get_drafts_like_others(summariser: Summariser, texts: tuple[str, ...]) -> None:
    draft = summariser.summarise(task(*texts))

    draft.text.encode()  # no half of a surrogate pair
    assert "\x00" not in draft.text
    assert draft.text


def test_texts_of_any_length_are_taken(summariser: Summariser) -> None:
    draft = summariser.summarise(task(*(f"turn {number}: " + "the sea was calm. " * 400 for number in range(30))))

    assert prompt_tokens(draft.text) <= 60


@pytest.mark.parametrize("texts", [("",), (" \n\t", "\u3000"), ()])
def test_nothing_to_summarise_is_refused(summariser: Summariser, texts: tuple[str, ...]) -> None:
    nothing = SummaryTask(texts=texts, roles=("user",) * len(texts), max_tokens=60)

    with pytest.raises(SummariserError):
        summariser.summarise(nothing)


def test_a_task_is_never_changed(summariser: Summariser) -> None:
    asked = task()
    summariser.summarise(asked)

    assert asked == task()
    with pytest.raises(FrozenInstanceError):
        asked.max_tokens = 3  # type: ignore[misc]


def test_closing_twice_is_fine(summariser: Summariser) -> None:
    summariser.close()
    summariser.close()


def test_working_leaves_no_file_behind(summariser: Summariser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)
    summariser.summarise(task())

    assert list(place.iterdir()) == []

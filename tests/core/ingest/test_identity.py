"""Names of what was said: the same message has the same one however a transcript is cut, repeated or renumbered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.core.ingest.identity import clash_id, content_key, derived_id, identify, is_place, overlap
from libravdb.model import IncomingTurn, Role

SESSION = "s1"


def said(text: str, role: Role = Role.USER, **known: object) -> IncomingTurn:
    return replace(IncomingTurn(role=role, text=text), **known)  # type: ignore[arg-type]  # a test's shorthand


def ids(batch: list[IncomingTurn], **known: object) -> list[str | None]:
    return [one.id for one in identify(batch, session=SESSION, **known)]  # type: ignore[arg-type]  # the same


SAID = st.builds(
    said,
    st.sampled_from(["ok", "yes", "no", "go on", "why?"]),
    st.sampled_from([Role.USER, Role.ASSISTANT]),
    at=st.none() | st.integers(1, 4000),
    skipped=st.sampled_from(["", "", "", "heartbeat"]),
)
TRANSCRIPT = st.lists(SAID, max_size=14)


@given(TRANSCRIPT, st.integers(0, 14))
def test_a_longer_transcript_begins_with_the_same_names(transcript: list[IncomingTurn], cut: int) -> None:
    assert ids(transcript)[:cut] == ids(transcript[:cut])


@given(TRANSCRIPT)
def test_repeated_messages_are_as_many_turns_as_messages(transcript: list[IncomingTurn]) -> None:
    names = [name for name in ids(transcript) if name]
    assert len(set(names)) == len(names) == sum(not one.skipped for one in transcript)


@given(TRANSCRIPT, st.integers(0, 99))
def test_renumbering_changes_no_name(transcript: list[IncomingTurn], first: int) -> None:
    for form in ("{}", "msg-{}", "turn_{}", "s1:{}", "Message {}"):
        numbered = [replace(one, id=form.format(first + place)) for place, one in enumerate(transcript)]
        assert ids(numbered) == ids(transcript)


@given(TRANSCRIPT, TRANSCRIPT)
def test_whatever_part_a_host_sends_again_it_names_no_turn_that_is_not_there(
    transcript: list[IncomingTurn], other: list[IncomingTurn]
) -> None:
    """Any piece of a transcript, in any order and with any gaps, names only turns of the whole."""
    whole = set(ids(transcript))
    kept = [one for one in other if one in transcript]
    available = Counter(content_key(one, SESSION) for one in transcript if not one.skipped)
    taken: Counter[str] = Counter()
    piece = []
    for one in kept:
        key = content_key(one, SESSION)
        taken[key] += 1
        if taken[key] <= available[key]:
            piece.append(one)
    assert set(ids(piece)) - {None} <= whole


@given(TRANSCRIPT, st.lists(st.integers(0, 14), max_size=4))
def test_increments_end_up_with_the_names_of_the_whole(transcript: list[IncomingTurn], cuts: list[int]) -> None:
    stored: Counter[str] = Counter()
    names: list[str | None] = []
    edges = [0, *sorted(cuts), len(transcript)]
    for start, end in pairwise(edges):
        batch = transcript[start:end]
        names += ids(batch, stored=stored)
        stored.update(content_key(one, SESSION) for one in batch if not one.skipped)
    assert names == ids(transcript)


@given(TRANSCRIPT, st.integers(0, 14), st.integers(0, 14))
def test_a_window_that_begins_in_the_stored_tail_keeps_its_names(
    transcript: list[IncomingTurn], end: int, back: int
) -> None:
    """A host that shows a window cut at the head adds what is new and repeats the rest."""
    old = transcript[:end]
    keys = [content_key(one, SESSION) for one in old if not one.skipped]
    window = transcript[max(0, len(old) - back) :]
    shared = [content_key(one, SESSION) for one in transcript[max(0, len(old) - back) : end] if not one.skipped]
    window_keys = [content_key(one, SESSION) for one in window if not one.skipped]
    if overlap(keys, window_keys) != len(shared):
        return  # the repetition could as well be longer: no rule can know
    assert ids(window, stored=Counter(keys), tail=keys) == ids(transcript)[max(0, len(old) - back) :]


def test_the_second_ok_is_a_turn_of_its_own_and_the_same_one_each_time() -> None:
    first = ids([said("ok"), said("Shall I?", Role.ASSISTANT), said("ok")])
    assert first[0] != first[2]
    assert ids([said("ok"), said("Shall I?", Role.ASSISTANT), said("ok"), said("more")])[:3] == first


def test_a_retried_increment_is_known_and_a_new_one_is_not() -> None:
    ok, ask = said("ok"), said("Shall I?", Role.ASSISTANT)
    keys = [content_key(one, SESSION) for one in (ok, ask)]
    assert ids([ok], stored=Counter(keys), tail=keys) == [derived_id(keys[0], 2)]
    assert ids([ask], stored=Counter(keys), tail=keys) == [derived_id(keys[1], 1)]


def test_role_speaker_session_and_second_tell_messages_apart() -> None:
    base = said("ok", at=5_000)
    others = [
        said("ok", Role.ASSISTANT, at=5_000), said("ok", at=6_000), said("ok"), said("ok", at=5_000, speaker="Tom"),
        said("ok ", at=5_000),
    ]  # fmt: skip
    keys = {content_key(one, SESSION) for one in (base, *others)}
    assert len(keys) == 6
    assert content_key(base, "s2") not in keys
    assert content_key(said("ok", at=5_999), SESSION) == content_key(base, SESSION)


def test_fields_cannot_run_into_each_other() -> None:
    assert content_key(said("b", speaker="a"), "s") != content_key(said("", speaker="ab"), "s")


def test_a_hosts_own_id_is_kept() -> None:
    assert ids([said("a", id="0f8c-77"), said("b", id="m_Xy1")]) == ["0f8c-77", "m_Xy1"]


def test_one_id_for_two_texts_gives_two_turns_and_for_one_text_one() -> None:
    a, b = said("draft", id="abc-x"), said("final", id="abc-x")
    first, second, again = ids([a, b, a])
    assert first == again == "abc-x"
    assert second == clash_id("abc-x", b, SESSION) != first
    assert clash_id("abc-x", b, SESSION) == clash_id("abc-x", replace(b, at=77), SESSION)


@pytest.mark.parametrize("id", ["7", "0", "123456", "msg-3", "turn_12", "message:4", "s1:5", "s1-6", "M3", "item 9"])
def test_a_place_in_a_list_is_no_identity(id: str) -> None:
    assert is_place(id, SESSION)


@pytest.mark.parametrize("id", ["msg_01Xa", "a7", "1700000000000", "0f8c77", "s1", "chatcmpl-9", "turn-a1", ""])
def test_other_ids_are_identities(id: str) -> None:
    assert not is_place(id, SESSION)


KEYS = st.lists(st.sampled_from("ab"), max_size=10)


@given(KEYS, KEYS)
def test_overlap_is_the_longest_end_that_is_a_beginning(tail: list[str], keys: list[str]) -> None:
    longest = max(n for n in range(len(keys) + 1) if tail[len(tail) - n :] == keys[:n] and n <= len(tail))
    assert overlap(tail, keys) == longest

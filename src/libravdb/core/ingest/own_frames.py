"""Our own frames in a text that a host gives back: found by their structure.

What was said is kept as it came, whatever it contains. Only a whole frame that we know to have issued is taken out of
it: it was never said. For everything else the structure tells what of a text are somebody's own words, which decides
about promotion and recall and about nothing more.

A host may quote a frame, indent, escape, fence or wrap it, and cut it at either end. A person may also just write about
`<recalled_memories>`. What decides is structure: entries with their attributes, a tag that stands where a block begins,
a closing tag that ends one. A tag in the middle of a sentence is a mention and stays.

Escaping has levels, and a tag is closed by a tag of its own level: remembered text inside a frame is escaped once more
than the frame, so that whatever it says cannot end it.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

PROFILE = "profile"
PROFILE_NOTE = "User facts"
"""A name that anybody's markup may have: it is ours only where its note begins like this."""

FRAMES = (
    "authored_context",
    PROFILE,
    "session_gap",
    "recent_session_tail",
    "elevated_guidance",
    "recalled_memories",
    "memory_degraded",
)
"""The names of the frames that assembly writes."""

ENTRY = "entry"
_MAX_TAG = 600
_MAX_LEAD = 400
_MAX_ROUNDS = 6  # taking out a frame may lay bare another that a host had split; more rounds than that is an attack

_LEVELS = (
    ("<", ">"),
    ("&(?:lt|#60|#x3c);", "&(?:gt|#62|#x3e);"),
    ("&amp;lt;", "&amp;gt;"),
    (r"\\{1,4}u003c", r"\\{1,4}u003e"),
)
_TAGS = tuple(
    re.compile(
        rf"{left}\s{{0,2}}(?P<slash>\\{{0,4}}/)?\s{{0,2}}(?P<name>{'|'.join((*FRAMES, ENTRY))})"
        rf"(?P<rest>(?![\w-])[^<>]{{0,{_MAX_TAG}}}?)(?:(?P<end>{right})|\Z)",
        re.IGNORECASE,
    )
    for left, right in _LEVELS
)
_CUT_ATTRIBUTES = re.compile(r"\s*(?:[\w-]{1,40}\s?=.*)?", re.DOTALL)
_BLANK = re.compile(r"\s*")
_HALF_TAG = re.compile(r"[\s>]*(?:<|&(?:amp;)?lt;|\\{1,4}u003c)\\{0,4}/?(?P<name>\w{0,40})(?P<rest>\s[^<>]{0,600})?")
_DISTINCT = (name for name in FRAMES if name != PROFILE)
_NAMES = re.compile("|".join((*_DISTINCT, rf"\b{PROFILE}\s{{1,2}}note\b", r"\bentry\b")), re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\b(role|source|at)\s?=", re.IGNORECASE)
_DAY = re.compile(r"\bat\s?=\s?(?:\W|&(?:amp;)?(?:quot|#34);){1,6}(?:\d{4}-\d\d-\d\d|@)", re.IGNORECASE)

_JSON_ESCAPE = re.compile(r"\\+(?:u([0-9a-f]{4})|[nrt\"/])", re.IGNORECASE)
_NO_LETTER = re.compile(r"[\W_]+")
_BREAK = re.compile(r"\n|\\+n")  # also as JSON writes it
# What may stand before a tag that begins a block: a quote, a bullet, a fence, a host's own tag, a JSON key.
_LEAD = re.compile(
    r"(?:\\*\"[\w-]{1,40}\\*\"\s?:|&(?:gt|quot|#34);|\\+[\"nrt]|</?[a-zA-Z][^<>\n]{0,200}>|[\s>|*`~\"'#(\[{•·–-])*+"
)
_TRAIL = re.compile(r"(?:[\s|*`~\"'}\])]|&quot;|</?[a-zA-Z][^<>\n]{0,200}>)*+")
_QUOTE = re.compile(r"[ \t>|]*")
_FENCE = re.compile(r"^[ \t>]{0,12}(?:`{3,}|~{3,})", re.MULTILINE)
_UNQUOTED = re.compile(r"^(?![ \t]*(?:>|&gt;))", re.MULTILINE)
_CUT_HERE = re.compile(
    r"[\[(…][^\[\]()\n]{0,60}\b(?:truncated|omitted|left out|cut off)\b[^\[\]()\n]{0,60}[\])…]", re.IGNORECASE
)
_HOST_TAG = re.compile(r"<([a-zA-Z][\w:-]{0,60})[^<>\n]{0,200}>\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag of ours in a text: where it stands, and how deeply it is escaped."""

    start: int
    end: int
    name: str
    is_close: bool
    level: int
    attributes: frozenset[str]


@dataclass(slots=True, kw_only=True)
class TagScan:
    """A text being read: its tags in order, where fences stand, and what was found to be a frame so far."""

    text: str
    tags: Sequence[Tag]
    fences: Sequence[int]
    cuts: list[tuple[int, int]] = field(default_factory=list)

    @property
    def done(self) -> int:
        """Up to where the text is decided."""
        return self.cuts[-1][1] if self.cuts else 0


def strip_frames(text: str, *, is_whole: bool = False) -> str:
    """The text without what looks like our frames, also cut or broken ones unless `is_whole`; the same text when it has
    none."""
    return _stripped(text, lambda text: find_frames(text, is_whole=is_whole))


def strip_issued(text: str, issued: Collection[str]) -> str:
    """The text without the whole frames that we issued, each known by its letters (`frame_letters`), however a host
    wraps or escapes it; exactly the same text when it has none."""

    def known(text: str) -> list[tuple[int, int]]:
        return [cut for cut in find_frames(text, is_whole=True) if frame_letters(text[slice(*cut)]) in issued]

    return _stripped(text, known) if issued else text


def frame_letters(frame: str) -> str:
    """What names a frame however it is wrapped, quoted or escaped: a digest of its letters and digits alone."""
    plain = _JSON_ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", frame)
    for _ in range(_MAX_ROUNDS):
        plain, before = html.unescape(plain), plain
        if plain == before:
            break
    return sha256(_NO_LETTER.sub("", plain).casefold().encode(errors="replace")).hexdigest()


def _stripped(text: str, find: Callable[[str], list[tuple[int, int]]]) -> str:
    for _ in range(_MAX_ROUNDS):
        cuts = find(text)
        if not cuts:
            break
        text = _join_around(text, cuts)
    return text


def find_frames(text: str, *, is_whole: bool = False) -> list[tuple[int, int]]:
    """Where our frames and loose entries stand, in order and apart from each other; only those with beginning and end
    if `is_whole`."""
    if not _NAMES.search(text):
        return []
    tags = _read_tags(text)
    reading = TagScan(text=text, tags=tags, fences=[fence.start() for fence in _FENCE.finditer(text)] if tags else [])
    nexts = _NextTags(tags)
    for place, tag in enumerate(tags):
        if tag.start < reading.done:
            continue
        cut = _whole_at(reading, place, tag, nexts) if is_whole else _cut_at(reading, place, tag, nexts)
        if cut is not None:
            reading.cuts.append(_widened(reading, *cut))
    return reading.cuts


def _read_tags(text: str) -> list[Tag]:
    found = [
        Tag(
            start=match.start(),
            end=match.end(),
            name=match["name"].lower(),
            is_close=bool(match["slash"]),
            level=level,
            attributes=frozenset(name.lower() for name in _ATTRIBUTES.findall(match["rest"])),
        )
        for level, pattern in enumerate(_TAGS)
        for match in pattern.finditer(text)
        if (match["end"] or _CUT_ATTRIBUTES.fullmatch(match["rest"])) and _may_be_ours(match)
    ]
    return _without_strangers(sorted(found, key=lambda tag: tag.start))


def _may_be_ours(match: re.Match[str]) -> bool:
    is_open_profile = match["name"].lower() == PROFILE and not match["slash"]
    return not is_open_profile or PROFILE_NOTE.lower() in match["rest"].lower()


def _without_strangers(tags: Sequence[Tag]) -> list[Tag]:
    """The tags without the ends of profiles that are not ours: those that none of ours stands open before."""
    ours: list[Tag] = []
    levels: set[int] = set()
    for tag in tags:
        if tag.name == PROFILE:
            if tag.is_close and tag.level not in levels:
                continue
            (levels.discard if tag.is_close else levels.add)(tag.level)
        ours.append(tag)
    return ours


class _NextTags:
    """For each place the next tag of a kind, looked up in lists that are made once."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self.tags = tags
        self._places: dict[tuple[str, int, bool], list[int]] = {}
        for place, tag in enumerate(tags):
            self._places.setdefault((tag.name, tag.level, tag.is_close), []).append(place)

    def after(self, place: int, name: str, level: int, *, is_close: bool) -> Tag | None:
        places = self._places.get((name, level, is_close), [])
        i = bisect_right(places, place)
        return self.tags[places[i]] if i < len(places) else None

    def frame_after(self, place: int, level: int) -> Tag | None:
        """The next opening or closing tag of any frame."""
        found = (self.after(place, name, level, is_close=is_close) for name in FRAMES for is_close in (False, True))
        return min((tag for tag in found if tag), key=lambda tag: tag.start, default=None)

    def entries(self, level: int, start: int, end: int) -> list[Tag]:
        """Entries with attributes of ours, and their closing tags, between two positions."""
        found: list[Tag] = []
        for is_close in (False, True):
            places = self._places.get((ENTRY, level, is_close), [])
            low = bisect_left(places, start, key=lambda place: self.tags[place].start)
            high = bisect_left(places, end, key=lambda place: self.tags[place].start)
            found.extend(self.tags[place] for place in places[low:high])
        return sorted((tag for tag in found if tag.is_close or tag.attributes), key=lambda tag: tag.start)


# ── is it a frame, and how far does it reach? ─────────────────────────────────────────────────────────────


def _cut_at(reading: TagScan, place: int, tag: Tag, nexts: _NextTags) -> tuple[int, int] | None:
    if tag.name == ENTRY:
        return None if tag.is_close else _cut_loose_entry(reading, place, tag, nexts)
    if tag.is_close:
        return _cut_head(reading, tag, nexts)
    if _close_of(place, tag, nexts):
        return _whole_at(reading, place, tag, nexts)
    again = nexts.after(place, tag.name, tag.level, is_close=False)
    return _cut_tail(reading, tag, again.start if again else len(reading.text), nexts)


def _whole_at(reading: TagScan, place: int, tag: Tag, nexts: _NextTags) -> tuple[int, int] | None:
    """A frame that begins with this tag and has its end."""
    close = None if tag.name == ENTRY or tag.is_close else _close_of(place, tag, nexts)
    if close is None:
        return None
    entries = nexts.entries(tag.level, tag.end, close.start)
    return (tag.start, close.end) if _is_block(reading.text, tag, close, entries) else None


def _close_of(place: int, tag: Tag, nexts: _NextTags) -> Tag | None:
    """The end of the frame that a tag begins, unless the same begins anew before."""
    again = nexts.after(place, tag.name, tag.level, is_close=False)
    close = nexts.after(place, tag.name, tag.level, is_close=True)
    return close if close and (again is None or close.start < again.start) else None


def _is_block(text: str, tag: Tag, close: Tag, entries: Sequence[Tag]) -> bool:
    """Whether a pair of tags frames something, rather than being named in a sentence."""
    if any(entry.attributes for entry in entries):
        return True
    is_lead, is_end = _leads(text, tag), _trails(text, close)
    if _trails(text, tag) and _leads(text, close):
        return True  # both tags stand on lines of their own
    words = len(text[tag.end : min(close.start, tag.end + 2000)].split())
    return is_lead and ((is_end and words >= 4) or words >= 12)


def _cut_tail(reading: TagScan, tag: Tag, limit: int, nexts: _NextTags) -> tuple[int, int] | None:
    """A frame without its end: it reaches to the next clear boundary, or to the end of the text."""
    text = reading.text
    limit = _boundary(reading, tag, limit, nexts)
    entries = nexts.entries(tag.level, tag.end, limit)
    if any(entry.attributes for entry in entries):
        is_cut_inside = not entries[-1].is_close or _is_half_a_tag(text, entries[-1].end)
        return tag.start, limit if is_cut_inside else entries[-1].end
    is_alone = _leads(text, tag) and _trails(text, tag)
    if is_alone and _begins_a_block(reading, tag) and not _goes_on(text, tag.end):
        return tag.start, limit
    return None


def _is_half_a_tag(text: str, position: int) -> bool:
    """Whether the text ends here, in the middle of one of our tags."""
    half = _HALF_TAG.fullmatch(text, position)
    if half is None:
        return False
    name = half["name"].lower()
    return name in (*FRAMES, ENTRY) if half["rest"] else any(each.startswith(name) for each in (*FRAMES, ENTRY))


def _boundary(reading: TagScan, tag: Tag, limit: int, nexts: _NextTags) -> int:
    """Where a frame that was cut off must end at the latest."""
    text = reading.text
    for name in FRAMES:
        other = nexts.after(_place_of(nexts.tags, tag), name, tag.level, is_close=False)
        if other and other.start < limit and _leads(text, other):
            limit = other.start
    fence = bisect_left(reading.fences, tag.start)
    if fence % 2 and fence < len(reading.fences):
        limit = min(limit, reading.fences[fence])
    before = _line_before(text, tag.start)
    if ">" in _QUOTE.match(before)[0]:  # type: ignore[index]  # the pattern matches nothing too
        unquoted = _UNQUOTED.search(text, min(tag.end + 1, len(text)), limit)
        limit = unquoted.start() if unquoted else limit
    if host := _HOST_TAG.search(text[max(0, tag.start - 300) : tag.start]):
        end = text.find(f"</{host[1]}", tag.end, limit)
        limit = end if end >= 0 else limit
    marker = _CUT_HERE.search(text, tag.end, limit)
    return marker.end() if marker else limit


def _cut_head(reading: TagScan, tag: Tag, nexts: _NextTags) -> tuple[int, int] | None:
    """A frame without its beginning: all before the closing tag goes, back to where the last frame ended."""
    text, start = reading.text, reading.done
    entries = nexts.entries(tag.level, start, tag.start)
    if entries or _BLANK.match(text, start, tag.start).end() == tag.start:  # type: ignore[union-attr]  # always matches
        return start, tag.end
    is_alone = _leads(text, tag) and _trails(text, tag)
    return (start, tag.end) if is_alone and not _goes_on(text, tag.end) else None


def _cut_loose_entry(reading: TagScan, place: int, tag: Tag, nexts: _NextTags) -> tuple[int, int] | None:
    """An entry without a frame: its attributes tell it from anybody else's markup."""
    if not _DAY.search(reading.text, tag.start, tag.end) and not {"role", "at"} <= tag.attributes:
        return None
    frame = nexts.frame_after(place, tag.level)
    if frame and frame.is_close:
        return None  # the rest of a frame whose head is missing: its closing tag takes it out as a whole
    close = nexts.after(place, ENTRY, tag.level, is_close=True)
    again = nexts.after(place, ENTRY, tag.level, is_close=False)
    if close and (again is None or close.start < again.start):
        return tag.start, close.end
    if not _leads(reading.text, tag):
        return None
    return tag.start, _boundary(reading, tag, again.start if again else len(reading.text), nexts)


def _place_of(tags: Sequence[Tag], tag: Tag) -> int:
    return bisect_left(tags, tag.start, key=lambda each: each.start)


# ── the lines around a tag ────────────────────────────────────────────────────────────────────────────────


def _line_before(text: str, position: int) -> str:
    """What stands before a position on its line; a longer line than any lead is shown from the middle."""
    window = text[max(0, position - _MAX_LEAD) : position]
    last = max(window.rfind("\n"), window.rfind("\\n") + 1)
    return window[last + 1 :] if last > 0 or window.startswith("\n") else window


def _line_after(text: str, position: int) -> str:
    window = text[position : position + _MAX_LEAD]
    found = _BREAK.search(window)
    return window[: found.start()] if found else window


def _leads(text: str, tag: Tag) -> bool:
    """Whether the tag begins its line, as far as quotes, bullets, fences and host's tags do not count."""
    before = _line_before(text, tag.start)
    if before.endswith("`") and text.startswith("`", tag.end) and not before.endswith("```"):
        return False  # named as code, in a sentence
    return len(before) < _MAX_LEAD and _LEAD.fullmatch(before) is not None


def _trails(text: str, tag: Tag) -> bool:
    """Whether nothing is said after the tag on its line."""
    return _TRAIL.fullmatch(_line_after(text, tag.end)) is not None


def _begins_a_block(reading: TagScan, tag: Tag) -> bool:
    """Whether a blank line, a fence, a tag, a cut frame or the beginning of the text comes before the tag's line."""
    text = reading.text
    line_start = tag.start - len(_line_before(text, tag.start))
    if line_start <= reading.done:
        return True
    above = _line_before(text, line_start - 1)
    return _LEAD.fullmatch(above) is not None or above.rstrip().endswith((":", ">", "```"))


def _goes_on(text: str, position: int) -> bool:
    """Whether the next line continues a sentence: then the tag was only named on a line of its own."""
    following = text[position : position + _MAX_LEAD].lstrip()
    return following[:1].islower()


# ── taking out ────────────────────────────────────────────────────────────────────────────────────────────


def _widened(reading: TagScan, start: int, end: int) -> tuple[int, int]:
    """The cut with the quote marks before it and the spaces behind it on its lines."""
    text = reading.text
    before = _line_before(text, start)
    if _QUOTE.fullmatch(before):
        start -= len(before)
    while end < len(text) and text[end] in " \t":
        end += 1
    return max(start, reading.done), end


def _join_around(text: str, cuts: Sequence[tuple[int, int]]) -> str:
    """What is left of a text, with emptied fences and host tags gone too."""
    settled: list[str] = []
    open_end = text[: cuts[0][0]]
    for (_, end), following in zip(cuts, (*cuts[1:], (len(text), len(text))), strict=True):
        if len(open_end) > _REACH:  # only the end of what is kept may still change
            settled.append(open_end[:-_REACH])
            open_end = open_end[-_REACH:]
        open_end = _seam(open_end, text[end : following[0]])
    return "".join((*settled, open_end)).strip()


_REACH = 400
_GAP = r"(?:\\+n|[\s>])*"
# What a host puts around a frame: how it ends on the left of the gap, and how it goes on to the right.
_WRAPPERS = (
    (re.compile(r"(?:^|\n)[ \t>]*(?P<mark>`{3,}|~{3,})[^\n`]{0,60}[\s>]*$"), _GAP + r"{}[ \t]*(?=\n|\Z)"),
    (re.compile(r"<(?P<mark>[a-zA-Z][\w:-]{0,60})(?:\s[^<>]{0,200})?>[\s>]*$"), _GAP + r"</{}\s?>"),
    (re.compile(rf"(?:^|\n)[ \t]*(?P<mark>\\*\"){_GAP}$"), _GAP + r"{}[ \t]*(?=\n|\Z)"),
    (re.compile(rf"(?:^|\n)[ \t]*\{{\s*(?P<mark>\\*\")[\w-]{{1,40}}\\*\"\s*:\s*\\*\"{_GAP}$"), _GAP + r"{}\s*\}}"),
)


def _seam(left: str, right: str) -> str:
    """Two pieces joined where a frame was: wrappers that now hold nothing go, the gap becomes one break."""
    while (emptied := _emptied(left, right)) is not None:
        left, right = emptied
    gap = left[len(left.rstrip(" \t\n>")) :] + right[: len(right) - len(right.lstrip())]
    body = re.sub(r"\A\s*\n", "", right) if "\n" in gap else right.lstrip()
    between = "\n" if "\n" in gap else " " if gap else ""
    return left.rstrip(" \t\n") + (between if left.strip() and body.strip() else "") + body


def _emptied(left: str, right: str) -> tuple[str, str] | None:
    """Both sides without a wrapper that holds nothing any more; None when there is none."""
    reach = left[-_REACH:]
    for opening, closing in _WRAPPERS:
        found = opening.search(reach)
        closed = re.match(closing.format(re.escape(found["mark"])), right) if found else None
        if found and closed:
            return left[: len(left) - len(reach) + found.start()], right[closed.end() :]
    return None

"""Names of people in a question: a name is one only where it is used as one.

Most names are nothing else, and are known however they are typed. Will, Mark, May, Rose and Grace are words too: those
count where a name stands, with a capital that the sentence does not ask for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from libravdb.text.analysis import ALL_STOP_WORDS
from libravdb.text.dates import Span

ORDINARY = ALL_STOP_WORDS | frozenset(
    # English
    "abbey amber angel april art ash aspen august autumn baker bailey bay bear bill bishop blaze blue bob brook brooke"
    " brooks bud buddy candy carol chance charity chase chip christian clay cliff cole colt cook crystal daisy dale"
    " dawn dean destiny dick don drew duke earl eve faith fawn fern flora forest forrest frank gale gay gene ginger"
    " glen glory grace grant guy harmony harper harry hazel heath heather holly honey honor hope hunter iris ivy jack"
    " jade jasmine jay jean jenny jersey jewel jimmy john josh joy june junior justice king lance lane lark laurel"
    " lily lord love lucky luna major mark mason matt max may melody mercy merry miles mill mini misty mo nick noble"
    " norm olive olives opal page paige pat patience patsy peace pearl penny pepper pierce piper poppy precious prince"
    " prudence queen rain ray reed rich river rob robin rock rocky rose rosemary ruby rusty sage sandy scout sky skip"
    " skipper sonny star stone storm sue summer sunny tad teddy terry trinity trip tucker val van vern victor victory"
    " viola violet wade walker ward warren wed west will willow winter woody wren young"
    # German
    " ernst frank heide heiter karl klein jung linde mai mark morgen rosa sommer stern wolf wonne lang blume engel"
    # Spanish
    " alba alma amada amor angel angeles aurora belen blanca camino carmen clara concha consuelo cruz dolores dulce"
    " esperanza estrella flor flora gloria gracia inocencia leal linda luna luz mar mercedes milagros nieves paloma"
    " paz perla pilar pio reina rey rocio rosa salvador santos serena sol soledad victoria violeta"
    # French
    " aime aimee ange aurore blanche celeste chance claire clemence constance desire desiree fleur felicite franc"
    " france honore jasmin juste lune marguerite modeste olive parfait pierre prudence reine rose sylvestre"
    " violette".split()
)
"""Names that are words of some language here: typed in lower case, or where any word has a capital, they are words."""

_MODALS = frozenset(("will", "may"))
_DETERMINERS = frozenset(
    "a an the this that these those my your his her its our their no any some every each of in der die das den dem des"
    " ein eine einen einem einer im am zum zur mein meine meinen dein deine sein seine ihr ihre kein keine el la los"
    " las un una unos unas mi tu su sus del al le les une des du au aux mon ma mes ton ta tes son sa ses notre votre"
    " leur ce cet cette ces".split()
)
_AFTER_NAME = frozenset(
    "is was has had did does do said says told tells went goes likes liked loves loved wants wanted and or ist war hat"
    " hatte sagt sagte und oder es fue era tiene dijo y est etait a dit et ou".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_ENDING = r"(?:['’]s?)?"
_HAN = re.compile("[\u3400-\u9fff]")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;…\n\"“„¿¡(])\W*$")


def used_names(text: str, names: Iterable[str], dates: Sequence[Span] = ()) -> dict[str, list[tuple[int, int]]]:
    """The names that a text uses, each with where. What belongs to a date ("in May") is nobody."""
    dated = list(_dated(text, dates))
    found = {name: list(_uses(text, name, dated)) for name in names if name.strip()}
    return {name: places for name, places in found.items() if places}


def _dated(text: str, dates: Sequence[Span]) -> Iterator[tuple[int, int]]:
    end = 0
    for span in dates:
        start = text.find(span.words, end)
        if start >= 0:
            end = start + len(span.words)
            yield start, end


def _uses(text: str, name: str, dated: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    first = name.split(maxsplit=1)[0]
    for match in _pattern(name.strip(), first).finditer(text):
        if any(start < match.end() and match.start() < end for start, end in dated):
            continue
        bare = match["name"]
        if bare.casefold() not in ORDINARY or _is_used_as_name(text, match):
            yield match.start(), match.end()


def _pattern(name: str, first: str) -> re.Pattern[str]:
    """The name, or its first part, as words of their own, with a possessive ending."""
    if _HAN.search(name):  # no spaces tell where it ends
        return re.compile(rf"(?P<name>{re.escape(name)})")
    parts = sorted({re.escape(name), re.escape(first)}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?P<name>{'|'.join(parts)}){_ENDING}(?!\w)", re.IGNORECASE)


def _is_used_as_name(text: str, match: re.Match[str]) -> bool:
    """A capital that is more than the sentence's own; no article before it; at the start, a name's company behind."""
    bare = match["name"]
    if not bare[0].isupper() or (len(bare) > 1 and bare.isupper()):
        return False
    before = text[: match.start()]
    said = _WORD.findall(before)
    if _SENTENCE_END.search(before) is None:
        return not (said and said[-1].casefold() in _DETERMINERS)
    if len(match[0]) > len(bare) and match[0][-1] in "sS":  # Will's
        return True
    behind = text[match.end() :]
    following = _WORD.search(behind)
    if behind.lstrip(" ").startswith(","):
        return True
    if following is None:
        return True
    word = following[0].casefold()
    is_verb = word in _AFTER_NAME or (word.endswith("ed") and len(word) > 3)
    return is_verb and not (bare.casefold() in _MODALS and word in ("do", "a"))

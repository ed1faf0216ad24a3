"""Writes `bert_characters.py`: what the library `tokenizers` makes of every character for a lower-case BERT model.

    python tools/build_bert_characters.py

Asked of the library itself, code point by code point, because its parts know different versions of Unicode: categories
of Unicode 8, decompositions of 9, lower case of the compiler it was built with (17 for 0.23.3). Python's own
tables change with every version of Python, and a text must not get another vector for that. Tests compare the result
with the library.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import tokenizers
from tokenizers.normalizers import NFD, BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

TARGET = Path(__file__).parent.parent / "src/libravdb/adapters/embedders/bert_characters.py"
HANGUL = range(0xAC00, 0xD7A4)
LAST_MARK = "\u0345"  # of all combining marks the one that is sorted behind every other
GAP, LINE = 3, 48  # characters between two that change, for which a new line does not pay; the most in one line

CLEAN = BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False)
IDEOGRAPHS = BertNormalizer(clean_text=False, handle_chinese_chars=True, strip_accents=False, lowercase=False)
STRIP = BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False)
LOWER = BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=True)

HEAD = '''"""What a lower-case BERT makes of each character; written by `tools/build_bert_characters.py`, not by hand.

Ranges of code points are hexadecimal, both ends included. Made with tokenizers {version}.
"""
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The library's answers, by code point."""

    spaces: list[int]
    removed: list[int]
    ideographs: list[int]
    marks: list[int]
    punctuation: list[int]
    orders: dict[int, int]
    folds: dict[int, str]


def ask() -> Found:
    """What the library makes of each character; private use, which the reader knows by itself, is left out."""
    found = Found(spaces=[], removed=[], ideographs=[], marks=[], punctuation=[], orders={}, folds={})
    for char in map(chr, range(0x110000)):
        if unicodedata.category(char) not in ("Co", "Cs"):
            ask_about(char, found)
    return found


def ask_about(char: str, found: Found) -> None:
    """Put one character where it belongs."""
    code, clean = ord(char), CLEAN.normalize_str(char)
    if clean != char or char == " ":
        (found.spaces if clean else found.removed).append(code)
        return
    if IDEOGRAPHS.normalize_str(char) != char:
        found.ideographs.append(code)
    order = order_of(NFD().normalize_str(char)[0])
    if order:
        found.orders[code] = order
    folded = LOWER.normalize_str(STRIP.normalize_str(char))
    if not folded:
        found.marks.append(code)
    elif is_punctuation(folded):
        found.punctuation.append(code)
    if folded and folded != char and code not in HANGUL:
        found.folds[code] = folded


def order_of(mark: str) -> int:
    """The canonical combining class, 0 for what the library does not know: the classes themselves never change."""
    if mark == LAST_MARK or NFD().normalize_str(LAST_MARK + mark) != LAST_MARK + mark:
        return unicodedata.combining(mark)
    return 0


def is_punctuation(folded: str) -> bool:
    """Whether it stands for itself between letters; never as a part of something longer."""
    pieces = [piece for piece, _ in BertPreTokenizer().pre_tokenize_str(f"a{folded}b")]
    if len(pieces) == 1:
        return False
    assert pieces == ["a", folded, "b"]  # noqa: S101 - what the reader of the table relies on
    assert len(folded) == 1  # noqa: S101
    return True


def ranges(codes: Iterable[int]) -> str:
    """Code points as ranges: `41-5a 61`."""
    runs: list[list[int]] = []
    for code in sorted(codes):
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return " ".join(f"{first:x}" if first == last else f"{first:x}-{last:x}" for first, last in runs)


def fold_lines(folds: dict[int, str]) -> Iterator[str]:
    """`41 abc`: what U+0041 and the two behind it become; a space for one that stays."""
    line, start = "", 0
    for code, target in sorted(folds.items()):
        skipped = code - start - len(line)
        if line and (skipped > GAP or len(line) + skipped >= LINE):
            yield f"{start:x} {line}"
            line = ""
        if not line:
            start, skipped = code, 0
        line += " " * skipped + target
    yield f"{start:x} {line}"


def constant(name: str, lines: Iterable[str], about: str) -> str:
    """One table as Python."""
    content = "\n".join(lines)
    return f'\n{name} = """\n{content}\n"""\n"""{about}"""\n'


def wrapped(codes: Iterable[int], *, before: str = "") -> list[str]:
    """Ranges in lines of a usual length."""
    return textwrap.wrap(before + ranges(codes), 118)


def render(found: Found) -> str:
    """The module."""
    orders: dict[int, list[int]] = {}
    for code, order in found.orders.items():
        orders.setdefault(order, []).append(code)
    single = {code: target for code, target in found.folds.items() if len(target) == 1}
    several = {code: target for code, target in found.folds.items() if len(target) > 1}
    return HEAD.format(version=tokenizers.__version__) + "".join(
        (
            constant("SPACES", wrapped(found.spaces), "What separates words."),
            constant("REMOVED", wrapped(found.removed), "Taken out before anything else, as private use is."),
            constant("PUNCTUATION", wrapped(found.punctuation), "Each a word of its own."),
            constant("IDEOGRAPHS", wrapped(found.ideographs), "Each a word of its own too."),
            constant("MARKS", wrapped(found.marks), "Accents and the like, taken out once they are sorted."),
            constant(
                "ORDERS",
                (line for order in sorted(orders) for line in wrapped(orders[order], before=f"{order}: ")),
                "By which number marks behind one letter are sorted; all others are letters.",
            ),
            constant("FOLDS", fold_lines(single), "What a character becomes, and those behind it; a space: it stays."),
            constant(
                "SPREADS",
                (" ".join(f"{ord(char):x}" for char in (chr(code), *target)) for code, target in several.items()),
                "A character, and the several that it becomes.",
            ),
        )
    )


if __name__ == "__main__":
    TARGET.write_text(render(ask()), encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes, from tokenizers {tokenizers.__version__}")

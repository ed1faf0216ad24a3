"""Words that deny, in the languages that the gate knows; what a summary must neither drop nor add."""

from __future__ import annotations

import re

_WORDS = (
    "not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|[a-z]+n['’]t|dont|doesnt|didnt|isnt|wont|cant"
    "|nicht|kein(?:e[mnrs]?)?|nie|niemals|nichts|niemand(?:e[mn])?|nirgends|weder|ohne"
    "|nunca|jamás|nada|nadie|sin|ni|tampoco|ningun[oa]s?|ningún"
    "|pas|ne|n['’]\\w+|jamais|rien|personne|sans|aucune?"
    "|non|mai|niente|nulla|nessun[oa]?|senza|né|não|nem|ninguém|nenhuma?|sem|niet|geen|nooit|niets|niemand|zonder|noch"
    "|не|нет|никогда|ничего|никто|без|нельзя"
)
_SPACED = re.compile(rf"(?<![\w'’-])(?:{_WORDS})(?![\w'’])", re.IGNORECASE)
_WHOLE = re.compile(_WORDS, re.IGNORECASE)
_UNSPACED = re.compile(
    # Words that hold such a character and deny nothing come first.
    "不过|不错|不仅|不但|不管|不断|差不多|非常|别人|特别|级别|性别|分别|无论"
    "|(?P<denial>不|没|别|无|未|勿|非|ない|ません|なかった)"
)


def count_negations(text: str) -> int:
    """How often a text denies something."""
    return len(_SPACED.findall(text)) + sum(found["denial"] is not None for found in _UNSPACED.finditer(text))


def is_negation(word: str) -> bool:
    """Whether a word denies."""
    found = _UNSPACED.fullmatch(word)
    return _WHOLE.fullmatch(word) is not None or (found is not None and found["denial"] is not None)

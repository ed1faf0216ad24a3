"""How wishes are said, one module of words per language."""

from __future__ import annotations

from libravdb.core.guidance.languages.de import GERMAN
from libravdb.core.guidance.languages.en import ENGLISH
from libravdb.core.guidance.languages.es import SPANISH
from libravdb.core.guidance.languages.fr import FRENCH
from libravdb.core.guidance.languages.wording import WishWording
from libravdb.core.guidance.languages.zh import CHINESE

WORDINGS: tuple[WishWording, ...] = (ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)

"""The languages that the deontic reader knows. A new one is a file of data and a line here."""

from __future__ import annotations

from libravdb.authored.languages.de import GERMAN
from libravdb.authored.languages.en import ENGLISH
from libravdb.authored.languages.es import SPANISH
from libravdb.authored.languages.fr import FRENCH
from libravdb.authored.languages.grammar import Language
from libravdb.authored.languages.zh import CHINESE

LANGUAGES: tuple[Language, ...] = (ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)
"""In the order in which they are tried when a sentence fits several."""

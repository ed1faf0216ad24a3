"""The languages that the deontic reader knows. A new one is a file of data and a line here."""

from __future__ import annotations

from libravdb.core.authored.languages.de import GERMAN
from libravdb.core.authored.languages.en import ENGLISH
from libravdb.core.authored.languages.es import SPANISH
from libravdb.core.authored.languages.fr import FRENCH
from libravdb.core.authored.languages.grammar import DeonticLanguage
from libravdb.core.authored.languages.zh import CHINESE

LANGUAGES: tuple[DeonticLanguage, ...] = (ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)
"""In the order in which they are tried when a sentence fits several."""

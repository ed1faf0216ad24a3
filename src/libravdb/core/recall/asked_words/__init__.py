"""How people ask for an attribute, language by language: a language is added by adding a module and a name here."""

from libravdb.core.recall.asked_words.chinese import CHINESE
from libravdb.core.recall.asked_words.english import ENGLISH
from libravdb.core.recall.asked_words.french import FRENCH
from libravdb.core.recall.asked_words.german import GERMAN
from libravdb.core.recall.asked_words.spanish import SPANISH

SPACED = (ENGLISH, GERMAN, SPANISH, FRENCH)
"""Languages that put spaces between words."""

UNSPACED = (CHINESE,)
"""Languages that do not."""

__all__ = ["SPACED", "UNSPACED"]

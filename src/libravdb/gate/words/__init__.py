"""What the gate knows of each language, as data. A language is added by adding a module and a line here."""

from libravdb.gate.words.chinese import CHINESE
from libravdb.gate.words.dutch import DUTCH
from libravdb.gate.words.english import ENGLISH
from libravdb.gate.words.french import FRENCH
from libravdb.gate.words.german import GERMAN
from libravdb.gate.words.italian import ITALIAN
from libravdb.gate.words.japanese import JAPANESE
from libravdb.gate.words.portuguese import PORTUGUESE
from libravdb.gate.words.russian import RUSSIAN
from libravdb.gate.words.spanish import SPANISH
from libravdb.gate.words.vocabulary import Script, Words

LANGUAGES: tuple[Words, ...] = (
    ENGLISH,
    GERMAN,
    SPANISH,
    FRENCH,
    ITALIAN,
    PORTUGUESE,
    DUTCH,
    RUSSIAN,
    CHINESE,
    JAPANESE,
)

__all__ = ["LANGUAGES", "Script", "Words"]

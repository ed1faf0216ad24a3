"""What the gate knows of each language, as data. A language is added by adding a module and a line here."""

from libravdb.core.gate.languages.chinese import CHINESE
from libravdb.core.gate.languages.dutch import DUTCH
from libravdb.core.gate.languages.english import ENGLISH
from libravdb.core.gate.languages.french import FRENCH
from libravdb.core.gate.languages.german import GERMAN
from libravdb.core.gate.languages.italian import ITALIAN
from libravdb.core.gate.languages.japanese import JAPANESE
from libravdb.core.gate.languages.portuguese import PORTUGUESE
from libravdb.core.gate.languages.russian import RUSSIAN
from libravdb.core.gate.languages.spanish import SPANISH
from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

LANGUAGES: tuple[GateVocabulary, ...] = (
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

__all__ = ["LANGUAGES", "GateVocabulary", "Script"]

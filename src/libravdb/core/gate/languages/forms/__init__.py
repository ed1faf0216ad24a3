"""How statements are made in each language, as data. A language is added by adding a module and a line here."""

from libravdb.core.gate.languages.forms.chinese import CHINESE
from libravdb.core.gate.languages.forms.english import ENGLISH
from libravdb.core.gate.languages.forms.form import ALIASES, CATEGORIES, PRODUCT, SOLE, Form, FormVocabulary, Single
from libravdb.core.gate.languages.forms.french import FRENCH
from libravdb.core.gate.languages.forms.german import GERMAN
from libravdb.core.gate.languages.forms.spanish import SPANISH

FORMS: dict[str, FormVocabulary] = {one.language: one for one in (ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE)}

__all__ = ["ALIASES", "CATEGORIES", "FORMS", "PRODUCT", "SOLE", "Form", "FormVocabulary", "Single"]

"""Names beside what they name, which every language with spaces does alike: "my wife Ines", "Ines (my wife)"."""

from libravdb.core.gate.languages.forms.form import Form, Single, form
from libravdb.model import AttributeKind as Kind

NAME = r"(?-i:[A-ZÀ-ÞŁŚŻŠŽČ](?![A-Z])[\w-]+(?: [A-ZÀ-ÞŁŚŻŠŽČ][\w-]+)?)(?!['\w])"
"""A name of one or two words, which nothing belongs to."""
_TITLE = r"(?:dr\.? |mr\.? |mrs\.? |ms\.? |frau |herr |señora? |do[nñ]a? |madame |monsieur |pani |pan |doctor )?"


def named_relations(relation: str, *, mine: str, cues: str, that_is: str) -> tuple[Form, ...]:
    """A person with his relation: `mine` are the words for "my", `that_is` what may stand between in "Ana, that's my"."""
    return (
        form(
            Kind.PERSON,
            cues,
            rf"(?P<value>{NAME})(?: \(|, |, (?:{that_is}) )(?:{mine}) (?P<name>{relation})(?=[),.;!]|$)",
            single=Single.NEVER,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            cues,
            rf"(?:{mine}) (?:[\w-]+ )?(?P<name>{relation})(?: |, | \()(?P<value>{_TITLE}{NAME})",
            single=Single.NEVER,
            is_speakers=True,
            is_naming=True,
        ),
    )


def named_pets(animal: str, *, mine: str, cues: str) -> tuple[Form, ...]:
    """A pet with its name beside it."""
    return (
        form(
            Kind.PET,
            cues,
            rf"(?:{mine}) (?:[\w-]+ )?(?P<name>{animal})(?: |, | \()(?P<value>{NAME})",
            single=Single.NEVER,
            is_speakers=True,
            is_naming=True,
        ),
    )

"""How one asks for an attribute in German."""

from collections.abc import Mapping

from libravdb.model import AttributeKind

GERMAN: Mapping[AttributeKind, tuple[str, ...]] = {
    AttributeKind.HOME: (
        "wo (?:wohne|lebe|wohnen|leben|wohnt|lebt)",
        r"(?:meine|unsere) (?:\w+ )?(?:adresse|anschrift|wohnung|stadt|straße)\b",
        "in welcher (?:stadt|straße)",
    ),
    AttributeKind.WORK: (
        "wo arbeite",
        "bei wem arbeite",
        "was (?:mache|arbeite) ich beruflich",
        r"(?:mein|meine) (?:\w+ )?(?:job|arbeit|arbeitgeber|firma|beruf|stelle)\b",
        "als was arbeite",
    ),
    AttributeKind.CONTACT: (
        r"(?:mein|meine|unsere) (?:neue |aktuelle )?(?:telefonnummer|handynummer|nummer|mailadresse|e-?mail\w*)\b",
    ),
    AttributeKind.HEALTH: (
        r"allergi\w*",
        "wogegen bin ich",
        r"(?:meine|mein) (?:krankheit|diagnose|medikamente?|gesundheit|blutgruppe|verletzung)\b",
        "was (?:darf|vertrage) ich nicht",
    ),
    AttributeKind.DIET: (
        "was esse ich",
        "esse ich",
        "(?:meine) ernährung",
        r"bin ich (?:vegan|vegetari\w+)",
        r"was (?:soll|sollen|kann|können) (?:ich|wir) (?:\w+ ){0,3}(?:kochen|essen)",
    ),
    AttributeKind.PET: (
        r"(?:mein\w*|unser\w*) (?:hund|katze|kater|haustiere?|kaninchen|pferd|vogel)\b",
        "wie heißt (?:mein|meine|unser|unsere) (?:hund|katze|kater)",
    ),
    AttributeKind.PERSON: (
        r"wie heißt (?:mein|meine|unser|unsere)\b",
        r"(?:name|namen) (?:meiner|meines|unserer|unseres)\b",
        r"wer ist (?:mein|meine|unser|unsere)\b",
    ),
    AttributeKind.NAME: (
        "wie heiße ich",
        r"mein(?:en)? (?:name|spitzname|vorname|nachname)n?\b",
    ),
    AttributeKind.BIRTHDAY: (
        r"(?:mein\w*|unser\w*) geburtstag",
        "wie alt (?:bin|ist|sind)",
        "wann (?:bin ich|wurde ich) geboren",
    ),
    AttributeKind.PRICE: (
        "wie ?viel (?:kostet|zahle|verdiene|bezahle|zahlen|ist)",
        "was kostet",
        r"(?:mein\w*|unser\w*) (?:\w+ )?(?:miete|gehalt|budget|lohn|honorar|beitrag)\b",
    ),
    AttributeKind.FAVOURITE: (
        r"lieblings\w*",
        "am liebsten",
    ),
    AttributeKind.VEHICLE: (
        r"(?:mein\w*|unser\w*|welches) (?:\w+ )?(?:auto|fahrrad|rad|wagen|motorrad|roller|boot)\b",
        "was fahre ich",
    ),
    AttributeKind.LANGUAGE: (
        "welche sprachen?",
        "sprache(?:n)? spreche",
        "spreche ich",
        "muttersprache",
    ),
    AttributeKind.PLAN: (
        r"wann (?:ist|sind|habe|fahre|fliege|fahren|fliegen|muss|gehe)\b",
        r"(?:mein\w*|unser\w*) (?:\w+ )?(?:termin|reise|flug|urlaub|prüfung|besprechung|op|hochzeit|feier|besuch|plan|pläne)\b",
    ),
    AttributeKind.ROLE: (r"wer (?:ist|leitet|führt|macht|verantwortet)\b",),
    AttributeKind.VERSION: (
        "welche version",
        "version von",
    ),
    AttributeKind.PORT: (r"\bports?\b",),
    AttributeKind.HOST: (
        "auf welchem (?:server|rechner)",
        "wo (?:läuft|liegt|wird)",
    ),
    AttributeKind.TOOL: (
        r"welche[ns]? (?:\w+ )?(?:datenbank|editor|framework|werkzeug|programm|bibliothek|browser|betriebssystem|anbieter)\b",
        r"was (?:nutze|benutze|verwende)\w* (?:ich|wir)",
    ),
}

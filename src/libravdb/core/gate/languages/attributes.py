"""What kinship must know of language: attributes of which one has one, values, signs of the past."""

import re

GENERIC = frozenset(
    "use have like run work live go take get make do want new nutz uso us utilis travail trabaj".split()
)
VALUE = re.compile(
    r"(?:mon|tue|tues|wednes|thurs|fri|satur|sun)days?|mondi|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lunes|martes|miércoles"
    r"|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo"
    r"|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre"
    r"|novembre|décembre|am|pm|uhr",
    re.IGNORECASE,
)
ATTRIBUTES = {
    "home": re.compile(
        r"(?:live|lives|living|based|reside|moved|relocated) (?:back )?(?:in|to|at) |(?:wohne|wohnen|lebe|leben)(?: \w+)? in |nach \w+ (?:um)?gezogen"
        r"|(?:vivo|vivimos) en |(?:mudé|mudamos|mudado) a |habite à |habitons à |déménagé à |abito a |trasferit\w a |moro (?:em|no|na) |mudei para "
        r"|(?:живу|живем|живём) в |переехал\w? в |住在|搬到|住んで|引っ越し|woon(?: \w+)? in |verhuisd naar ",
        re.IGNORECASE,
    ),
    "work": re.compile(
        r"work(?:ing)? as an? |arbeite(?: \w+)? als |trabajo(?: \w+)? como |travaille(?: \w+)? comme |lavoro(?: \w+)? come |trabalho(?: \w+)? como |my job is "
        r"|работаю \w+(?:ом|ем)\b",
        re.IGNORECASE,
    ),
    "status": re.compile(
        r"\b(?:single|married|engaged|divorced|widowed|ledig|verheiratet|verlobt|geschieden|solter[oa]|casad[oa]|divorciad[oa]|célibataire|mariée?|fiancée?|divorcée?)\b",
        re.IGNORECASE,
    ),
}
PAST = re.compile(
    r"\b(?:lived|used to|was|were|worked|grew up|früher|wohnte|lebte|antes|vivía|avant|habitais|had)\b", re.IGNORECASE
)
LEFT_BEHIND = re.compile(
    r"(?:\bfrom|\binstead of|\bno more|\bnot|\bstatt|\bvon|\ben vez de|\ben lugar de|\bau lieu de|\bde|\bвместо|\bс) (?P<what>[\w.+#-]{2,40}(?: [A-Z]\w+)?)|从(?P<han>[A-Za-z\u4e00-\u9fff]{2,10}?)(?:换|改|搬)"
)
FUNCTIONAL = frozenset(
    "favourit address email phone boss manag landlord doctor dentist password birthday deadlin chef favorit numéro teléfono correo".split()
)

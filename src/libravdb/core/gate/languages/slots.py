"""Where the value of a state stands in a sentence: times, numbers, places, names; in every language here."""

import re

_DAYS = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)(?=\b)|january|february|march(?= \d|\b)|april|june|july|august|september|october|november|december|(?:in|by|until|till|to|since) may\b|\bmay \d+|\d+ may\b"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag\w{0,7}|mittwoch\w{0,7}|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember"
    r"|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|tomorrow|noon|midnight|morgen(?= um| früh)|übermorgen|mañana|mediodía|demain|midi|christmas|easter|weihnachten|ostern|navidad|noël|pâques"
)
_CLOCK = (
    r"\d{1,2}[:.h]\d{2}(?: ?[ap]m)?|\d{1,2} ?(?:am|pm|uhr|o'clock|h|heures?)(?!\w)|(?:at|um|à|a las|às) \d{1,2}(?![\d.,]*\w)|half (?:past )?\w+|halb \w+|viertel (?:vor|nach) \w+"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th)(?!\w)|\d{1,2}\. (?=[A-ZÄÖÜ])|\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.(?:\d{2,4})?|\d{1,2}/\d{1,2}(?:/\d{2,4})?"
    r"|(?:el|le|am|the|del?) \d{1,2}(?= (?:de|d'|à|um|at|a las)|$|[,.])"
)
_HAN_TIME = r"(?:下?个?(?:周|星期|礼拜)[一二三四五六日天末])|\d{1,2}月(?:\d{1,2}[日号])?|[一二三四五六七八九十]{1,2}月|\d{1,2}[日号]|[一二两三四五六七八九十\d]{1,3}点半?|[上下]午|晚上|早上"
TIME = re.compile(
    rf"(?<!\w)(?:{_CLOCK}|\d{{1,2}}(?:\.| de)? (?={_DAYS})|{_DAYS}(?: \d{{1,2}}(?!\d))?)(?!\w)|{_HAN_TIME}",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"(?<![\w.])(?:[€$£] ?)?\d[\d.,']*\d|(?<![\w.])\d|[一二两三四五六七八九十百千万]{2,}(?=[块元公里个])|\d+"
)
STANDS = re.compile(
    r"(?<!\w)(?:is|are|'s|will be|lives?|sits?|stays?|(?:is|are) kept|(?:is|are) parked|goes|go|runs|hosted|ist|sind|liegt|steht|läuft|hängt|bleibt|está|están|es|son|corre|vive|est|sont|se trouve|tourne|se fait|sera|is called|are called|heißt|lautet|s'appelle|se llama|,? c'est)"
    r"(?: (?:now|jetzt|nun|inzwischen|ahora|ya|maintenant|désormais|always|still|parked|kept|hosted|stored|booked|immer))*(?= )|(?:现在)?(?:放在|跑在|在|是|叫)",
    re.IGNORECASE,
)
AT = re.compile(
    r"^ ?(?:in|on|at|under|with|behind|next to|by|over|inside|above|auf|im|bei|beim|unter|neben|hinter|am|vor|en|con|bajo|sobre|detrás de|dans|sur|sous|chez|avec|à|au|aux|derrière)(?!\w)",
    re.IGNORECASE,
)
TITLED = re.compile(
    r"^(?:,? c'est)? ?(?:(?:an?|the|der|die|das|el|la|le|une?|ein[er]?) )?(?:(?i:mr|mrs|ms|miss|dr|herr|frau|señora?|monsieur|madame|mme)\.? )?[A-ZÄÖÜÀ-Þ][\w'-]*"
)
EVENT = re.compile(
    r"(?<!\w)(?:was|were|had|went|got|met|called|rang|saw|ate|bought|came|drove|flew|took|made|spent|fell|left|lost|won|broke|forgot|ran|swam|gave|told|said|wrote|slept|paid|sent|found|felt|heard|held|knew|began|drank|rode|sold|spoke|taught|thought|wore|did|\w{3,}ed|war|waren|hatte|ging|gestern"
    r"|(?:habe|hab|bin|hat|haben|sind) (?:\S+ ){1,6}ge\w+t?e?n?|era|fue|fui|estuve|tuve|hice|\w{2,}(?:é|ó|aron|ieron|imos)|était|j'ai \w+|on a \w+|nous avons \w+|(?:elle|il) a \w+é)(?!\w)|昨天|上周|去了|过",
    re.IGNORECASE,
)
"""Tells what happened, not what holds."""
SHIFTED = re.compile(
    r"(?<!\w)(?:slipped|moved|bumped|pushed|raised|put (?:the |my |our )?\S+ (?:up|down)|switched|rescheduled|postponed|delayed|verschoben|verlegt|gestiegen|erhöht|subió|pasó|cambió|ha subido|reportée?|déplacée?|passée?|augmenté)(?!\w)|改|涨|推迟|提前",
    re.IGNORECASE,
)
"""Tells that something was given another value: that holds since."""
TOPICLESS = frozenset(
    "mg ml kg km be is cost pay go do get take put listen run use have need start say make come keep work live stand set move slip bump push"
    " rais increas chang now date time day week month year hour minut euro dollar eur usd month monthli per each everi about around"
    " number total onli just new ist sind kost zahl lauf lieg steh hab geb woch monat jahr uhr neu jetzt est son cuest pag esta tien"
    " mes seman año hor nuev ahor coût pay mois semain an heur nouveau maintenant port version final definit bill fee price amount"
    " rechnung gebühr preis factur cuot preci prix factur 是 在 有 的 了 我 们 现 个 每 月 元 块 用 到 改".split()
)
"""Words that name no matter: verbs of state and change, units, costs as such."""
PROFESSIONS = frozenset(
    "boss landlord doctor dentist therapist accountant lawyer teacher coach cleaner hairdresser vet advisor".split()
)
"""Persons who bring news of a matter without owning it."""
MANY = frozenset(
    "bug error issu problem test ticket task leak crash fehl error erreur probl falla fall proble friend freund amig ami 问题 错误".split()
)
"""Things of which there is always another: where one is says nothing of the next."""

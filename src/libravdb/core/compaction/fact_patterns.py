"""What facts look like in a text. Each expression is precise on prose and consumes what it looked at, or looks ahead by a
bounded distance: a megabyte of digits costs no more than a megabyte of words."""

from __future__ import annotations

import re

MONTHS: dict[str, int] = {
    name: place
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr _ jun jul aug sep oct nov dec",
        "_ _ _ _ _ _ _ _ sept _ _ _",
        "januar februar märz _ mai juni juli _ _ oktober _ dezember",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janvier février mars avril _ juin juillet août septembre octobre novembre décembre",
    )
    for place, name in enumerate(names.split(), start=1)
    if name != "_"
}
WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag"
    " lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche"
).split()
NUMBER_WORDS: dict[str, int] = {
    **{
        name: value
        for names in (
            "two three four five six seven eight nine ten eleven twelve",
            "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
            "dos tres cuatro cinco seis siete ocho nueve diez",
            "deux trois quatre cinq six sept huit neuf dix",
        )
        for value, name in enumerate(names.split(), start=2)
    },
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12,
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
UNITS: dict[str, str] = {
    form: unit
    for unit, forms in {
        "minute": "min mins minuten minutos",
        "hour": "h hr hrs stunde stunden hora horas heure heures",
        "second": "sec secs s sekunde sekunden",
        "day": "tag tage tagen día días jour jours",
        "week": "wk wks woche wochen semana semanas semaine semaines",
        "month": "monat monate monaten mes meses mois",
        "year": "yr yrs jahr jahre jahren año años an ans année années",
        "kg": "kilo kilos kilogram kilograms",
        "km": "kilometer kilometers kilometre kilometres",
        "mile": "mi",
        "pound": "lb lbs",
        "ounce": "oz",
        "foot": "ft feet",
        "inch": "in inches",
        "%": "percent prozent",
        "$": "dollar dollars usd bucks",
        "€": "euro euros eur",
        "£": "gbp",
        "person": "people personen personas personnes",
        "child": "children kinder",
    }.items()
    for form in forms.split()
}
_APART = "(?<![^\\W\u3040-\u9fff])"  # not behind a letter or digit, unless it is of a script without spaces
_MONTH = "|".join(sorted((re.escape(name) for name in MONTHS), key=len, reverse=True))
_DAY = "|".join(WEEKDAYS)
_COUNT = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_SPAN = "days?|weeks?|months?|years?|hours?|minutes?|decades?|tagen?|wochen?|monaten?|jahren?|días?|semanas?|mes(?:es)?|años?"

URL = re.compile(r"(?<![\w@])(?:[a-z][a-z0-9+]{1,14}://[^\s<>\"'`]{1,2000}|www\.[a-z0-9-]{1,60}\.[^\s<>\"'`]{2,500})")
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}(?![\w@])", re.IGNORECASE)
INLINE = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")

_TOOLS = (
    "git|npm|pnpm|yarn|npx|pip3?|uv|poetry|docker(?:-compose)?|kubectl|helm|terraform|cargo|mvn|gradle|apt|apt-get|brew|dnf"
    "|yum|apk|pacman|systemctl|journalctl|curl|wget|ssh|scp|rsync|chmod|chown|mkdir|psql|mysql|redis-cli|openssl|pytest"
    "|python3?|node|deno|bun|bash|zsh|ffmpeg|crontab|sudo|tar|grep|sed|awk|aws|gcloud|az|ansible-playbook|tox|ruff|mypy"
)
_VERBS = (
    "git (?:push|pull|commit|checkout|switch|rebase|merge|clone|fetch|stash|reset|revert|bisect|tag|log|diff|status|add|init"
    "|cherry-pick|worktree|blame)|(?:npm|pnpm|yarn) (?:run|install|i|ci|add|test|start|build|publish|audit)|npx [@\\w/-]{2,60}"
    "|pip3? (?:install|uninstall|freeze|download)|uv (?:pip|run|sync|add|lock)|poetry (?:add|install|run|lock|build)"
    "|docker(?:-compose| compose)? (?:run|build|up|down|exec|push|pull|logs|ps|stop|start|restart|images)"
    "|kubectl (?:apply|get|describe|delete|logs|exec|rollout|scale|port-forward|create|edit|patch|top|drain)"
    "|helm (?:install|upgrade|rollback|template|repo)|terraform (?:plan|apply|init|destroy|import|state)"
    "|cargo (?:build|test|run|add|check|fmt|clippy|publish)|(?:apt|apt-get|brew|dnf|yum|apk) (?:install|update|upgrade|remove)"
    "|systemctl (?:start|stop|restart|reload|status|enable|disable|daemon-reload)"
    "|sudo (?:apt|apt-get|systemctl|chmod|chown|rm|mkdir|cp|mv|docker|nano|vim?|service|ufw|yum|dnf|pip3?|su)"
    "|(?:curl|wget|ssh|scp|rsync|chmod|chown|mkdir|rm|cp|mv|ls|grep|find|sed|awk|tar|psql|mysql|openssl|make|pytest|python3?"
    "|node|bash|sh|journalctl|df|du|ps|kill) (?=-{1,2}[A-Za-z])|(?:curl|wget) (?=https?:)"
    "|(?:python3?|node|bash|sh) (?=[\\w/.-]{1,80}\\.(?:py|m?js|sh))|ssh (?=[\\w.-]{1,40}@)"
    "|go (?:build|test|mod|run|vet|install) (?=[./\\w-])"
)
COMMAND = re.compile(rf"(?<![\w/.@-])(?:{_VERBS})", re.MULTILINE)
PROMPTED = re.compile(r"^[ \t]{0,8}(?:[$%] |>>> |PS> )(?P<line>[A-Za-z./][^\n]{1,300})$", re.MULTILINE)
QUOTED_COMMAND = re.compile(rf"(?:{_TOOLS}|make|go|rm|cp|mv|ls|cd|cat|find|sh|export|source|echo)(?= \S)")
ARGUMENT = re.compile(r"[ \t]{1,4}(?P<word>[^\s`|;&<>(){}]{1,200})")

_EXTENSIONS = (
    "py pyi ipynb js mjs cjs ts jsx tsx vue svelte java kt go rs rb php c h cc cpp hpp cs swift scala ex lua pl sh bash zsh"
    " ps1 bat sql html htm css scss json jsonl yaml yml toml ini cfg conf env xml md rst txt csv tsv log lock tf proto gradle"
    " pdf docx xlsx pptx png jpg jpeg gif svg webp mp3 mp4 wav zip tar gz whl jar so dll exe db sqlite parquet pem crt service"
)
_SEGMENT = r"[\w.@+-]{1,100}"
PATH = re.compile(
    rf"(?<![\w/.:@\\-])(?:"
    rf"(?:~|\.{{1,2}})/(?:{_SEGMENT}/){{0,30}}{_SEGMENT}"
    rf"|/(?:etc|usr|var|home|opt|srv|tmp|root|dev|proc|mnt|data|app|Users|Library|bin)(?:/{_SEGMENT}){{1,30}}"
    rf"|(?:[A-Za-z]:)?(?:\\[\w.@+-]{{1,80}}){{2,30}}"
    rf"|/?(?:[\w.@+-]{{1,80}}/){{0,30}}\.?[\w@+-]{{1,80}}(?:\.[\w-]{{1,20}}){{0,2}}\.(?:{'|'.join(_EXTENSIONS.split())})(?![\w/-])"
    rf"|(?:src|lib|app|apps|pkg|packages|internal|cmd|tests?|docs|config|scripts|tools|components|migrations)/(?:{_SEGMENT}/){{0,30}}{_SEGMENT}"
    rf"|(?:[\w.@+-]{{1,80}}/){{0,30}}(?:Dockerfile|Makefile|Gemfile|Procfile|Jenkinsfile|\.env|\.gitignore|\.bashrc)(?![\w/])"
    rf")"
)
PRODUCTS = frozenset("node.js vue.js next.js nuxt.js three.js d3.js react.js express.js chart.js discord.js".split())

IDENTIFIER = re.compile(
    r"(?<![\w-])(?:"
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])"
    r"|(?:sha\d{1,3}:)?(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,64}(?![\w-])|0x[0-9a-fA-F]{2,64}(?!\w)"
    r"|CVE-\d{4}-\d{3,8}|[A-Z][A-Z0-9]{0,9}-\d{1,7}[A-Z]?(?![\w-])"
    r"|(?:PR|MR|[Ii]ssue|[Tt]icket) ?[#!]?\d{1,7}(?!\w)|[#!]\d{2,7}(?!\w)"
    r"|v\d{1,4}(?:\.\d{1,5}){0,3}(?:-[\w.]{1,20})?(?!\w)|\d{1,4}\.\d{1,5}\.\d{1,5}(?:\.\d{1,5})?(?:-[\w.]{1,20})?(?![\w.]\d)"
    r"|(?:ERR|ER|PG|SQL|NET)_[A-Z][A-Z_]{2,60}(?!\w)|(?:EACCES|EADDRINUSE|ECONNREFUSED|ECONNRESET|EEXIST|EINVAL|EMFILE|ENOENT|ENOMEM|ENOSPC|ENOTFOUND|EPERM|EPIPE|ETIMEDOUT|SIGKILL|SIGSEGV|SIGTERM|OOMKilled)(?!\w)"
    r"|(?:TS|CS|ORA-|LNK|MSB|KB|AADSTS|E)\d{3,8}(?!\w)|(?:exit code|status code|error code|errno|HTTP) \d{1,4}(?!\w)"
    r"|(?:[a-z]\w{0,40}\.){0,8}[A-Z][A-Za-z]{1,60}(?:Error|Exception)(?!\w)"
    r"|[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?!\w)"
    r"|[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}(?:\(\))?(?!\w)|[A-Za-z_]\w{1,60}\(\)"
    r"|(?=[A-Z-]{0,19}\d)[A-Z][A-Z0-9]{1,9}(?:-[A-Z0-9]{1,10}){0,3}(?![\w-])"
    r"|\+\d{1,3}[ -]?\d{2,4}(?:[ -]?\d{2,5}){1,4}(?!\w)|\(?\d{3}\)?[ -]\d{3}-\d{4}(?!\w)"
    r")"
)

DATE = re.compile(
    rf"{_APART}(?<![.-])(?:(?P<iso>(?P<iy>\d{{4}})[-/.](?P<im>\d{{1,2}})[-/.](?P<id>\d{{1,2}})(?!\d))"
    rf"|(?P<slash>\d{{1,2}}[/.]\d{{1,2}}[/.](?:\d{{4}}|\d{{2}}))(?![\d/.]\d)"
    rf"|(?P<han>(?:(?P<hy>\d{{4}})年)?(?P<hm>\d{{1,2}})月(?:(?P<hd>\d{{1,2}})[日号])?)"
    rf"|(?P<md>(?P<m1>{_MONTH})\.? (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:\d)(?:,? (?P<y1>(?:19|20)\d\d)(?!\d))?)"
    rf"|(?P<dm>(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of| de)? (?P<m2>{_MONTH})(?![\w])(?:,?(?: de| of)? (?P<y2>(?:19|20)\d\d)(?!\d))?)"
    rf"|(?P<my>(?P<m3>{_MONTH})\.?,?(?: de| of)? (?P<y3>(?:19|20)\d\d)(?!\d))"
    rf"|(?:in|since|last|next|until|by|this|early|late|mid|im|seit|en|desde|depuis|of|every)[ -](?P<month>{_MONTH})(?!\w)"
    rf"|(?P<ago>(?:\d{{1,4}}|a|an|{_COUNT}|(?:a )?few|(?:a )?couple(?: of)?) (?:{_SPAN}) ago)(?!\w)"
    rf"|(?P<ago2>(?:vor|hace|il y a) (?:\d{{1,4}}|{_COUNT}|einem|einer|una?|une?) (?:{_SPAN}|mois|ans?|jours?|semaines?))(?!\w)"
    rf"|(?P<relative>(?:last|next|this past) (?:week|weekend|month|year|night|spring|summer|fall|autumn|winter|{_DAY})"
    rf"|yesterday|tomorrow|gestern|übermorgen|vorgestern|ayer|hier matin|demain|(?:letzte|nächste)[nrs]? (?:woche|monat|jahr|{_DAY})"
    rf"|(?:la )?(?:semana|próxima semana|année|semaine) (?:pasada|dernière|prochaine)|{_DAY})(?!\w)"
    rf"|(?P<year>(?:19|20)\d\ds?)(?![\w%]|[,.:/-]\d))",
    re.IGNORECASE,
)
TIME = re.compile(
    rf"{_APART}(?<![.:])"
    r"(?:(?P<h1>\d{1,2})(?::(?P<m1>\d{2}))?(?::(?P<s1>\d{2}))? ?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<h2>\d{1,2}):(?P<m2>\d{2})(?::(?P<s2>\d{2}))?(?:\.\d{1,6})?(?: ?Uhr)?|(?P<h3>\d{1,2}) ?(?:Uhr|uhr)\b|(?P<h4>\d{1,2})h(?P<m4>\d{2})"
    r"|(?P<h5>\d{1,2})[点时](?P<m5>\d{1,2})?|(?P<word>noon|midnight|mittags|mitternacht|mediodía|medianoche|midi|minuit))(?![\w:])",
    re.IGNORECASE,
)
NUMBER = re.compile(
    rf"{_APART}(?<!\.)"
    r"(?P<money>[$€£¥]\s?)?(?P<value>\d{1,3}(?:[,'\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    r"(?P<range>\s?[-–—/x×]\s?[$€£]?\d[\d,.]*(?<=\d))?"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"(?:(?P<sign>\s?[%‰°$€£+])|(?P<joined>[A-Za-zµ°]{1,6}(?![\w]))|(?P<han>[\u3400-\u9fff]))?"
    r"(?P<scale>\s?(?:k|thousand|million|billion|trillion|Millionen|millones|millions)\b)?",
)
COUNTED = re.compile(
    rf"(?<![\w'-])(?P<words>(?:{_COUNT})(?:[ -](?:{_COUNT}|one))?)(?= [a-z]|-[a-z])(?![\w'])", re.IGNORECASE
)
FOLLOWING = re.compile(r"[ -](?P<word>[^\W\d_]{2,24})(?![\w])")
PRECEDING = re.compile(r"(?P<word>[^\W\d_]{2,24})[ :#]{1,2}$")
LIST_MARK = re.compile(r"^[ \t]{0,12}(?:[-*+>][ \t]{1,4})?[*_#]{0,3} ?\d{1,3}[.)](?=[\s*_]|$)", re.MULTILINE)

"""Where technical things stand in a text: paths, addresses, calls, commands, codes. The same in every language.

Each expression is precise on prose (a slash, a capital or a number alone proves nothing) and consumes what it
looked at, or looks ahead by a bounded distance: a megabyte of slashes costs no more than a megabyte of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_EXTENSIONS = (
    "py pyi ipynb js mjs cjs ts jsx tsx vue svelte java kt kts go rs rb php c h cc cpp hpp cs swift scala clj ex exs erl"
    " hs lua pl sh bash zsh fish ps1 bat sql html htm css scss sass less json jsonl yaml yml toml ini cfg conf env xml md"
    " rst txt csv tsv log lock tf proto gradle ipynb pdf docx xlsx pptx png jpg jpeg gif svg webp zip tar gz whl jar so"
    " dll exe db sqlite parquet pem crt service"
).split()
_ROOTS = (
    "src lib libs app apps pkg packages internal cmd test tests spec docs doc config configs conf settings infra deploy"
    " scripts bin tools jobs web api core server client backend frontend services modules components migrations db"
    " public static assets vendor build dist node_modules include examples plugins crates"
).split()
_SYSTEM = "etc usr var home opt srv tmp root dev proc mnt data app Users Library System bin".split()
_PRODUCTS = frozenset(
    "node.js vue.js next.js nuxt.js three.js d3.js react.js express.js chart.js ember.js backbone.js angular.js"
    " moment.js discord.js socket.io".split()
)
_SEGMENT = r"[\w.@+-]{1,100}"
_END = r"(?![\w/])"

PATH = re.compile(
    rf"(?<![\w/.:@\\-])(?:"
    rf"(?:~|\.{{1,2}})/(?:{_SEGMENT}/){{0,30}}{_SEGMENT}"
    rf"|/(?:{'|'.join(_SYSTEM)})/(?:{_SEGMENT}/){{0,30}}{_SEGMENT}"
    rf"|/(?:{_SEGMENT}/){{1,30}}[\w@+~-]{{1,80}}\.(?:{'|'.join(_EXTENSIONS)}){_END}"
    rf"|[A-Za-z]:\\(?:[\w .@+-]{{1,80}}\\){{0,30}}[\w.@+-]{{1,80}}"
    rf"|(?:{'|'.join(_ROOTS)})/(?:{_SEGMENT}/){{0,30}}{_SEGMENT}"
    rf"|(?:[\w.@+-]{{1,80}}/){{0,30}}\.?[\w@+-]{{1,80}}(?:\.[\w-]{{1,20}}){{0,2}}\.(?:{'|'.join(_EXTENSIONS)})(?![\w/-])"
    rf"|(?:[\w.@+-]{{1,80}}/){{0,30}}(?:Dockerfile|Makefile|Gemfile|Procfile|Jenkinsfile|\.env|\.gitignore|\.bashrc)(?![\w/])"
    rf")"
)
URL = re.compile(
    r"\b(?:[a-z][a-z0-9+.]{1,15})://[^\s<>\"'`]{1,2000}|\bwww\.[a-z0-9-]{1,60}\.[^\s<>\"'`]{2,500}"
    r"|(?<![\w/.])/(?:api|v\d|rest|graphql|rpc)(?:/[\w{}:.-]{1,80}){0,20}(?![\w/])"
    r"|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) /[^\s]{0,500}"
    r"|\blocalhost:\d{2,5}\b|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?(?![\w.]\d)"
    r"|\b[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,6}:\d{2,5}\b"
)
FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
DEFINITION = re.compile(
    r"(?<![\w.])(?:(?:async )?def [A-Za-z_]\w{0,80} ?\(|class [A-Za-z_]\w{0,80}(?: ?[:({]|(?: (?:extends|implements) \w))"
    r"|func (?:\([^()\n]{1,60}\) )?[A-Za-z_]\w{0,80} ?[(\[]|fn [a-z_]\w{0,80} ?[(<]"
    r"|function\*? ?[A-Za-z_$][\w$]{0,80} ?\(|(?:interface|struct|enum|trait|impl|record) [A-Z]\w{0,80}(?:<[^<>\n]{1,60}>)? ?\{"
    r"|(?:const|let|var) [A-Za-z_$][\w$]{0,80} ?= ?(?:async ?)?(?:\([^()\n]{0,200}\)|\w{1,60}) ?=>"
    r"|(?:public|private|protected) (?:static )?[\w<>\[\]]{1,60} \w{1,80} ?\(|CREATE (?:TABLE|VIEW|INDEX|FUNCTION) \w)"
)
COMMAND = re.compile(
    r"(?:^[ \t]{0,8}\$ [a-z./][^\n]{1,500}$"
    r"|(?<![\w/.-])(?:git (?:push|pull|commit|checkout|switch|rebase|merge|clone|fetch|stash|reset|revert|bisect|tag|log|diff|status|add|cherry-pick|worktree|blame)"
    r"|(?:npm|pnpm|yarn) (?:run|install|i|ci|add|test|start|build|publish|fund|audit)|npx [a-z@][\w@/-]{1,60}|pip3? install|uv (?:pip|run|sync|add)|poetry (?:add|install|run|lock)"
    r"|docker(?:-compose| compose)? (?:run|build|up|down|exec|push|pull|logs|ps|stop|start|restart)|kubectl [a-z]{2,20}|helm (?:install|upgrade|rollback|template)|terraform (?:plan|apply|init|destroy)"
    r"|cargo (?:build|test|run|add|check|fmt|clippy|publish)|go (?:build|test|mod|run|vet|install) [./\w-]|mvn [a-z]{3,20}|gradle [a-z]{3,20}|\./gradlew"
    r"|(?:apt|apt-get|brew|dnf|yum|apk|pacman) (?:-\w+ )?(?:install|update|upgrade|remove|add)|systemctl (?:\w+ ){0,2}\w+|journalctl -|sudo [a-z]{2,20}"
    r"|(?:curl|wget|ssh|scp|rsync|chmod|chown|mkdir|rm|cp|mv|ls|grep|find|sed|awk|tar|psql|mysql|redis-cli|openssl|make|pytest|python3?|node|ruby|bash|sh) (?=-{1,2}[A-Za-z])-"
    r"|(?:curl|wget) https?:|python3? [\w/.-]{1,80}\.py|node [\w/.-]{1,80}\.m?js|(?:bash|sh) [\w/.-]{1,80}\.sh|ssh [\w.-]{1,40}@[\w.-]{1,60})"
    r"|`(?:make|pytest|convert|cd|ls|cat|export|source|crontab|ffmpeg|rails|rake|php|composer|dotnet|flask|django-admin|ruff|mypy|tox|just|nix|vim|tmux)(?: [^`\n]{1,200})?`"
    r"|(?<![\w/.-])\./[\w/.-]{1,120}\.sh)",
    re.MULTILINE,
)
TRACE = re.compile(
    r"Traceback \(most recent call last\)|^[ \t]{0,20}File \"[^\"\n]{1,300}\", line \d|^[ \t]{1,20}at [\w$.<>/ ]{1,200}\([^()\n]{0,200}\)"
    r"|^[ \t]{1,20}at (?:async )?/?[\w./-]{1,200}:\d|^[ \t]{0,20}(?:panic|fatal error): \S|goroutine \d{1,9} \[|Exception in thread|^[ \t]{0,8}Caused by: \S"
    r"|^[ \t]{0,8}(?:[\w.]{1,120}\.)?[A-Z]\w{1,60}(?:Error|Exception)(?::|$)|thread '[^'\n]{1,60}' panicked at|[Ss]egmentation fault|core dumped|^\s{0,8}npm ERR!",
    re.MULTILINE,
)
HEX = re.compile(
    r"(?<![\w-])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|0x[0-9a-fA-F]{4,64}|(?:sha\d+:)?[0-9a-f]{7,64})(?![\w-])"
)
CALL = re.compile(
    r"(?<![\w./])(?:[A-Za-z_]\w{0,60}(?:(?:\.|::|->)[A-Za-z_]\w{0,60}){0,8}\(\)"
    r"|[A-Za-z_]\w{0,60}(?:(?:\.|::|->)[A-Za-z_]\w{0,60}){1,8}\([^()\n]{0,120}\)"
    r"|[A-Za-z]\w{0,60}[a-z0-9](?:_[A-Za-z0-9]{1,40}){1,8}(?:\([^()\n]{0,120}\))?|[a-z]{1,20}[A-Z]\w{1,60}\([^()\n]{0,120}\)"
    r"|[A-Z]\w{1,60}(?:::|#)[a-z]\w{1,60})(?![\w/])"
)
_ERRNO = (
    "EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN EBADF EBUSY ECANCELED ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EFAULT"
    " EHOSTUNREACH EINTR EINVAL EIO EISDIR EMFILE ENETUNREACH ENFILE ENOENT ENOMEM ENOSPC ENOTDIR ENOTEMPTY ENOTFOUND"
    " EPERM EPIPE ERANGE EROFS ETIMEDOUT EXDEV ERESOLVE EJSONPARSE EINTEGRITY ELIFECYCLE SIGKILL SIGSEGV SIGTERM SIGABRT"
    " SIGBUS OOMKilled CrashLoopBackOff ImagePullBackOff"
).split()
_SAYS_ERROR = r"(?:[Ee]rror|[Ff]ehler|[Ee]rreur|[Ee]rrore|[Ee]rro|[Oo]шибк\w|[Оо]шибк\w|错误|エラー|[Cc]ode|[Cc]ódigo|ERR!|[Ff]ailed with|rejected with)"
ERROR_CODE = re.compile(
    rf"(?<![\w-])(?:(?:{'|'.join(_ERRNO)})\b|(?:ERR|ER|PG|SQL|NET)_[A-Z][A-Z_]{{2,60}}\b|(?:TS|CS|ORA-|GH|LNK|MSB|SQLSTATE ?|CVE-\d{{4}}-|PGRST|RUF|KB|AADSTS|0x8)\d{{3,8}}\b"
    rf"|{_SAYS_ERROR}(?: code| number| Nr\.| n°)?[ :#]{{1,3}}(?:code )?(?:[A-Z]{{1,6}}-?)?\d{{2,6}}\b|{_SAYS_ERROR}(?: code)?:? [A-Z][A-Z0-9_]{{4,40}}\b|E\d{{3,5}}\b"
    rf"|HTTP(?:/\d(?:\.\d)?)? (?:status )?[1-5]\d\d\b|[Ss]tatus(?: code)?:? [1-5]\d\d\b|(?:exit|return) (?:code|status) \d{{1,3}}\b|errno \d{{1,3}}\b"
    rf"|(?:[a-z]\w{{0,40}}\.){{0,8}}[A-Z][A-Za-z]{{1,60}}(?:Error|Exception)\b|[Ss]egfaults?\b|[Ss]egmentation fault)"
)
GIT = re.compile(
    r"(?<![\w/])(?:(?:PR|MR|pull request|merge request|[Ii]ssue|[Tt]icket) ?[#!]\d{1,7}|[#!]\d{2,7}(?!\w)|HEAD(?:[~^]\d{0,4})?(?![\w])|(?:origin|upstream)/[\w./-]{1,80}"
    r"|refs/\w+/[\w./-]{1,80}|(?:feature|hotfix|bugfix|release|feat|fix)/[\w.-]{2,80}|v\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:-[\w.]{1,20})?(?![\w.]\d)"
    r"|(?:tag(?:ged)?|released?|version) \d{1,4}\.\d{1,4}(?:\.\d{1,4})?|(?:commit|branch|rev|revision|sha) [\w/-]{0,40}[0-9a-f/_-]{3,40}"
    r"|(?:the )?(?:main|master|develop|staging) branch|branch (?:main|master|develop|staging)|(?:to|into|from|on) (?-i:main|master|develop)(?! \w))"
)
SETTING = re.compile(
    r"(?<![\w.-])[A-Z][A-Z0-9_]{2,60}=\S{1,200}|(?<![\w.-])[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?!\w)|(?<![\w-])--?[a-z][\w-]{1,40}=\S{1,200}"
)
DEFINED = re.compile(
    r"\b(?:class|function|method|interface|struct|module|type|component|hook|trait|enum) `?[A-Z_]\w{1,60}"
    r"|`?\b[A-Za-z_][\w.]{1,60}\(\)`? (?:returns|takes|raises|throws|treats|does|never|always|is|gibt|devuelve|renvoie)\b"
)
STRUCTURE = re.compile(
    r"\b(?:schema|JSON|YAML|CSV|dict|dictionary|hash ?map|tuple|array|struct|enum|dataclass|foreign key|primary key|column"
    r"|columns|relation|1:n|n:m|many-to-many|linked list|B-?tree|bloom filter|ring buffer|heap|queue|tree|graph"
    r"|Tabelle|Spalte|Datenstruktur|tabla|columna|table|tableau|colonne|buffers?|index|connection)\b"
    r"|数据结构|字段|表结构|配列|таблиц\w|\b(?:list|List|dict|set|Map|Vec|Option|Optional|Array)\[|\bVec<|\bMap<"
)
DEPENDENCY = re.compile(
    r"^\s{0,20}(?:import [\w{*\"'.@]|from [\w.]+ import|#include [<\"]|require\(|use [\w:]+;|using [\w.]+;)"
    r"|\b[\w@/-]{2,60}(?:@\^?~?\d|==\d|~=\d|>=\d)[\w.]{0,20}"
    r"|\b(?:package\.json|requirements\.txt|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|Gemfile|composer\.json|package-lock\.json|poetry\.lock)\b"
    r"|\b[a-z][\w-]{2,40} v?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?\b|\b(?:dependency|dependencies|depends on|library|package|packages|workspaces|upgraded?|pinned|pinning|installing|No module named"
    r"|Abhängigkeit\w{0,2}|Bibliothek|dependencia|biblioteca|dépendance|bibliothèque)\b|依赖|依存|зависимост\w",
    re.MULTILINE,
)
TEST = re.compile(
    r"\btest_\w{1,60}|\b\w{1,60}_test\b|\b(?:unit|integration|flaky|regression|e2e|end-to-end|smoke|load) (?:tests?|suite)\b"
    r"|\b(?:pytest|jest|vitest|mocha|junit|rspec|playwright|cypress)\b|\b(?:make|npm|cargo|go|yarn|pnpm) test\b"
    r"|\bassert(?:Equal|That|_eq!)?\b[ (]|\b(?:describe|it)\([\"']|\btests? (?:fail|pass|cover|suite|run)\w{0,3}|\bCI\b|测试|テスト|тест\w{0,3}"
)
DOC_COMMENT = re.compile(
    r"/\*\*|^\s{0,40}///|^\s{0,40}(?:r|f)?\"\"\"\S|@(?:param|returns?|throws|deprecated)\b|^\s{0,40}:param ",
    re.MULTILINE,
)
_MIXED = 2


def paths(text: str) -> list[str]:
    """File paths and file names. Names of products that look like one (Node.js) are none."""
    return [
        found[0].rstrip(".")
        for found in PATH.finditer(URL.sub(_blank, text))
        if found[0].lower() not in _PRODUCTS and any(letter.isalpha() for letter in found[0])
    ]


def urls(text: str) -> list[str]:
    """Addresses with a scheme, endpoints, hosts with a port, IPv4 addresses."""
    return [found[0].rstrip(".,;:!?)") for found in URL.finditer(text)]


def hashes(text: str) -> list[str]:
    """Hex ids. Digits and letters must alternate: a plain number is none, and neither is a word."""
    return [found[0] for found in HEX.finditer(URL.sub(_blank, text)) if _is_hash(found[0])]


def calls(text: str) -> list[str]:
    """Calls and names of functions outside of paths and addresses."""
    return [found[0] for found in CALL.finditer(without(text, URL, PATH, ERROR_CODE))]


def error_codes(text: str) -> list[str]:
    """Codes and names of errors; one named twice counts once."""
    return list(dict.fromkeys(found[0] for found in ERROR_CODE.finditer(text)))


def git_references(text: str) -> list[str]:
    """Commits, branches, tags, pull requests."""
    plain = without(text, URL, PATH)
    return [found[0] for found in GIT.finditer(plain)] + [each for each in hashes(plain) if not each.startswith("0x")]


def without(text: str, *expressions: re.Pattern[str]) -> str:
    """The text with every match of these blanked out."""
    for expression in expressions:
        text = expression.sub(_blank, text)
    return text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _is_hash(text: str) -> bool:
    if "-" in text or text.startswith(("0x", "sha")):
        return True
    kinds = [letter.isdigit() for letter in text]
    return sum(one != other for one, other in pairwise(kinds)) >= _MIXED


# ── code and prose ────────────────────────────────────────────────────────────────────────────────────────

_BLOCK = re.compile(r"^ {0,3}(?P<mark>```|~~~)")
_KEYWORDS = "return yield raise await throw assert pass break continue del"
_MODIFIERS = "public private protected static final export abstract override"
_CODE_LINE = re.compile(
    r"\s{0,200}(?:"
    + "|".join(
        (
            r"(?:async )?def \w+ ?\(|class \w+ ?[:({]|class \w+ (?:extends|implements) |fn \w+ ?[(<]|function\*? ?\w* ?\(",
            r"func (?:\([^()\n]{1,60}\) )?\w+ ?[(\[]|import [\w{*\"'.@]+(?:[\w., {}*]{0,200}(?:from|as) [\w\"'./@-]+)?;?$",
            r"from [\w.]+ import |#include|#!/|package [\w.]+;?$|@\w[\w.]*(?:\(.{0,200}\))?$",
            rf"(?:{'|'.join(_MODIFIERS.split())}) (?:class|static|void|int|final|async|const|function|default|interface|abstract"
            r"|string|bool|[A-Z]\w+ \w+ ?[(=;])",
            r"(?:const|let|var|val|mut) [\w${\[][\w$, :{}\[\]<>]{0,100}=|(?:if|for|while|switch|catch|elif|foreach) ?\(.{0,300}[{;)]$",
            r"(?:if|for|while|with|elif|except|try|else|finally|match|case)\b[^.!?,]{0,200}:$|return\b.{0,200};$",
            r"(?:SELECT|INSERT INTO|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE|FROM|WHERE|JOIN|GROUP BY|ORDER BY) [\w*\"`(]",
            r"UPDATE \w+ SET |[\w.$\[\]\"'>-]{1,120}(?:: ?[\w\[\], |.]{1,80})? ?(?:=|\+=|-=|:=|\*=|=>|<-) ?\S",
            r"[\w.$:>-]{1,120}\(.{0,300}\)[;,:{]?$|[)}\]]{1,6}[;,)\]}]{0,6}$|\"[\w -]{1,80}\" ?: .{0,300}[,{\[\"\d]$|[{\[(]$",
            r"</?[a-zA-Z][\w-]{0,40}[^<>]{0,300}/?>|\} (?:else|catch|finally|while)\b|print[lfn]{0,3}[(!]",
            r"(?:struct|enum|interface|impl|trait|mod|use|type|namespace|using|module) [\w:.<> ]{1,80}[{;=]",
        )
    )
    + rf")|(?:\t| {{2,200}})\s{{0,200}}(?:{'|'.join(_KEYWORDS.split())})\b"
)
_COMMENT = re.compile(r"\s{0,200}(?:#|//|/\*|\*|--|\"\"\"|'''|;;|%)")
_TRACE_LINE = re.compile(
    r"\s{0,20}(?:File \"|at [\w$.<>/]{2,200}[(:]|Traceback|goroutine \d|\.\.\. \d+ more|Caused by:|\d+: 0x)"
)
_CODE_END = re.compile(r"[;{}]\s{0,20}$|\)\s{0,4}[:;{]$|=>\s{0,4}[{(]?$")
THING = "◆"
"""Stands in prose where a path, an address, inline code or a hash stood."""
_INLINE = re.compile(r"`[^`\n]{1,300}`")


def prose_of(text: str) -> str:
    """What is left for readers of words: no code, no inline code, no addresses, no paths, no traces."""
    prose = without_code(text)
    for expression in (_INLINE, URL, PATH, HEX):
        prose = expression.sub(lambda found: THING if _is_thing(found[0]) else found[0], prose)
    return prose


def without_code(text: str) -> str:
    """The lines of a text that are no code."""
    return "\n".join(line for line, is_code in _marked_lines(text) if not is_code)


def _is_thing(piece: str) -> bool:
    """Plain numbers and names of products match as hashes and files; they are words."""
    return not piece.isdigit() and not piece.isalpha() and piece.lower() not in _PRODUCTS


def is_code(text: str) -> bool:
    """True when every line that says anything is code."""
    marked = [(line, flag) for line, flag in _marked_lines(text) if line.strip()]
    return bool(marked) and all(flag for _, flag in marked)


def _marked_lines(text: str) -> Iterator[tuple[str, bool]]:
    """Each line and whether it is code. A comment beside code belongs to it."""
    lines = text.splitlines()
    looks = [bool(_CODE_LINE.match(line) or _TRACE_LINE.match(line) or _CODE_END.search(line[-40:])) for line in lines]
    has_code = any(looks)
    fence = ""
    for line, look in zip(lines, looks, strict=True):
        mark = _BLOCK.match(line)
        if mark and (not fence or mark["mark"] == fence):
            fence = "" if fence else mark["mark"]
            yield line, True
        else:
            yield line, bool(fence) or look or (has_code and bool(_COMMENT.match(line)))

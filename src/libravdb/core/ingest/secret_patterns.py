"""What secrets look like: a registry of small named patterns, tried in this order.

Each pattern starts with a few letters that hardly anything else starts with; every repetition is bounded, so that a
text of any length costs time in proportion. Secrets that only a label tells are in `secret_labels`, tokens that only
their first letters tell in `secret_tokens`, numbers with check digits in `secret_numbers`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass

from libravdb.core.ingest.secret_values import is_named_thing, is_placeholder, mixes

Check = Callable[[re.Match[str]], bool]


def _always(found: re.Match[str]) -> bool:  # noqa: ARG001 - a check like the others
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One kind of secret. `hints` are in small letters: a text that holds none of them, or has fewer letters than
    `least`, is not searched.

    The first named group of `GROUPS` that matched, or else the whole match, is what gets masked, when `check` agrees.
    """

    kind: str
    what: str
    regex: re.Pattern[str]
    hints: tuple[str, ...]
    check: Check = _always
    least: int = 0


GROUPS = ("secret", "bare", "other", "last", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def secret_span(found: re.Match[str]) -> tuple[int, int]:
    """Where the secret itself stands in a match."""
    return next((found.span(name) for name in GROUPS if name in found.re.groupindex and found[name]), found.span())


def secret_in(found: re.Match[str]) -> str:
    """The secret itself; only checks look at it."""
    start, end = secret_span(found)
    return found.string[start:end]


_APART = r"(?<![A-Za-z0-9_])"


# ── checks ────────────────────────────────────────────────────────────────────────────────────────────────


def _is_argument(found: re.Match[str]) -> bool:
    value = secret_in(found)
    if value.startswith("-") or is_placeholder(value):
        return False
    return found["eighth"] is not None or (mixes(value) and not is_named_thing(value))


def _is_cookie(found: re.Match[str]) -> bool:
    """A cookie that proves who somebody is has a long random value; a recipe has none."""
    values = (pair.partition("=")[2].strip() for pair in found["secret"].split(";"))
    return any(len(value) >= 16 and " " not in value and mixes(value) and not is_placeholder(value) for value in values)


def _is_in_markup(found: re.Match[str]) -> bool:
    value = secret_in(found)
    if found["fifth"]:
        return len(value) >= 24
    if is_placeholder(value) or any(c.isspace() for c in value):
        return False
    is_key = not re.search("pass|pwd|pw|identified", found[0][: found[0].rfind(value)], re.IGNORECASE)
    return mixes(value) and len(value) >= 12 if is_key and not found["last"] else True


def _is_random_parameter(found: re.Match[str]) -> bool:
    value = secret_in(found)
    digits = sum(c.isdigit() for c in value)
    if found["bare"]:
        return not is_placeholder(value)
    return not is_placeholder(value) and digits >= 2 and digits < len(value) and any(c.isalpha() for c in value)


def _is_url_password(found: re.Match[str]) -> bool:
    return not is_placeholder(secret_in(found)) and secret_in(found).lower() not in ("pass", "pwd", "pw")


def _has_long_segment(found: re.Match[str]) -> bool:
    """A key has a long random stretch; `sk-learn-style-names` have words."""
    segments = re.split(r"[-_]", found[0])
    return any(len(segment) >= 14 and any(c.isdigit() for c in segment) for segment in segments)


def _has_digit(found: re.Match[str]) -> bool:
    return any(c.isdigit() for c in secret_in(found)) and not is_placeholder(secret_in(found))


def _is_basic(found: re.Match[str]) -> bool:
    """Whether Basic credentials hold a user and a password."""
    value = secret_in(found).rstrip("=")
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False


# ── the registry ──────────────────────────────────────────────────────────────────────────────────────────

_NAMED = r"passw(?:or)?d|passphrase|pwd|secret|token|api-?_?key|access-?_?key|passwort|kennwort"

PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        kind="password in url",
        what="The password of an address or connection string, `scheme://user:…@host`",
        hints=("://",),
        regex=re.compile(r"(?<=[A-Za-z0-9])://[^\s/:@\"'<>]{0,128}:(?P<secret>[^\s/@\"'<>\[\]]{1,256})@(?=[\w\[$.-])"),
        check=_is_url_password,
    ),
    Pattern(
        kind="aws key",
        what="AWS access key ids (`AKIA…`, `ASIA…`)",
        hints=("akia", "asia", "abia", "acca"),
        regex=re.compile(_APART + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        check=lambda found: not found[0].endswith("EXAMPLE"),
    ),
    Pattern(
        kind="google key",
        what="Google API keys (`AIza…`), OAuth access tokens (`ya29.…`) and client secrets (`GOCSPX-…`)",
        hints=("aiza", "ya29.", "gocspx-"),
        regex=re.compile(
            r"AIza[A-Za-z0-9_-]{35}|" + _APART + r"ya29\.[A-Za-z0-9_-]{20,400}|GOCSPX-[A-Za-z0-9_-]{20,60}"
        ),
    ),
    Pattern(
        kind="azure key",
        what="Azure storage and service keys (`AccountKey=…`), shared access signatures (`sig=…`), client secrets",
        hints=("accountkey", "sharedaccesskey", "sig=", "8q~"),
        regex=re.compile(
            r"(?:AccountKey|SharedAccessKey)\s{0,2}=\s{0,2}(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})"
            r"|(?<=[?&]sig=)[A-Za-z0-9%+/=_-]{40,120}"
            r"|(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}"
        ),
    ),
    Pattern(
        kind="github token",
        what="GitHub tokens (`ghp_…`, `gho_…`, `ghu_…`, `ghs_…`, `ghr_…`, `github_pat_…`)",
        hints=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        regex=re.compile(r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    ),
    Pattern(
        kind="gitlab token",
        what="GitLab tokens (`glpat-…`, `gldt-…`, `glrt-…`, `glcbt-…` and the like)",
        hints=(
            "glpat-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glsoat-",
            "glagent-",
            "glimt-",
            "gloas-",
            "gr1348941",
        ),
        regex=re.compile(
            r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-[A-Za-z0-9_.-]{20,300}|GR1348941[A-Za-z0-9_-]{20,60}"
        ),
    ),
    Pattern(
        kind="slack token",
        what="Slack tokens (`xoxb-…`, `xapp-…`) and webhook addresses",
        hints=("xox", "xapp-", "hooks.slack.com"),
        regex=re.compile(
            r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,300}|xapp-[0-9]-[A-Za-z0-9-]{20,300}"
            r"|hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9/_-]{20,200})"
        ),
    ),
    Pattern(
        kind="stripe key",
        what="Stripe secret and restricted keys (`sk_live_…`, `rk_test_…`) and webhook secrets (`whsec_…`)",
        hints=("k_live_", "k_test_", "whsec_"),
        regex=re.compile(_APART + r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{24,128})"),
    ),
    Pattern(
        kind="anthropic key",
        what="Anthropic API keys (`sk-ant-…`)",
        hints=("sk-ant-",),
        regex=re.compile(_APART + r"sk-ant-[A-Za-z0-9_-]{16,300}"),
    ),
    Pattern(
        kind="openai key",
        what="OpenAI API keys (`sk-…`, `sk-proj-…`) and those of services that copy the form (`sk-or-v1-…`)",
        hints=("sk-",),
        regex=re.compile(_APART + r"(?<!-)sk-[A-Za-z0-9_-]{20,300}"),
        check=_has_long_segment,
    ),
    Pattern(
        kind="hugging face token",
        what="Hugging Face tokens (`hf_…`)",
        hints=("hf_",),
        regex=re.compile(_APART + r"hf_[A-Za-z0-9]{30,60}"),
    ),
    Pattern(
        kind="npm token",
        what="npm tokens (`npm_…`, and `_authToken=` in a configuration file)",
        hints=("npm_", "_authtoken"),
        regex=re.compile(_APART + r"npm_[A-Za-z0-9]{36,60}|:_authToken\s?=\s?(?P<secret>[A-Za-z0-9_.=-]{16,200})"),
    ),
    Pattern(
        kind="pypi token",
        what="PyPI upload tokens (`pypi-…`)",
        hints=("pypi-",),
        regex=re.compile(_APART + r"pypi-[A-Za-z0-9_-]{50,400}"),
    ),
    Pattern(
        kind="telegram token",
        what="Telegram bot tokens (`<number>:AA…`)",
        hints=(":aa",),
        regex=re.compile(r"(?<![A-Za-z0-9])(?:bot)?(?P<secret>[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34})"),
    ),
    Pattern(
        kind="discord token",
        what="Discord bot tokens and webhook addresses",
        hints=(".", "discord"),
        least=59,
        regex=re.compile(
            r"(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])"
            r"|discord(?:app)?\.com/api/webhooks/[0-9]{15,25}/(?P<secret>[A-Za-z0-9_-]{40,100})"
        ),
    ),
    Pattern(
        kind="sendgrid key",
        what="SendGrid API keys (`SG.….…`)",
        hints=("sg.",),
        regex=re.compile(_APART + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    ),
    Pattern(
        kind="twilio key",
        what="Twilio API keys (`SK` and 32 hex digits)",
        hints=("sk",),
        regex=re.compile(_APART + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ),
    Pattern(
        kind="json web token",
        what="JSON web tokens (three or five base64url parts, `eyJ….eyJ….…`)",
        hints=("eyj",),
        regex=re.compile(
            r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.(?:eyJ)?[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}"
            r"(?:\.[A-Za-z0-9_-]{10,8000}){0,2}"
        ),
    ),
    Pattern(
        kind="authorization",
        what="Credentials of an `Authorization` header: Bearer, Basic, Token",
        hints=("bearer", "basic", "authorization"),
        regex=re.compile(
            r"\bbearer[\s:=]{1,4}[\"']?(?P<secret>[A-Za-z0-9._~+/=-]{16,2000})"
            r"|\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:token|apikey|digest|negotiate)\s{1,3}"
            r"(?P<other>[A-Za-z0-9._~+/=-]{8,2000})",
            re.IGNORECASE,
        ),
        check=_has_digit,
    ),
    Pattern(
        kind="basic credentials",
        what="User and password in base64 after `Basic`",
        hints=("basic ",),
        regex=re.compile(r"\bBasic\s{1,3}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})", re.IGNORECASE),
        check=_is_basic,
    ),
    Pattern(
        kind="cookie",
        what="What a `Cookie` or `Set-Cookie` header carries",
        hints=("cookie",),
        regex=re.compile(r"\bcookie[\"']?\s{0,2}:\s{0,2}[\"']?(?P<secret>[^\r\n\"']{16,4000})", re.IGNORECASE),
        check=_is_cookie,
    ),
    Pattern(
        kind="password hash",
        what="Hashed passwords (`$2b$…`, `$6$…`, `$argon2id$…`)",
        hints=("$2a$", "$2b$", "$2x$", "$2y$", "$1$", "$5$", "$6$", "$y$", "$argon2", "$scrypt$", "$pbkdf2"),
        regex=re.compile(
            r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$[156y]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9$]{1,40}\$[./A-Za-z0-9]{20,90}"
            r"|\$(?:argon2(?:id|i|d)|scrypt|pbkdf2-sha\d{1,3})\$[^\s$]{1,80}(?:\$[^\s$:\"']{1,200}){1,3}"
        ),
    ),
    Pattern(
        kind="password in markup",
        what="Passwords and keys in XML, HTML attributes, SQL, and files that other programs read them from",
        hints=(
            "</",
            "value=",
            "identified ",
            "password '",
            "requirepass",
            "env ",
            "setx",
            "private-lines",
            ":5432:",
            ":3306:",
            ":1433:",
            ":27017:",
        ),
        regex=re.compile(
            rf"<[\w:.-]{{0,40}}(?:{_NAMED})[\w.-]{{0,20}}(?: [^<>]{{0,100}})?>"
            r"\s{0,3}(?P<secret>[^<>\s]{3,256})\s{0,3}</"
            rf"|(?:key|name|id)\s?=\s?[\"'][^\"'<>\n]{{0,60}}(?:{_NAMED})[^\"'\n]{{0,20}}[\"']"
            r"\s{1,4}value\s?=\s?[\"'](?P<bare>[^\"'\n]{4,256})[\"']"
            r"|\b(?:identified\s(?:with\s\w{1,40}\s)?by|password)\s{1,3}(?:values\s)?'(?P<other>[^'\n]{3,200})'"
            rf"|\brequirepass\s{{1,3}}(?P<third>\S{{4,200}})"
            rf"|\b(?:ENV|setx)\s{{1,3}}[A-Z0-9_]{{0,40}}(?:{_NAMED})[A-Z0-9_]{{0,20}}"
            r"\s{1,3}[\"']?(?P<fourth>[^\s\"'=]{4,256})"
            r"|(?:5432|3306|1433|27017):[\w*-]{1,60}:[\w*-]{1,60}:(?P<last>[^\s:\"']{4,200})(?=\s|$)"
            r"|Private-Lines: \d{1,4}\r?\n(?P<fifth>(?:[A-Za-z0-9+/=]{4,80}(?:\r?\n|$)){1,80})",
            re.IGNORECASE,
        ),
        check=_is_in_markup,
    ),
    Pattern(
        kind="secret in address",
        what="Signatures, codes and tokens among the parameters of an address, and addresses that are secrets",
        hints=(
            "sig=",
            "signature=",
            "code=",
            "auth=",
            "sid=",
            "session=",
            "token=",
            "key=",
            "hmac=",
            "secret=",
            "://",
            "jdbc:oracle",
            "webhookb2",
        ),
        regex=re.compile(
            r"[?&;](?:[\w.-]{0,30}(?:signature|sig|hmac|token|api_?key|auth|secret)|code|sid|session|key)=(?P<secret>[A-Za-z0-9%._~+/=-]{16,1000})"
            r"|://(?P<other>[A-Za-z0-9_-]{20,256})@(?=[\w.-])"
            r"|\bjdbc:oracle:\w{1,10}:[\w.-]{1,60}/(?P<bare>[^\s/@\"'<>]{3,128})@"
            r"|webhook\.office\.com/webhookb2/(?P<third>[A-Za-z0-9@/_-]{40,300})"
            r"|\bSignature=(?P<last>[0-9a-f]{40,128})\b",
            re.IGNORECASE,
        ),
        check=_is_random_parameter,
    ),
    Pattern(
        kind="password argument",
        what="Passwords in commands: `--password …`, `--token …`, `curl -u user:…`, `mysql -p…`, `docker login -p …`, "
        "`redis-cli -a …`, `echo … | sudo -S` and the like",
        hints=(
            "--pass",
            "--token",
            "--with-token",
            "--api",
            "--secret",
            "--client-secret",
            "--access",
            "storepass",
            "keypass",
            "passin",
            "passout",
            "curl ",
            "http ",
            "https ",
            "login",
            "mysql",
            "mariadb",
            "7z",
            "sshpass",
            "snowsql",
            "redis-cli",
            "openssl",
            "zip ",
            "ldap",
            "sqlcmd",
            "net use",
            "htpasswd",
            "smbclient",
            "sudo",
        ),
        regex=re.compile(
            r"--(?:password|passwd|pass|passphrase|token|with-token|api-key|apikey|secret|client-secret|access-token)[\s=]{1,3}[\"']?(?P<secret>[^\s\"'<>]{4,256})"
            r"|-(?:storepass|keypass|passin|passout)\s{1,3}(?:pass:)?[\"']?(?P<fifth>[^\s\"'<>]{4,200})"
            r"|\bcurl\s[^\n|]{0,200}?(?:-u|--user)[\s=]{0,2}[\"']?[^\s:\"']{1,100}:(?P<other>[^\s\"'<>]{3,256})"
            r"|\bhttps?\s[^\n|]{0,100}?(?:-a|--auth)[\s=][\"']?[^\s:\"']{1,100}:(?P<sixth>[^\s\"'<>]{3,256})"
            r"|\bmachine\s{1,4}\S{1,100}\s{1,4}login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<eighth>\S{3,200})"
            r"|\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<bare>\S{3,200})"
            r"|\b(?:mysql(?:dump|admin)?|mariadb(?:-dump)?|7za?)\s(?:[^\n|]{0,120}?\s)?-p(?P<quote>[\"']?)(?P<last>[^\s\"'<>-][^\s\"'<>]{3,200})"
            r"|\b(?:sshpass\s{1,3}-p|(?:docker|podman|az|helm|oc)\s[^\n|]{0,20}?login\s[^\n|]{0,120}?\s-p\s|snowsql\s[^\n|]{0,80}?-p\s"
            r"|redis-cli\s[^\n|]{0,100}?-a\s|openssl\s[^\n|]{0,100}?-k\s|zip\s[^\n|]{0,60}?-P\s|ldap\w{1,10}\s[^\n|]{0,120}?\s-w\s"
            r"|sqlcmd\s[^\n|]{0,120}?-P\s|net\s{1,3}use\s[^\n|]{0,100}?/user:\S{1,80}|htpasswd\s{1,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s{1,3}\S{1,100}\s{1,3}\S{1,80})"
            r"\s{0,3}[\"']?(?P<third>[^\s\"'<>-][^\s\"'<>]{3,200})"
            r"|\bsmbclient\s[^\n|]{0,100}?-U\s{0,2}[\"']?\w[^\s%\"']{0,60}%(?P<seventh>[^\s\"'<>]{3,200})"
            r"|\becho\s{1,3}(?:-n\s)?[\"']?(?P<fourth>[^\s\"'<>|]{4,200})[\"']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3}-S|(?:docker|podman|helm|gh|npm)\s[^\n]{0,40}login)",
        ),
        check=_is_argument,
    ),
)
"""The kinds of secret with a form of their own that a single expression tells."""

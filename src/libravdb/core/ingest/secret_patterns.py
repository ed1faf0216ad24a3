"""What secrets look like: a registry of small named patterns, tried in this order.

Each pattern starts with a few letters that hardly anything else starts with, or with the name that a secret is assigned
to; every repetition is bounded, so that a text of any length costs time in proportion. A name before a value is weak
evidence: such a value must also look like a secret, not like a word, a placeholder or code.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass

Check = Callable[[re.Match[str]], bool]


def _always(found: re.Match[str]) -> bool:  # noqa: ARG001 - a check like the others
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One kind of secret. `hints` are in small letters: a text that holds none of them is not searched.

    The first named group of `GROUPS` that matched, or else the whole match, is what gets masked, when `check` agrees.
    """

    kind: str
    what: str
    regex: re.Pattern[str]
    hints: tuple[str, ...] = ()
    check: Check = _always


GROUPS = ("secret", "bare", "other", "last")


def secret_span(found: re.Match[str]) -> tuple[int, int]:
    """Where the secret itself stands in a match."""
    return next((found.span(name) for name in GROUPS if name in found.re.groupindex and found[name]), found.span())


def secret_in(found: re.Match[str]) -> str:
    """The secret itself; only checks look at it."""
    start, end = secret_span(found)
    return found.string[start:end]


_APART = r"(?<![A-Za-z0-9_])"


# ── does a value look like a secret? ──────────────────────────────────────────────────────────────────────

_PLACEHOLDER = re.compile(
    r"\$[A-Z_{(]|%[A-Za-z_{(]|<|\{\{|#\{|\[|\*\*|\.\.|•|x{3}"
    r"|(?:your|my|the|some)[_-]|(?:your|example|placeholder|changeme|change_me|change-me|redacted|dummy)"
    r"|(?:test|sample|fake|insert|enter|todo|foo|bar|abc|none|null|undefined|true|false|nil)(?![a-z0-9])"
    r"|process\.env|os\.|env\.|getenv",
    re.IGNORECASE,
)
_ORDINARY = frozenset(
    "string str text password passwort kennwort contraseña contrasena senha пароль secret token required optional"
    " hidden invalid missing incorrect wrong empty value variable reset forgot changed expired encrypted protected"
    " credentials username email default authentication authorization".split()
)
_NAMES_ITSELF = re.compile(r"(?:pass(?:word|wd|phrase)|pwd|secret|token|api_?key|credential)", re.IGNORECASE)
_REFERENCE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)\w+)+")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_-]*")
# Tokens that open nothing: of pages, of requests that may be repeated, of a language model's vocabulary.
_PAGE_TOKEN = re.compile(
    r"(?:next|page|paging|continuation|starting|lock|sync|request|client|idempotency|pad|eos|bos|unk|sep|cls|mask|stop)"
    r"[_ -]?token[\"']?\s{0,3}$",
    re.IGNORECASE,
)
_QUERY_OR_FIELD = re.compile(
    r"[?&;][\w.-]{0,40}$|(?:^|\n|\s-e\s)\s{0,8}(?:-\s)?(?:export\s|set\s|ENV\s)?[A-Z][A-Z0-9_]{0,60}$"
)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a variable, a mask, a word like `your-key`, the key's own name."""
    if _PLACEHOLDER.match(value) or "***" in value or "..." in value or "…" in value or "xxxx" in value.lower():
        return True
    if "example" in value.lower():
        return True
    return value.lower() in _ORDINARY or len(set(value)) <= 2


def is_code(value: str, following: str) -> bool:
    """Whether a bare value is an expression: a call, an index, a dotted name, a name that names itself."""
    if following in ("(", "[") or _REFERENCE.fullmatch(value):
        return True
    return value.replace("_", "").replace("-", "").isalnum() and _NAMES_ITSELF.search(value) is not None


def mixes(value: str) -> bool:
    """Whether a value has letters and digits, or letters and signs that words do not have inside."""
    has_letter = any(c.isalpha() for c in value)
    return has_letter and any(c.isdigit() or c in "!@#$%^&*+=?~|" for c in value.rstrip("!?.,"))


def _is_assigned(found: re.Match[str]) -> bool:
    value, is_quoted = secret_in(found), bool(found["quote"])
    if is_placeholder(value):
        return False
    if _PAGE_TOKEN.search(found.string[max(0, found.start() - 16) : found.start("sign")]):
        return False
    is_password = not found["key_like"]
    if is_quoted:
        return len(value) >= 4 if is_password else len(value) >= 8 and mixes(value)
    following = found.string[found.end() : found.end() + 1]
    if _is_field(found) and following not in ("(", "["):
        return len(value) >= (4 if is_password else 8)
    if is_code(value, following) or _IDENTIFIER.fullmatch(value):
        return False
    if value.isdigit():
        return is_password and len(value) >= 6
    return mixes(value) and (is_password or len(value) >= 12)


def _is_field(found: re.Match[str]) -> bool:
    """Whether a value stands where no variable can: `…&password=swordfish` in an address, a file of settings."""
    before = found.string[max(0, found.start() - 80) : found.start("sign")]
    return found["sign"] == "=" and _QUERY_OR_FIELD.search(before) is not None


def _is_stated(found: re.Match[str]) -> bool:
    value = secret_in(found).rstrip(".,!?;:)\"'”")
    return (
        len(value) >= (16 if found["key_like"] else 6)
        and mixes(value)
        and not is_placeholder(value)
        and not is_code(value, "")
    )


def _is_argument(found: re.Match[str]) -> bool:
    value = secret_in(found)
    return not value.startswith("-") and not is_placeholder(value) and mixes(value)


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

_PASSWORDS = (
    r"pass(?:word|wd|phrase|code)|\bpass|_pass|pwd|passwort|kennwort|contraseña|contrasena|senha|mot de passe|пароль"
)
_KEYS = (
    r"secret(?:[_-]?(?:access[_-]?)?key)?|(?:api|access|account|auth|private|encryption|signing|master|shared[_-]?access|"
    r"service)[ _-]?key|token"
)
_SERVICES = (
    r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|dop_v1_[0-9a-f]{64}|doo_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}|hv[sb]\.[A-Za-z0-9_-]{24,300}|"
    r"gsk_[A-Za-z0-9]{40,60}|r8_[A-Za-z0-9]{37}|pplx-[A-Za-z0-9]{40,60}|xai-[A-Za-z0-9]{60,100}|lin_api_[A-Za-z0-9]{32,60}|"
    r"ntn_[A-Za-z0-9]{40,60}|dckr_pat_[A-Za-z0-9_-]{20,60}|figd_[A-Za-z0-9_-]{30,60}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|"
    r"NRAK-[A-Z0-9]{27}|sntrys_[A-Za-z0-9+/=_-]{40,300}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}|sbp_[0-9a-f]{40}|"
    r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}\b|AGE-SECRET-KEY-1[A-Z0-9]{58}|"
    r"tskey-[a-z]{2,20}-[A-Za-z0-9-]{20,80}|rubygems_[0-9a-f]{48}|CFPAT-[A-Za-z0-9_-]{43}"
)

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
        hints=("gh", "github_pat_"),
        regex=re.compile(r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    ),
    Pattern(
        kind="gitlab token",
        what="GitLab tokens (`glpat-…`, `gldt-…`, `glrt-…`, `glcbt-…` and the like)",
        hints=("gl",),
        regex=re.compile(r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-[A-Za-z0-9_.-]{20,300}"),
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
        kind="service token",
        what="Tokens with the marks of Grafana, DigitalOcean, Databricks, Vault, Groq, Replicate, Perplexity, xAI, "
        "Linear, Notion, Docker, Figma, Postman, New Relic, Sentry, Square, Supabase, Shopify, Mailgun, Mailchimp, "
        "age, Tailscale, RubyGems and Contentful",
        regex=re.compile(rf"(?<![A-Za-z0-9_-])(?:{_SERVICES})"),
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
        kind="password",
        what="A value assigned to `password`, `passwd`, `pwd`, `passphrase`, `secret`, `token`, `api_key` …: "
        '`name=value`, `name: value`, `"name": "value"`, also in German, Spanish, French, Portuguese and Russian',
        hints=("pass", "pwd", "kennwort", "contrase", "senha", "пароль", "secret", "key", "token"),
        regex=re.compile(
            rf"(?:{_PASSWORDS}|(?P<key_like>{_KEYS}))(?![A-Za-z])[\\\"'`\])]{{0,3}}"
            r"(?:\s{0,2}:\s{0,2}(?:str|string|&str|SecretStr)\s{0,2}(?==))?"
            r"\s{0,3}(?P<sign>:=|=>|=|:)\s{0,3}"
            r"(?:\\{0,3}(?P<quote>[\"'`])(?P<secret>[^\s\"'`\\]{4,256})(?=\\{0,3}(?P=quote))|(?P<bare>[^\s\"'`,;&<>(){}\[\]\\=]"
            r"[^\s\"'`,;&<>(){}\[\]\\]{3,255}))",
            re.IGNORECASE,
        ),
        check=_is_assigned,
    ),
    Pattern(
        kind="stated password",
        what="A password or key told in a sentence (`the password is …`) when it mixes letters with digits or signs",
        hints=("pass", "pw", "kennwort", "contrase", "senha", "пароль", "key", "token", "secret"),
        regex=re.compile(
            r"\b(?:pass(?:word|wd|phrase|code|wort)|pw|kennwort|contraseña|senha|mot de passe|пароль"
            r"|(?P<key_like>api[ -]?key|token|secret(?: key)?))\b[^\n.:;,\"'!?]{0,40}?\s"
            r"(?:is|ist|es|est|é|lautet)\s{1,3}(?:now\s)?[\"'“`]?(?P<secret>[^\s\"'”`<>]{6,128})",
            re.IGNORECASE,
        ),
        check=_is_stated,
    ),
    Pattern(
        kind="password argument",
        what="Passwords in commands: `--password …`, `--token …`, `curl -u user:…`, `login … password …`, "
        "`sshpass -p`, `mysql -p…`",
        hints=("--pass", "--token", "--api-key", "--secret", "curl", "login", "sshpass", "mysql"),
        regex=re.compile(
            r"--(?:password|passwd|pass|token|api-key|secret)\s{1,3}[\"']?(?P<secret>[^\s\"'<>]{4,256})"
            r"|\bcurl\s[^\n|]{0,200}?(?:-u|--user)[\s=][\"']?[^\s:\"']{1,100}:(?P<other>[^\s\"'<>]{3,256})"
            r"|\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<bare>\S{3,200})"
            r"|\b(?:sshpass\s{1,3}-p\s{0,3}|mysql(?:dump|admin)?\s[^\n|]{0,120}?\s-p)[\"']?(?P<last>[^\s\"'<>]{4,200})",
        ),
        check=_is_argument,
    ),
)
"""Every kind of secret with a form of its own. Private keys and random strings are found by `secrets` itself."""

"""Does a value look like a secret? A name before a value is weak evidence: most are words, variables and code."""

from __future__ import annotations

import re

SIGNS = frozenset("!@#$%^&*+=?~|")
"""Signs that words do not have inside, and passwords do."""

_PLACEHOLDER = re.compile(
    r"\$[A-Z_{(]|%[A-Za-z_{(]|<|\{\{|#\{|\[|\*\*|\.\.|•|x{3}|_+$"
    r"|(?:your|my|the|some)[_-]|(?:your|example|placeholder|changeme|change_me|change-me|redacted|dummy)"
    r"|(?:test|sample|fake|insert|enter|todo|foo|bar|abc|none|null|undefined|true|false|nil)(?![a-z0-9])"
    r"|process\.env|os\.|env\.|getenv|\$\d",
    re.IGNORECASE,
)
_ORDINARY = frozenset(
    "string str text password passwort kennwort contraseña contrasena senha пароль secret token required optional"
    " hidden invalid missing incorrect wrong empty value variable reset forgot changed expired encrypted protected"
    " credentials username email default authentication authorization".split()
)
# Names of procedures, units and products, which have digits in them and are no secrets.
_TECHNICAL = re.compile(
    r"(?:(?:argon2(?:id|i|d)?|bcrypt\w*|scrypt|pbkdf2\w*|sha-?\d{1,3}\w{0,5}|md5\w{0,5}|base(?:32|58|64)\w*|aes-?\d{3}|utf-?\d{1,2}"
    r"|oauth2?|openid\w*|n?varchar\d*|char\d+|https?\d?|v?\d+(?:\.\d+)+|v\d+|[rhe]s(?:256|384|512)|ed25519|rsa\d*|x\.?509"
    r"|2fa|mfa|u2f|fido2?|webauthn|totp|hotp|keepass\w*|1password|lastpass|u?int\d+|float\d+|bytes\d+|i18n|l10n|k8s|ipv[46]|wpa[23]?"
    r"|\d+\+?-?(?:chars?|characters?|digits?|letters?|bytes?|bits?|days?|hours?|hrs?|mins?|minutes?|months?|seconds?|secs?|ms|kb|mb"
    r"|gb|k|x|th|st|nd|rd|am|pm|h|m|s))(?![A-Za-z0-9!@#$%^&*])|s3:)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+|[a-z][a-z0-9+.-]*://|www\.|[~.]{0,2}/[\w.@/-]*$|[A-Za-z]:\\", re.IGNORECASE
)
_FILE = re.compile(
    r"[\w./-]+\.(?:ya?ml|json|toml|ini|env|txt|md|py|js|ts|go|rs|java|rb|php|html?|css|cfg|conf|pem|sh|sql)",
    re.IGNORECASE,
)
_NAMES_ITSELF = re.compile(r"(?:pass(?:word|wd|phrase)|pwd|secret|token|api_?key|credential)", re.IGNORECASE)
_REFERENCE = re.compile(r"[A-Za-z_$]\w*(?:(?:\.|->|::|\?\.)\w+)+")
_CALL = re.compile(r"[A-Za-z_$][\w.$]*[(\[<]")
_TYPE = re.compile(r"(?:str|string|number|null|undefined|bool|boolean|int|any|unknown|none)[|&]", re.IGNORECASE)
_AFTER_CALL = re.compile(r"[)\]>]\w")
_IDENTIFIER = re.compile(r"[^\W\d][^\W\d]*(?:[-_’'/.|&,;<>()\[\]][^\W\d]*)*")
_DATE = re.compile(r"\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:t[\d:.z+-]*)?|\d[\d.,]*[%€$£]?", re.IGNORECASE)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a variable, a mask, a word like `your-key`, the key's own name."""
    if _PLACEHOLDER.match(value) or "***" in value or "..." in value or "…" in value or "xxxx" in value.lower():
        return True
    if "example" in value.lower():
        return True
    return value.lower() in _ORDINARY or len(set(value)) <= 2


def is_code(value: str, following: str) -> bool:
    """Whether a bare value is an expression: a call, an index, a dotted name, a name that names itself."""
    if following in ("(", "[") or _REFERENCE.fullmatch(value) or _TYPE.match(value):
        return True
    if _CALL.match(value) and not _AFTER_CALL.search(value):  # a letter follows no call
        return True
    return value.replace("_", "").replace("-", "").isalnum() and _NAMES_ITSELF.search(value) is not None


def is_named_thing(value: str) -> bool:
    """Whether a value is an address, a file, a date, or a procedure such as `argon2id`: told about, not told."""
    return any(each.match(value) for each in (_ADDRESS, _TECHNICAL)) or any(
        each.fullmatch(value) for each in (_FILE, _DATE)
    )


def is_word(value: str) -> bool:
    """Whether a value is letters alone, perhaps with signs between: any word of any language."""
    return _IDENTIFIER.fullmatch(value) is not None


def mixes(value: str) -> bool:
    """Whether a value has letters and digits, or letters and signs that words do not have inside."""
    has_letter = any(c.isalpha() for c in value)
    return has_letter and any(c.isdigit() or c in SIGNS for c in value.rstrip("!?.,"))


def is_odd(value: str) -> bool:
    """Whether a value has letters, digits and a sign inside, as nothing but a password has."""
    inside = value.rstrip("!?.,")
    return mixes(value) and any(c.isdigit() for c in value) and any(c in SIGNS for c in inside)


def looks_chosen(value: str) -> bool:
    """Whether a bare value after a name is one that somebody chose or drew: no word, number, code, file or address."""
    return mixes(value) and not is_placeholder(value) and not is_code(value, "") and not is_named_thing(value)

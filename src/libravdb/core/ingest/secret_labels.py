"""Secrets that only their label tells: `pw: …`, `my password is …`, `PIN 4821`, in every language that we speak.

A label is weak evidence, so the value must look like a secret too; how much, depends on what stands between the two. An
assignment in quotes needs little, a mere blank needs letters, digits and signs in one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from libravdb.core.ingest.secret_entropy import is_random
from libravdb.core.ingest.secret_values import (
    is_code,
    is_named_thing,
    is_odd,
    is_placeholder,
    is_word,
    looks_chosen,
    mixes,
)

ASSIGNED, STATED, CODE, PHRASE = "password", "stated password", "access code", "recovery phrase"


class SecretLabel(Enum):
    """What a label promises."""

    PASSWORD = "password"  # noqa: S105 - the name of a kind
    KEY = "key"
    PIN = "pin"
    CODE = "code"
    PHRASE = "phrase"
    LOGIN = "login"
    """A name, a slash and a password."""
    NATIVE = "native"
    """A password in a language that writes no blanks between words."""


_WHOLE_WORDS = frozenset(
    ("pw", "pass", "pin", "pwd", "psk", "mdp", "puk", "clave", "parola", "cvv", "cvc", "otp", "tan")
)
"""Labels so short that they stand inside other words."""


def _words(told: str) -> tuple[str, ...]:
    return tuple(told.split("|"))


LABELS: dict[SecretLabel, tuple[str, ...]] = {
    SecretLabel.PASSWORD: _words(
        "password|passwd|passphrase|passcode|pass|pwd|pw|psk|passwort|kennwort|kennwörter|losungswort|"
        "wlan-schlüssel|wlan schlüssel|wifi key|wi-fi key|network key|contraseña|contrasena|clave|mot de passe|"
        "mots de passe|mdp|parola d'ordine|parola d’ordine|parola chiave|parola|senha|palavra-passe|wachtwoord|"
        "парол|hasło|lösenord|adgangskode|passord|salasana|şifre|heslo|jelszó|security answer"
    ),
    SecretLabel.NATIVE: _words(
        "密码|密碼|口令|パスワード|暗証番号|合言葉|비밀번호|암호|验证码|驗證碼|認証コード|รหัสผ่าน"
    ),
    SecretLabel.KEY: _words(
        "secret|token|api key|api_key|api-key|apikey|access key|access_key|access-key|accesskey|account key|"
        "account_key|accountkey|auth key|auth_key|auth-key|authkey|private key|private_key|private-key|"
        "privatekey|encryption key|encryption_key|encryption-key|encryptionkey|signing key|signing_key|"
        "signing-key|signingkey|master key|master_key|master-key|masterkey|shared access key|sharedaccesskey|"
        "service key|service_key|servicekey|secretkey|hmac_key|hmac-key|hmac key|app_key|app-key|appkey|"
        "subscription-key|subscription_key|secret_key|secret-key|secretaccesskey|credential|api-schlüssel|"
        "clé api|clave api|api密钥|密钥|apiキー"
    ),
    SecretLabel.PIN: _words("pin|puk|geheimzahl|passcode|cvv|cvc|пин-код|пин код|código pin"),
    SecretLabel.CODE: _words(
        "verification code|security code|one-time code|one time code|one-time password|otp|2fa code|mfa code|"
        "auth code|authentication code|login code|confirmation code is|door code|gate code|alarm code|"
        "entry code|lock code|safe code|keypad code|garage code|access code|unlock code|code secret|"
        "code de vérification|code d'accès|bestätigungscode|zugangscode|türcode|alarmcode|"
        "código de verificación|código secreto|código de acesso|codice di verifica|код подтверждения|"
        "код доступа|recovery code|backup code|rescue code|scratch code|wiederherstellungscode|"
        "código de recuperación|code de récupération"
    ),
    SecretLabel.PHRASE: _words(
        "seed phrase|recovery phrase|backup phrase|mnemonic|seed words|secret phrase|passphrase|frase semilla|"
        "phrase de récupération|助记词|シードフレーズ"
    ),
    SecretLabel.LOGIN: _words("login|username|user|credentials|creds|zugangsdaten|logindaten|benutzer|usuario"),
}
"""Every label in small letters. A word of two kinds is read as both."""

_QUOTED = (
    r"\\{0,3}(?P<quote>[\"'`“„«「『‘])(?P<quoted>(?:[^\n\"'`“”„«»「」『』\\]|(?<=\w)'(?=\w)){3,256}?)"
    r"(?=\\{0,3}(?:[\"`”“»」』’]|'(?!\w)))"
)
# A bare value reaches to the next blank. Signs that end a value in code and in talk are inside one when a letter
# follows, unless they begin the next field (`&user=`), a tag (`</b>`) or a marker of ours.
_INSIDE = (
    r"[^\s\"'`,;&<>(){}\[\]\\|“”«»「」]|(?<=\w)'(?=\w)|[,;&](?!(?:amp;)?[\w.-]{1,40}\s{0,2}[=:])(?=[\w!@#$%^*+?~-])"
    r"|<(?!/?(?:a|b|br|code|div|em|h\d|hr|i|kbd|li|ol|p|pre|span|strong|td|th|tr|tt|ul)\b)(?=\w)"
    r"|[>()\]|](?=[\w!@#$%^*+?~-])|\[(?!secret: )(?=\w)"
)
_BARE = rf"(?P<bare>[^\s\"'`,;&<>(){{}}\[\]\\=|“”„«»「」](?:{_INSIDE}){{2,255}})"
_ENDING = r"(?:\d{0,2}|[а-я]{0,3})(?![A-Za-zÀ-ÿа-яё])"
_ASSIGNMENT = re.compile(
    _ENDING + r"(?:[ _-](?:key|value|text))?[\\\"'`*_\])»”]{0,6}"
    r"(?:\s{0,2}:\s{0,2}(?:str|string|&str|SecretStr|String)\s{0,2}(?==))?"
    r"\s{0,3}(?P<sign>:=|=>|->|→|⇒|==?|:|：|\|)[*_]{0,2}\s{0,3}(?:!\w{1,20}\s)?"
    rf"(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(rf"{_ENDING}[\"']\s{{0,2}}(?:,|\]\s{{0,2}}=)\s{{0,2}}{_QUOTED}", re.IGNORECASE)
_STATEMENT = re.compile(
    _ENDING + r"[\"'”*]{0,3}(?P<between>[^\n.:;,\"'!?=]{0,40}?)\s{0,3}(?<![A-Za-zÀ-ÿ])"
    r"(?:is|was|are|ist|war|lautet|lauten|es|era|est|était|è|é|e|fu|foi|to|auf|zu|a|en|—|–|-|:)(?![A-Za-zÀ-ÿ])"
    rf"\s{{0,2}}:?\s{{1,3}}(?:(?:now|jetzt|ahora|still|(?:changed|set|reset|updated)\sto)\s{{1,3}})?(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
_BLANK = re.compile(rf"{_ENDING}\*{{0,2}}\s{{1,2}}\*{{0,2}}(?:{_QUOTED}|{_BARE})", re.IGNORECASE)
_LOGIN = re.compile(rf"\*{{0,2}}\s{{0,2}}[:：=]\*{{0,2}}\s{{0,3}}[\w.@+-]{{1,64}}\s{{1,2}}[/|]\s{{1,2}}{_BARE}")
_NATIVE = re.compile(
    r"[\"'”」*]{0,3}\s{0,2}(?:[:：=]|是|为|為|は|が|을|를|는|은|이|的)?\s{0,2}[:：]?\s{0,2}[\"'“「『`]?(?P<bare>[!-&(-_a-~]{4,64})"
)
_DIGITS = re.compile(
    r"s?(?![A-Za-z])(?:[ -](?:code|number|nummer|#))?(?P<between>[^\n\d.;,!?]{0,24}?)"
    r"[\s\"'`*:：=#—–-]{1,5}(?P<digits>\d(?:[ -]?\d){2,7}[#*]?)(?![\w]|[.,:/-]\d)",
    re.IGNORECASE,
)
_CODES = re.compile(
    r"s?(?:[^\n\d:：=]{0,24})[:：=\s]\s{0,3}(?P<codes>(?:[-•*]?\s{0,2}(?=[a-z0-9-]{0,30}\d)[a-z0-9]{4,12}(?:-[a-z0-9]{4,12}){0,5}[\s,;]{0,3}){1,20})",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"s?(?:[^\n:：=\"]{0,20})(?:[:：=]|\bis\b|是)\s{0,3}[\"'“`]?"
    r"(?P<words>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){2,23})(?![\w])",
    re.IGNORECASE,
)
_PAGE_TOKEN = re.compile(
    r"(?:next|page|paging|continuation|starting|lock|sync|request|client|idempotency|pad|eos|bos|unk|sep|cls|mask|stop|max|special)"
    r"[_ -]?$",
    re.IGNORECASE,
)
_OTHER_MEANING = re.compile(
    r"(?:palabras?|palavras?|parole?|punto|boarding|mountain|season|day|ski|bus|rail|by|first|second|render)[ _-]$"
)
_QUERY_OR_FIELD = re.compile(
    r"[?&;][\w.-]{0,40}$|(?:^|\n|\s-e\s)\s{0,8}(?:-\s)?(?:export\s|set\s|ENV\s|ARG\s)?[A-Z][A-Z0-9_]{0,60}$"
    r"|\s(?:export|set|ENV|ARG)\s[A-Z][A-Z0-9_]{0,60}$"
)
_LINK = re.compile(r"(?:[:：=#]|\b(?:is|was|ist|lautet|es|est|è|é|était))[\s\"'`*]{0,4}$", re.IGNORECASE)
_CALL = re.compile(r"[(\[]\s{0,2}[\"'][\w.-]{0,60}$")
_DOTTED = re.compile(r"(?:^|\n)[a-z][\w-]{0,30}(?:\.[\w-]{1,30}){1,6}$")
_CHANGED = re.compile(
    r"\b(?:set|chang\w{0,3}|reset|updat\w{0,3}|switch\w{0,3}|geänder\w{0,2}|gesetzt|cambi\w{0,3})[^\n.]{0,30}$",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"(?:\b(?:my|the|your|our|card|sim|is|phone|bank|mein|meine|die|mi|tu|el|le|mon|ma|il|mio|o|meu|de|mijn|atm)\s|[/|:])$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\s{1,3}(?:managers?|policy|policies|generators?|vaults?|length|hash\w{0,4}|algorithms?|formats?|types?|fields?|tools?|apps?)\b",
    re.IGNORECASE,
)
_HEIGHT = re.compile(r"[^\W\d_]+-?\d{3,4}(?:m|ft)", re.IGNORECASE)
_ALONE = re.compile(r"(?:^|\n|\b(?:my|mein|mi|mon|mijn)\s)$", re.IGNORECASE)
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|$)")
_TOLD_CARD = re.compile(r"card|exp|karte|carte|tarjeta|\d/\d", re.IGNORECASE)
_NEXT_WORD = re.compile(r"\s[^\W\d]")
_NEXT_NAME = re.compile(r",?\s[A-Z][a-z]")
_FUNCTION_WORDS = frozenset(
    _words(
        "a|about|all|always|an|and|any|are|as|at|bad|be|been|between|but|by|can|choose|did|different|do|does|"
        "each|enter|every|for|from|good|had|has|have|he|her|here|him|his|how|i|if|in|into|is|it|its|keep|long|"
        "make|may|me|more|most|must|my|never|new|no|not|of|old|on|one|only|optional|or|our|over|pick|please|"
        "required|right|safe|same|secure|see|set|shall|she|short|should|so|some|store|strong|than|that|the|"
        "their|them|then|there|these|they|this|those|to|type|under|us|use|used|uses|using|was|we|weak|what|"
        "when|where|which|who|will|with|would|wrong|you|your"
    )
)


def find_labelled(text: str, small: str) -> Iterator[tuple[int, int, str]]:
    """Where labelled secrets stand, with their kind. `small` is the text in small letters, of the same length."""
    for label, words in LABELS.items():
        for word in words:
            place = small.find(word)
            while place >= 0:
                if _is_label(text, place, word):
                    yield from _read(text, label, place, place + len(word))
                place = small.find(word, place + 1)


def _is_label(text: str, place: int, word: str) -> bool:
    """Whether a word stands for itself: short ones not inside another, and none where it means something else."""
    before = text[place - 1 : place] if place else ""
    if word in _WHOLE_WORDS and before.isalpha() and not (before.islower() and text[place].isupper()):
        return False
    return not (
        word in ("pass", "clave", "parola", "password", "pw")
        and _OTHER_MEANING.search(text[max(0, place - 12) : place].lower())
    )


def _read(text: str, label: SecretLabel, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The secret that a label at this place tells, if it does."""
    match label:
        case SecretLabel.PASSWORD | SecretLabel.KEY:
            yield from _read_word(text, label, start, end)
        case SecretLabel.NATIVE:
            if (found := _NATIVE.match(text, end)) and _is_native(found["bare"]):
                yield *found.span("bare"), STATED
        case SecretLabel.PIN:
            if (found := _DIGITS.match(text, end)) and _is_pin(text, start, found):
                yield *found.span("digits"), CODE
        case SecretLabel.CODE:
            yield from _read_code(text, start, end)
        case SecretLabel.PHRASE:
            if (found := _WORDS.match(text, end)) and _is_phrase(text[start:end], found["words"]):
                yield *found.span("words"), PHRASE
        case SecretLabel.LOGIN:
            if (found := _LOGIN.match(text, end)) and looks_chosen(found["bare"]) and is_odd(found["bare"]):
                yield *found.span("bare"), ASSIGNED


def _read_word(text: str, label: SecretLabel, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    if found := _ARGUMENTS.match(text, end) or _ASSIGNMENT.match(text, end):
        if _is_assigned(text, label, start, found):
            yield *_value_span(found), ASSIGNED
        return
    for form, is_told in ((_STATEMENT, _is_stated), (_BLANK, _is_beside)):
        if (found := form.match(text, end)) and is_told(text, label, start, found):
            yield *_value_span(found), STATED
            return


def _value_span(found: re.Match[str]) -> tuple[int, int]:
    return found.span("quoted") if found["quoted"] else found.span("bare")


def _value(found: re.Match[str]) -> str:
    return str(found["quoted"] or found["bare"])


# ── is it told? ───────────────────────────────────────────────────────────────────────────────────────────


def _is_assigned(text: str, label: SecretLabel, start: int, found: re.Match[str]) -> bool:
    """Whether `label = value` gives a secret away."""
    value, is_password = _value(found), label is SecretLabel.PASSWORD
    if is_placeholder(value) or _is_of_a_page(text, start):
        return False
    if found.re is _ARGUMENTS and not _CALL.search(text[max(0, start - 80) : start]):
        return False
    if found["quoted"]:
        is_key = text[start : start + 5].lower() == "clave"  # of a table as often as of a door
        return _is_quoted(value, is_password=is_password) and (mixes(value) or not is_key)
    following = text[found.end() : found.end() + 1]
    if _is_field(text, start, found) and following not in ("(", "["):
        return len(value) >= (4 if is_password else 8)
    value = value.rstrip(".,!?:;")
    if value.isdigit():
        is_code_of_digits = text[start : start + 8].lower() == "passcode"  # read as a PIN too
        return is_password and len(value) >= 6 and found["sign"] != "|" and not is_code_of_digits
    if is_code(value, following) or is_word(value) or is_named_thing(value) or _is_mountain(text, start, value):
        return False
    if not is_password:
        return len(_longest_piece(value)) >= 12 and mixes(_longest_piece(value))
    least = 6 if text[start : start + 4].lower() in ("pw: ", "pass", "pw") else 4
    return mixes(found["bare"]) and len(value) >= least


def _longest_piece(value: str) -> str:
    """Of a key, which has none of these signs: where they stand, it is a list or code."""
    return max(re.split(r"[,;&|<>()\[\]']", value), key=len)


def _is_mountain(text: str, start: int, value: str) -> bool:
    """Whether `Pass: Brenner1370m` tells a way over the hills."""
    return text[start : start + 5].lower() == "pass:" and _HEIGHT.fullmatch(value) is not None


def _is_of_a_page(text: str, start: int) -> bool:
    """Tokens that open nothing: of pages, of requests that may be repeated, of a language model's vocabulary."""
    return (
        text[start : start + 5].lower() == "token" and _PAGE_TOKEN.search(text[max(0, start - 16) : start]) is not None
    )


def _is_quoted(value: str, *, is_password: bool) -> bool:
    if any(c.isspace() for c in value):
        return is_password and _is_phrase("", value)
    return len(value) >= 4 if is_password else len(value) >= 8 and mixes(value)


def _is_field(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether a value stands where no variable can: `…&password=swordfish` in an address, a file of settings."""
    if found.re is not _ASSIGNMENT or found["sign"] != "=":
        return False
    before = text[max(0, start - 80) : found.start("sign")]
    if _QUERY_OR_FIELD.search(before):
        return True
    return text[found.end("sign")] != " " and len(_value(found)) >= 8 and _DOTTED.search(before) is not None


def _is_stated(text: str, label: SecretLabel, start: int, found: re.Match[str]) -> bool:
    """Whether `the label … is value` gives a secret away. A weak link (`to`, a dash) needs more than `is`."""
    told, is_password = _value(found), label is SecretLabel.PASSWORD
    value = told.rstrip(".,!?;:)\"'”")
    if not _is_linked(text, start, found, told) or _ABOUT.match(found["between"]):
        return False
    if text[start : found.start()].lower() == "parola" and not is_odd(value):
        return False  # any word
    if found["quoted"]:
        return (
            is_password and not is_placeholder(value) and not is_code(value, "") and _is_quoted(value, is_password=True)
        )
    if not is_password:
        value = _longest_piece(value)
    return len(value) >= (6 if is_password else 16) and looks_chosen(value)


def _is_linked(text: str, start: int, found: re.Match[str], told: str) -> bool:
    """Whether what stands between label and value says that the one is the other."""
    if text[start : found.start()].lower() == "pass":
        return False  # mostly a verb
    end = found.start("quote") if found["quoted"] else found.start("bare")
    link = text[found.start() : end].strip().lower().rpartition(" ")[2].strip(":")
    if link in ("to", "auf", "zu", "a", "en", "e"):
        return any(_CHANGED.search(each) for each in (text[max(0, start - 40) : start], text[found.start() : end]))
    if link in ("-", "–", "—", ""):
        return is_odd(told) or (any(c.isdigit() for c in told) and told.endswith("!"))
    return True


def _is_beside(text: str, label: SecretLabel, start: int, found: re.Match[str]) -> bool:
    """Whether `label value` gives a secret away: a value that can be nothing else does, or one alone on its line."""
    value = _value(found)
    if label is SecretLabel.KEY:
        return is_random(value, length=20, bits=3.5)
    return len(value) >= 6 and looks_chosen(value) and (is_odd(value) or _is_alone(text, start, found))


def _is_alone(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether a line says no more than `my password hunter2`."""
    is_first = _ALONE.search(text[max(0, start - 8) : start]) is not None
    value = _value(found).rstrip(".!")
    is_plain = value.isalnum() and value[-1].isdigit()
    return is_first and is_plain and _LINE_END.match(text, found.end()) is not None


def _is_native(value: str) -> bool:
    value = value.rstrip(".,!?")
    return (looks_chosen(value) or (value.isdigit() and 4 <= len(value) <= 12)) and len(value) >= 4


def _is_pin(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether the digits behind `PIN` are one: told outright, or after a word that says whose it is."""
    digits = found["digits"].rstrip("#*").replace(" ", "").replace("-", "")
    name = text[start : start + 3]
    told = text[found.start() : found.start("digits")]
    is_told = any(sign in told for sign in ":：=#") or re.search(r"\b(?:is|ist|es|est|è|é)\b", told) is not None
    if name.lower() in ("cvv", "cvc"):
        is_word_shape = name.lower() == "cvc" and not is_told and _is_of_no_card(text, start, found)
        return len(digits) in (3, 4) and len(found["between"]) <= 12 and not is_word_shape
    if len(digits) < 4 or _is_year_of_talk(digits, found["between"]):
        return False
    if name.lower() == "pin" and len(digits) == 6 and "code" in text[start : found.start("digits")].lower():
        return False  # Indian post writes its PIN codes so
    if is_told or name.lower() != "pin" or _OWNED.search(text[max(0, start - 8) : start]):
        return True
    return name.isupper() and not _is_post_or_year(text, digits, found)


def _is_of_no_card(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether words go on after `CVC 123`, as of a syllable, and none before it is of a card."""
    before = text[max(0, start - 60) : start]
    return _NEXT_WORD.match(text, found.end()) is not None and not _TOLD_CARD.search(before)


def _is_post_or_year(text: str, digits: str, found: re.Match[str]) -> bool:
    """Whether `PIN 110001 New Delhi` or `PIN 2024 meeting` tells a place or a year."""
    if len(digits) == 6:
        return _NEXT_NAME.match(text, found.end()) is not None
    return digits[:2] in ("19", "20") and len(digits) == 4 and _NEXT_WORD.match(text, found.end()) is not None


def _is_year_of_talk(digits: str, between: str) -> bool:
    return len(between.split()) > 2 and digits[:2] in ("19", "20") and len(digits) == 4


def _read_code(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    name = text[start:end].lower()
    if name.split()[0] in ("recovery", "backup", "rescue", "scratch", "wiederherstellungscode"):
        if (found := _CODES.match(text, end)) and _are_codes(found["codes"]):
            begin, stop = found.span("codes")
            yield begin, stop - (stop - begin - len(found["codes"].rstrip(" ,;\n"))), CODE
        return
    found = _DIGITS.match(text, end)
    if found and len(found["digits"]) >= 4 and _LINK.search(text[found.start() : found.start("digits")]):
        yield *found.span("digits"), CODE


def _are_codes(codes: str) -> bool:
    parts = re.split(r"[\s,;]+", codes.strip(" ,;\n-•*"))
    return any(len(part) >= 8 and any(c.isdigit() for c in part) and not is_named_thing(part) for part in parts)


def _is_phrase(label: str, words: str) -> bool:
    """Whether words are drawn at random: a wallet's dozen, or a few of a passphrase, and no word of a sentence."""
    told = re.split(r"[ ,]+", words.strip().lower())
    if _FUNCTION_WORDS & set(told):
        return False
    return len(told) >= (4 if label.lower() in ("passphrase", "") else 11) and len(set(told)) >= len(told) - 1

"""Numbers that pay or prove: payment cards, bank accounts, social security numbers. Their check digits tell them apart
from the orders, parcels and phones of everyday talk."""

from __future__ import annotations

import re
from collections.abc import Iterator

CARD, ACCOUNT, SOCIAL = "payment card", "bank account", "social security number"

_NO_MORE = r"(?![A-Za-z0-9_]|[.,/-][0-9]|[ \u00a0][0-9])"
_EXPIRY = r"[ \u00a0,;|/-]{1,3}(?:0[1-9]|1[0-2]) ?[/.-] ?(?:20)?[2-4][0-9]"
# The look behind stands after the first digit: whatever is none is then passed over quickly.
_DIGITS = re.compile(
    r"(?P<card>[0-9](?<![A-Za-z0-9_.,/+#=-].)(?<![0-9][ \u00a0].)"
    r"(?:[0-9]{13,15}|[0-9]{3}(?:[ \u00a0-][0-9]{4}){3}|[0-9]{3}[ \u00a0-][0-9]{6}[ \u00a0-][0-9]{4,5}))"
    rf"(?:{_EXPIRY}(?:[ \u00a0,;|/]{{1,3}}[0-9]{{3,4}})?(?![0-9])|[ \u00a0][0-9]{{3,4}}{_NO_MORE}|{_NO_MORE})"
)
_LABELLED_DIGITS = re.compile(
    r"(?:card|pan|karte|karten|carte|tarjeta|cart[aã]o|carta|kaart|карт|カード|卡)[^\n\d]{0,30}$", re.IGNORECASE
)
_ASSIGNED_DIGITS = re.compile(r"[0-9](?<=[=\"'].)[0-9]{13,15}(?![A-Za-z0-9_.-])")
# What a long number is when it says so.
_OTHER_THING = (
    r"(?:order|track\w*|invoice|ticket|serial|imei|isbn|ean|gtin|upc|sku|ref\w*|case|parcel|shipment|phone|tel|call|fax|ids?|uuid"
    r"|build|job|run|request|timestamp|bestell\w*|sendung\w*|rechnung\w*|pedido|commande|facture)"
)
_OTHER_NUMBER = re.compile(
    rf"(?:{_OTHER_THING}(?:[ _-]?(?:number|no\.?|nr\.?|id|code))?\s(?:is|was|ist|war|lautet|es|est|è|é)"
    rf"|{_OTHER_THING}|nr|no|number)[\s:.#=\"'_-]{{0,6}}$",
    re.IGNORECASE,
)
_ISSUERS = (
    (re.compile(r"4|5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720"
            r"|6011|64[4-9]|65|35(?:2[89]|[3-8]\d)|62|81|50|5[6-8]|63|67"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"3[68]|30[0-5]|39"), (14,)),
)  # fmt: skip

_ACCOUNT = re.compile(r"[0-9](?<=[A-Za-z]{2}.)(?<![A-Za-z0-9]...)[0-9][ \u00a0-]?[A-Za-z0-9]{2}")
_IN_FOURS = re.compile(r"(?:[A-Za-z0-9]{4}-){3,8}[A-Za-z0-9]{1,4}")
_LENGTHS = {
    country[:2]: int(country[2:])
    for country in (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 "
        "ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 "
        "LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 "
        "RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
    ).split()
}
_ONLY_DIGITS = frozenset(
    "AE AT BA BE CR CZ DE DK EE EG ES FI FO GL HR HU IL IS LT ME MR NO PL PT RS SE SI SK ST TL TN VA XK".split()
)
"""Countries that number accounts without letters."""

_SOCIAL = re.compile(
    r"(?:\bssn\b|social[ -]?security|\bsoc\.? ?sec)[^\n\d]{0,40}"
    r"((?!000|666|9\d\d)\d{3}(?P<sign>[- ]?)(?!00)\d{2}(?P=sign)(?!0000)\d{4})(?![\d-])",
    re.IGNORECASE,
)


def find_numbers(text: str, small: str) -> Iterator[tuple[int, int, str]]:
    """Where such numbers stand, with what they are. `small` is the text in small letters."""
    for found in _DIGITS.finditer(text):
        if _is_card(found):
            yield found.start(), found.end(), CARD
    for found in _ASSIGNED_DIGITS.finditer(text):
        if _is_payable(found[0]) and _LABELLED_DIGITS.search(text[max(0, found.start() - 40) : found.start()]):
            yield found.start(), found.end(), CARD
    for found in _ACCOUNT.finditer(text):
        if end := _account_end(text, found.start() - 2):
            yield found.start() - 2, end, ACCOUNT
    for found in _SOCIAL.finditer(text) if "ssn" in small or "soc" in small else ():
        yield found.start(1), found.end(1), SOCIAL


def _is_card(found: re.Match[str]) -> bool:
    groups = re.split(r"[ \u00a0-]", found["card"])
    before = found.string[max(0, found.start() - 40) : found.start()]
    if len(groups) == 1 and _OTHER_NUMBER.search(before) and not _LABELLED_DIGITS.search(before):
        return False
    return _is_payable("".join(groups))


def _is_payable(digits: str) -> bool:
    """Whether an issuer numbers cards so, and the last digit checks the others (Luhn); all alike is nobody's card."""
    if not any(len(digits) in lengths and issuer.match(digits) for issuer, lengths in _ISSUERS):
        return False
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0 and len(set(digits)) > 1


def _account_end(text: str, start: int) -> int:
    """Where the account number that begins here ends; 0 when it is none. Letters and digits, singly spaced or in fours
    with hyphens, as many as its country has, and the remainder by 97 is 1."""
    wanted = _LENGTHS.get(text[start : start + 2].upper(), 0)
    place, letters = start, ""
    while len(letters) < wanted and place < len(text):
        if text[place].isascii() and text[place].isalnum():
            letters += text[place]
        elif text[place] not in " \u00a0-" or text[place - 1] in " \u00a0-":
            return 0
        place += 1
    if not wanted or len(letters) < wanted or text[place : place + 1].isalnum() or not _is_one_case(letters):
        return 0
    if letters[:2].upper() in _ONLY_DIGITS and not letters[4:].isdigit():
        return 0
    if "-" in text[start:place] and not _IN_FOURS.fullmatch(text, start, place):
        return 0
    moved = (letters[4:] + letters[:4]).upper()
    return place if int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1 else 0


def _is_one_case(letters: str) -> bool:
    return letters in (letters.upper(), letters.lower())

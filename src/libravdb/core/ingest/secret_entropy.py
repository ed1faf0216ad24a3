"""Long random strings: keys without a known form, told apart from hashes, ids, paths, names and data."""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from itertools import pairwise

CANDIDATE = re.compile(r"(?<![A-Za-z0-9+/_.@%-])[A-Za-z0-9+/_-]{20,200}+={0,2}(?![A-Za-z0-9+/_@-]|\.[A-Za-z0-9])")
"""A run that could be a key. A longer one is data."""

_SEPARATORS = re.compile(r"[/_+=-]")
# What is public by its form: digests in lock files, public keys, addresses of coins and files, ids of requests.
_PUBLIC = re.compile(
    r"sha\d|md5|AAAA|MII|Qm[1-9A-HJ-NP-Za-km-z]{44}$|[13][1-9A-HJ-NP-Za-km-z]{25,34}$"
    r"|(?:chatcmpl|cmpl|msg|toolu|call|resp|req|run|thread|asst|file|step|evt|cus|pi|ch|sub|price|prod|in|acct|session"
    r"|sess|item|fc|rs|ws|gen|user|org|proj|trace|span|batch|job|task|chat|conv)[-_]"
)
_LABELLED = re.compile(
    r"(?:\b|_)(?:ids?|uuid|guid|hash|h1|digest|checksum|md5|sha-?\d*|etag|integrity|fingerprint|commit|revision|version"
    r"|cursor|resolved|(?:next|page|continuation|sync|starting)[_ -]?token"
    r"|public[_ -]?key|address|signature|nonce)[\"']?\s{0,3}[:=]?\s{0,3}[\"']?$",
    re.IGNORECASE,
)
_BASE64_LINE = re.compile(
    r"[ \t>\"']{0,40}-----(?:BEGIN|END) .{0,60}|[ \t>\"']{0,40}[A-Za-z0-9+/_-]{40,200}={0,2}[ \t\"',]{0,4}\r?"
)


def is_random(value: str, *, length: int, bits: float) -> bool:
    """Whether a string is too irregular for a word, a path, a hash or an identifier.

    Its longest stretch without separators mixes capitals, small letters and digits, changes between them often (random
    letters do so at 62 % of the places, `camelCaseNames2` at a third), and has many different characters: its entropy
    is at least `bits`. Hex digests and UUIDs mix no capitals with small letters.
    """
    stretch = max(_SEPARATORS.split(value), key=len)
    if len(value) < length or len(stretch) < 20:
        return False
    kinds = ["u" if c.isupper() else "l" if c.islower() else "d" for c in stretch]
    if min(kinds.count("u"), kinds.count("l")) < 3 or kinds.count("d") < 2:
        return False
    changes = sum(a != b for a, b in pairwise(kinds)) / (len(kinds) - 1)
    return changes >= 0.45 and entropy(value) >= bits


def entropy(text: str) -> float:
    """Shannon's entropy of the characters of a text, `−Σ p·log2 p`, in bits a character."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts)


def is_unexplained(found: re.Match[str]) -> bool:
    """Whether nothing around a random string says what it is: an address, a digest, an id, a block of data."""
    value, text = found[0], found.string
    before = text[max(0, found.start() - 300) : found.start()]
    if _PUBLIC.match(value) or _LABELLED.search(before[-40:]):
        return False
    word = before.split()[-1] if before and not before[-1].isspace() else ""
    if "://" in word or "base64," in word or "arn:" in word:
        return False
    return not _is_readable(value) and not _is_line_of_data(text, found.start(), found.end())


def _is_readable(value: str) -> bool:
    """Base64 that decodes to plain text hides nothing."""
    value = value.rstrip("=")
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False
    return sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in decoded) >= 0.95 * len(decoded)


def _is_line_of_data(text: str, start: int, end: int) -> bool:
    """Whether the line above or below is base64 too, or frames a block of it."""
    before = text[max(0, start - 420) : start + 1].replace("\\n", "\n")  # JSON writes its line ends so
    above = before.rpartition("\n")[0].rpartition("\n")[2]
    below = text[end : end + 420].replace("\\n", "\n").partition("\n")[2].partition("\n")[0]
    return any(_BASE64_LINE.fullmatch(line) for line in (above, below))

"""What the benchmarks store and ask: invented sentences and vectors like real ones, the same on every machine.

Sentences come from templates and word lists with a skewed choice of words, so that the full-text index has both
long and short posting lists. A base of them is embedded with the shipped model; larger sets of vectors are mixed
from that base, which keeps the shape of real embeddings at the price of no model time.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libravdb.ports.embedder import Embedder
from libravdb.text.analysis import STOP_WORDS

Matrix = NDArray[np.float32]
Ids = NDArray[np.int64]

CACHE = Path(__file__).parent / "cache"
BASE_SIZE = 5_000
CHUNK = 10_000
"""Rows of a set are made in steps of this size; row i is the same however large the set is."""

# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────

FIRST_NAMES = (
    "Maria Tom Anna Ben Clara David Elena Felix Grace Hugo Irene Jonas Kira Leon Mira Noah Olga Paul Quinn Rosa Sam"
    " Tara Uma Victor Wendy Xavier Yara Zane Amir Bianca Carlos Dana Emil Fatima Gustav Hanna Ivan Julia Karim Lena"
    " Marco Nina Oscar Petra Rafael Sofia Timo Ursula Vera Walter Yusuf Zoe Aiko Bashir Chen Dimitri Esra Farid"
).split()
PLACES = (
    "kitchen office harbour library station market garden workshop clinic school museum bakery theatre airport"
    " hotel gym café park warehouse laboratory church stadium pharmacy bank cinema courthouse vineyard lighthouse"
).split()
FOODS = (
    "bread,pasta,rice,lentil soup,apple pie,goat cheese,grilled salmon,mushroom risotto,black coffee,green tea,dark"
    " chocolate,tomato salad,roast chicken,pumpkin curry,blueberry pancakes,fried tofu,onion tart,fish tacos,oatmeal,"
    "beef stew,spinach lasagne,mango sorbet,walnut cake,pickled herring,falafel,ramen,dumplings,paella,goulash,kimchi"
).split(",")
TOOLS = (
    "drill,soldering iron,laptop,backup script,bicycle pump,label printer,oscilloscope,ladder,table saw,router,sewing"
    " machine,spreadsheet,telescope,chainsaw,espresso machine,torque wrench,camera tripod,database migration,paint"
    " roller,voltage meter,compiler,microscope,wheelbarrow,pressure cooker,password manager,thermostat,heat pump"
).split(",")
ACTIVITIES = (
    "swimming,chess,pottery,climbing,gardening,photography,salsa dancing,rowing,woodworking,birdwatching,running,"
    "calligraphy,sailing,fencing,archery,knitting,cycling,meditation,beekeeping,choir singing,fly fishing,stargazing"
).split(",")
FEELINGS = (
    "happy worried proud tired curious annoyed relieved excited nervous grateful surprised calm disappointed hopeful"
    " confused jealous cheerful lonely"
).split()
MONTHS = "January February March April May June July August September October November December".split()
_HEADS = (
    "Ash Birch Clear Dun East Fair Glen Hart Iron Kings Long Marsh North Oak Pine Raven Stone Thorn Up West Wind"
    " Black Bright Cold Copper Crow Dark Deep Elder Fern Fox Gold Green Hazel High Holly Lake Linden Mill Moss New"
    " Old Red River Rock Rose Salt Silver South Swan Wolf"
).split()
_TAILS = (
    "bridge brook burn bury by cliff combe cross dale den field ford gate grove ham haven hill holt hurst land leigh"
    " low mere mont moor mouth ness port ridge shaw stead ton vale view ville well wick wood worth"
).split()
TOWNS = tuple(head + tail for tail, head in itertools.product(_TAILS, _HEADS))
_ONSETS = "B Br D Dr F G Gr H K Kl L M N P R S Sch St T V W Z".split()
_CORES = "al an ar ell em en er ick il in ol on or und ur".split()
_ENDINGS = "berg er es ez ini ke mann nen off ov sen ski son stein strom vic".split()
SURNAMES = tuple("".join(parts) for parts in itertools.product(_ONSETS, _CORES, _ENDINGS))

KINDS = (
    "old new small large red blue wooden cheap broken heavy light spare Italian Danish Japanese Turkish noisy quiet"
    " famous empty crowded modern rusty clean dusty expensive favourite second borrowed electric portable round plain"
    " local northern steep narrow warm frozen fresh salty bitter sweet organic homemade vintage green yellow grey"
).split()
SAID = "said mentioned told wrote claimed admitted repeated explained noticed heard complained promised".split()
MET = "met visited saw interviewed greeted joined called photographed thanked hired drove followed".split()
BOUGHT = "bought sold rented repaired returned ordered borrowed found lost inherited cleaned painted".split()
BROKE = "broke failed overheated disappeared leaked jammed arrived burned stopped crashed cracked vanished".split()
COOKED = "cooked baked served tried carried prepared burned tasted froze shared skipped recommended".split()
BEGAN = "started quit restarted taught learned discovered enjoyed postponed missed practised avoided planned".split()

LONG_LISTS: dict[str, Sequence[str]] = {"last": SURNAMES, "town": TOWNS, "town2": TOWNS}
SLOTS: dict[str, Sequence[str]] = {
    **LONG_LISTS,
    "first": FIRST_NAMES,
    "other": FIRST_NAMES[::-1],
    "place": PLACES,
    "food": FOODS,
    "food2": FOODS[::-1],
    "tool": TOOLS,
    "hobby": ACTIVITIES,
    "feeling": FEELINGS,
    "kind": KINDS,
    "kind2": KINDS[::-1],
    "said": SAID,
    "met": MET,
    "bought": BOUGHT,
    "broke": BROKE,
    "cooked": COOKED,
    "began": BEGAN,
    "month": MONTHS,
    "day": tuple(str(day) for day in range(1, 29)),
    "year": tuple(str(year) for year in range(2024, 1989, -1)),
    "count": tuple(str(count) for count in range(2, 400)),
}

TEMPLATES = (
    "{first} {last} {met} {other} at the {kind} {place} in {town} on {day} {month} {year}.",
    "I {bought} a {kind} {tool} for {count} euros from {first} {last} in {town}.",
    "{first} {said} that the {tool} of {other} {last} {broke} near the {kind} {place}.",
    "My sister {first} {began} {hobby} in {town} in {month} {year} and likes the {kind} {place} there.",
    "Please remember that {first} {last} is allergic to {food} and wants {kind} {food2}.",
    "We {cooked} {count} portions of {kind} {food} for {other} {last} at the {place}.",
    "{first} felt {feeling} after {hobby} with {other} {last} in {town}.",
    "The {kind} {place} in {town} has {food} and {kind2} {food2} since {year}.",
    "{other} {last} {began} {hobby} in {month} {year} and is {feeling} about it.",
    "Never lend the {kind} {tool} to {first} {last}, it {broke} in {town}.",
    "The {tool} {broke} on {day} {month} {year}, ask {first} {last}.",
    "{first} {cooked} {food} for {count} people in {town} and {other} was {feeling}.",
    "From {town} to {town2} it was {count} minutes by {kind} train on {day} {month}.",
    "{first} {last} and {other} {said} nothing about {hobby} and the {kind} {tool}.",
    "At the {place} {first} {last} {cooked} less {food} until {month} {year}.",
    "{other} {bought} a picture of {town} for {count} dollars at the {kind} {place}.",
    "I use the {kind} {tool} when {first} {last} is at the {place} in {town}.",
    "For {day} {month} {first} {bought} a {kind} {tool} and some {food}.",
    "{first} {last} {said} that the {tool} {broke} on {day} {month} {year}.",
    "{first} grew up in {town}, {met} {town2} and {began} {hobby} with {other} {last}.",
)
QUESTIONS = (
    "Where did {first} {last} meet {other}?",
    "Who is allergic to {food}?",
    "What did we pay for the {tool} in {town}?",
    "How does {first} feel about {hobby}?",
    "When was the {tool} password changed?",
    "Which {place} in {town} serves {food}?",
    "What should I cook for {first} {last}?",
    "Who broke the {tool} near the {place}?",
    "Where does my sister {first} work now?",
    "Why was the train from {town} late in {month}?",
)


# ── sentences ─────────────────────────────────────────────────────────────────────────────────────────────


class Writer:
    """Fills templates with words, the first words of each list far more often than the last."""

    def __init__(self, templates: Sequence[str], *, seed: int) -> None:
        self._templates = templates
        self._random = np.random.default_rng(seed)
        self._seen: set[str] = set()

    def write(self, count: int) -> list[str]:
        """So many sentences, none of which this writer wrote before."""
        written: list[str] = []
        while len(written) < count:
            for text in self._draw(count - len(written)):
                if text not in self._seen:
                    self._seen.add(text)
                    written.append(text)
        return written

    def _draw(self, count: int) -> Iterator[str]:
        names = list(SLOTS)
        columns = [self._words(words, count, skew=0.9 if name in LONG_LISTS else 0.4) for name, words in SLOTS.items()]
        chosen = self._random.integers(0, len(self._templates), count)
        for template, *words in zip(chosen.tolist(), *columns, strict=True):
            yield self._templates[template].format_map(dict(zip(names, words, strict=True)))

    def _words(self, words: Sequence[str], count: int, *, skew: float) -> list[str]:
        """Words at Zipf's frequencies: the r-th is drawn in proportion to 1 / r^skew."""
        weights = 1.0 / np.arange(1, len(words) + 1) ** skew
        places = np.searchsorted(np.cumsum(weights) / weights.sum(), self._random.random(count))
        return [words[place] for place in places.tolist()]


def questions(count: int) -> list[str]:
    """Questions that no stored text answers word for word."""
    return Writer(QUESTIONS, seed=71).write(count)


def keywords(count: int, *, words: int = 5) -> list[str]:
    """For lexical search: so many content words out of one sentence that is not stored."""
    random = np.random.default_rng(72)
    found: list[str] = []
    for text in Writer(TEMPLATES, seed=72).write(count * 3):
        content = [word.strip(".,") for word in text.split() if word.lower() not in STOP_WORDS["english"]]
        if len(content) >= words:
            found.append(" ".join(random.choice(content, words, replace=False).tolist()))
    return found[:count]


def rare_words(count: int, *, words: int = 5) -> list[str]:
    """The easy case of lexical search: names of people and towns that few records hold."""
    random = np.random.default_rng(74)
    tail = [name for names in LONG_LISTS.values() for name in names[len(names) // 4 :]]
    return [" ".join(random.choice(tail, words, replace=False).tolist()) for _ in range(count)]


# ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A run of the corpus: texts with their vectors, from number `start` on."""

    start: int
    texts: list[str]
    vectors: Matrix


class Corpus:
    """Any number of records, made chunk by chunk out of the embedded base."""

    def __init__(self, base: Matrix) -> None:
        self._base = base

    def rows(self, count: int) -> Iterator[Rows]:
        """The first `count` records."""
        writer = Writer(TEMPLATES, seed=1)
        for start in range(0, count, CHUNK):
            texts, vectors = writer.write(CHUNK), self._mix(start)
            size = min(CHUNK, count - start)
            yield Rows(start=start, texts=texts[:size], vectors=vectors[:size])

    def fresh(self, count: int) -> Rows:
        """Records that are in no store yet."""
        texts = Writer(TEMPLATES, seed=2).write(count)
        return Rows(start=0, texts=texts, vectors=self._mix(10**9)[:count])

    def _mix(self, seed: int) -> Matrix:
        """normalise(a + 0.35·b + 0.35·g/√d): a, b from the base, g normal."""
        random = np.random.default_rng([3, seed])
        size, dimensions = self._base.shape
        first, second = random.integers(0, size, (2, CHUNK))
        noise = random.standard_normal((CHUNK, dimensions), dtype=np.float32) / np.sqrt(np.float32(dimensions))
        return unit_rows(self._base[first] + np.float32(0.35) * self._base[second] + np.float32(0.35) * noise)


def unit_rows(rows: Matrix) -> Matrix:
    """Each row at length 1."""
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def embedded_base(embedder: Embedder) -> Matrix:
    """The whole-text vectors of the base sentences; kept under `bench/cache` for the next run."""
    texts = Writer(TEMPLATES, seed=0).write(BASE_SIZE)
    source = hashlib.sha256("\n".join([embedder.fingerprint, *texts]).encode()).hexdigest()
    kept = CACHE / f"base-{source[:16]}.npy"
    if kept.exists():
        return np.asarray(np.load(kept), dtype=np.float32)
    base = np.stack([rows[0] for rows in embedder.embed_texts(texts)]).astype(np.float32)
    CACHE.mkdir(exist_ok=True)
    np.save(kept, base)
    return base


class Truth:
    """The exact nearest records of each query, brute force in float32, gathered chunk by chunk."""

    def __init__(self, queries: Matrix, *, k: int) -> None:
        self._queries = queries
        self._k = k
        self._scores = np.empty((len(queries), 0), dtype=np.float32)
        self._ids = np.empty((len(queries), 0), dtype=np.int64)

    def add(self, rows: Rows) -> None:
        """Look at more records."""
        scores = np.hstack([self._scores, self._queries @ rows.vectors.T])
        new = np.broadcast_to(np.arange(rows.start, rows.start + len(rows.texts)), (len(scores), len(rows.texts)))
        ids = np.hstack([self._ids, new])
        best = np.argpartition(-scores, self._k - 1, axis=1)[:, : self._k]
        self._scores = np.take_along_axis(scores, best, axis=1)
        self._ids = np.take_along_axis(ids, best, axis=1)

    @property
    def ids(self) -> Ids:
        """Numbers of the nearest records, a row per query, in no order."""
        return self._ids


def recall(found: Sequence[Sequence[int]], truth: Ids) -> float:
    """The share of the true nearest records that were found, over all queries."""
    hits = sum(len(set(some) & set(true)) for some, true in zip(found, truth.tolist(), strict=True))
    return hits / truth.size

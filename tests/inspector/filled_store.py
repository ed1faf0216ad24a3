"""A store as people have it after some weeks; one of them writes down everything that could harm a page."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from libravdb import Memory

MARA, BEN, MALLORY, NOBODY = "mara", "ben", "mallory", "nobody"
DAY = 86_400_000
LONG_SESSION = "winter menu"
DAYS_OF_THE_MOVE = 9
MOVED = "We moved the shop: the new address is Lendplatz 12, right beside the tram stop."

WEEKS: tuple[tuple[int, str, str, str], ...] = (
    (41, "opening the shop", "user", "Hi! How are you today?"),
    (41, "opening the shop", "assistant", "Fine, thank you. What are we planning?"),
    (41, "opening the shop", "user", "I'm Mara. I run a small bakery in Graz together with my brother Jonas."),
    (40, "opening the shop", "user", "Jonas is allergic to hazelnuts, so nothing with nuts goes into the small oven."),
    (40, "opening the shop", "assistant", "Noted: no nuts in the small oven."),
    (39, "opening the shop", "user", "I live in Graz."),
    (36, "orders", "user", "We decided to take orders with a small Flask app; the data goes into PostgreSQL."),
    (35, "orders", "user", "Please always answer in short sentences, I read on my phone while baking."),
    (35, "orders", "assistant", "I will."),
    (
        29,
        "orders",
        "user",
        "The order app failed with 'psycopg.OperationalError: connection refused' again.",
    ),
    (28, "orders", "user", "Fixed it: the database was not enabled as a service. systemctl enable postgresql did it."),
    (28, "orders", "user", "Thanks, that helped a lot!"),
    (21, "orders", "user", "Never write prices without tax."),
    (DAYS_OF_THE_MOVE, "moving", "user", MOVED),
    (DAYS_OF_THE_MOVE, "moving", "user", "I moved to Vienna last week, the train takes two and a half hours."),
    (DAYS_OF_THE_MOVE, "moving", "assistant", "Vienna it is. Shall I look for an earlier train on Mondays?"),
    (3, "moving", "user", "From December we open on Sundays too, but only from seven to eleven."),
    (2, "moving", "user", "ok"),
)
DISHES = "brioche rye spelt baguette focaccia pretzel strudel scone bagel ciabatta".split()
HOSTILE_SESSION = '<b onmouseover=alert(1)>found</b> on the "web" & elsewhere'
HOSTILE: tuple[str, ...] = (
    "I live in <img src=x onerror=\"document.title='owned'\"> and that is the whole address of my house.",
    "My favourite tag is <script>document.title='owned'</script>, I decided to use it everywhere.",
    "</p></article></main><h1>Please always answer with this heading</h1><iframe src=https://evil.example></iframe>",
    "Our shop is at javascript:alert(document.domain) and at [here](javascript:alert(1)), please always go there.",
    "I decided to name the file \u202egnp.exe\u202c and the folder \u2066hidden\u2069, with a zero\u200bwidth space.",
    "The password hint of my router is " + "long" * 700 + " and I decided to keep it so for ever.",
    "My cat is called 🐈‍⬛🇦🇹👩🏽‍💻 and she was born in Graz on the third of May 2019.",
    "<svg onload=document.title='owned'><style>*{display:none}</style> is what I always write into forms.",
    "I work at the control room \u0000\u0007\u001b[31mred\u001b[0m of the harbour and decided to stay there.",
    "{{constructor.constructor('document.title=1')()}} ${document.title=1} is my name in templates.",
)
RULES = """\
# Rules of the house

- Always squash commits before they are merged.
- Never push to main.
- Answer in English.
"""
OTHER_RULES = "# Other rules\n\n- Never squash commits before they are merged.\n- Prefer short functions.\n"
HOSTILE_RULES = "# <img src=x onerror=alert(1)>\n\n- Always write <script>document.title='owned'</script> into forms.\n"


def fill(path: Path) -> None:
    """Write the store; what it holds is the same every time, up to today's date."""
    settings = {"compaction.auto_tokens": 0, "compaction.target_turns": 6}
    with Memory.open(path, user=MARA, settings=settings) as mara:
        for message in _weeks():
            session = str(message.pop("session"))
            mara.ingest(message, session=session)
        _talk_long(mara)
        mara.remember("The sourdough starter is fed every evening at nine.", id="starter", metadata={"topic": "dough"})
        mara.update("starter", text="The sourdough starter is fed every evening at ten.")
        _write_rules(mara)
        _ask(mara, ("Where is the shop now?", "moving"), ("Which nuts must Jonas avoid?", "orders"), ("ok", "orders"))
        mara.for_user(BEN).ingest("I live in Cork and I keep bees on the roof.", session="bees")
        _be_hostile(mara.for_user(MALLORY))


def noon(days_ago: int) -> int:
    """Noon in UTC so many days ago, in milliseconds."""
    today = int(time.time() * 1000) // DAY
    return (today - days_ago) * DAY + DAY // 2


def _weeks() -> Iterator[dict[str, object]]:
    for place, (days, session, role, text) in enumerate(WEEKS):
        yield {"session": session, "role": role, "content": text, "at": noon(days) + place * 60_000}


def _talk_long(mara: Memory) -> None:
    """A session that is folded, and whose summaries are folded again."""
    turns: list[dict[str, object]] = []
    for place in range(96):
        dish, grams, at = DISHES[place % len(DISHES)], 100 + 5 * place, noon(15) + place * 60_000
        said = f"For the {dish} we decided on {grams} grams of flour and {place + 2} minutes of rest on tray {place}."
        answers = ("Noted.", f"Then the {dish} is ready at half past six.", "Good, that fits into the oven.")
        turns.append({"role": "user", "content": said, "at": at})
        turns.append({"role": "assistant", "content": answers[place % 3], "at": at + 1})
    mara.engine.conversations.import_transcript(turns, session=LONG_SESSION, namespace=MARA)
    for _ in range(4):
        mara.engine.compaction.compact(LONG_SESSION, target=6, minimum_turns=4, tail_tokens=200)


def _write_rules(mara: Memory) -> None:
    mara.author("AGENTS.md", RULES)
    mara.author("notes/CLAUDE.md", OTHER_RULES)
    mara.author("notes/<i>odd</i>.md", HOSTILE_RULES)


def _ask(memory: Memory, *questions: tuple[str, str]) -> None:
    for question, session in questions:
        memory.assemble(question, session=session, budget=1_500)


def _be_hostile(mallory: Memory) -> None:
    turns = [{"role": "user", "content": text, "at": noon(5) + place * 60_000} for place, text in enumerate(HOSTILE)]
    mallory.ingest(turns, session=HOSTILE_SESSION)
    for place, text in enumerate(HOSTILE):
        mallory.remember(text, id=f"hostile-{place}", metadata={"<u>odd</u>": text[:60]})
    mallory.update("hostile-0", text=HOSTILE[0] + " It was <img src=y onerror=\"document.title='owned'\">.")
    _ask(mallory, *_hostile_questions())


def _hostile_questions() -> Sequence[tuple[str, str]]:
    return [(text[:500], HOSTILE_SESSION) for text in HOSTILE[:3]]

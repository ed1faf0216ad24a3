"""The written chat of `bench.summary_truth`: natural talk in English and German, with facts planted in it.

Everything is made from templates by a seed. The held-out variant has other templates; the unseen one
(`bench.summary_truth_unseen`) shares nothing with the others and is only reported.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from bench import summary_truth_unseen as unseen

DAY = 86_400_000
START = 1_694_500_000_000

THINGS = {
    "en": (
        "workshop", "greenhouse", "sailing boat", "bakery", "piano", "cellar", "choir", "archive", "orchard", "chapel", "kiln",
        "bookshop", "tram depot", "beehive", "lighthouse", "observatory", "vineyard", "allotment", "printing press", "stable",
        "tannery", "quarry", "ferry", "harbour crane", "windmill", "brewery", "clinic", "nursery", "theatre", "laundry",
        "sawmill", "aquarium", "skate park", "radio mast", "food truck", "pottery", "garage", "museum", "climbing wall", "canoe",
        "telescope", "darkroom", "smithy", "oven", "caravan",
    ),
    "de": (
        "Werkstatt", "Gewächshaus", "Segelboot", "Bäckerei", "Klavier", "Keller", "Chor", "Archiv", "Obstgarten", "Kapelle", "Brennofen",
        "Buchladen", "Straßenbahn", "Bienenstock", "Leuchtturm", "Sternwarte", "Weinberg", "Schrebergarten", "Druckerei", "Reitstall",
        "Gerberei", "Steinbruch", "Fähre", "Hafenkran", "Windmühle", "Brauerei", "Praxis", "Kita", "Theater", "Wäscherei",
        "Sägewerk", "Aquarium", "Skatepark", "Funkmast", "Imbisswagen", "Töpferei", "Garage", "Museum", "Kletterwand", "Kanu",
        "Fernrohr", "Dunkelkammer", "Schmiede", "Backofen", "Wohnwagen",
    ),
}  # fmt: skip
NAMES = (
    "Priya Raman", "Tomas Lindqvist", "Odette Marchand", "Ruben Achterberg", "Ines Carvalho", "Yusuf Demir", "Klara Novotny", "Bram Visser",
    "Helga Brandt", "Marek Zielinski", "Noor Haddad", "Pavel Sokolov", "Greta Lund", "Hannes Pichler", "Amara Okafor", "Luca Ferri",
)  # fmt: skip
MONTHS = {"en": ("March", "April", "May", "June"), "de": ("März", "April", "Mai", "Juni")}

# kind, sentence, what must stand together, question. `t` is a thing, `n` a number, `d` a day, `m` a month, `p` a person.
FACTS: dict[str, dict[str, tuple[tuple[str, str, tuple[str, ...], str], ...]]] = {
    "tuned": {
        "en": (
            ("number", "The rent for the {t} is {n} euros a year.", ("{t}", "{n}"), "What is the rent for the {t}?"),
            ("number", "The roof of the {t} leaks in {n} places, they counted.", ("{t}", "{n}"), "In how many places does the roof of the {t} leak?"),
            ("date", "The inspection of the {t} is on {d} {m}.", ("{t}", "{d} {m}"), "When is the inspection of the {t}?"),
            ("name", "Ask {p} about the {t}, they hold the keys.", ("{t}", "{p}"), "Whom should I ask about the {t}?"),
            ("path", "The drawings of the {t} are in /srv/plans/{s}-{n}.pdf now.", ("{t}", "/srv/plans/{s}-{n}.pdf"), "Where are the drawings of the {t}?"),
            ("decision", "We decided to paint the {t} dark green after all.", ("{t}", "dark green"), "Which colour did we decide on for the {t}?"),
            ("negation", "The insurance does not cover the {t} while it stands empty.", ("{t}", "not cover"), "Does the insurance cover the {t}?"),
            ("preference", "For the {t} I prefer brass handles, not steel.", ("{t}", "brass"), "Which handles do I prefer for the {t}?"),
        ),
        "de": (
            ("number", "Die Miete für {t} beträgt {n} Euro im Jahr.", ("{t}", "{n}"), "Wie hoch ist die Miete für {t}?"),
            ("number", "Bei {t} fehlen noch {n} Schrauben, hat man gezählt.", ("{t}", "{n}"), "Wie viele Schrauben fehlen bei {t}?"),
            ("date", "Der Termin für {t} ist am {d}. {m}.", ("{t}", "{d}. {m}"), "Wann ist der Termin für {t}?"),
            ("name", "Wegen {t} musst du {p} fragen, dort liegt der Schlüssel.", ("{t}", "{p}"), "Wen muss ich wegen {t} fragen?"),
            ("path", "Die Pläne für {t} liegen unter /srv/bau/{s}-{n}.pdf bereit.", ("{t}", "/srv/bau/{s}-{n}.pdf"), "Wo liegen die Pläne für {t}?"),
            ("decision", "Wir haben beschlossen, {t} dunkelgrün zu streichen.", ("{t}", "dunkelgrün"), "In welcher Farbe streichen wir {t}?"),
            ("negation", "Die Versicherung zahlt für {t} nicht, solange dort niemand wohnt.", ("{t}", "nicht"), "Zahlt die Versicherung für {t}?"),
            ("preference", "Für {t} nehme ich lieber Messing als Stahl.", ("{t}", "Messing"), "Welches Metall mag ich lieber für {t}?"),
        ),
    },
    "held-out": {
        "en": (
            ("number", "It took {n} bags of cement to fix the {t}.", ("{t}", "{n}"), "How many bags of cement did the {t} take?"),
            ("number", "Somebody offered {n} dollars for the {t}.", ("{t}", "{n}"), "How much was offered for the {t}?"),
            ("date", "They reopen the {t} on {m} {d}, weather permitting.", ("{t}", "{m} {d}"), "When do they reopen the {t}?"),
            ("name", "{p} takes over the {t} when I am away.", ("{t}", "{p}"), "Who takes over the {t} when I am away?"),
            ("path", "I saved the photos of the {t} as ~/photos/{s}_{n}.tar.gz for you.", ("{t}", "~/photos/{s}_{n}.tar.gz"), "Where are the photos of the {t}?"),
            ("decision", "In the end we agreed to lease the {t} instead of buying it.", ("{t}", "lease"), "Do we lease or buy the {t}?"),
            ("negation", "The council will never allow a second door in the {t}.", ("{t}", "never allow"), "Will the council allow a second door in the {t}?"),
            ("preference", "My favourite corner of the {t} is the one with the copper sink.", ("{t}", "copper sink"), "What is my favourite corner of the {t}?"),
        ),
        "de": (
            ("number", "Für {t} haben sie {n} Sack Zement gebraucht.", ("{t}", "{n}"), "Wie viel Zement hat {t} gebraucht?"),
            ("number", "Jemand hat mir {n} Franken für {t} geboten.", ("{t}", "{n}"), "Wie viel wurde für {t} geboten?"),
            ("date", "Ab dem {d}. {m} ist {t} wieder offen.", ("{t}", "{d}. {m}"), "Ab wann ist {t} wieder offen?"),
            ("name", "{p} kümmert sich um {t}, wenn ich weg bin.", ("{t}", "{p}"), "Wer kümmert sich um {t}?"),
            ("path", "Die Fotos von {t} sind in ~/bilder/{s}_{n}.tar.gz gesichert.", ("{t}", "~/bilder/{s}_{n}.tar.gz"), "Wo sind die Fotos von {t}?"),
            ("decision", "Wir haben uns geeinigt, {t} zu pachten und nicht zu kaufen.", ("{t}", "pachten"), "Pachten oder kaufen wir {t}?"),
            ("negation", "Eine zweite Tür erlaubt die Gemeinde bei {t} niemals.", ("{t}", "niemals"), "Erlaubt die Gemeinde eine zweite Tür bei {t}?"),
            ("preference", "Am liebsten sitze ich bei {t} neben dem Kupferbecken.", ("{t}", "Kupferbecken"), "Wo sitze ich bei {t} am liebsten?"),
        ),
    },
}  # fmt: skip

RELATIVE = {
    "tuned": {
        "en": ("Yesterday I swept the {t} with my cousin.", "Last week we rented a ladder for the {t}.", "Tomorrow the plumber comes to the {t}."),
        "de": ("Gestern habe ich {t} mit meinem Vetter gefegt.", "Letzte Woche haben wir eine Leiter für {t} geliehen.", "Übermorgen kommt der Klempner wegen {t}."),
    },
    "held-out": {
        "en": ("Two days ago a storm hit the {t} and we lost a window.", "Next week my aunt wants to see the {t}.", "Last Friday I slept beside the {t}."),
        "de": ("Vorgestern hat der Sturm {t} getroffen.", "Nächste Woche will meine Tante {t} sehen.", "Vor zwei Tagen habe ich neben {t} geschlafen."),
    },
}  # fmt: skip

TALK = {
    "en": (
        "The weather turned again, and the street was full of leaves when I walked home with the shopping.",
        "I keep thinking about how quiet the house is now that the children are at their grandparents.",
        "My neighbour plays the trumpet in the evening, and somehow I have grown rather fond of it.",
        "Honestly the soup was too salty, but everybody was polite about it and asked for more bread.",
        "There was a long queue at the post office, so I read half of a magazine about gardening there.",
        "We talked about films for a while, mostly old ones with trains and people in long coats.",
        "The cat has found a new place to sleep, on top of the radiator where the towels should be.",
        "Work was slow, people came and went, and the coffee machine made its strange noise again.",
        "I tried to mend the chair and made it worse, which is how these things usually go with me.",
        "It is funny how a song from school can come back and stay in the head for the whole day.",
        "The market was lovely, lots of flowers, and a man who sold umbrellas in bright sunshine.",
        "I would say it went well enough, all things considered, though the speeches were far too long.",
    ),
    "de": (
        "Das Wetter ist schon wieder umgeschlagen, und die Straße war voller Laub, als ich heimging.",
        "Ich denke oft daran, wie still das Haus ist, seit die Kinder bei den Großeltern sind.",
        "Der Nachbar spielt abends Trompete, und irgendwie habe ich mich richtig daran gewöhnt.",
        "Die Suppe war ehrlich gesagt zu salzig, aber alle waren höflich und wollten noch Brot.",
        "Auf der Post war eine lange Schlange, da habe ich ein halbes Gartenheft gelesen.",
        "Wir haben eine Weile über Filme geredet, meistens alte mit Zügen und langen Mänteln.",
        "Die Katze hat einen neuen Schlafplatz, oben auf der Heizung, wo die Handtücher liegen.",
        "Bei der Arbeit war wenig los, die Leute kamen und gingen, und die Kaffeemaschine ächzte.",
        "Ich wollte den Stuhl reparieren und habe es schlimmer gemacht, wie immer bei mir.",
        "Komisch, wie ein Lied aus der Schulzeit den ganzen Tag im Kopf bleiben kann.",
        "Der Markt war herrlich, viele Blumen, und ein Mann verkaufte Schirme bei Sonnenschein.",
        "Alles in allem lief es ganz ordentlich, auch wenn die Reden viel zu lang waren.",
    ),
}
SMALL = {
    "en": ("Thanks a lot!", "Good night!", "Sounds great!", "Haha, yes.", "Have a lovely evening!", "Hello again!", "Okay, sure."),
    "de": ("Vielen Dank!", "Gute Nacht!", "Klingt gut!", "Haha, ja.", "Schönen Abend dir!", "Hallo!", "Alles klar."),
}  # fmt: skip
REPLIES = {
    "en": (
        "I can picture that, it must have been a strange sort of day for you and the others.",
        "That makes sense, and I suppose it will look different after a good night of sleep.",
        "How did the others take it?",
        "Would you do it the same way again?",
    ),
    "de": (
        "Das kann ich mir vorstellen, es muss ein seltsamer Tag für euch gewesen sein.",
        "Das leuchtet ein, und nach einer Nacht Schlaf sieht es sicher anders aus.",
        "Wie haben es die anderen aufgenommen?",
        "Würdest du es wieder so machen?",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFact:
    """A fact in one turn: what must stand together, and how somebody asks for it."""

    kind: str
    turn: str
    must: tuple[str, ...]
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One message of the chat."""

    id: str
    role: str
    speaker: str
    text: str
    at: int
    calls: str = ""


@dataclass(slots=True)
class WrittenChat:
    """A chat with what is planted in it; `relative` are sentences with a relative date, by the turn that says them."""

    language: str
    turns: list[ChatTurn] = field(default_factory=list)
    facts: list[PlantedFact] = field(default_factory=list)
    relative: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a chat is written with, in one language."""

    things: tuple[str, ...]
    names: tuple[str, ...]
    months: tuple[str, ...]
    facts: tuple[tuple[str, str, tuple[str, ...], str], ...]
    relative: tuple[str, ...]
    talk: tuple[str, ...]
    small: tuple[str, ...]
    replies: tuple[str, ...]


VARIANTS = ("tuned", "held-out", "unseen")


def wording_of(variant: str, language: str) -> Wording:
    """The words of a variant."""
    if variant == "unseen":
        return Wording(
            things=unseen.THINGS[language],
            names=unseen.NAMES,
            months=unseen.MONTHS[language],
            facts=unseen.FACTS[language],
            relative=unseen.RELATIVE[language],
            talk=unseen.TALK[language],
            small=unseen.SMALL[language],
            replies=unseen.REPLIES[language],
        )
    return Wording(
        things=THINGS[language],
        names=NAMES,
        months=MONTHS[language],
        facts=FACTS[variant][language],
        relative=RELATIVE[variant][language],
        talk=TALK[language],
        small=SMALL[language],
        replies=REPLIES[language],
    )


ASKED = 0.25
"""The share of facts that answer a question."""

PEOPLE = {"en": (("user", "James"), ("assistant", "")), "de": (("user", "Anke"), ("assistant", "Jonas"))}


def write_chat(language: str, *, turns: int, facts: int, variant: str, seed: int) -> WrittenChat:
    """A chat of about so many turns: facts and relative dates at chosen places among talk, questions and small talk."""
    dice = random.Random(f"{seed}/{language}/{variant}")
    chat = WrittenChat(language=language)
    wording = wording_of(variant, language)
    bank = wording.facts
    pairs = [(thing, place) for place in range(len(bank)) for thing in wording.things]
    dice.shuffle(pairs)
    planted = [(bank[place], thing) for thing, place in pairs[:facts]]
    places = set(dice.sample(range(2, turns - 40), facts))
    dated = set(dice.sample(sorted(set(range(2, turns - 40)) - places), turns // 20))
    at = START
    spoken = 0
    while spoken < turns:
        role, speaker = PEOPLE[language][spoken % 2]
        at += DAY if spoken % 12 == 11 else 120_000
        id = f"{language}{spoken:05}-x"
        text = dice.choice(wording.small) if dice.random() < 0.2 else _talk(wording, dice)
        if spoken % 2 and dice.random() < 0.4:
            text = dice.choice(wording.replies)
        if spoken in places:
            text = _plant(chat, wording, id, *planted.pop(), dice=dice)
            if dice.random() < ASKED and spoken - 1 not in places | dated:
                chat.turns[-1] = replace(chat.turns[-1], text=chat.facts[-1].question)
        elif spoken in dated:
            told = dice.choice(wording.relative).format(t=dice.choice(wording.things))
            chat.relative[id] = told
            text = f"{_talk(wording, dice)} {told}" if dice.random() < 0.5 else told
        calls = "lookup" if role == "assistant" and dice.random() < 0.04 else ""
        chat.turns.append(ChatTurn(id=id, role=role, speaker=speaker, text=text, at=at, calls=calls))
        spoken += 1
    return chat


def _plant(
    chat: WrittenChat,
    wording: Wording,
    id: str,
    template: tuple[str, str, tuple[str, ...], str],
    thing: str,
    *,
    dice: random.Random,
) -> str:
    kind, sentence, must, question = template
    values = {
        "t": thing,
        "s": thing.casefold().replace(" ", "-"),
        "n": str(dice.randrange(120, 9_800)),
        "d": str(dice.randrange(1, 29)),
        "m": dice.choice(wording.months),
        "p": dice.choice(wording.names),
    }
    chat.facts.append(
        PlantedFact(
            kind=kind,
            turn=id,
            must=tuple(one.format(**values) for one in must),
            question=question.format(**values),
        )
    )
    said = sentence.format(**values)
    around = dice.random()
    if around < 0.35:
        return said
    return f"{_talk(wording, dice)} {said}" if around < 0.7 else f"{said} {_talk(wording, dice)}"


def _talk(wording: Wording, dice: random.Random) -> str:
    """One to three sentences, as people write."""
    return " ".join(dice.sample(wording.talk, dice.randrange(1, 4)))

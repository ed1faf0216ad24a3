"""Words of a third chat of `bench.summary_truth`, by another hand: for reporting only, nothing was ever chosen by it.

Nothing in it stands in the other two: things, people, talk, sentences, and questions that often use other words than
the answer. Whoever reads its misses to mend something has to write a new one.
"""

from __future__ import annotations

THINGS = {
    "en": (
        "bike trailer", "attic", "fish tank", "rowing club", "guest room", "server rack", "sports hall", "compost heap", "jazz band", "loft",
        "tax return", "sourdough course", "rain barrel", "camper", "school fair", "carport", "heat pump", "reading circle", "sauna", "night shift",
        "drone", "flea market", "wedding", "model railway", "chess club", "staircase", "newsletter", "scooter", "balcony", "car pool",
    ),
    "de": (
        "Anhänger", "Dachboden", "Terrarium", "Ruderverein", "Gästezimmer", "Serverschrank", "Turnhalle", "Komposthaufen", "Blaskapelle", "Empore",
        "Steuererklärung", "Nähkurs", "Regentonne", "Faltboot", "Schulfest", "Carport", "Wärmepumpe", "Lesekreis", "Sauna", "Nachtschicht",
        "Drohne", "Flohmarkt", "Hochzeit", "Modelleisenbahn", "Schachclub", "Wendeltreppe", "Rundbrief", "Motorroller", "Balkon", "Fahrgemeinschaft",
    ),
}  # fmt: skip
NAMES = (
    "Soraya Benali", "Viktor Halvorsen", "Dagmar Kienzle", "Owen Prichard", "Lucía Montero", "Kenji Watanabe", "Fatou Diallo", "Ewa Kowalczyk",
    "Matteo Rinaldi", "Ulrike Sandner", "Declan Moore", "Zeynep Aksoy",
)  # fmt: skip
MONTHS = {"en": ("January", "August", "October", "November"), "de": ("Januar", "August", "Oktober", "November")}

FACTS: dict[str, tuple[tuple[str, str, tuple[str, ...], str], ...]] = {
    "en": (
        ("number", "We paid {n} pounds up front for the {t}.", ("{t}", "{n}"), "How much did we pay for the {t}?"),
        ("number", "I measured it twice: the {t} weighs {n} kilos with everything on it.", ("{t}", "{n}"), "How heavy is the {t}?"),
        ("number", "{n} people signed up for the {t}, far more than last time.", ("{t}", "{n}"), "How many people signed up for the {t}?"),
        ("date", "The deadline for the {t} moved to {d} {m}.", ("{t}", "{d} {m}"), "What is the deadline for the {t}?"),
        ("date", "We started with the {t} on {m} {d}, it was freezing.", ("{t}", "{m} {d}"), "When did we begin with the {t}?"),
        ("name", "{p} from number nine lent us a hand with the {t}.", ("{t}", "{p}"), "Who helped us with the {t}?"),
        ("name", "If anything breaks at the {t}, {p} is the one to ring.", ("{t}", "{p}"), "Who should I call when something breaks at the {t}?"),
        ("path", "I put the manual for the {t} at https://files.example.org/{s}/{n} yesterday.", ("{t}", "https://files.example.org/{s}/{n}"), "What is the link to the manual for the {t}?"),
        ("decision", "After some back and forth we settled on insulating the {t} with hemp.", ("{t}", "hemp"), "What did we settle on to insulate the {t}?"),
        ("decision", "The {t} gets cancelled this year, we voted on it.", ("{t}", "cancelled"), "What happens with the {t} this year?"),
        ("negation", "Nobody has a spare key for the {t} any more.", ("{t}", "Nobody"), "Is there a spare key for the {t}?"),
        ("preference", "I would rather look after the {t} in the mornings.", ("{t}", "mornings"), "At what time of day do I like to look after the {t}?"),
    ),
    "de": (
        ("number", "{n} Euro Anzahlung waren es für {t}.", ("{t}", "{n}"), "Wie viel haben wir für {t} angezahlt?"),
        ("number", "Ich habe nachgewogen: {t} wiegt mit allem {n} Kilo.", ("{t}", "{n}"), "Wie schwer ist {t}?"),
        ("number", "{n} Leute haben sich zu {t} angemeldet, viel mehr als sonst.", ("{t}", "{n}"), "Wie viele Leute haben sich zu {t} angemeldet?"),
        ("date", "Die Frist für {t} wurde auf den {d}. {m} verschoben.", ("{t}", "{d}. {m}"), "Bis wann läuft die Frist für {t}?"),
        ("date", "Mit {t} haben wir am {d}. {m} angefangen, es war eiskalt.", ("{t}", "{d}. {m}"), "Wann haben wir mit {t} begonnen?"),
        ("name", "{p} von nebenan hat uns bei {t} geholfen.", ("{t}", "{p}"), "Wer hat uns bei {t} geholfen?"),
        ("name", "Wenn bei {t} etwas kaputtgeht, ruft man am besten {p} an.", ("{t}", "{p}"), "Wen rufe ich an, wenn bei {t} etwas kaputtgeht?"),
        ("path", "Die Anleitung zu {t} steht jetzt auf https://ablage.example.org/{s}/{n} für alle.", ("{t}", "https://ablage.example.org/{s}/{n}"), "Unter welchem Link finde ich die Anleitung zu {t}?"),
        ("decision", "Nach langem Hin und Her dämmen wir {t} mit Hanf.", ("{t}", "Hanf"), "Womit dämmen wir {t}?"),
        ("decision", "{t} fällt dieses Jahr aus, so wurde abgestimmt.", ("{t}", "fällt"), "Was ist dieses Jahr mit {t}?"),
        ("negation", "Für {t} hat niemand mehr einen Ersatzschlüssel.", ("{t}", "niemand"), "Gibt es einen Ersatzschlüssel für {t}?"),
        ("preference", "Um {t} kümmere ich mich am liebsten morgens.", ("{t}", "morgens"), "Zu welcher Tageszeit kümmere ich mich gern um {t}?"),
    ),
}  # fmt: skip

RELATIVE = {
    "en": ("Three days ago the {t} kept me up half the night.", "Next Monday my brother-in-law picks up the {t}.", "Last month we nearly gave up on the {t}."),
    "de": ("Vor drei Tagen hat mich {t} die halbe Nacht gekostet.", "Nächsten Montag holt mein Schwager {t} ab.", "Letzten Monat hätten wir {t} fast aufgegeben."),
}  # fmt: skip

TALK = {
    "en": (
        "The train stood still for twenty minutes between two fields, and nobody seemed to mind much.",
        "My sister called, and as always we talked about everything except what she had called for.",
        "I have started to read again before sleeping, slowly, a few pages of a novel set in Lisbon.",
        "The dog next door barks at the dustmen and at nobody else, he has very firm opinions.",
        "Lunch was leftovers, and to be fair the lentils were better on the second day.",
        "It rained sideways, the umbrella gave up, and I arrived looking like a wet broom.",
        "They are digging up our road once more, and the whole kitchen hums along with the machines.",
        "The little one lost a tooth and negotiated with the tooth fairy like a lawyer.",
        "I found my old roller skates and, against all advice, went round the block with them.",
        "Everyone at the office has a cold, so the meeting was mainly people passing tissues.",
    ),
    "de": (
        "Der Zug stand zwanzig Minuten zwischen zwei Feldern, und niemanden schien es zu stören.",
        "Meine Schwester hat angerufen, und wir haben über alles geredet, nur nicht über den Anlass.",
        "Abends lese ich wieder, langsam, ein paar Seiten aus einem Roman, der in Lissabon spielt.",
        "Der Hund von drüben bellt die Müllabfuhr an und sonst keinen, er hat klare Ansichten.",
        "Mittags gab es Reste, und die Linsen waren am zweiten Tag tatsächlich besser.",
        "Es hat quer geregnet, der Schirm hat aufgegeben, und ich sah aus wie ein nasser Besen.",
        "Bei uns wird schon wieder die Straße aufgerissen, die ganze Küche brummt mit.",
        "Die Kleine hat einen Zahn verloren und mit der Zahnfee verhandelt wie eine Anwältin.",
        "Ich habe meine alten Rollschuhe gefunden und bin gegen jeden Rat um den Block gefahren.",
        "Im Büro sind alle erkältet, die Besprechung bestand vor allem aus Taschentüchern.",
    ),
}
SMALL = {
    "en": ("Cheers!", "See you!", "Lovely.", "Ha, true.", "Sleep well!", "Morning!", "Fine by me."),
    "de": ("Danke dir!", "Bis dann!", "Schön.", "Ha, stimmt.", "Schlaf gut!", "Guten Morgen!", "Von mir aus."),
}
REPLIES = {
    "en": (
        "That sounds like a full day, I hope there was at least some time to sit down.",
        "I see what you mean, these things rarely go the way one plans them.",
        "And what came of it?",
        "Did you laugh about it later?",
    ),
    "de": (
        "Das klingt nach einem vollen Tag, hoffentlich blieb wenigstens etwas Zeit zum Sitzen.",
        "Ich verstehe, so etwas läuft ja selten so, wie man es plant.",
        "Und was ist daraus geworden?",
        "Konntet ihr später darüber lachen?",
    ),
}

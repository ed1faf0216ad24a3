"""Small words that matter when statements are compared, in every language here."""

import re

NUMERALS = {
    word: str(value)
    for row in (
        "two three four five six seven eight nine ten eleven twelve",
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "deux trois quatre cinq six sept huit neuf dix onze douze",
        "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
        "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
        "二 三 四 五 六 七 八 九 十",
    )
    for value, word in enumerate(row.split(), start=2)
}
ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)$")
ONE_WORD = {
    word: row.split()[0]
    for row in (
        "mother mum mom mummy mama",
        "father dad daddy papa",
        "child kid",
        "children kids",
        "name named called names",
        "favourite favorite",
        "allergic allergy allergies",
        "partner spouse",
        "flat apartment",
        "allergisch allergie",
    )
    for word in row.split()
}
FILLERS = frozenset(
    "please always remember make sure note also just really very still actually quite must should shall need want ever know"
    " tell let fyi honestly by way said so got get going currently right bitte immer merk dass achte darauf unbedingt ja"
    " wirklich übrigens siempre recuerda favor cierto por asegúrate yo mí toujours rappelle souviens svp moi fait au eu ok"
    " okay hey well true".split()
)
LIKING = {
    **dict.fromkeys(
        "like likes love loves enjoy enjoys adore mag liebe gusta gustan encanta adoro aime adore люблю".split(), True
    ),
    **dict.fromkeys(
        "hate hates dislike dislikes despise detest hasse verabscheue odio detesto déteste hais ненавижу".split(), False
    ),
}
PRONOUNS = frozenset(
    "i me my mine myself we us our ours he she him her his hers ich mich mir mein meine meinen meinem meiner meines wir uns"
    " unser unsere unseren unserem unserer er ihm ihn yo me mi mis mí nosotros nos nuestro nuestra nuestros nuestras él ella"
    " je moi mon ma mes nous notre nos elle lui io mio mia miei noi nostro nostra lei eu meu minha meus minhas nós nosso"
    " nossa ele ela ik mij mijn wij we ons onze hij zij haar hem я меня мне мной мой моя моё мои мы нас нам наш наша наше"
    " наши он она его её ему ей 我 我们 咱 咱们 他 她 私 僕 俺 私たち 彼 彼女 people team".split()
)

COPULA = re.compile(
    r"(?<!\w)(?:is|are|am|'s|'m|'re|takes?|runs?|costs?|has|have|lives?|ist|sind|bin|hat|habe|läuft|kostet|heißt|es|está|son"
    r"|tiene|est|sont|tourne|coûte|a|è|é|ha|tem|heeft)(?!\w)|[是住有]|(?<=\w)'(?:s|m|re)(?!\w)",
    re.IGNORECASE,
)

OTHERS = frozenset(
    "he she him her his hers er ihm ihn él ella elle lui lei ele ela hij zij haar hem он она его её ему ей 他 她 彼 彼女".split()
)
"""Pronouns that mean neither the speaker nor nobody: "her name is Ana" is not "my name is Ana"."""

ADDRESSED = re.compile(
    r"(?<!\w)(?:your|yours|you are|you're|dein\w{0,2}|du bist|tu|tus|eres|ton|ta|tes|teu|tua|seu|jouw|тво[йяеи])(?!\w)|你|あなた",
    re.IGNORECASE,
)
"""Words that make the listener the subject."""

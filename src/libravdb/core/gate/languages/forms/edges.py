"""Small words at the edges of names and values, in every language here."""

import re

NO_NAMES = frozenset(
    "i the a an my our so and but in on at for since from yes no ok well oh hey hi btw also now today yesterday then just it this that there"
    " ich wir der die das mein meine unser unsere ja nein also seit ab el la los las mi mis nuestro nuestra sí ya desde le les mon ma mes notre"
    " nos depuis oui non donc aber und dann heute gestern jetzt actually finally update please correction fyi turns good great we soy estoy tengo letzte letzten nächste seit ab bin war ist doctor dr mr mrs ms miss frau herr señor señora madame monsieur pani".split()
)
ARTICLE = re.compile(
    r"^(?:(?:the|my|our|a|an|this|der|die|das|den|dem|mein\w*|unser\w*|el|la|los|las|mi|mis|nuestr\w+|un|una|le|les|mon|ma|mes|notre|nos|une|du|de la)\s+|l'|我们?的?|这个?)",
    re.IGNORECASE,
)
TRAILING = re.compile(
    r"(?:\s(?:now|anymore|any more|instead|again|already|too|today|currently|these days|at the moment|right now|jetzt|mehr|nicht|nun|ahora|ya|maintenant|désormais|plus|and|but|with|for|at|in|on|to|since|because|as|so|und|seit|mit|y|con|et|avec))+$|[了啦呢吧]+$",
    re.IGNORECASE,
)

BUSY = frozenset(
    "go goes do does play get take make have run geh mach spiel hab voy hag jueg ir vais fais jou fair everi week day morn even"
    " time jed woch tag cada semana dia dias chaqu semain jour matin twice once tim hour stund hor heur".split()
)
"""Verbs and measures of habits: sharing one of them is sharing nothing."""
DATED = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day?s?i?|\d+\w*|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lun|mart|miercol|juev|viern|sab|doming|lund|mard|mercred|jeud|vendred|samed|dimanch|am|pm|uhr|morning|evening|night|noon"
)
HEAD = re.compile(
    r" (?:in|on|to|with|after|for|at|since|from|because|last|this|im|am|an|seit|nach|mit|weil|wegen|el|en|a|con|desde|por|ayer|le|à|au|dans|depuis|hier|cette|ce) "
)
"""Where the head of an ended thing ends: "smoking | in february"."""
COSTS = frozenset(
    "bill fee price cost invoic monthli membership subscript rechnung gebühr beitrag preis cuot preci factur del de prix frais".split()
)
"""Words that name a price as such: the hosting bill is what is paid for hosting."""

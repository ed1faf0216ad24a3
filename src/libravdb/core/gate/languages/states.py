"""Verbs that say how things are, in every language here."""

import re

STATE = re.compile(
    r"(?<!\w)(?:is|are|was|were|has|have|had|means|needs?|uses?|runs?|returns?|takes?|expires?|belongs?|retries|supports?|costs?"
    r"|starts?|ends?|contains?|requires?|works? (?:at|for|as|in)|ist|sind|war|waren|hat|haben|läuft|heißt|liegt|braucht|kostet"
    r"|es|son|está|están|era|tiene|tienen|usa|usan|est|sont|était|a|ont|utilise|tourne|è|sono|ha|usa|é|são|tem|heeft|zijn)(?!\w)"
    r"|[是有叫在]|です|あります|(?<!\w)(?:есть|была?|стоит|работает|находится)(?!\w)",
    re.IGNORECASE,
)

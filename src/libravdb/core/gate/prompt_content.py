"""Does a prompt speak of anything that a memory could hold?

Greetings, thanks, agreement, "go on", sums, conversions and the time of day do not: whatever is close to them is close
by chance. What is left when all of that is taken away is the prompt's content.
"""

from __future__ import annotations

import re

from libravdb.core.gate.parsed_turn import content_weight, read

_LONGEST = 160
"""Characters from which on a prompt always has content: nobody greets at such length without saying something."""

_NEUTRAL = re.compile(
    r"(?<![^\W\d_])(?:"
    # again, further, other than that
    r"go on|go ahead|keep going|carry on|continue|proceed|next|more|again|once|another|same|repeat|retry|redo"
    r"|shorter|longer|simpler|undo|stop|skip|start|over|bit|bunch|ton|lot|kk|y|n|pls|plz|please"
    r"|weiter|nochmal|noch|einmal|kürzer|länger|einfacher|nächste\w?|mehr|stopp?"
    r"|sigue|continúa|continua|otra|otro|vez|más|repite|siguiente|corto"
    r"|continuez?|encore|suite|suivante?|répète|plus|court|refais|fois"
    # sums
    r"|plus|minus|times|divided|multiplied|square|squared|cubed?|root|power|percent|per|half|double|sum|equals?"
    r"|mal|durch|geteilt|hoch|wurzel|prozent|hälfte|ergibt"
    r"|por|entre|dividido|raíz|cuadrad\w|ciento|mitad|menos"
    r"|divisé|multiplié|racine|carrée?|pourcents?|moitié|moins"
    # units
    r"|(?:kilo|centi|milli|deci)?(?:met(?:er|re)|gram(?:me)?|lit(?:er|re)|metro|gramo|litro|mètre)s?|km|cm|mm|kg|g|mg|ml|l|lbs?|oz|ft"
    r"|mph|kmh|miles?|inch(?:es)?|feet|foot|yards?|ounces?|pounds?|stones?|cups?|tablespoons?|teaspoons?|tbsp|tsp|gallons?|pints?"
    r"|fahrenheit|celsius|kelvin|degrees?|zoll|meilen?|pfund|unzen?|tassen?|grad|pulgadas?|millas?|libras?|onzas?|gal[oó]n(?:es)?"
    r"|grados?|pouces?|livres?|onces?|degrés?|bytes?|[kmgt]i?b"
    # the clock and the calendar on the wall
    r"|time|clock|o'clock|day|date|today|now|week|month|year|tomorrow|yesterday|uhr(?:zeit)?|spät|tag|datum|heute|jetzt|wochentag"
    r"|hora|día|fecha|hoy|ahora|heure|jour|date|aujourd'hui|maintenant"
    # trying out
    r"|test|testing|tests|ping|asdf\w*|qwert\w*|foo|bar|check|mic|heads|tails|coin|flip|toss|dice|roll|random|number"
    r"|kopf|zahl|münze|würfel|cara|cruz|moneda|pile|face|pièce"
    # asking in such words
    r"|how|many|much|what|what's|which|is|are|in|to|of|an?|the|it|and|or|from|into|convert|calculate|compute|make|was|macht|ist"
    r"|wie|viele?|sind|ein\w?|umrechnen|rechne|cuánt\w+|son|cuál|qué|un[oa]?|en|a|de|convertir?|calcula|combien|font|fait|ça|quel\w*"
    r"|est|il|une?|calcule|es|s"
    r")(?![^\W\d_])"
    "|几点|多少|等于|除以|乘以?|加|减|平方|根号|一斤|公斤|斤|千克|克|毫升|升|英里|公里|英寸|厘米|米|英尺|磅|盎司|华氏|摄氏|度|今天|现在|几号|星期几"
    "|继续|再来|一次|一遍|下一个|测试|是|了|的|吗|呢|换算|成|抛硬币|正面|反面",
    re.IGNORECASE,
)
_VOICE = re.compile(r"[^\W\d_]")
_OWN = re.compile(
    r"(?<!\w)(?:(?:am|do|did|was|have|had|should|will|must) (?:i|we)|my|our|mine|ours"
    r"|(?:bin|habe|hatte|war|soll|muss|mache) ich|meine?\w?|unsere?\w?|mis?|nuestr\w+|m[ao]n|mes|notre"
    r"|nos|(?:ai|suis|dois)-je)(?!\w)|我|咱",
    re.IGNORECASE,
)
"""A question about the one who asks always speaks of something."""


def without_content(prompt: str) -> str:
    """In words why nothing is to be recalled for a prompt; empty when it speaks of something."""
    if not prompt.strip() or len(prompt) > _LONGEST:
        return ""
    reading = read(prompt)
    if not _VOICE.search(reading.text):
        return "the message holds no words"
    if any(sentence.is_question and _OWN.search(sentence.text) for sentence in reading.sentences):
        return ""
    rest = reading.strip_chatter(reading.text)
    if not content_weight(rest):
        return "the message greets, thanks or agrees, and asks for nothing"
    if not _VOICE.search(_NEUTRAL.sub(" ", rest)):
        return "the message asks for nothing that a memory holds"
    return ""

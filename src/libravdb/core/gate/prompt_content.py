"""Does a prompt speak of anything that a memory could hold?

Greetings, thanks, agreement, "go on", sums, conversions and the time of day do not: whatever is close to them is close
by chance. What is left when all of that is taken away is the prompt's content.
"""

from __future__ import annotations

import re

from libravdb.core.gate.parsed_turn import content_weight, read

_LONGEST = 160
"""Characters from which on a prompt always has content: nobody greets at such length without saying something."""

_COURTESY = (
    # greetings and thanks as they are typed, also in languages whose words the gate does not know otherwise
    r"hiya|heya|heyy+|hii+|yo|sup|wassup|howdy|greetings|ahoy|mornin'?|evenin'?|night(?: night)?|nighty|later|laters|cya|ttyl|brb|gn|gm"
    r"|ta|tysm|tyvm|thx|thanx|cheers|kudos|bravo|okie|dokie|okey|okily|alrighty|righto|yup|yep|nope|nah|mhm|uh|huh|hmm*|erm|oops|whoops"
    r"|dankesch[öo]n|dankesehr|merci|moin|servus|tschö|jep|nö|naja|graciasss*|holi|vale|venga|dale|adiós|chao|salut|coucou|bisous|ouais|nan"
    r"|ol[áa]|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|ciao|grazie|prego|buon(?:giorno|asera|anotte)|dzień dobry|cześć|dziękuję|dobranoc"
    r"|proszę|hej|tack|takk?|kiitos|moi|ahoj|děkuji|dobrý den|salaam?|shukran|merhaba|teşekkürler|namaste|arigatou?|konnichiwa|aloha"
    r"|谢啦|谢了|多谢|早上好|早安|晚安|你好呀|在吗|拜拜|好的|嗯+|哈+|ok啦"
)
_AGAIN = (
    r"go on|go ahead|keep going|carry on|continue|proceed|next|more|again|once|another|same|repeat|retry|redo|version|option|one|two|three"
    r"|shorter|longer|simpler|undo|stop|skip|start|over|bit|bunch|ton|lot|kk|y|n|pls|plz|please|wait|hold|say|tell|try|put|do|that|this|wrong"
    r"|button|click|mistake|typo|nevermind|sorry|done|ready|very|much|too|so|well"
    r"|weiter|nochmal|noch|einmal|kürzer|länger|einfacher|nächste\w?|mehr|stopp?|warte|falsch|das"
    r"|sigue|continúa|continua|otra|otro|vez|más|repite|siguiente|corto|probando|espera|lo mismo|mismo"
    r"|continuez?|encore|suite|suivante?|répète|plus|court|refais|fois|la même chose|même|chose|attends|ça"
)
_SUMS = (
    r"plus|minus|times|divided|multiplied|by|square|squared|cubed?|root|power|percent|per|half|double|sum|equals?|average|mean|sqrt|log|ln|sin"
    r"|cos|tan|prime|factorial|hex(?:adecimal)?|binary|octal|decimal|mod(?:ulo)?|round(?:ed)?|pi|math|calc"
    r"|mal|durch|geteilt|hoch|wurzel|prozent|hälfte|ergibt|primzahl|quadrat"
    r"|por|entre|dividido|raíz|cuadrad\w|ciento|mitad|menos|primo|suma"
    r"|divisé|multiplié|racine|carrée?|pourcents?|moitié|moins|premier"
)
_UNITS = (
    r"(?:kilo|centi|milli|deci)?(?:met(?:er|re)|gram(?:me)?|lit(?:er|re)|metro|gramo|litro|mètre)s?|km|cm|mm|kg|g|mg|ml|l|lbs?|oz|ft|f|c|°"
    r"|mph|kmh|miles?|inch(?:es)?|feet|foot|yards?|ounces?|pounds?|stones?|cups?|tablespoons?|teaspoons?|tbsp|tsp|gallons?|pints?|acres?"
    r"|fahrenheit|celsius|kelvin|degrees?|seconds?|minutes?|hours?|zoll|meilen?|pfund|unzen?|tassen?|grad|pulgadas?|millas?|libras?|onzas?"
    r"|gal[oó]n(?:es)?|grados?|pouces?|livres?|onces?|degrés?|bytes?|[kmgt]i?b|euros?|dollars?|eur|usd|gbp"
)
_CLOCK = (
    r"time|clock|o'clock|day|date|today|now|week|month|year|tomorrow|yesterday|uhr(?:zeit)?|spät|tag|datum|heute|jetzt|wochentag"
    r"|hora|día|fecha|hoy|ahora|heure|jour|date|aujourd'hui|maintenant"
)
_TRYING = (
    r"test|testing|tests|ping|pong|asdf\w*|qwert\w*|foo|bar|check|mic|heads|tails|coin|flip|toss|dice|roll|random|number"
    r"|kopf|zahl|münze|würfel|cara|cruz|moneda|pile|face|pièce"
)
_ASKING = (
    r"how|many|much|what|what'?s|which|is|are|isses|ist|in|to|of|for|an?|the|it|and|or|from|into|got|have|you|there|convert|calculate|compute"
    r"|make|was|macht|wie|viele?|sind|ein\w?|hat|umrechnen|rechne|cuánt\w+|son|cuál|qué|un[oa]?|tiene|en|a|de|convertir?|calcula"
    r"|combien|font|fait|y|quel\w*|est|il|une?|dans|calcule|es|s"
)
_NEUTRAL = re.compile(
    rf"(?<![^\W\d_])(?:{_COURTESY}|{_AGAIN}|{_SUMS}|{_UNITS}|{_CLOCK}|{_TRYING}|{_ASKING})(?![^\W\d_])"
    "|几点|多少|等于|除以|乘以?|加|减|平方|根号|一斤|公斤|斤|千克|克|毫升|升|英里|公里|英寸|厘米|米|英尺|磅|盎司|华氏|摄氏|度|今天|现在|几号|星期几"
    "|继续|再来|一次|一遍|下一个|测试|是|了|的|吗|呢|换算|成|抛硬币|正面|反面|谢啦|谢了|多谢|晚安|早安|在吗|好的|嗯|哈",
    re.IGNORECASE,
)
"""Words that call for no memory, whatever stands beside them: courtesies, going on, sums, units, the clock, trying out,
and the small words of asking in such terms."""

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

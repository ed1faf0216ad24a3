"""Small talk: greetings, thanks, wishes and nods, which go first when a cluster is folded. By their words, in five
languages; whatever holds a digit or more than a few words is none."""

from __future__ import annotations

import re

LONGEST = 60
"""Characters of a sentence that may be small talk."""

_PHRASES = (
    r"hi(?: there)?|hello|hey|good (?:morning|evening|night|afternoon|luck|idea|point)|thanks?(?: (?:you|a lot|so much|again))*"
    r"|thank you(?: (?:so|very) much)?|you'?re welcome|no problem|(?:see|talk to) you(?: (?:soon|later|tomorrow))?|bye|take care"
    r"|have (?:a|fun)[\w ]{0,30}|enjoy[\w ]{0,25}|congrat\w*|happy \w+|ok(?:ay)?|sure|great|nice|cool|wow|yes|yeah|yep|no|right|exactly"
    r"|got it|noted|will do|sounds (?:good|great|fun|lovely|amazing)|of course|absolutely|awesome|amazing|perfect|lol|haha+"
    r"|that'?s (?:great|good|nice|awesome|amazing|wonderful|so \w+|true|cool|fine|funny)(?: to hear)?|i see|how are you(?: doing)?|what'?s up"
    r"|glad to hear(?: it| that)?|good to know|my pleasure|anytime|cheers|how (?:nice|lovely|exciting|wonderful)"
    r"|hallo|guten (?:morgen|abend|tag)|gute nacht|danke(?: (?:dir|schön|sehr|vielmals))*|vielen dank|bitte(?: (?:schön|sehr|gern))?|gern(?: geschehen)?"
    r"|kein problem|tschüss|bis (?:bald|morgen|später|dann)|schön(?:en? [\w ]{1,20})?|viel (?:spaß|erfolg|glück)|mach'?s gut|ja|nein|genau|klar|alles klar"
    r"|super|prima|toll|stimmt|verstanden|in ordnung|wie geht'?s(?: dir)?|das (?:freut mich|klingt (?:gut|toll|super)|ist (?:schön|toll|super))"
    r"|hola|buen(?:os|as) \w+|gracias|muchas gracias|de nada|adiós|hasta (?:luego|mañana|pronto)|vale|claro|genial|perfecto|sí|qué (?:bien|bueno)|suerte"
    r"|salut|bonjour|bonsoir|bonne (?:nuit|journée|soirée|chance)|merci(?: beaucoup)?|de rien|au revoir|à (?:bientôt|demain|plus)|oui|non|d'accord"
    r"|bien sûr|parfait|génial|super idée|ça va"
)
_CHINESE = r"你好|您好|早上好|晚安|晚上好|谢谢(?:你|您)?|多谢|不客气|再见|拜拜|好的?|嗯+|是的?|没问题|太好了|不错|加油|辛苦了|哈+|明天见|祝你\w{1,6}"
_GAP = r"[\s,.!?…;:)(\-–—~、，。！？\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]*"
_FILLER = r"(?:so|and|well|oh|ah|aw+|too|then|to you(?: too)?|indeed|really|also|und|na|ach|y|et|dann|auch)"
_SMALL = re.compile(rf"{_GAP}(?:(?:(?:{_FILLER}|{_PHRASES})(?!\w)|{_CHINESE}){_GAP}){{1,8}}", re.IGNORECASE)
_NAMED = re.compile(r"[,，]\s+[A-ZÄÖÜ][^\W\d_]{1,20}(?=[\s.!?…,]|$)")


def is_small_talk(text: str) -> bool:
    """True for a few words that say nothing: "Thanks, Anna!", "Gute Nacht", "好的"."""
    flat = " ".join(text[: LONGEST + 1].split())
    if len(text) > LONGEST or not flat or any(letter.isdigit() for letter in flat):
        return False
    return _SMALL.fullmatch(_NAMED.sub("", flat).replace("’", "'")) is not None

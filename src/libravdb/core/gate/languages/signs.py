"""Words by which a sentence shows that something changed, ended, is past, wished for, or stands beside another."""

import re

_FLAGS = re.IGNORECASE

CHANGED = re.compile(
    r"(?<!\w)(?:now|these days|nowadays|lately|instead|moved|switch(?:ed|ing)|swapped|replaced|changed|shifted|slipped|pushed"
    r"|bumped|upgraded|converted|went back|back (?:to|in|on|at)|again|finally|after all|turned out|since|as of|from now on|new|booked"
    r"|rescheduled|postponed|promoted|hired|started|came through|took over|passed|went up|put (?:me|us|the)|up to|down to"
    r"|jetzt|nun|inzwischen|mittlerweile|neuerdings|seit|umgezogen|umgestiegen|gewechselt|verschoben|verlegt|wieder|doch"
    r"|stattdessen|neuer?|neue[ns]|geworden|wurde|worden"
    r"|ahora|ya|desde|mudad[oa]|mudé|cambi(?:é|ó|ado|amos)|pasamos|pasado|en vez|al final|por fin|nuev[oa]|volví|vuelto|finalmente"
    r"|maintenant|désormais|depuis|déménagé|changé|passée?s?|finalement|enfin|nouve(?:au|lle)|de nouveau|à la place|repris|plutôt"
    r")(?!\w)|现在|已经|改|换|搬|涨|降到|升到|刚|终于|又|最后|重新|新的|不再",
    _FLAGS,
)
"""Something is not as it was."""

ENDED = re.compile(
    r"(?<!\w)(?:no longer|any ?more|stopped|quit|gave up|given up|sold|cancell?ed|got rid of|dropped|ditched|over|gone|off"
    r"|broke up|split up|passed away|died|left|finished|archived|retired|wiped|removed|closed|handed in|resigned|signed off"
    r"|returned|gave (?:it|them|the|my|our)|ran out|expired|done with|ignores?|nobody|not to|uninstalled|shut|nerfed|dissolved|deleted"
    r"|scrapped|in a drawer|never went"
    r"|nicht mehr|kein\w* \w* ?mehr|aufgehört|verkauft|gekündigt|abgesagt|aufgegeben|gestorben|weg|vorbei|gegen|doch nicht"
    r"|abgeschafft|ausgezogen|getrennt|fällt aus|storniert|in rente"
    r"|ya no|dej[éóa]\w*|vend[ií]\w*|cancel\w*|de baja|murió|termin[éóa]\w*|se acabó|sin|canceló"
    r"|ne \w+ plus|n'\w+ plus|plus (?:de|le|la)|fini[es]?|arrêté|vendue?|résilié|annulée?|laissé tomber|rangé|fermée?|quitté"
    r"|enlevée?|reparti|finalement pas|pas de|c'était|prends plus|mange plus|fais plus"
    r")(?!\w)|不再|不了|卖|取消|退|停|戒|卸载|没了|不.{1,3}了|都不|去世|分手|辞|离职|废|给了|给我|调去|决定不",
    _FLAGS,
)
"""Something is over."""

BESIDE = re.compile(
    r"(?<!\w)(?:also|too|as well|another|(?:a|my|our) second|besides|in addition|both|(?:my|our|an) other|next|auch|noch ein\w*|außerdem|zusätzlich"
    r"|(?:ein|mein|unser)\w* zweite[rsn]?|nächste[sn]?|también|además|otr[oa] más|segund[oa]|que viene|próxim[oa]|aussi|en plus|également|un autre|une autre|deuxième"
    r"|prochaine?)(?!\w)|也|还有|另|第二|下周|下个|又一",
    _FLAGS,
)
"""It stands beside what was said."""

PAST = re.compile(
    r"(?<!\w)(?:used to|as a (?:kid|child|student|boy|girl)|when (?:i|we) (?:was|were)|before (?:that|kids|i|we|then)|back then|years ago|grew up"
    r"|lived|worked|spent|had an?|früher|damals|als kind|während|hatte|gewohnt|gearbeitet|vor \w+ jahren"
    r"|antes|de (?:niñ[oa]|pequeñ[oa]|joven)|viv[íi]a?|trabaj[éa]\w*ba|era|fui|estuve|avant|autrefois|petite?|j'avais|j'étais"
    r"|j'ai été|pendant)(?!\w)|小时候|以前|年轻|曾|当时|那时",
    _FLAGS,
)
"""It tells what was, or what happened once."""

UNREAL = re.compile(
    r"\?|？|(?<!\w)(?:would|could|might|wish|'d (?:love|like)|i'd|want to|hope|maybe|perhaps|one day|some day|should we|if"
    r"|würde|hätte?|möchte|gern|irgendwann|vielleicht|wenn|ob|lohnt"
    r"|quisiera|gustaría|quiero|ojalá|quizás?|algún día|si"
    r"|aimerais|voudrais|peut-être|un jour|j'espère)(?!\w)|想|要是|如果|希望|可能|吗|也许",
    _FLAGS,
)
"""It is asked, wished or supposed."""

ORDERED = re.compile(
    r"(?<!\w)\d+ (?:lines?|words|sentences|paragraphs|bullets?|slides|zeilen|wörter|sätze|folien|líneas|palabras|frases"
    r"|lignes|mots|phrases)(?!\w)|\d+ ?字",
    _FLAGS,
)
"""Something to be written is ordered by its length: "a toast, 4 lines"."""

LISTED = re.compile(
    r"(?<!\w)(?:allerg\w*|love|loves|like|likes|enjoy|hate|been to|know|speak|intoleran\w*|can't have|can't eat|mag|liebe|vertrage"
    r"|verträgt|esse gern|gusta\w*|encanta\w*|alérgic[oa]|adore|aime|déteste|allergique|intolérant\w*)(?!\w)|过敏|喜欢|爱吃|不能吃",
    _FLAGS,
)
"""Of such things there may be many."""

KIN = re.compile(
    r"[大二三四五小老堂表干外]?(?:姨|舅|姑|叔|伯|婶|哥|姐|弟|妹|儿子|女儿|侄|甥|爷爷|奶奶|外公|外婆|老公|老婆|室友|同事)"
)
"""Relatives in a script without spaces: the first of several is another one."""

BRINGERS = frozenset(
    "boss landlord landlady doctor dentist therapist teacher vet advisor they he she it customer customers airline nobody everyone"
    " someone people er sie es arzt vermieter chef él ella médico il elle médecin garage 他 她 医生 房东 you family manager chef jefe jefa prof mr mrs ms m. mme herr frau don doña 邻居".split()
)
"""Who brings the news of a matter without owning it."""

SOLE_MATTERS: dict[str, re.Pattern[str]] = {
    "home": re.compile(
        r"(?<!\w)(?:live|lives|living|flat|apartment|renting|house|home|place in|place|moored|halls|studio|room in|two bedroom|moved to"
        r"|wohne?|wohnt|wohnung|einzimmerwohnung|wg|haus|gezogen|umgezogen|vivo|vive|vivimos|piso|estudio en|casa|mudad[oa]|mudé"
        r"|habite|habitons|coloc|appart\w*|logement|deux-pièces|déménagé)(?!\w)|住|租|公寓|搬",
        _FLAGS,
    ),
    "work": re.compile(
        r"(?<!\w)(?:work (?:at|for|as|in|the)|works (?:at|for|as|in)|job|i do (?:nights|payroll)|trainee|apprentice|drives (?:a|for)|i'm an? \w+(?:er|or|ist|ian|ant|man|keeper)"
        r"|(?:is|'s) (?:an?|the) \w+(?:er|or|ist|ian|ant|ic|man|keeper)|payroll|reception|caretaker|firm|arbeite|arbeitet|ausbildung|job als"
        r"|angestellt|(?:ist|bin) bei|geselle|firma|trabajo (?:de|en|como)|soy (?:un |una )?[a-zñ]+(?:er[oa]|or|ora|ista|iar|ivo|ante)"
        r"|bosse|travaille|je suis (?:un |une )?\w+(?:eur|euse|ier|ière|iste|enti|ent|ien|ienne)|boulot|embauchée?)(?!\w)|工作|上班|打工|学徒|入职|做.{0,4}员|当.{0,4}|客服",
        _FLAGS,
    ),
    "partner": re.compile(
        r"(?<!\w)(?:girlfriend|boyfriend|partner|dating|seeing (?:a|someone)|engaged|married|broke up|single|fianc\w+"
        r"|freundin|zusammen mit|verlobt|verheiratet|getrennt|single|novi[oa]|sale con|está con|casad[oa]|solter[oa]"
        r"|copain|copine|célibataire|en couple|mariée?|fiancée?)(?!\w)|男朋友|女朋友|对象|单身|结婚|分手|订婚",
        _FLAGS,
    ),
    "phone": re.compile(
        r"(?<!\w)(?:phone|handset|pixel|iphone|fairphone|moto g|galaxy|nokia|handy|smartphone|móvil|teléfono|portable|téléphone)(?!\w)|手机|pixel",
        _FLAGS,
    ),
    "diet": re.compile(
        r"(?<!\w)(?:vegan|vegetarian|i eat|eats|pescatarian|diet|vegetarier\w*|vegetarisch|isst|esse|veganer\w*|fleisch|vegetarian[oa]|vegan[oa]|como|come"
        r"|végétarien\w*|végane?|mange|sans sel)(?!\w)|吃|素",
        _FLAGS,
    ),
}
"""Matters of which a person has one at a time, by the words that speak of them."""

"""Sentences in which somebody decides, prefers or denies something: by grammar, not by phrases.

Each language gives its word classes (who decides, by which verbs, how a no is said, whom a taste belongs to), and the
same three questions are asked of every sentence. What is asked, wondered about or only imagined is none of them.
Every expression looks ahead by a bounded distance.
"""

from __future__ import annotations

import re

from libravdb.model import FactKind

SHORTEST_DENIAL = 18
"""Characters below which a denial says nothing by itself: "I do not."."""

_APOSTROPHE = str.maketrans("’ʼ", "''")
_ENDS = "\"'”’»*_) "
_HEAD = (
    r"(?:^|[,;:.–—] ?|\b(?:and|so|then|please|just|let's|let us|ok(?:ay)?|und|bitte|y|et|por favor|s'il te plaît),? )"
)
"""Where an order may begin."""


def _words(*classes: str) -> str:
    """One expression of the words of classes, which are whole words."""
    return rf"(?<![\w'-])(?:{'|'.join(classes)})(?![\w])"


# ── decisions ──

_CARRY_OUT = (
    "use|take|buy|rent|lease|sell|book|hire|order|build|paint|replace|drop|adopt|choose|pick|cancel|ship|launch|host|postpone|schedule|invite"
    "|serve|plant|install|register|split|switch|migrate|stick (?:with|to)|move (?:to|the|it|our|my)|meet (?:at|on|in)|do it (?:on|at|in|next)"
    "|(?:do|make|have|keep|get|put|hold|run|start|sign|pay|stay)(?: (?:at|in|on|for))? (?:the(?! best)|our|my|two|three|\\d)"
)
"""What somebody sets out to do once it is decided; a verb that says little by itself needs its object."""

_WE = r"(?:i|we)(?:'ve| have|'d| had)?(?: (?:finally|just|already|all|both|then|eventually|now|also))?"
_DECISIONS = (
    _words(
        # verbs that decide, whoever does
        r"(?:decided|resolved|voted|elected|chosen|opted|settled|agreed|committed) (?:to|on|that|for|against|not|upon|in favou?r)",
        r"decided",
        rf"{_WE} (?:chose|picked(?! up)|selected|opted|agreed|plumped|signed up|committed)",
        r"(?:was|were|been|got|is|are) (?:chosen|selected|agreed|voted|decided)",
        r"(?:chose|selected) (?:the|a|an|to|our|my)\b",
        r"(?:mind|minds) (?:is|are) made up",
        r"made up (?:my|our|his|her|their) minds?",
        r"changed (?:my|our|his|her|their) minds?",
        # choosing by going somewhere
        r"(?:go|goes|going|went|gone) (?:with|for)(?! (?:a (?:walk|run|swim|drive|ride|coffee|stroll)|lunch|dinner|you|me|him|her|them|it)\b)",
        r"(?:switch|switched|switching|move|moved|moving|migrate|migrated|migrating|change|changed|changing) (?:over )?to",
        r"(?:stick|sticking|stuck|stay|staying|stayed) with",
        r"(?:end|ended|ending) up (?:choos|buy|pick|go|tak|book|rent|hir|us|order|gett|stay|sell|leas|switch|keep|mov)ing",
        r"(?:end|ended|wind|wound) up with",
        # setting out
        rf"(?:i|we)(?:'ll| will| shall)(?: (?:just|then|now|probably|definitely|all))? (?:{_CARRY_OUT})(?! (?:see|to know|back to you)\b)",
        rf"(?:i'm|we're|i am|we are)(?: now| definitely)? (?:going to|gonna) (?:{_CARRY_OUT})",
        rf"(?:let's|let us)(?: just| all| simply)? (?:{_CARRY_OUT}|call it|leave it|say (?:on|at))(?! home\b| this\b| there\b)",
        r"(?:i'm|we're|i am|we are)(?: now)? (?:taking|booking|buying|keeping|renting|hiring|ordering|replacing|dropping|choosing|switching|signing)",
        # the thing decided is told of
        r"(?:the|our|my|a|new|final|his|her|their) (?:plan|decision|choice|verdict|agreement|deal|pick|consensus|conclusion)(?: \w{1,12}){0,3} (?:is|was|are|will be|stands|fell on)",
        r"(?:final answer|it's official|it's settled|that's settled|it's a deal|done deal|it is settled|is settled|is decided)",
        r"(?:from now on|as of (?:today|now|next)|going forward|starting (?:today|tomorrow|next|on|in|from)|effective immediately)",
        r"it(?:'s going to| is going to|'ll| will) be (?:the|a|an|on|at|in)\b(?! (?:bit|lot|while|hot|cold))",
    ),
    r"^(?:so |ok(?:ay)?,? |right,? |and )?(?:settled|agreed|decided|decision|final|conclusion|verdict|resolved|new plan|plan|deal|outcome|done)(?: then| now)? ?[:–—]",
    # German
    _words(
        r"entschieden",
        r"entschlossen",
        r"beschlossen",
        r"beschließen",
        r"(?:uns|mich|sich) (?:auf [\w äöüß]{1,40} )?(?:ge)?einig(?:t|en)?",
        r"geeinigt",
        r"vereinbart",
        r"festgelegt",
        r"ausgesucht",
        r"ausgewählt",
        r"gewählt",
        r"abgemacht",
        r"ausgemacht",
        r"abgestimmt",
        r"umgestiegen",
        r"fiel(?:en)? (?:die (?:wahl|entscheidung)|auf)",
        r"(?:die|unsere|meine) (?:wahl|entscheidung)(?: \w{1,14}){0,3} (?:ist|war|fiel|steht|lautet)",
        r"(?:der|unser|mein|neuer) plan(?: \w{1,14}){0,2} (?:ist|lautet|sieht|steht)",
        r"(?:wir|ich) (?:nehmen?|verwenden?|nutzen?|machen es|mach(?:e|en)? das|bleiben? (?:bei|beim)|gehen? mit|setzen? auf|wechseln? (?:zu|auf)|steigen? auf|buchen?|kaufen?|mieten?|behalten?|bestellen?)",
        r"(?:nehmen|verwenden|nutzen|machen|buchen|kaufen|mieten|behalten|bestellen|bleiben) wir",
        r"es bleibt (?:bei|beim|dabei)",
        r"bleibt es (?:bei|beim|dabei)",
        r"steht(?: \w{1,12})? fest",
        r"ab (?:sofort|jetzt|heute|morgen|nächste[rmns]?)",
        r"von (?:nun|jetzt) an",
        r"künftig",
        r"in zukunft",
        r"es wird (?:jetzt|nun|doch|also)",
    ),
    r"^(?:also )?(?:beschluss|entscheidung|ergebnis|fazit|abgemacht|fest steht)(?: ist)? ?[:–—]",
    # Spanish
    _words(
        r"decid(?:í|imos|ido|ió|ieron|a|e|en)",
        r"acord(?:é|amos|ado|aron|ó)",
        r"eleg(?:í|imos|ido|ida|idos)",
        r"elig(?:ió|ieron)",
        r"escog(?:í|imos|ido|ió)",
        r"opt(?:é|amos|ado|ó|aron) por",
        r"qued(?:é|amos|ado|aron) en",
        r"(?:me|nos) qued(?:o|amos|é) con",
        r"apost(?:amos|é|ado) por",
        r"(?:vamos|voy) a (?:\w{2,12}[aei]r)(?:l[oae]s?)?",
        r"nos cambiamos a",
        r"a partir de (?:ahora|hoy|mañana|este|esta)",
        r"de ahora en adelante",
        r"(?:el|nuestro|mi|nuevo) plan(?: \w{1,12}){0,2} es",
        r"la (?:decisión|elección)(?: \w{1,12}){0,2} (?:es|fue)",
    ),
    r"^(?:decisión|acuerdo|conclusión|decidido|acordado|hecho|trato hecho) ?[:–—]",
    # French
    _words(
        r"(?:avons|avez|ont|a|as|ai|j'ai|été|est|s'est|c'est)(?: (?:finalement|enfin|tous|donc))? (?:décidé|choisi|convenu|opté|retenu|tranché|voté|acté)e?s?",
        r"(?:mis|mise|mises|tombés?|sommes|est) d'accord (?:sur|pour)",
        r"d'accord (?:sur|pour) (?:le|la|les|un|une|l')",
        r"(?:on|nous|je) (?:part(?:ons|s)? sur|prend(?:s|ons)?|gard(?:e|ons)|choisi(?:s|t|ssons)|rest(?:e|ons) (?:sur|chez|à)|pass(?:e|ons) (?:à|au|sur))",
        r"(?:on va|nous allons|je vais) \w{2,14}(?:er|ir|re)",
        r"va pour",
        r"à partir de (?:maintenant|demain|lundi)",
        r"désormais",
        r"dorénavant",
        r"(?:le|notre|mon|nouveau) plan(?: \w{1,12}){0,2} est",
        r"la décision(?: \w{1,12}){0,2} (?:est|a été)",
        r"(?:le|notre|mon) choix(?: \w{1,12}){0,2} (?:est|s'est)",
    ),
    r"^(?:décision|conclusion|décidé|convenu|entendu) ?[:–—]",
    # Chinese
    r"决定|决议|选择了|选了|选定|选中|商定|确定(?:用|了|在|下)|定(?:了|下来|好|在)|说好|约好|讲好|敲定|拍板|改(?:用|成|为|到)|换成|就(?:用|选|买|定|这么|按)|从(?:现在|今天|明天)(?:起|开始)|以后(?:都|就)|计划是|打算(?!吗)|同意(?:了|由|用)",
)

# ── tastes ──

_NOT_THAT = r"(?! (?:it|that|this|you|to hear|how|what|the idea|the way|your|to help|to see you)\b)"
_TASTES = (
    _words(
        r"prefer(?:s|red|ring)?",
        r"preference",
        r"(?:would|'d) (?:much |far )?(?:rather|sooner|prefer)",
        r"favou?rites?",
        r"(?:like|likes|liked) [\w ']{1,40} (?:best|better|more|most)",
        rf"(?<!would )(?<!'d )(?<!, )(?<!of )(?<!with )(?<!and )(?<!my )(?:(?:really|absolutely|secretly|truly|actually|do|does|always|also|both|all) )?(?:loves?|hates?|enjoys?|adores?|dislikes?|loathes?|detests?|despises?|can't abide){_NOT_THAT}",
        r"(?:i|we|he|she|they|(?:my|his|her|our) \w{2,14})(?: (?:really|also|still|quite|do|don't|doesn't|didn't|never))* likes?(?! (?:it|that|this|you|to (?:think|know|see)|i said|the idea)\b)",
        r"(?:can't|cannot|couldn't|can not) (?:stand|bear|abide|stomach)",
        r"(?:a |big |huge |no |much of a )+fan(?: of)?",
        r"fans of",
        r"(?:fond|sick|tired|wary) of",
        r"keen on",
        r"partial to",
        r"(?:crazy|mad|passionate|picky|fussy) about",
        r"(?:really |totally |very )?into (?:\w+ing|old|new|classic)\b",
        r"(?:i'm|he's|she's|am|is|are|we're|they're)(?: really| very| totally)? into",
        r"(?:more of|(?:i'm|he's|she's|am|is)(?: really| just)?) an? [\w-]{2,20} (?:person|guy|girl|type)",
        r"[a-z]+ (?:person|people) (?:myself|at heart)",
        r"(?:am|is|are|i'm|'s|we're) (?:allergic|vegan|vegetarian|lactose)",
        r"given the choice",
        r"(?:my|his|her|our|their) (?:cup of tea|thing|go-to|taste|style)",
        r"(?:suits?|works?) (?:me|us|him|her) (?:best|better|well)",
        r"rather (?:have|not|than|take|be|go|do|stay)",
    ),
    _words(
        r"bevorzug\w{1,3}",
        r"(?:viel |doch |dann )?lieber",
        r"am liebsten",
        r"lieblings\w{2,30}",
        r"(?:mag|mögen|magst|mochte)(?! sein)",
        r"hass(?:e|t|en)",
        r"lieb(?:t|en|te)",
        r"(?:ich|wir) liebe\w?",
        r"liebe (?:ich|es)",
        r"allergisch",
        r"(?:un)?gerne?(?! geschehen)",
        r"zieh\w{1,3} [\w äöüß]{2,60} vor",
        r"vorziehen",
        r"verabscheu\w{1,3}",
        r"schwärm\w{1,3} für",
        r"steh(?:e|t|en|st)(?: (?:ich|er|sie|wir|total|voll|sehr|nicht|gar))* auf(?! (?:de[mrn]|eine[mr]|seite|platz|seine[mr]|ihre[mr]|meine[mr]|unsere[mr]|\d))",
        r"nicht (?:ausstehen|leiden|riechen|ertragen)",
        r"nichts für (?:mich|uns|ihn|sie)",
        r"fan (?:von|der|des)",
        r"find(?:e|et|en) [\w äöüß]{2,40} (?:besser|schöner|angenehmer|furchtbar|schrecklich|toll)",
    ),
    _words(
        r"prefier[oe](?:s|n)?",
        r"prefer(?:imos|í|ido|ir|iría|ible)\w{0,2}",
        r"favorit[oa]s?",
        r"(?:me|nos|le|les|te) (?:gusta|encanta|fascina|apasiona|chifla|molesta|horroriza|disgusta)n?(?:ba|ría)?n?",
        r"odi(?:o|a|an|amos)",
        r"detest(?:o|a|an|amos)",
        r"ador(?:o|a|an|amos)",
        r"no (?:lo |la |los |las )?(?:soport|aguant|trag)(?:o|a|an|amos)",
        r"al[ée]rgic[oa]s?",
        r"(?:soy|es|somos) (?:muy |más )?(?:fan|de) (?:de|té|café)?",
        r"me (?:va|viene|conviene) mejor",
        r"más me gusta",
    ),
    _words(
        r"préf[èé]r\w{1,4}",
        r"préférences?",
        r"(?:j'|\w{2,14} )(?:aim|ador|détest|raffol|appréci)(?:e|es|ent|ons)(?! (?:ça|bien ça)\b)",
        r"horreur (?:de|des|du|d')",
        r"(?:supporte|supportons|supportent) (?:pas|plus)",
        r"favorite?s?",
        r"allergiques?",
        r"(?:fan|fou|folle|friande?) (?:de|des|du)",
        r"(?:plaît|plaisent) (?:beaucoup|bien|mieux|plus)",
        r"aime(?:rais|rait)? mieux",
        r"(?:plutôt|d'abord) que",
        r"ai(?:me)? en horreur",
    ),
    r"喜欢|偏好|偏爱|最爱|宁愿|宁可|讨厌|受不了|忍不了|过敏|反感|热爱|爱(?:吃|喝|看|玩|听|用)|更(?:愿意|想)",
)

# ── denials ──

_NO_MORE = (
    "scrap|skip|ditch|omit|drop|cancel|remove|delete|exclude|avoid|forget(?: about)?|abandon|axe|discard|ignore|stop"
)
_DENIALS = (
    _words(
        r"(?:[a-z]{2,7}n't|cannot)",
        r"not(?! (?:only|just|to mention|bad|at all)\b)",
        r"never",
        r"no longer",
        r"no (?:one|way)",
        r"(?<!, )(?<!time )no (?!problem|worries|worry|idea|doubt|wonder|matter|rush|hurry|thanks|need to (?:thank|worry|rush|apolog)|offen[cs]e|big deal|kidding|pressure|way\b|one\b|clue)[a-z]{2,20}",
        r"nobody",
        r"none",
        r"nothing",
        r"nowhere",
        r"neither",
        r"nor",
        r"without(?! (?:a )?(?:doubt|question|fail)\b)",
        r"unable to",
        r"fail(?:s|ed)? to",
        r"refus(?:e|es|ed|ing)",
        r"reject(?:s|ed|ing)?",
        r"declin(?:e|es|ed|ing)",
        r"cancel(?:l?ed|l?ing|s)?",
        r"call(?:ed|ing)? [\w ]{0,20}off",
        r"ruled? (?:it |that |\w+ )?out",
        r"(?:leave|leaves|leaving|left|take|taken|taking|took) (?:[\w'-]{1,20} ){1,5}?out(?! for\b| to\b| with\b)",
        r"(?:had to|have to|will|we|i|they|was|were|been|got|is|are|to) (?:drop|dropped|scrap|scrapped|skip|skipped|ditch|ditched|axe|axed|abandon|abandoned|discontinued?|removed?|excluded?|forbidden|banned|prohibited)",
        r"(?:stopped|quit|gave up|given up|avoids?|avoiding|avoided) [a-z]{2,20}",
        r"out of the question",
        r"off the table",
        r"(?:fell|fallen|falls) through",
        r"lacks|lacked",
        r"against (?:it|the idea|using|having|going)",
    ),
    rf"{_HEAD}(?:{_NO_MORE}) (?=\w)(?!by\b|me\b|you\b|it\b|that\b|what\b|how\b)",
    r"(?<!\w)do(?:n't| not) \w+",
    _words(
        r"nicht(?! (?:nur|wahr)\b)",
        r"kein(?:e[mnrs]?)?(?! (?:problem|ding|stress|ahnung|sorge|ursache)\b)",
        r"nie(?:mals)?",
        r"nichts",
        r"niemand(?:e[mn])?",
        r"nirgend(?:s|wo)",
        r"weder",
        r"ohne(?! (?:frage|zweifel)\b)",
        r"verzicht(?:e|et|en|ete|eten)",
        r"abgesagt",
        r"abgelehnt",
        r"gekündigt",
        r"verboten",
        r"weg(?:lassen|gelassen)",
        r"aufgegeben",
        r"aufgehört",
        r"ausgeschlossen",
        r"verworfen",
        r"storniert",
        r"abgeblasen",
        r"f(?:ä|a)ll(?:t|en) [\w äöüß.]{0,40}?(?:aus|weg|flach)",
        r"ausgefallen",
        r"(?:lass|lasst|lassen|lasse) [\w äöüß]{2,50} (?:weg|sein|bleiben|fallen)",
        r"sag(?:e|en|t)? [\w äöüß]{2,50} ab",
        r"lehn(?:e|en|t) [\w äöüß]{2,50} ab",
        r"weiger(?:e|t|n|te|ten)",
    ),
    _words(
        r"no (?!problem|doubt|matter|wonder|worr|idea|thanks|rush|talk|see\b)(?:(?:me|te|se|le|lo|la|nos|os|les|los|las) ){0,2}[a-záéíóúñ]{2,20}(?<!pasa)",
        r"nunca",
        r"jamás",
        r"nadie",
        r"nada",
        r"ningun[ao]s?",
        r"ningún",
        r"tampoco",
        r"ni",
        r"sin(?! (?:duda|embargo|problema)\b)",
        r"cancel(?:é|amos|ado|ada|ó|aron|a|o)",
        r"descart(?:é|amos|ado|ada|ó|o)",
        r"anul(?:é|amos|ado|ada|ó)",
        r"rechaz(?:é|amos|ado|ó|aron)",
        r"dej(?:é|amos|ado|ó|a|o) (?:de|fuera)",
        r"renunci(?:é|amos|ado|o|ó) a",
        r"prohibid[oa]s?",
        r"se niega a",
    ),
    rf"{_HEAD}(?:quita|quitad|quitemos|elimina|borra|cancela|anula|olvida|omite|descarta|saca)(?:lo|la|los|las)? (?=\w)",
    _words(
        r"n(?:e |')[\w'éèêàç-]{1,20}(?: [\w'éèêàç-]{1,20}){0,3}? (?:pas|plus|jamais|rien|aucune?|personne|guère|ni|que)",
        r"personne n[e']",
        r"aucune?(?! (?:souci|problème)\b)",
        r"rien n[e']",
        r"ni",
        r"sans(?! (?:doute|problème|souci|faute)\b)",
        r"(?:j'|je |tu |il |elle |on |c'|ça |nous |ils |elles )[\w'éèêàç]{1,16} (?:pas|jamais|plus (?:de|du|la|le|les|jamais))",
        r"(?:laiss\w{1,4}|abandonn\w{1,3}|annul\w{1,3}|supprim\w{1,3}|refus\w{1,3}|renonc\w{1,4}|exclu\w{0,3}) (?:tomber|de|du|des|le|la|les|l'|à|au|un|une)",
        r"annulée?s?",
        r"supprimée?s?",
        r"refusée?s?",
        r"interdite?s?",
        r"hors de question",
    ),
    rf"{_HEAD}(?:enlève|enlevez|retire|retirez|supprime|supprimez|annule|annulez|oublie|oubliez) (?=\w)",
    r"不(?!错|客气|好意思|过|仅|但|管|断|同|久)|没(?!事|关系|问题|错)|别(?!人|的|墅)|从未|无法|未(?!来)|取消|去掉|删(?:掉|除)|拿掉|放弃|拒绝|禁止|算了|停(?:止|用)|免了|省掉",
)

# ── what is none of them ──

_IDLE = re.compile(
    r"(?<!\w)(?:(?:do|did|does)(?:n't| not) (?:know|worry|mind|think|forget|see|get|understand|remember|matter|seem|hesitate)|not sure|can(?:'|no)t (?:wait|believe|imagine|complain|agree more|help|tell|remember|say)"
    r"|(?:is|isn't|wasn't)(?:n't)? (?:not )?(?:bad|it|that)\b|why (?:not|don't)|wouldn't (?:mind|it)|never mind|never (?:know|knew|thought)|no (?:problem|worries|rush|need to (?:thank|worry|apologi[sz]e))|not (?:bad|at all|to worry)|nothing (?:much|new|special|to worry)"
    r"|couldn't (?:agree|be happier|help)|no one knows|who knows|if not|or not|not that i|not really|nobody knows|not (?:too|much|alone|easy)|long time no|no matter"
    r"|weiß (?:ich |es )?nicht|nicht (?:wahr|sicher|schlecht|wirklich|so schlimm|übel)|warum nicht|kein (?:problem|ding|stress)|keine (?:ahnung|sorge|ursache|eile)|macht (?:doch |gar )?nichts|nichts zu danken|nicht der rede wert"
    r"|n'est-ce pas|je (?:ne )?sais pas|pas (?:mal|de (?:souci|problème|quoi|panique|stress))|ne t'inquiète pas|ce n'est (?:pas grave|rien)|il n'y a pas de (?:quoi|souci|problème)|c'est pas grave"
    r"|no sé|no hay (?:problema|de qué)|no (?:te|se) preocupes?|no (?:pasa|importa) (?:nada)?|no está mal|de nada|sin problema|ni idea)(?!\w)"
    r"|不知道|不用谢|没关系|没问题|没事|差不多|是不是|有没有|要不要|好不好|不客气|不好意思|说不定|没什么|不要紧|不用(?:担心|客气)",
    re.IGNORECASE,
)
"""A no that denies nothing worth keeping."""

_IMAGINED = re.compile(
    r"(?<!\w)(?:if (?:i|we|you|he|she|they|it|only|the \w+|that) (?:\w+ )?(?:had|were|could|was|did|would|hadn't|weren't)|(?:would|could|might|should)(?: not|n't)? have|what if|as if|suppose|imagine"
    r"|(?:wenn|falls|ob)(?= )[^.!?]{1,80}(?:hätte|wäre|würde|könnte)\w{0,2}|(?:hätte|wäre|würde)\w{0,2}[^.!?]{1,60}wenn"
    r"|si (?:\w+ ){0,3}(?:hubi[eé]r\w+|fuera\w?|tuviera\w?|pudiera\w?|avai\w+|étai\w+|aurai\w+)|habría\w{0,3}|aurai(?:t|s|ent))(?!\w)"
    r"|如果|要是|假如|假设",
    re.IGNORECASE,
)
_WONDERED = re.compile(
    r"(?<!\w)(?:(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|know|sure|curious|wants? to know|question(?: is)?|doubt)(?: \w{1,12}){0,2} (?:if|whether)|whether (?:i|we|you|he|she|they|the|to)\b|frag\w{1,3}(?: \w{1,12}){0,3},? ob"
    r"|(?:weiß|wissen|wissen will),? ob|pregunt\w{1,4} si|saber si|demand\w{1,3} si|savoir si)(?!\w)|是否|问(?:我|他|她|你)?.{0,8}(?:有没有|是不是|要不要)",
    re.IGNORECASE,
)
_WEIGHED = re.compile(
    r"(?<!\w)(?:maybe|perhaps|might|could|may be|thinking (?:of|about)|considering|should we|not sure|vielleicht|eventuell|womöglich|könnten?|überleg\w{1,3}|quizás?|tal vez|podríamos?|peut-être|pourr(?:ait|ions|ais))(?!\w)|也许|可能|考虑|或许",
    re.IGNORECASE,
)
"""What is only considered is not decided."""

_COMPARED = re.compile(
    r"(?<!\w)(?:prefer(?:s|red)?|rather(?! than)|lieber|am liebsten|prefier[oe]n?|préf[èé]r\w{1,4})(?!\w)|宁愿|宁可",
    re.IGNORECASE,
)
"""Words of taste that win over the verb beside them: "Ich nehme lieber Messing"."""

_UNDONE = re.compile(
    r"(?:not|never|n't|no longer|nicht|nie|no|nunca|ne|n')(?: (?:yet|really|be|been|to|going|even|actually|all|any ?more|vamos|hemos|han|noch|avons|a|ai|on|se|me|nos))*[ ']?$|[不没未]\S{0,2}$",
    re.IGNORECASE,
)
"""What stands before a verb that is denied."""
_STILL_UNDONE = re.compile(r"^[^,.;]{0,40}(?<!\w)(?:nicht|kein(?:e[mnrs]?)?|pas|plus|jamais|nie)(?!\w)", re.IGNORECASE)
"""A no behind its verb, as German and French have it."""

DECISION = re.compile("|".join(_DECISIONS), re.IGNORECASE)
PREFERENCE = re.compile("|".join(_TASTES), re.IGNORECASE)
NEGATION = re.compile("|".join(_DENIALS), re.IGNORECASE)


LONGEST = 2_000
"""Characters of a sentence that are read: what somebody decided, likes or denies stands near its beginning, and the
patterns take the square of a length."""


def may_hold_stance(text: str) -> bool:
    """Whether a look at the sentences of a text is worth its time."""
    if len(text) > LONGEST:
        return True
    said = text.translate(_APOSTROPHE)
    return any(form.search(said) for form in (DECISION, PREFERENCE, NEGATION))


def find_stance(sentence: str) -> tuple[FactKind, int] | None:
    """What a sentence does, and where the words stand that do it; a sentence is the first that it is."""
    if sentence.rstrip(_ENDS).endswith(("?", "？")):
        return None
    said = sentence[:LONGEST].translate(_APOSTROPHE)
    found = _stance(said)
    return None if found is None or _WONDERED.search(said) or _IMAGINED.search(said) else found


def _stance(said: str) -> tuple[FactKind, int] | None:
    decided = DECISION.search(said)
    if decided is not None and not _is_undone(said, decided):
        return FactKind.DECISION, decided.start()
    preferred = PREFERENCE.search(said)
    if preferred is not None:
        return FactKind.PREFERENCE, preferred.start()
    denied = _denial(said)
    return None if denied is None else (FactKind.NEGATION, denied.start())


def _is_undone(said: str, decided: re.Match[str]) -> bool:
    """Whether a decision is denied, only considered, or no more than a taste."""
    return (
        _WEIGHED.search(said, 0, decided.start()) is not None
        or _COMPARED.search(said) is not None
        or _UNDONE.search(said, max(0, decided.start() - 24), decided.start()) is not None
        or _STILL_UNDONE.search(said[decided.end() :]) is not None
    )


def _denial(said: str) -> re.Match[str] | None:
    """A no that tells something: not one of a few words, nor one that everybody uses."""
    if (len(said) < SHORTEST_DENIAL and said.isascii()) or _IDLE.search(said):
        return None
    return NEGATION.search(said)

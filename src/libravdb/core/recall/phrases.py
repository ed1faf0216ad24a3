"""Turns of phrase by which a question tells what it wants, in five languages. Every repetition is bounded."""

from __future__ import annotations

import re

WHEN = re.compile(
    r"^\W*(?:(?:and|so|do you (?:know|remember)|tell me)\W+)?(?:when\b|(?:on|in|since|until) (?:which|what) "
    r"|(?:what|which) (?:date|day|month|year|time)\b|wann\b|seit wann\b|cu[aá]ndo\b|quand\b)"
    "|什么时候|何时|哪天|几号|哪一年",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"\bhow (?:many|much|old|often|tall|far)\b|\bwie ?(?:viele?|oft|alt)\b|\bcu[aá]nt[oa]s?\b|\bcombien\b"
    "|多少|几[个次岁]",
    re.IGNORECASE,
)
# "How many days since …" is answered by two dates, not by a number that somebody said.
TIME_COUNTED = re.compile(
    r"\bhow many (?:days|weeks|months|years)\b|\bwie viele (?:tage|wochen|monate|jahre)\b|\bcu[aá]nt[oa]s (?:d[ií]as"
    r"|semanas|meses|años)\b|\bcombien de (?:jours|semaines|mois|temps)\b|几[天周年]|多少[天周年]",
    re.IGNORECASE,
)
# Asked politely, "can you tell me" is about the asker; so is what he told the assistant.
POLITE = re.compile(
    r"\b(?:can|could|would|will|might) you (?:\w+ ){0,2}?(?:tell|remind|say|show|give|help|find|list|check|remember"
    r"|recall|know|look|let|summari[sz]e|recap|sum|explain|name)\b"
    r"|\b(?:do|did|don't) you (?:\w+ )?(?:remember|know|recall|have)\b|\b(?:thank|if|as) you\b"
    r"|\byou (?:know|remember)\b"
    r"|\bi\b[^.?!\n]{0,40}\b(?:tell|told|ask|asked|show|showed|shown|sen[dt]|g[ai]ve|given|mention|mentioned|said|wrote)"
    r"\b[^.?!\n]{0,15}\byou\b"
    r"|\b(?:kannst|könntest|würdest|magst) du (?:\w+ ){0,3}?(?:sagen|erinnern|helfen|zeigen|nennen|erzählen)\b"
    r"|\b(?:weißt|erinnerst|kennst) du\b|\bkönn(?:en|ten) sie mir\b"
    r"|\b(?:puedes|podrías|puede|podría) (?:\w+ ){0,2}?(?:decir|recordar|mostrar|contar)\w*|\b(?:sabes|recuerdas)\b"
    r"|\bte acuerdas\b|\b(?:peux|pourrais|sais)-tu\b|\btu (?:peux|pourrais|sais|te souviens)\b|\bte souviens-tu\b"
    r"|\b(?:pouvez|pourriez|savez)-vous\b|\bvous souvenez-vous\b"
    "|[你您](?:能不能|可不可以|能|可以|会)(?:再|帮我|请)?(?:告诉|提醒|说|讲|列|帮)|[你您](?:还)?(?:知道|记得)"
    "|我[^。？！]{0,8}(?:告诉|跟|和|对|给|问)(?:过)?[你您](?:说|讲|提)?",
    re.IGNORECASE,
)
_SAID = (
    r"(?:recommend|suggest|advis|propos|said|say|tell|told|wr[io]t|mention|explain|list|g[ai]ve|provid|describ|creat"
    r"|generat|draft|ma[dk]e|show|compos|answer|repl|point|warn|offer|c[ao]me up|sen[dt]|help|shar|quot|outlin|summari"
    r"|plan|calculat|translat|call)"
)
OF_ASSISTANT = re.compile(
    rf"\byou(?:'ve|’ve|'d|’d)? (?:\w+ ){{0,2}}?{_SAID}\w*|\byours?\b|\bthe assistant\b|\b(?:chatgpt|the ai)\b"
    r"|\bour (?:previous|last|earlier|prior|past) (?:conversation|chat|discussion|session)"
    r"|\bdu\b[^.?!\n]{0,60}\b(?:geraten|empfohlen|gesagt|vorgeschlagen|geschrieben|genannt|erklärt|erzählt|gegeben"
    r"|gezeigt|erwähnt|aufgelistet|gemacht|erstellt)\b|\bsie mir\b[^.?!\n]{0,60}\b(?:geraten|empfohlen|gesagt"
    r"|vorgeschlagen|geschrieben|genannt|erklärt|gegeben)\b"
    r"|\bdu (?:mir )?(?:rätst|empfiehlst|sagtest|schriebst|vorschlugst|meintest)\b|\bdein(?:e|en|em|er|es)?\b"
    r"|\b(?:recomendaste|sugeriste|aconsejaste|dijiste|propusiste|escribiste|explicaste|mencionaste|diste|contaste"
    r"|hiciste|preparaste|enumeraste|respondiste)\b|\b(?:has|habías) (?:recomendado|sugerido|aconsejado|dicho|propuesto"
    r"|escrito|explicado|mencionado|dado)\b"
    r"|\b(?:tus?|sus?) (?:consejos?|recomendaci[oó]n(?:es)?|sugerencias?|respuestas?|listas?|propuestas?)\b"
    r"|\b(?:tu|vous)\b[^.?!\n]{0,12}\b(?:as|avais|avez|aviez)\b[^.?!\n]{0,20}\b(?:recommandé|conseillé|suggéré|dit"
    r"|proposé|écrit|expliqué|mentionné|donné|cité|fait|préparé)|\b(?:as-tu|avez-vous)\b[^.?!\n]{0,20}\b(?:recommandé"
    r"|conseillé|suggéré|dit|proposé|écrit|expliqué|mentionné|donné|cité|préparé)"
    r"|\b(?:ton|ta|tes|votre|vos) (?:conseils?|recommandations?|suggestions?|réponses?|listes?|propositions?|avis)\b"
    "|(?<![跟和对向给])[你您](?!的)[^。？！]{0,6}(?:推荐|建议|说|写|提到|告诉|给|列|解释|回答|提议)"
    "|[你您]的(?:建议|推荐|回答|意见|方案|清单|列表|答案)",
    re.IGNORECASE,
)
ORDER = re.compile(
    r"\b(?:what|which|the|chronological|correct|right) (?:\w+ )?order\b(?! (?:number|form|status|id)\b)"
    r"|\border (?:of (?:the )?events|in which|they|we|i)\b|\bchronolog|\btime ?line\b|\bsequence of\b"
    r"|\b(?:happen(?:ed)?|came|come|did|was|were|start(?:ed)?|began|visit(?:ed)?|go|went|buy|bought|get|got|do|join(?:ed)?)"
    r" (?:\w+ ){0,3}first\b(?=\W*$|\s*[,:?]|\s+(?:or|of|between|the|my)\b)|\bwhich\b[^.?!\n]{0,80}\bfirst\?"
    r"|\b(?:first|earliest)(?: to)? (?:and )?(?:to )?(?:last|latest)\b"
    r"|\breihenfolge\b|\bzuerst\b|\bzeitstrahl\b"
    r"|\ben qu[eé] orden\b|\bqu[eé]\b[^.?!\n]{0,60}\bprimero\b|\bcronol|\bl[ií]nea de tiempo\b"
    r"|\b(?:dans )?quel ordre\b|\ben premier\b"
    "|顺序|先后|时间线|按时间|哪[个件次]更?(?:先|早)|先发生",
    re.IGNORECASE,
)
OVERVIEW = re.compile(
    r"\bsummari[sz]e\b|\b(?:summary|overview|recap|rundown) (?:of|on|about)\b|\brecap\b|\bsum up\b|\bwhat all\b"
    r"|\beverything\b[^.?!\n]{0,40}\b(?:about|know|told|said|discussed|mentioned|talked)\b"
    r"|\ball\b[^.?!\n]{0,40}\b(?:i|we)(?:'ve| have|’ve)? (?:ever )?(?:told|said|mentioned|discussed|talked)\b"
    r"|\bwhat have (?:we|i)\b[^.?!\n]{0,30}\b(?:so far|over time)\b"
    r"|\b(?:fass\w*|zusammenfass\w*)\b[^.?!\n]{0,80}\bzusammen\b|\bzusammenfassung\b|\büberblick\b"
    r"|\b(?:alles,? was|was alles|was habe? ich (?:dir )?alles)\b"
    r"|\bresum(?:e|en|ir|as|ime|eme)\b|\btodo lo que\b|\brésum|\brécapitul|\btout ce que\b|\bvue d['’]ensemble\b"
    "|总结|概括|概述|回顾一下|所有[^。？！]{0,12}(?:说|提|讲|聊)|都(?:说|聊|提|讲)过?(?:了)?什么|都有哪些",
    re.IGNORECASE,
)
DREAMS = re.compile(
    r"\b(?:dream(?:s|t|ed|ing)?|nightmares?|(?:al[bp])?tr(?:aum(?:e?s)?|äum(?:e|en|st|te?|ten)?)|geträumt"
    r"|sueños?|soñ(?:ar|é|aste|ó|aba|abas|ado)|pesadillas?|rêv(?:es?|ais|ait|er|ée?s?)|cauchemars?)\b|梦|夢",
    re.IGNORECASE,
)

NO_SUBJECT = frozenset(
    "do doing done go going went gone happen happened happens happening say saying said tell told talk talked talking"
    " speak spoke discuss discussed mention mentioned chat chatted remember know make made plan planned planning"
    " anything something everything thing things events event let we i"
    " machen gemacht mache machte machten tun getan passiert passierte geschehen los gesagt gesprochen geredet erzählt"
    " besprochen haben habe hast hatten hatte gab ging etwas alles wir ich"
    " hice hiciste hicimos hacer hecho pasó paso ocurrió sucedió dije dijimos hablamos hablé conté contamos fui fuimos"
    " fait faire faisais passé arrivé dit parlé discuté raconté avons ai as quoi quelque chose allé".split()
)
"""Words of a question that asks for a time and nothing else: "what did we do yesterday?"."""
NO_SUBJECT_CHINESE = re.compile("[我们你您咱都在的了什么干吗呢吧啊做说聊谈讲发生过哪里儿去事情有啥些是和跟]+")

FRAME = re.compile(
    r"\b(?:can|could|would) you (?:please )?(?:list|give|tell|show|remind|summari[sz]e|recap|sum up|walk)\b(?: me| us)?"
    r"|\b(?:please )?(?:summari[sz]e|recap|sum up|list|give me|tell me|show me|walk me through)\b"
    r"|\b(?:a |an |the )?(?:\w+ )?(?:summary|overview|recap|rundown|time ?line|chronology)(?: of| on| about)?\b"
    r"|\b(?:in )?(?:what|which|chronological|the|correct|right) (?:\w+ )?order(?: in which| of(?: the)? events)?\b"
    r"|\bin order\b|\b(?:which|what)(?: \w+)? (?:happened|came) first\b|\bfirst\b(?=\W*$|\s*[,:?])"
    r"|\b(?:everything|all|what all|what)(?: that)?(?: did| have| do)? (?:i|we|you)(?:['’]ve| have)? (?:ever )?"
    r"(?:said|say|told|tell|talked|talk|discussed|discuss|mentioned|mention|brought up|know)(?: to)?(?: you| me)?"
    r"(?: about| of| on)?\b"
    r"|\b(?:throughout|across|over|during|in) (?:all )?(?:of )?(?:our|the)"
    r" (?:conversation|chat|talk|discussion|session)s?\b"
    r"|\b(?:so far|over time)\b"
    r"|\bfass(?:e|t)?\b(?: bitte)?|\bzusammen\b|\b(?:eine |die )?zusammenfassung\b"
    r"|\b(?:einen |den )?überblick(?: über)?\b"
    r"|\b(?:in )?welcher reihenfolge\b|\bzuerst\b|\b(?:alles, )?was (?:wir|ich)(?: dir)?(?: alles)?\b"
    r"|\b(?:gesagt|besprochen|erzählt) (?:habe|haben)\b"
    r"|\b(?:haz|hazme|dame) un resumen(?: de)?\b|\bresume(?:n|me)?(?: de)?\b|\ben qu[eé] orden\b|\bprimero\b"
    r"|\b(?:todo )?lo que (?:te )?(?:hemos |he )?(?:dicho|hablado|hablamos|dijimos|dije|conté|contado)(?: sobre| de)?\b"
    r"|\brésume(?:[rz]|-moi)?\b|\b(?:fais|donne)-moi un résumé(?: de)?\b|\b(?:dans )?quel ordre\b|\ben premier\b"
    r"|\b(?:tout )?ce qu(?:e |['’])(?:j['’]ai|on a|nous avons|on s['’]est)(?: t['’])? ?"
    r"(?:dit|raconté|discuté)(?: sur| de)?\b"
    "|(?:请|帮我)?(?:总结|概括|概述|回顾)(?:一下)?|我们?(?:都)?(?:说|聊|提|讲)过?(?:的)?(?:所有)?|关于|按(?:什么|时间)?顺序|的内容",
    re.IGNORECASE,
)
"""How a wide question is framed; its subject is what remains."""

# How things are, not how they were: what was said last about it holds.
OF_NOW = re.compile(
    r"\b(?:do|don't|does|am|is|isn't|are|have|has|can|'s|what's|who's|where's|when's|how's)\b[^.?!\n]{0,60}\b(?:i|i'm|me|my|we|our|us|mine)\b"
    r"|\b(?:my|our)\b[^.?!\n]{0,60}\b(?:is|are|does|do|has|have|costs?|runs?|lives?|works?)\b|^\W{0,3}(?:my|our)\b[^.?!\n]{0,40}\?"
    r"|\b(?:which|what|who|where)\b[^.?!\n]{0,40}\b(?:is|are|runs?|uses?|leads?|owns?)\b"
    r"|\b(?:now|currently|these days|at the moment|at present|nowadays|still|any ?more|any longer|current|latest|up to date)\b"
    r"|\b(?:bin|habe|wohne|arbeite|fahre|zahle|esse|trinke|nutze|mache|spiele|lerne|soll|muss|darf) ich\b|\b(?:sind|haben|wohnen|nutzen|zahlen) wir\b"
    r"|\b(?:ist|sind|heißt|heißen|kostet|läuft|wohnt|arbeitet|leitet)\b|\b(?:jetzt|aktuell|derzeit|momentan|zurzeit|noch|inzwischen|mittlerweile)\b"
    r"|\b(?:vivo|trabajo|tengo|soy|estoy|uso|pago|como|bebo|juego|hago|llevo|conduzco|sigo)\b|\b(?:es|son|está|están|se llama|cuesta|corre|vive|trabaja|usa(?:mos)?)\b"
    r"|\b(?:ahora|actualmente|todavía|aún|hoy en día|últimamente)\b"
    r"|\bj(?:e |')(?:habite|travaille|ai|suis|paie|mange|bois|utilise|fais|joue|conduis|vis)\b|\b(?:est|sont|s'appelle(?:nt)?|coûte|tourne|habite|travaille|dirige|utilise)\b"
    r"|\b(?:maintenant|actuellement|encore|toujours|en ce moment|aujourd'hui)\b"
    "|我(?:们|家)?(?:的|现在|目前|还|在|住|用|养|吃|喝|开|骑)|现在|目前|如今|还(?:在|是|有)|是(?:谁|什么|哪|多少)|叫什么|多少钱",
    re.IGNORECASE,
)
OF_THE_PAST = re.compile(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had|used to|ago|before|previous(?:ly)?|former(?:ly)?|first|originally|back (?:then|in)|at the time|last|once|earlier|history|ever|when i was)\b"
    r"|\b(?:war|waren|hatte|hatten|wurde|wurden|gewesen|früher|damals|vorher|zuerst|zuletzt|letzt\w+|vorige\w?|ehemalig\w+|jemals|ge\w{3,}(?:t|en)\s*\?)"
    r"|\b(?:fue|fui|era|eran|estaba|estuve|tenía|tuve|vivía|trabajaba|había|hice|hizo|antes|anterior(?:es)?|primero|última vez|pasad[oa]|alguna vez)\b"
    r"|\b(?:était|étais|étaient|avais|avait|avant|auparavant|autrefois|premier|dernière? fois|passée?|jadis|ancien(?:ne)?)\b|\bai-je \w+é\b|\bj'ai \w+é\b"
    "|以前|之前|曾经|当时|上次|昨天|去年|最早|原来|过(?:吗|没有|什么|哪)",
    re.IGNORECASE,
)

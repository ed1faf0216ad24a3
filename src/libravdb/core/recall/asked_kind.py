"""Which kind of attribute a question asks for: "where do I live" wants a home, whatever words the answer has.

A memory that states an attribute of that kind is marked with it when it is kept; here the question is read for the same
kinds. Only forms that ask for such a thing count: the words of a kind alone ("the rent is too high, what now?") do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from libravdb.model import AttributeKind

_FORMS: Mapping[AttributeKind, tuple[str, ...]] = {
    AttributeKind.HOME: (
        r"where (?:do|did|am|are|does|is) (?:i|we|\w+) (?:currently |now )?(?:live|living|based|staying|reside)|(?:my|our) (?:\w+ )?(?:address|home town|city|street|flat|apartment)\b"
        r"|which (?:city|town|street|country|floor|district)\b.{0,30}\b(?:i|we|my|our)\b|where's home",
        r"wo (?:wohne|lebe|wohnen|leben|wohnt|lebt)|(?:meine|unsere) (?:\w+ )?(?:adresse|anschrift|wohnung|stadt|straße)\b|in welcher (?:stadt|straße)",
        r"dónde (?:vivo|vivimos|vive|resido)|(?:mi|nuestra) (?:dirección|ciudad|casa|calle)\b|en qué (?:ciudad|calle)",
        r"où (?:est-ce que )?(?:j'habite|je vis|habit\w+|vi[st]|vivons)|(?:mon|notre) (?:adresse|appartement|quartier)|dans quelle (?:ville|rue)",
        "住在?哪|住哪|哪个城市|(?:我的|我家)(?:地址|住址)|我的住址|地址是",
    ),
    AttributeKind.WORK: (
        r"where (?:do|does|am|is) (?:i|\w+) (?:work|working|employed)|what (?:do|does) (?:i|\w+) do for (?:a living|work)|(?:my|our|\w+'s) (?:\w+ )?(?:job|employer|company|profession|occupation|workplace|position|job title)\b"
        r"|who (?:do|does) (?:i|\w+) work for|which (?:company|firm|school|hospital)\b.{0,30}\b(?:i|my)\b",
        r"wo arbeite|bei wem arbeite|was (?:mache|arbeite) ich beruflich|(?:mein|meine) (?:\w+ )?(?:job|arbeit|arbeitgeber|firma|beruf|stelle)\b|als was arbeite",
        r"dónde trabajo|en qué (?:trabajo|empresa)|para quién trabajo|a qué me dedico|(?:mi) (?:trabajo|empleo|empresa|puesto|profesión)\b",
        r"où (?:est-ce que )?je (?:travaille|bosse)|pour qui je travaille|(?:mon|ma) (?:travail|boulot|métier|entreprise|employeur|poste|profession)\b",
        "在哪(?:里|儿|家)?.{0,4}(?:工作|上班)|做什么工作|我的(?:工作|职业|公司|单位|老板是)",
    ),
    AttributeKind.CONTACT: (
        r"(?:my|our|\w+'s) (?:new |current |mobile |cell |home |work )?(?:phone|mobile|cell|number|phone number|e-?mail|mail address|handle)\b|how can (?:i|you|they) (?:reach|call)",
        r"(?:mein|meine|unsere) (?:neue |aktuelle )?(?:telefonnummer|handynummer|nummer|mailadresse|e-?mail\w*)\b",
        r"(?:mi|nuestro) (?:nuevo )?(?:teléfono|móvil|número|correo|celular|email)\b",
        r"(?:mon|notre) (?:nouveau )?(?:numéro|téléphone|portable|mail|adresse mail|e-?mail)\b",
        "(?:电话|手机|邮箱|联系方式|号码)",
    ),
    AttributeKind.HEALTH: (
        r"(?:am|are) (?:i|we) (?:\w+ ){0,2}allergic|allerg(?:y|ies|ic)|(?:my|our) (?:\w+ )?(?:health|condition|diagnosis|medication|meds|tablets|illness|disease|injury|blood type)\b|what (?:can't|cannot|mustn't|shouldn't) (?:i|we) (?:eat|have|take|drink)|which (?:medicine|medication|pills)",
        r"allergi\w*|wogegen bin ich|(?:meine|mein) (?:krankheit|diagnose|medikamente?|gesundheit|blutgruppe|verletzung)\b|was (?:darf|vertrage) ich nicht",
        r"alerg\w+|(?:mi|mis) (?:enfermedad|diagnóstico|medicamentos?|salud|lesión)\b|qué no puedo (?:comer|tomar)",
        r"allergi\w+|(?:ma|mes|mon) (?:maladie|diagnostic|médicaments?|santé|blessure|traitement)\b|qu'est-ce que je ne peux pas (?:manger|prendre)",
        "过敏|忌口|(?:什么)?病|吃什么药|不能吃",
    ),
    AttributeKind.DIET: (
        r"what (?:do|don't|can|can't) (?:i|we) (?:not )?eat|(?:my|our) diet\b|(?:am|are) (?:i|we) (?:a )?(?:vegan|vegetarian)|do (?:i|we) eat|what (?:should|shall|could) (?:i|we) (?:cook|eat|make for dinner)|recipe for (?:us|me)|cook for",
        r"was esse ich|esse ich|(?:meine) ernährung|bin ich (?:vegan|vegetari\w+)|was (?:soll|sollen|kann|können) (?:ich|wir) (?:\w+ ){0,3}(?:kochen|essen)",
        r"qué como|(?:mi) dieta|soy (?:vegan\w|vegetarian\w)|qué (?:cocino|cocinamos|comemos|puedo cocinar)",
        r"qu'est-ce que je mange|(?:mon) régime|suis-je (?:vegan|végétari\w+)|qu'est-ce qu(?:'on|e je) (?:cuisine|mange|prépare)",
        "吃素|饮食|(?:晚饭|午饭|晚餐)?(?:吃|做)什么(?:菜|饭)?",
    ),
    AttributeKind.PET: (
        r"(?:my|our|\w+'s) (?:\w+ )?(?:pet|pets|dog|cat|cats|dogs|rabbit|hamster|parrot|horse)\b|what pets?|(?:name|breed) of (?:my|our) (?:dog|cat|pet)",
        r"(?:mein\w*|unser\w*) (?:hund|katze|kater|haustiere?|kaninchen|pferd|vogel)\b|wie heißt (?:mein|meine|unser|unsere) (?:hund|katze|kater)",
        r"(?:mi|nuestr[oa]) (?:perr[oa]|gat[oa]|mascota)\b", r"(?:mon|ma|notre) (?:chien\w*|chat\w*|animal|lapin)\b",
        "(?:我|我家|我们)(?:的)?(?:狗|猫|宠物)|养了?什么",
    ),
    AttributeKind.PERSON: (
        r"(?:my|our|\w+'s) (?:\w+ )?(?:mother|mum|mom|father|dad|sister|brother|wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|children|parents|niece|nephew|aunt|uncle|grand\w+|boss|manager|landlord|landlady|neighbou?r|flatmate|roommate|colleague|friend|doctor|gp|dentist|therapist|teacher|tutor|coach|accountant|lawyer|mechanic)\b.{0,20}(?:name|called)|(?:name of|who is|who's|who was) (?:my|our)\b"
        r"|am i (?:seeing|dating|married|single)|who do i (?:live|work|train|play|climb) with|who (?:does|is doing) my",
        r"wie heißt (?:mein|meine|unser|unsere)\b|(?:name|namen) (?:meiner|meines|unserer|unseres)\b|wer ist (?:mein|meine|unser|unsere)\b",
        r"cómo se llaman? (?:mi|mis|nuestr\w+)\b|quién es (?:mi|nuestr\w+)\b|nombre de (?:mi|mis)\b",
        r"comment s'appelle(?:nt)? (?:mon|ma|mes|notre|nos)\b|(?:le )?(?:nom|prénom) de (?:mon|ma|mes)\b|qui est (?:mon|ma|notre)\b",
        "我(?:的)?(?:妈妈?|爸爸?|妹妹|姐姐|哥哥|弟弟|老婆|老公|女朋友|男朋友|儿子|女儿|老板|房东|同事|医生|老师)(?:叫|是谁|的名字)",
    ),
    AttributeKind.NAME: (
        r"what(?:'s| is) my (?:full |first |last |sur|nick)?name\b|what (?:am i called|should you call me|do (?:people|they|you) call me)|who am i\b",
        r"wie heiße ich|mein(?:en)? (?:name|spitzname|vorname|nachname)n?\b", r"cómo me llamo|mi (?:nombre|apodo|apellido)\b",
        r"comment (?:je m'appelle|m'appelles?-tu)|mon (?:nom|prénom|surnom)\b", "我叫什么|我的名字",
    ),
    AttributeKind.BIRTHDAY: (
        r"(?:my|our|\w+'s) birthday|how old (?:am i|is my|are my|are our|is our)|when (?:was|were) (?:i|my \w+) born|my age\b",
        r"(?:mein\w*|unser\w*) geburtstag|wie alt (?:bin|ist|sind)|wann (?:bin ich|wurde ich) geboren", r"(?:mi|su) cumpleaños|cuántos años tengo|mi edad",
        r"(?:mon|son) anniversaire|quel âge", "生日|几岁|多大",
    ),
    AttributeKind.PRICE: (
        r"how much (?:is|was|are|do|does|did|am|were)\b|what (?:do|did|does) (?:i|we|it|\w+) (?:pay|cost|earn|charge)|(?:my|our) (?:\w+ )?(?:rent|salary|fee|fees|rate|day rate|price|budget|mortgage|income|wage|subscription)\b",
        r"wie ?viel (?:kostet|zahle|verdiene|bezahle|zahlen|ist)|was kostet|(?:mein\w*|unser\w*) (?:\w+ )?(?:miete|gehalt|budget|lohn|honorar|beitrag)\b",
        r"cuánto (?:pago|cuesta|gano|cobro|pagamos|es)|(?:mi|nuestro) (?:alquiler|sueldo|salario|presupuesto|tarifa)\b",
        r"combien (?:je paie|coûte|je gagne|est-ce|on paie|ça)|(?:mon|notre) (?:loyer|salaire|budget|tarif)\b", "多少钱|房租|工资|月薪|租金",
    ),
    AttributeKind.FAVOURITE: (
        r"favou?rite|what .{1,30} do i (?:like|love|enjoy|prefer) (?:most|best)|best liked", r"lieblings\w*|am liebsten", r"favorit[oa]s?|preferid[oa]s?|qué .{1,30} me gusta más",
        r"préférée?s?|favorie?s?", "最(?:喜欢|爱)",
    ),
    AttributeKind.VEHICLE: (
        r"(?:what|which|my|our) (?:\w+ )?(?:car|bike|bicycle|van|motorbike|scooter|truck|boat|vehicle)\b|what do i drive|number ?plate", r"(?:mein\w*|unser\w*|welches) (?:\w+ )?(?:auto|fahrrad|rad|wagen|motorrad|roller|boot)\b|was fahre ich",
        r"(?:mi|nuestr[oa]|qué) (?:\w+ )?(?:coche|carro|moto|bici\w*|furgoneta)\b", r"(?:ma|mon|notre|quelle?) (?:\w+ )?(?:voiture|vélo|moto|scooter|camionnette)\b", "(?:我的?|什么)(?:车|自行车|摩托)",
    ),
    AttributeKind.LANGUAGE: (
        r"(?:what|which|how many) languages?|languages do i|do i speak|mother tongue", r"welche sprachen?|sprache(?:n)? spreche|spreche ich|muttersprache", r"qué idiomas?|lengua materna|hablo", r"quelles? langues?|langue maternelle|je parle", "什么语言|会说|母语",
    ),
    AttributeKind.PLAN: (
        r"when (?:is|are|do|does|am|will|'s)\b.{0,50}\b(?:my|our|i|we)\b|(?:my|our) (?:\w+ ){0,2}(?:appointment|trip|flight|holiday|vacation|exam|deadline|meeting|interview|surgery|operation|wedding|party|visit)\b|what (?:am i|are we) (?:doing|planning)|(?:my|our) plans?\b",
        r"wann (?:ist|sind|habe|fahre|fliege|fahren|fliegen|muss|gehe)\b|(?:mein\w*|unser\w*) (?:\w+ )?(?:termin|reise|flug|urlaub|prüfung|besprechung|op|hochzeit|feier|besuch|plan|pläne)\b",
        r"cuándo (?:es|son|tengo|voy|vamos|viajo|salgo)\b|(?:mi|nuestr[oa]) (?:\w+ )?(?:cita|viaje|vuelo|examen|reunión|boda|operación|plan)\b",
        r"quand (?:est|est-ce|sont|ai-je|pars|partons)\b|(?:mon|ma|notre) (?:\w+ )?(?:rendez-vous|voyage|vol|examen|réunion|mariage|opération|vacances)\b", "什么时候|几点|哪天|(?:我的|我们的)(?:计划|预约|航班|考试|会议|婚礼)",
    ),
    AttributeKind.ROLE: (
        r"who (?:is|'s|was|runs|leads|heads|manages|owns)\b|who(?:'s| is) (?:the|our|my)\b", r"wer (?:ist|leitet|führt|macht|verantwortet)\b", r"quién (?:es|dirige|lleva|manda)\b", r"qui (?:est|dirige|gère|s'occupe)\b", "谁(?:是|负责|管)|(?:是|由)谁",
    ),
    AttributeKind.VERSION: (
        r"(?:which|what) (?:\w+ )?version|version of|running (?:at the moment|now)", r"welche version|version von", r"qué versión|versión de", r"quelle version|version de", "什么版本|哪个版本|版本",
    ),
    AttributeKind.PORT: (r"\bports?\b", r"\bports?\b", r"\bpuertos?\b", r"\bports?\b", "端口"),
    AttributeKind.HOST: (
        r"\bhosts?(?:name|ed)?\b|(?:which|what|where).{0,30}\b(?:server|machine|box|data ?cent(?:er|re)|region)\b", r"auf welchem (?:server|rechner)|wo (?:läuft|liegt|wird)", r"en qué (?:servidor|máquina)|dónde (?:corre|está alojad\w)", r"sur quel(?:le)? (?:serveur|machine)|où (?:tourne|est hébergée?)", "哪台(?:服务器|机器)|主机|部署在哪",
    ),
    AttributeKind.TOOL: (
        r"(?:which|what) (?:\w+ ){0,2}(?:database|db|editor|framework|language|tool|library|linter|app|software|program|browser|os|operating system|bank|provider|queue|cache|orm|shell)\b|what (?:do|are) (?:i|we) us(?:e|ing)", r"welche[ns]? (?:\w+ )?(?:datenbank|editor|framework|werkzeug|programm|bibliothek|browser|betriebssystem|anbieter)\b|was (?:nutze|benutze|verwende)\w* (?:ich|wir)",
        r"qué (?:base de datos|editor|herramienta|programa|framework|navegador)|qué us(?:o|amos)", r"quel(?:le)? (?:base de données|éditeur|outil|logiciel|framework|navigateur)|qu'(?:est-ce qu'on|utilis\w+)", "用(?:的)?(?:是)?(?:什么|哪个)(?:数据库|编辑器|工具|框架|软件)?",
    ),
}  # fmt: skip
_KINDS: Mapping[AttributeKind, re.Pattern[str]] = {
    kind: re.compile("|".join(rf"(?<!\w)(?:{form})" if form.isascii() or form[0].isascii() else form for form in forms), re.IGNORECASE)
    for kind, forms in _FORMS.items()
}  # fmt: skip


def asked_kinds(text: str) -> frozenset[AttributeKind]:
    """The kinds of attributes that a question asks for; mostly none or one."""
    head = text[:400].replace("’", "'")
    return frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(head))

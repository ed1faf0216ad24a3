"""How people are described in casual English: with a name beside a relation, and with what they eat, take and suffer."""

from libravdb.core.gate.languages.forms.form import PIECE, PROPER, Form, Single, form
from libravdb.core.gate.languages.forms.naming import NAME as _NAME
from libravdb.model import AttributeKind as Kind

_FIRST_NAME = r"(?-i:[A-ZÀ-ÞŁŚŻŠŽČ][\w-]+)"
_FOOD = (
    r"(?:lactose|gluten|dairy|milk|cheese|cream|nuts?|peanuts?|hazelnuts?|walnuts?|almonds?|cashews?|pistachios?|shellfish|seafood|prawns?"
    r"|shrimps?|fish|eggs?|wheat|soya?|sesame|tahini|celery|mushrooms?|pork|beef|meat|red meat|lamb|chicken|alcohol|caffeine|coffee|sugar"
    r"|onions?|garlic|fructose|histamine|strawberries|tomatoes|coriander|cilantro|marzipan|olives|aubergines?|kiwi|mustard|liver|tofu|spicy food|bananas?|chillies|chilli)"
)
_DRUG = (
    r"(?:[a-z]{2,12}(?:formin|pril|sartan|statin|olol|prazole|oxetine|traline|gliptin|gliflozin|xaban|farin|cillin|profen|thyroxine|semide|dipine|zepam"
    r"|codone|triptan|lukast|terol|solone|asone|pidogrel|glutide|zosin|gabalin|pentin|citalopram)|insulin|iron|ferrous \w+|aspirin|lithium|codeine|morphine"
    r"|antidepressants|antihistamines|(?:a )?blood thinners?|(?:an? |the )?(?:\w+ )?inhaler|beta[- ]blockers?|(?:a )?thyroid (?:pills?|tablets?)|vitamin [a-k]\d*|statins|hrt|ritalin|citalopram)"
)
_SUBSTANCE = rf"(?:{_FOOD}|{_DRUG}|latex|pollen|mould|mold|dust|wasp stings|bee stings|cats|cat hair|dogs|dog hair|perfume|sulfa)"
_PART = r"(?:knees?|back|shoulders?|hips?|ankles?|wrists?|neck|elbows?|heart|lungs?|kidneys?|thyroid)"
_ANIMAL = (
    r"(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|budgie|guinea pig|horse|pony|tortoise|turtle|snake|lizard|gecko|ferret|canary|whippet"
    r"|dachshund|labrador|poodle|terrier|spaniel|beagle|collie|sheepdog|retriever|greyhound|tabby|tomcat|mutt|mare|gelding)"
)
_ANIMAL_CUES = (
    "dog|cat|pup|kitten|hamster|rabbit|bunny|parrot|budgie|guinea|horse|pony|tort|turtle|snake|liz|gecko|ferret|canary"
    "|whippet|dachs|labra|poodle|terrier|spaniel|beagle|collie|retriev|greyh|tabby|tomcat|mutt|mare|gelding"
)
_PLACE = rf"(?:the )?{PROPER}"
_STREET = rf"(?:\d+[a-z]? {PROPER}(?:,? in {PROPER})?|(?:{PROPER}, )?{PROPER} \d+[a-z]?)"
_BUSINESS = (
    r"(?:bakery|shop|café|cafe|restaurant|bar|pub|hotel|farm|company|business|studio|salon|agency|practice|clinic|workshop|bookshop|garage|firm|startup"
    r"|start-up|nursery|gallery|school|guesthouse|b&b|brewery|winery|vineyard|stall|bookstore|florist's|charity)"
)
_TRADES = (
    r"(?:dispatcher|midwife|nurse|teacher|engineer|developer|programmer|designer|doctor|lawyer|solicitor|accountant|barista|baker|chef|cook|waiter|waitress|student"
    r"|analyst|consultant|architect|electrician|plumber|carpenter|joiner|mechanic|driver|pilot|writer|editor|journalist|photographer|scientist|researcher|professor|lecturer"
    r"|librarian|paramedic|firefighter|farmer|gardener|translator|interpreter|therapist|psychologist|dentist|pharmacist|vet|physicist|chemist|biologist|economist|artist"
    r"|musician|actor|actress|clerk|cashier|apprentice|technician|surgeon|physio|physiotherapist|optician|hairdresser|policeman|policewoman|soldier|builder|tailor|florist"
    r"|social worker|carer|civil servant|postman|radiographer|welder|bus driver|potter|roofer|painter|decorator|beekeeper)"
)
_OFFICE = r"(?:form (?:teacher|tutor)|treasurer|(?:vice[- ])?chair(?:man|woman|person)?|secretary of [\w ]{2,20}|club secretary|captain of [\w ]{2,20}|head of (?:department|year|[A-Z]\w+)|school governor|trustee)"
_NO_NOUN = (
    r"(?!it\b|that\b|this\b|which\b|he\b|she\b|they\b|what\b|who\b|and\b|but\b|so\b|there\b|everything\b|you\b|one\b)"
)


def forms_of_people(relation: str, when: str) -> tuple[Form, ...]:
    """The forms, given what relations are called and how dates are said."""
    who = (
        rf"(?:(?P<first>i|we)|(?:my|our) (?P<whose>{relation})(?:,? \(?(?P<called>{_FIRST_NAME})\)?)?"
        rf"|(?P<whom>{_FIRST_NAME})(?:,? \(?(?:my|our) (?P<whose2>{relation})\)?,?)?)"
    )
    return (*_health(who), *_diet(who), *_homes(), *_work(who), *_persons(relation, when), *_pets(who, relation))


def _health(who: str) -> tuple[Form, ...]:
    never = Single.NEVER
    return (
        form(
            Kind.HEALTH,
            "allergic",
            rf"(?:no|nothing with|without|not|avoid) (?P<value>(?!to\b){PIECE}(?: {PIECE})?)(?: [^.;!?,]{{1,50}})?[,;:] (?:because |as |since |cause )?{who} (?:is|am|are) (?:\w+ )?allergic",
            single=never,
        ),
        form(
            Kind.HEALTH,
            "can't|cannot|can not|mustn't|must not",
            rf"{who} (?:can't|cannot|can not|mustn't|must not|am not allowed to|is not allowed to) (?:do|have|eat|drink|tolerate|digest|take)(?: any| much)? (?P<value>{_SUBSTANCE})",
            name="avoids",
            single=never,
        ),
        form(
            Kind.HEALTH,
            " me ",
            rf"(?P<value>{_NO_NOUN}{_SUBSTANCE}|{_NO_NOUN}[\w-]+) (?:always |once |nearly )?(?:puts? me in (?:the )?hospital|sets? me off|gives? me (?:hives|a rash|migraines?|heartburn)|brings? me out in \w+|triggers? my (?:asthma|migraines?|eczema))",
            name="avoids",
            single=never,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "hives|rash|swell|throat",
            rf"(?P<value>{_SUBSTANCE})(?: for me)?,? (?:because |as |since )?i (?:come|came|break|broke|got|get|get a|got a)(?: out)?(?: in)?(?: an?)? (?:\w+ )?(?:hives|rash|swelling)",
            name="avoids",
            single=never,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "hives|rash|swell",
            rf"{who} (?:gets?|got|comes? out in|breaks? out in|swells?)(?: (?:up|an?|in|the|whole|all|over|hives|rash|mouth|face|body|throat))* (?:from|of|with) (?P<value>{_SUBSTANCE})",
            name="avoids",
            single=never,
        ),
        form(
            Kind.HEALTH,
            "it's |it is ",
            r"(?:it's|it is) (?P<value>penicillin|latex|peanuts?|nuts|ibuprofen|aspirin|shellfish|amoxicillin) (?:for|with) me",
            name="avoids",
            single=never,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "asthmatic|diabetic|epileptic|celiac|coeliac|dyslexic|blind|deaf|anaemic|anemic",
            r"(?:is|am|are|he's|she's|i'm)(?: also| a| an| slightly| partly| red-green)* (?P<value>asthmatic|type [12] diabetic|diabetic(?:,? type [12])?|epileptic|coeliac|celiac|dyslexic|colou?r[- ]?blind|deaf|an?aemic|blind)",
            single=never,
        ),
        form(
            Kind.HEALTH,
            "type 1|type 2|type one|type two",
            r"(?:have|has|am|is|he's|she's)(?: got)?(?: \w+)? (?P<value>type (?:[12]|one|two))(?! (?:error|font))",
            single=never,
        ),
        form(
            Kind.HEALTH,
            "knee|back|shoulder|hip|ankle|wrist|neck|elbow|heart|lung|kidney|thyroid",
            rf"{who} (?:has|have|had|got|have got)(?: an?)? (?P<value>(?:bad|weak|dodgy|torn|broken|artificial|replaced) (?:\w+ )?{_PART})",
            single=never,
        ),
        form(
            Kind.HEALTH,
            "playing up|acting up|is bad|is torn",
            rf"my (?P<value>(?:left |right |lower |bad )?{_PART}) (?:is|are|has been|keeps)(?: \w+)? (?:playing up|acting up|bad|torn|dodgy)",
            single=never,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "migraine|headache|panic",
            r"(?P<value>migraines|panic attacks)(?: \w+)?, \w+(?: or \w+| to \w+)?(?: times)? (?:a|per) (?:month|week|year)",
            single=never,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "afraid of|scared of|fear of",
            r"(?:am|is)(?: really| very| still)? (?:afraid|scared|terrified) of (?P<value>flying|heights|spiders|needles|dogs|water|the dark|lifts|enclosed spaces|driving)",
            single=never,
        ),
        form(
            Kind.HEALTH,
            "0|5",
            rf"(?:take|takes|taking|on|is|now)(?: now)? (?P<name>{_DRUG})(?: xr| sr)?,? (?P<value>\d{{1,4}} ?(?:mg|ml|mcg|g|units?)|\d{{2,4}})(?! ?(?:times|euros|days|people))",
        ),
        form(
            Kind.HEALTH,
            "increas|rais|lower|doubl|reduc|now it",
            rf"now (?:it is|it's) (?P<name2>{_DRUG})(?: xr| sr)? (?P<value2>\d{{2,4}}(?: ?(?:mg|ml|mcg|g|units?))?)|(?:increased|raised|lowered|reduced|doubled|halved)(?: me)? (?:the|my) (?P<name>{_DRUG}),? (?:to|now|it's now) (?P<value>\d{{2,4}}(?: ?(?:mg|ml|mcg|g|units?))?)",
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "take |takes |taking |on |put me on",
            rf"(?:takes?|taking|am on|is on|are on|i'm on|he's on|she's on|been on|puts? me on|(?:takes?|is on|am on) {_DRUG} and)(?: now| the| my| also| some)* (?P<value>{_DRUG}(?: tablets)?)(?! tests?\b| (?:xr |sr )?\d)",
            single=never,
        ),
    )


def _diet(who: str) -> tuple[Form, ...]:
    return (
        form(
            Kind.DIET,
            "won't |never |doesn't |don't |do not|does not|will not",
            rf"{who} (?:won't|will not|never|doesn't|don't|do not|does not) (?:touch|eats?|drinks?|have|touches)(?: any)? (?P<value>{_FOOD})(?! any ?more)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.DIET,
            "tastes ",
            rf"no (?P<value>{_FOOD})(?: [\w ]{{1,25}})?[,;:] (?:it )?tastes (?:like|of)",
            name="avoids",
            single=Single.NEVER,
            is_speakers=True,
        ),
        form(
            Kind.DIET,
            "that's me|that is me|like me",
            r"(?P<value>vegetarian|vegan|pescatarian) \((?:that's|that is|like) me\)",
            is_speakers=True,
        ),
        form(
            Kind.DIET,
            "since ",
            r"since (?:19|20)\d\d (?:i have been |i am )?(?:an? )?(?P<value>vegetarian|vegan|pescatarian)",
            is_speakers=True,
        ),
    )


def _homes() -> tuple[Form, ...]:
    return (
        form(
            Kind.HOME,
            "live",
            rf"lives? (?:alone|on (?:his|her|their|my) own|by (?:himself|herself|myself)|together|still|now)(?: in an? \w+)?,? (?:in|at|near) (?P<value>{_PLACE})",
        ),
        form(
            Kind.HOME,
            "moved! |moved in! |moved. ",
            rf"moved(?: in| house)?[!.] (?:my |our |the )?first (?:night|day|morning|week) (?:here )?in (?P<value>{_PLACE})",
            is_speakers=True,
        ),
        form(
            Kind.HOME,
            " now",
            rf"(?:i am|we are|i'm) (?:living )?in (?P<value>{_PLACE}) now",
            is_speakers=True,
        ),
        form(
            Kind.HOME,
            "we're |we are |i'm |i am ",
            rf"(?:i am|we are|i'm)(?: now)? (?:in|at) (?P<value>{_STREET})",
            is_speakers=True,
        ),
        form(
            Kind.HOME,
            "flat|house|apartment|place|building",
            rf"(?:my |our |the |^)(?:new )?(?:flat|house|apartment|place|building)(?: is(?: at)?|,| at|:) (?P<value>{_STREET})",
        ),
        form(
            Kind.HOME,
            "house in|flat in|apartment in|place in",
            rf"(?:signed for|bought|got|found|rented|moved into)(?: the| an?| our| my)?(?: new| little| \w+)? (?:house|flat|apartment|place)!? (?:an? [\w ]{{3,25}} )?in (?P<value>{_PLACE})",
            single=Single.NEVER,
        ),
        form(
            Kind.HOME,
            "assisted|care home|nursing home|retirement",
            rf"(?:moves?|moved|moving|lives|living|is)(?: in)?(?:to| in) (?P<value>(?:assisted living|an? (?:care|nursing|retirement) home)(?: in {PROPER})?)",
        ),
        form(
            Kind.HOME,
            "'s in ",
            rf"(?P<whom>{_FIRST_NAME}), (?:he|she)'s in (?P<value>{_PLACE})(?! (?:for|this|on|until)\b)",
            single=Single.NEVER,
        ),
    )


def _work(who: str) -> tuple[Form, ...]:
    changed = Single.IF_CHANGED
    return (
        form(
            Kind.WORK,
            "teach",
            rf"{who} (?:also |now |still )?(?P<value>(?:teach|teaches) (?!(?:him|her|them|you|me|myself|us|it)\b){PIECE}(?: (?!and\b|but\b){PIECE}){{0,6}})",
            name="job",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "run|own|manage",
            rf"{who} (?:also |now |still )?(?P<value>(?:runs?|owns?|manages?) (?:an?|my own|our own|our|my|the)(?: [\w-]+){{0,2}} {_BUSINESS})",
            name="job",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "drive",
            rf"{who} (?:also |now )?(?P<value>drives? (?:an? |the )?(?:bus|buses|taxi|taxis|lorry|lorries|trucks?|trams?|trains?|ambulances?|cab))(?! (?:to|home|into)\b)",
            name="job",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "nights|shifts|part-time|part time|freelance|from home|remotely",
            rf"{who} (?:now |mostly |also )?(?P<value>(?:works? |working )(?:nights|night shifts|shifts|part[- ]time|full[- ]time|freelance|from home|remotely)(?: as {PIECE}(?: {PIECE})?)?)",
            name="hours",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.WORK,
            "'s a|is a",
            rf"(?:he's|she's|he is|she is) (?:now )?an? (?P<value>(?:[\w-]+ ){{0,2}}?{_TRADES}(?: (?:for|at|in) (?:the |a )?[\w-]+)?)",
            name="job",
            single=changed,
        ),
        form(
            Kind.WORK,
            "contract",
            rf"(?:contracting|freelancing) for (?P<value>{_PLACE})",
            name="employer",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "form t|treasurer|chair|secretary|captain|head of|governor|trustee",
            rf"(?:i|i'm|we) (?:am )?(?:now |also )?(?:the |an? )?(?P<value>{_OFFICE}(?: of {PIECE})?)",
            name="office",
            is_speakers=True,
        ),
    )


def _persons(relation: str, when: str) -> tuple[Form, ...]:
    never, title = Single.NEVER, r"(?:dr\.? |mr\.? |mrs\.? |ms\.? |frau |herr |pani |pan |doctor )?"
    return (
        form(
            Kind.NAME,
            "i am |i'm |this is ",
            rf"^(?:so |hi,? |hello,? |hey,? |well,? )*(?:i am|i'm|this is) (?P<value>{_NAME})(?=,|\.|!|$| here\b)",
            name="name",
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "(my |(our |, my |, our |that's my| my ",
            rf"(?P<value>{_NAME})(?: \(|, |, that's |, who is |,? )(?:my|our) (?P<name>{relation})(?=[),.;!]|$| who| and| can| will| says| won't| has| is)(?!'s)",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            "my |our ",
            rf"(?:my|our) (?:dear |youngest |eldest |oldest |twin |late )?(?P<name>{relation})(?: |, | \(|, called |, named )(?P<value>{title}{_NAME})",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            " and ",
            rf"(?:the |my |our |^)(?P<name>twins|kids|children|boys|girls|daughters|sons|sisters|brothers)(?:,| \(|:| are)?(?: [^.;!?,]{{1,40}},)? (?P<value>{_FIRST_NAME} and {_FIRST_NAME})(?!['\w])",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            "new ",
            rf"(?:^|my |our |an? )new (?P<name>{relation})(?: too| now)?(?:,| is|:|, it's)? (?P<value>{title}{_NAME})",
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "'s ",
            rf"(?:(?P<whom>{_FIRST_NAME})'s|(?:my|our) (?P<whose>{relation})(?: {_FIRST_NAME})?'s) (?P<name>{relation}),? (?P<value>{title}{_NAME})",
            single=never,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            " called | named ",
            rf"(?:an?|his|her) (?P<name>{relation})(?:'s| is)? (?:called|named) (?P<value>{title}{_NAME})",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            "(gp)|(doctor)|(dentist)|(vet)|(physio)",
            rf"(?P<value>{title}{_NAME}) \((?:my |our |the )?(?P<name>gp|doctor|dentist|vet|physio)\)",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PERSON,
            "dr|doctor",
            rf"(?:have got|have|got)(?: now)? an? (?:new )?(?P<value>(?:dr\.?|doctor) {_NAME})(?: now)?",
            name="doctor",
            is_speakers=True,
        ),
        form(
            Kind.BIRTHDAY,
            "'s |they are|they're",
            r"(?:he's|she's|they're|they are) (?P<value>\d{1,2})(?=[.,;!]|$| and| years| now)",
            name="age",
        ),
        form(
            Kind.BIRTHDAY,
            "turn",
            rf"(?:turns?|will be) (?:\d{{1,2}}) on (?:\w+day,? )?(?:the )?{when}",
            name="birthday",
        ),
        form(
            Kind.BIRTHDAY,
            "my birthday",
            rf"my (?:\d+th )?birthday on (?:the )?{when}",
            name="birthday",
            is_speakers=True,
        ),
        form(
            Kind.FAVOURITE,
            "favourite|favorite",
            rf"(?P<value>{_NO_NOUN}(?:[\w'-]+ ){{0,2}}?{_NO_NOUN}[\w'-]+) (?:is|are) (?:my|our) (?:all-time |absolute )?favou?rite (?P<name>(?!by\b|of\b|in\b|and\b|for\b|so\b|but\b)[\w-]+)",
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "no more ",
            r"no more (?P<value>running|jogging|swimming|skiing|football|climbing|cycling|tennis|smoking|coffee|alcohol|yoga|dancing|badminton|squash|handball|boxing|rowing|hiking)",
            is_ended=True,
            is_speakers=True,
        ),
    )


def _pets(who: str, relation: str) -> tuple[Form, ...]:
    never = Single.NEVER
    whose = rf"(?:my|our)(?: (?P<whose>{relation})(?: (?P<called>{_FIRST_NAME}))?'s)?"
    return (
        form(
            Kind.PET,
            _ANIMAL_CUES,
            rf"{whose} (?:[\w-]+ ){{0,2}}?(?P<name>{_ANIMAL})(?: |, | \(|, called | is called )(?P<value>{_NAME})",
            single=never,
            is_naming=True,
        ),
        form(
            Kind.PET,
            _ANIMAL_CUES,
            rf"^the (?P<name>{_ANIMAL})(?:, | \()(?P<value>{_NAME})",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
        form(
            Kind.PET,
            _ANIMAL_CUES,
            rf"(?P<value>{_NAME}), {whose} (?:[\w-]+ )?(?P<name>{_ANIMAL})",
            single=never,
            is_naming=True,
        ),
        form(
            Kind.PET,
            _ANIMAL_CUES,
            rf"{who} (?:has|have|got|have got)(?: now)? an? (?:[\w-]+ ){{0,2}}?(?P<name>{_ANIMAL})(?:,| called| named)+ (?P<value>{_NAME})",
            single=never,
            is_naming=True,
        ),
        form(
            Kind.PET,
            "called|named",
            rf"^(?:[^.;:!?]{{1,40}}[:,] )?an? (?:[\w-]+ )?(?P<name>{_ANIMAL})(?: [^.;!?]{{1,45}}?)?,? (?:called|named) (?P<value>{_NAME})",
            single=never,
            is_speakers=True,
            is_naming=True,
        ),
    )

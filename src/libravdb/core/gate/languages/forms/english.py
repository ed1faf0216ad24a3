"""How statements are made in English."""

from libravdb.core.gate.languages.forms.english_people import forms_of_people
from libravdb.core.gate.languages.forms.form import (
    NUMBER,
    PIECE,
    PROPER,
    FormVocabulary,
    Single,
    any_of,
    form,
    relations,
    words,
)
from libravdb.model import AttributeKind as Kind

RELATIONS = relations(
    """
mother: mother, mum, mom, mummy, mama
father: father, dad, daddy, papa
sister: sister, little sister, big sister, older sister, younger sister
brother: brother, little brother, big brother, older brother, younger brother
daughter: daughter, little girl
son: son, little boy
child: child, kid, baby
husband: husband
wife: wife
partner: partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, spouse, bf, gf
grandmother: grandmother, grandma, granny, nan
grandfather: grandfather, grandpa, granddad
aunt: aunt, auntie
uncle: uncle
cousin: cousin
niece: niece
nephew: nephew
friend: friend, best friend, buddy
neighbour: neighbour, neighbor
flatmate: flatmate, roommate, housemate
colleague: colleague, coworker, co-worker, teammate
boss: boss, manager, team lead, line manager, supervisor
landlord: landlord, landlady
doctor: doctor, gp, physician
dentist: dentist
therapist: therapist, psychologist, physio, physiotherapist
accountant: accountant, tax advisor
lawyer: lawyer, solicitor
teacher: teacher, tutor, piano teacher, violin teacher, guitar teacher, driving instructor
coach: coach, trainer, personal trainer
advisor: advisor, supervisor, mentor
cleaner: cleaner
hairdresser: hairdresser, barber
vet: vet
mother-in-law: mother-in-law
father-in-law: father-in-law
sister-in-law: sister-in-law
brother-in-law: brother-in-law
parents: parents, folks
grandson: grandson
granddaughter: granddaughter
sitter: babysitter, sitter, nanny, childminder
conductor: conductor
ex: ex, ex-husband, ex-wife, ex-partner
doubles partner: doubles partner
climbing partner: climbing partner
form tutor: form tutor
"""
)
_REL = any_of(RELATIONS)
_NOW = r"(?:(?: (?:now|currently|actually|still|officially|finally|just|only|already|these days|at the moment))?)"
_BE = rf"(?:'s|'m|'re| is| are| am| will be| has been| is going to be){_NOW}"
_WHOSE = (
    rf"(?:(?:my|our) (?:(?P<whose>{_REL})(?: [A-Z]\w+)?'s )?|(?P<whom>(?-i:[A-Z][a-z]+))'s )(?:new |current |own )?"
)
_DET = r"(?:the |my |our |a |an )"
_AT = r"(?:on |at |for |to |in )?"
_CURRENCY = r"(?:\s?(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|bucks|k|%|€|\$|£))?"
_MONEY = rf"(?P<value>(?:€|\$|£|usd |eur |chf |gbp )?\d[\d.,']*k?{_CURRENCY})"
_DAYS = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|tomorrow|tonight|noon|midnight|next \w+|spring|summer|autumn|fall|winter|christmas|easter|the \d+|q[1-4]|half past|quarter)"
)
_WHEN = rf"(?P<value>(?:(?:the |early |late |mid-?|next |this |half )?(?:{_DAYS}|\d[\d:./-]*(?:st|nd|rd|th)?))(?:,? (?:of |at |on |the |from |to |and |till |until )?(?:{_DAYS}|\d[\d:./-]*(?:st|nd|rd|th)?|am|pm|o'clock|morning|afternoon|evening)){{0,5}}(?: ?[ap]\.?m)?)"
_EVENT = (
    r"(?:appointment|meeting|meetup|flight|trip|holiday|vacation|wedding|party|exam|test|interview|deadline|launch|release|call|standup|stand-up|sync|review"
    r"|retro|class|lesson|course|surgery|operation|checkup|check-up|move|concert|match|race|marathon|delivery|visit|conference|workshop|talk|presentation|demo|dinner|lunch|due date|session|practice|training|rehearsal|reunion|audit|kickoff|go-live|migration|sprint|viewing|ceremony|graduation|picnic|festival|tournament|booking|reservation|defence|defense|start date|submission)s?"
)
_JOBS = (
    r"(?:\w+ ){0,2}(?:nurse|teacher|engineer|developer|programmer|designer|doctor|lawyer|accountant|barista|baker|chef|cook|waiter|waitress|student|freelancer"
    r"|analyst|manager|consultant|architect|electrician|plumber|carpenter|mechanic|driver|pilot|writer|editor|journalist|photographer|scientist|researcher|professor"
    r"|lecturer|librarian|paramedic|firefighter|farmer|gardener|translator|therapist|psychologist|dentist|pharmacist|vet|physicist|chemist|biologist|economist|artist|musician|actor|actress|director|lead|head of \w+|cto|ceo|cfo|coo|vp|clerk|cashier|salesperson|assistant|intern|apprentice|trainee|technician|surgeon|midwife|tutor|coach|trainer|broker|recruiter|marketer|producer|founder|contractor|postdoc)"
)
_FOODS = r"(?P<value>vegetarian|vegan|pescatarian|flexitarian|keto|low[- ]carb|gluten[- ]free|dairy[- ]free|lactose[- ]free|halal|kosher|omnivore|carnivore|paleo)"
_ILL = r"(?:asthma|diabetes|type [12] diabetes|epilepsy|migraines?|hay fever|arthritis|coeliac disease|celiac disease|high blood pressure|hypertension|eczema|adhd|anxiety|depression|insomnia|tinnitus|psoriasis|anaemia|anemia|scoliosis|sciatica|back pain|a heart condition|a bad (?:back|knee)|crohn's|endometriosis|gout|dyslexia)"
_PETS = r"(?P<name>dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|budgie|guinea pig|horse|pony|tortoise|turtle|goldfish|fish|snake|lizard|gecko|ferret|chicken|hen|mouse|rat|canary)s?"
_CARS = r"(?:car|bike|motorbike|motorcycle|van|truck|scooter|ebike|e-bike|bicycle|campervan|vehicle)"
_BRANDS = r"(?:vw|volkswagen|golf|polo|tesla|toyota|corolla|yaris|honda|civic|ford|fiesta|focus|bmw|audi|mercedes|volvo|skoda|octavia|fiat|panda|renault|clio|twingo|peugeot|citroën|citroen|dacia|seat|ibiza|opel|corsa|nissan|leaf|mazda|subaru|kia|hyundai|mini|jeep|porsche|vespa|vw golf|suzuki|yamaha|kawasaki|ducati|brompton|kangoo|berlingo|fabia|octavia estate|transit|sprinter|touran|passat|tiguan|duster|sandero|micra|juke|qashqai|swift|aygo|prius|cargo bike|e-bike|ebike|motorbike|scooter|campervan|van|car)"
_ROLES = r"(?P<name>cto|ceo|cfo|coo|cmo|ciso|vp of \w+|head of [\w ]{2,20}?|team lead|tech lead|lead(?: \w+)?|product owner|project manager|product manager|scrum master|maintainer|on-call(?: engineer)?|chair(?:person|man|woman)?|president|treasurer|captain|owner of [\w ]{2,20}?|director|principal|mayor|host|contact(?: person)?(?: at \w+)?|account manager|designer|intern|reviewer|admin(?:istrator)?)"
_THING = r"(?P<thing>(?:the |our |my |^)(?:[\w.-]+ ){0,3}?[\w.-]+)"
_PRODUCT = r"(?P<name>(?!(?:port|version|the|an?|to|at|on|in|by|about|only|over|around|just|for|of)\b)(?-i:[A-Za-z][\w.+#-]*)(?: (?-i:[A-Z])\w+)?)"
_VER = r"(?P<value>v?\d+(?:\.\w+){0,4}(?:[- ]?(?:lts|beta|alpha|rc\d*))?)"
_TAIL = rf"(?: {PIECE}){{0,3}}"

_PLACE = rf"(?P<value>(?:the )?{PROPER}(?: {PROPER})?|the (?:countryside|suburbs|city cent(?:re|er)|coast|village|mountains)|\d+[a-z]?,? {PROPER}(?: \w+)?)"
_SPOT = rf"(?P<value>\d+[a-z]?,? {PROPER}(?: \w+)?|(?!the\b|a\b)[\w-]+|{PROPER})"
ENGLISH = FormVocabulary(
    language="english",
    relations=RELATIONS,
    speaker=words(r"i|we|me and my \w+|i'm|we're|i've|we've|i'd|i'll"),
    other=words(r"he|she|they|he's|she's|they're"),
    listener=words(r"you|you're|your|you've"),
    kin=words(
        rf"(?:(?:my|our) (?:new |own |dear |ex-)?|(?<!\w's )(?<!your )(?<!their )(?<!her )(?<!his )(?<!the )(?<!an )(?<!a )(?=(?:mum|mom|mama|dad|papa|grandma|grandpa|granny)\b))(?P<relation>{_REL})(?:,? (?P<called>(?-i:[A-Z][\w-]+)))?(?!'s)"
    ),
    thing=words(r"(?:the|our|my|this) (?P<thing>(?:[\w.-]+ ){0,3}?[\w.-]+)"),
    unreal=words(
        r"(?:would|could|might|should|(?:i|we|he|she|they|it) may)(?!n't be surprised)(?: \w+){0,2}|'d (?:like|love|rather|prefer)|if|wish|hope|hoping|want(?:s|ed)? to|wanna|thinking (?:of|about)|dream(?:ing|t)? (?:of|about)|planning to|plan to|considering"
        r"|used to|once|back then|as a (?:kid|child|teenager|student|boy|girl)|when i was|years ago|growing up|grew up|in my twenties|until (?:19|20)\d\d|in (?:19|20)\d\d|(?:from|between) (?:19|20)\d\d|almost|nearly|imagine|suppose|pretend|maybe|perhaps|wonder|whether|unless|had been|formerly|previously|for a (?:while|year|few years) in|last (?:summer|winter|year) i lived|said|claims?|heard that|apparently|they say|in the (?:novel|book|film|movie|game|story)|for (?:a|one) (?:week|weekend|night|few days)|yesterday|this morning|two weeks of"
    ),
    ended=words(
        r"no longer|not [\w' ]{1,40}? any ?more|n't [\w' ]{1,40}? any ?more|n't[\w' ]{0,30} any ?more|any ?more|anymore|stopped|quit|quitting|gave up|given up|giving up|sold|cancell?ed|got rid of|dropped|ditched|ended|broke up|split up|passed away|died|gone|no more|threw out|gave away|retired|unsubscribed|deleted|over with|outgrew|outgrown|done with|called off|not happening|fell through|had to put|put down|scrapped|abandoned|moved out of|moved away from|sunset|decommissioned|shut down|phased out"
    ),
    denied=words(r"not|never|\w+n't|cannot|no|neither|nor"),
    also=words(r"also|too|as well|another|second|besides|on the side|in addition|plus|both|other|either"),
    changed=words(
        r"now|new|instead|changed|changing|switched|renamed|moved|updated|no longer|any ?more|nowadays|these days|from now on|as of|since (?:last|this|yesterday|monday|the)|turns out|actually|correction|upgraded|raised|went up|went down|rose|dropped|replaced|got married|finally|became|meanwhile|lately|after all|rescheduled|postponed|pushed|starting"
    ),
    joint=words(r"and|but|so|because|since|although|though|while|which|who|then|yet|whereas"),
    contractions={
        "I'm": "I am",
        "i'm": "i am",
        "'re ": " are ",
        "I've": "I have",
        "i've": "i have",
        "e've ": "e have ",
        "'ll ": " will ",
        "'d ": " would ",
    },
    forms=(
        form(
            Kind.NAME,
            "name|call me|go by|goes by",
            rf"(?:my|our) (?:new )?(?:full |first |real )?name{_BE} (?P<value>{PROPER})",
            name="name",
            is_speakers=True,
        ),
        form(
            Kind.NAME,
            "surname|last name|maiden",
            rf"(?:my|our) (?:new )?(?:surname|last name|family name){_BE} (?P<value>{PROPER})",
            name="surname",
            is_speakers=True,
        ),
        form(
            Kind.NAME,
            "call me|go by|nickname",
            rf"(?:(?:please |just |you can |(?:everyone|everybody|people|they|friends|my friends)(?: at work| at home)? )*calls? me|i go by|i(?:'m| am) going by|(?:my )?nickname{_BE})(?: now)? (?P<value>(?!later|back|when|if|on|tomorrow|at|after|again|a\b|an\b)[\w'-]+)",
            name="nickname",
            is_speakers=True,
        ),
        form(
            Kind.BIRTHDAY,
            "birthday|born|b-day|bday",
            rf"{_WHOSE}(?:birthday|b-day|bday){_BE} {_AT}{_WHEN}",
            name="birthday",
        ),
        form(Kind.BIRTHDAY, "born", rf"(?:was|were) born (?:on|in) {_WHEN}", name="birthday"),
        form(
            Kind.BIRTHDAY,
            "turn|year|i'm|is |i am",
            r"(?:(?:just )?turned|turning|(?:is|am|are|'m|'s)(?: now| already| just)?) (?P<value>\d{1,2})(?: years? old| now| already| today| yesterday| last \w+| on \w+| in \w+)?(?= years? old| now| already| today| yesterday| last| this|[.,!;]|$)",
            name="age",
        ),
        form(
            Kind.HOME,
            "address",
            rf"{_WHOSE}(?P<name>(?:(?:work|office|home|postal|mailing|delivery|billing) )?address){_BE} (?:at )?(?P<value>[^.;!?\n]{{3,60}})",
        ),
        form(
            Kind.HOME,
            "live|based|resid|moved|reloc|settled|living|staying",
            rf"(?:lives? (?:over |back |up |down |out )?(?:in|at|on)|living (?:in|at|on)|(?:have|has|'ve|'s) lived in|based (?:in|out of)|resid(?:e|es|ing) (?:in|at)|settled (?:down )?in) {_SPOT}",
        ),
        form(
            Kind.HOME,
            "moved|reloc|moving",
            rf"(?:moved|relocated) (?:back |over |house |home |permanently |in with \w+ |up |down |away |out |from {PROPER} )*(?:to|into) {_PLACE}",
        ),
        form(
            Kind.HOME,
            "flat|apartment|house|place|home",
            rf"(?:my|our) (?:new |current )?(?:flat|apartment|house|place|home){_BE} (?:in|at|on) {_PLACE}",
            is_speakers=True,
        ),
        form(
            Kind.HOME,
            "moved out|moved away|left|sold",
            rf"(?:moved (?:out of|away from)|left) (?P<value>{PROPER}) (?:for good|behind)",
            is_ended=True,
        ),
        form(
            Kind.WORK,
            "work|job|employ|start|join|hired|signed",
            rf"(?:works? (?:\w+ )?(?:at|for|with)|working (?:\w+ )?(?:at|for)|(?:have |has |'ve )?(?:just |recently )?(?:started|start|starting)(?: (?:working|work|a new job|my new job|a job|as an? [\w ]{{3,30}}?))? (?:at|with|for)|joined|(?:took|got|landed|found|accepted|have|has)(?: an?| my| the)? (?:new )?(?:job|position|role|offer) (?:at|with|from)|employed (?:at|by)|hired by|signed (?:on )?with|transferred to|moved over to) (?:the )?(?P<value>{PROPER}|a (?:{PIECE} ){{0,3}}(?:company|startup|start-up|firm|agency|bank|hospital|school|bakery|university|studio|ngo|shop|restaurant|lab|clinic|caf[eé])|(?:city|local|state|public) \w+)(?![\w ]{{0,25}},? (?:for )?(?:€|£|\$)?\d[\d.,]* ?(?:€|£|\$|euros?|pounds|dollars|quid|a month))",
            name="employer",
        ),
        form(
            Kind.WORK,
            "employer|company",
            rf"{_WHOSE}(?:employer|company i work for){_BE} (?:now )?(?P<value>{PROPER})",
            name="employer",
        ),
        form(
            Kind.WORK,
            "work|job|promot|becam|role|position|title",
            rf"(?:works? (?:\w+ )?as|working (?:\w+ )?as|(?:got |been |was |were )?promoted to|became|retrained as|started as|start as|job{_BE}|job title{_BE}|position{_BE}|employed as) (?:an? |the )?(?P<value>{_JOBS}|(?!an?\b|the\b|to\b|at\b|in\b)(?:{PIECE} ){{0,2}}{PIECE})",
            name="job",
        ),
        form(
            Kind.WORK,
            "i'm|am |is |we're",
            rf"(?:'m|am|is|'s)(?: now| currently| actually)? (?:an? |the )(?:new )?(?P<value>{_JOBS})(?! (?:of|in) (?:the|this) (?:family|film|story))",
            name="job",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.WORK,
            "quit|left|resign|laid off|fired|let go|retire|unemployed|between jobs|out of work",
            rf"(?:quit|left|resigned(?: from)?|leaving|(?:got|was|been) (?:laid off|fired|let go)(?: (?:from|by|at))?|handed in my notice(?: at)?|done (?:at|with)) (?:my (?:old )?(?:job|position)(?: (?:at|with|as) (?:an? |the )?(?P<value>{PIECE}(?: {PROPER})?))?|the company|work(?:ing)?(?: at (?P<value2>{PROPER}))?|(?P<value3>{PROPER}))",
            name="employer",
            is_ended=True,
        ),
        form(
            Kind.WORK,
            "retired|unemployed|between jobs|out of work|out of a job|laid off|let go|got fired",
            r"(?:retired|'m unemployed|am unemployed|is unemployed|between jobs|out of (?:work|a job)|(?:got|was|been) (?:laid off|fired|let go)|retire[sd]? last \w+|quit (?:my|his|her) job)",
            name="",
            is_ended=True,
        ),
        form(
            Kind.STATUS,
            "single|married|engaged|divorced|widow|separated|relationship|dating",
            r"(?:'m|am|are|'re|is|'s|got|were|been|we|i|just|now|finally|getting|again) (?:\w+ )?(?P<value>single|married|engaged|divorced|widowed|separated|in a relationship)(?: to (?P<partner>[A-Z]\w+))?(?! (?:in|at|for|with) (?:a|the|this|our) (?:project|task))",
            name="marital",
        ),
        form(Kind.STATUS, "passed away|died|dead", r"(?:passed away|died|is dead)", name="life", is_ended=True),
        form(
            Kind.PERSON,
            "broke up|split up|separated from|divorced|dumped",
            r"(?:(?:i )?(?:broke up|split up|separated) (?:with|from) (?:my (?:partner|girlfriend|boyfriend|fianc[eé]e?)|(?P<value>(?-i:[A-Z][\w-]+)))|(?P<value2>(?-i:[A-Z][\w-]+)) and i (?:have |just |recently |finally )*(?:broke|broken|split|separated|divorced|aren't together|are not together|are no longer)|i (?:dumped|left) (?P<value3>(?-i:[A-Z][\w-]+)))",
            name="partner",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "dating|seeing|engaged to|married to|together with",
            r"(?:dating|seeing|together with|going out with|engaged to|married to|married)(?: someone called| a (?:guy|girl|woman|man) called)? (?P<value>(?-i:[A-Z][\w-]+))",
            name="partner",
        ),
        form(
            Kind.PERSON,
            "call|name|is ",
            rf"{_WHOSE}(?:{_JOBS} )?(?P<name>{_REL})(?:'s name)?(?:{_BE}(?: called| named)?|, called|,? named| called| goes by) (?P<value>(?:dr\.? |mr\.? |mrs\.? |ms\.? |prof\.? )?{PROPER})(?! ?'s)",
        ),
        form(
            Kind.PERSON,
            "my |our ",
            rf"(?P<value>(?-i:[A-Z][\w-]+)){_BE} (?:my|our) (?:new |current )?(?P<name>{_REL})(?!'s| and)",
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "have a new|got a new|new ",
            rf"(?:have|has|got|hired|found)(?: an?)? (?:new )(?P<name>{_REL})(?: now)?,? (?:called |named |her name is |his name is |it's )?(?P<value>(?:dr\.? |mr\.? |mrs\.? |ms\.? )?{PROPER})",
        ),
        form(
            Kind.PERSON,
            "report to|reporting to|work under",
            r"(?:report|reporting|work under) ?(?:to)? (?P<value>(?-i:[A-Z][\w-]+)(?: (?-i:[A-Z][\w-]+))?)",
            name="boss",
        ),
        form(
            Kind.TOOL,
            "history|archived|retired|dead|over",
            r"(?P<value>(?-i:[A-Z][\w.+#-]*)|spreadsheet)(?:'s| is| got)(?: now)? (?:history|archived|retired|dead|gone for good|uninstalled|switched off)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "allerg",
            rf"(?:allergic to|allergy to) (?!(?:them|it|that|this|those|these|you|him|her)\b)(?P<value>(?:{PIECE} ){{0,2}}?{PIECE})",
            single=Single.NEVER,
        ),
        form(
            Kind.HEALTH,
            "allerg",
            r"(?:have|has|had|got|outgrew|lost|'ve)(?: an?| my| the)? (?P<value>(?!my\b|an?\b|the\b)(?:[\w-]+ )?[\w-]+) allergy",
            single=Single.NEVER,
        ),
        form(
            Kind.HEALTH,
            "|".join(
                "asthma diabet epilep migrain hay celiac coeliac arthrit hypert pressure eczema adhd anxiety depress insomn tinnit psoria anaem anem scolio sciat pain heart bad crohn endom gout dyslex".split()
            ),
            rf"(?:have|has|'ve got|got|suffer(?:s|ing)? from|diagnosed with|live with|treated for) (?:an? |mild |severe |chronic )*(?P<value>{_ILL})",
            single=Single.NEVER,
        ),
        form(Kind.HEALTH, "intoleran", r"(?P<value>[\w-]+)[ -]intoleran(?:t|ce)", single=Single.NEVER),
        form(
            Kind.HEALTH,
            "take |takes |taking |on ",
            r"(?:takes?|taking|am on|'m on|is on|put me on|switched to) (?:(?P<value>\d+ ?(?:mg|ml|mcg|g|units?)) (?:of )?(?P<name>[\w-]+))",
        ),
        form(
            Kind.DIET,
            "|".join("veg pesc flexi keto carb gluten dairy lactose halal kosher omni carni paleo".split()),
            rf"(?:'m|am|is|'s|are|'re|eats?|eating|went|gone|turned|became|going|on|been|follow|follows|doing)(?: an?| the| strictly| strict| mostly| fully| now| all)* {_FOODS}",
        ),
        form(
            Kind.DIET,
            "meat|fish|everything|poultry",
            r"(?:eat|eats|eating)(?: \w+)? (?P<value>meat|fish|everything|poultry|chicken)(?: again| now)?",
        ),
        form(
            Kind.DIET,
            "don't eat|doesn't eat|don't drink|doesn't drink|never eat|never drink",
            r"(?:don't|doesn't|do not|never) (?:eat|eats|drink|drinks)(?: any)? (?P<value>[\w-]+)(?! any)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "call|name",
            rf"{_WHOSE}(?:\w+ )?{_PETS}(?:'s name)?(?:{_BE}(?: called| named)?| called|,? named) (?P<value>{PROPER})",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.PET,
            "|".join(
                "dog cat pup kitten hamster rabbit bunny parrot budgie guinea horse pony tort turtle fish snake liz gecko ferret chick hen mouse rat canary".split()
            ),
            rf"(?:have|has|got|adopted|own|owns|'ve got)(?: an?| two| three| another| one)? (?:\w+ )?{_PETS}(?:,? (?:called|named) (?P<value>{PROPER}))?",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "died|passed|put down|rehomed|gave|put to sleep|ran away",
            rf"(?:(?:my|our|the) {_PETS}(?:,? (?P<value>(?-i:[A-Z]\w+)))? (?:has |sadly |just )*(?:died|passed away|ran away|was put (?:down|to sleep))|(?:gave (?:away )?|rehomed |put down |had to put (?:down )?)(?:the|our|my) (?P<name2>dog|cat|puppy|rabbit|hamster|horse|parrot)s?)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.LANGUAGE,
            "native|mother tongue|first language",
            rf"(?:native language|mother tongue|first language){_BE} (?P<value>{PROPER})",
            name="native",
        ),
        form(
            Kind.LANGUAGE,
            "speak|learn|study",
            r"(?:speaks?|learning|studying|fluent in)(?: fluent| some| a bit of| a little| decent| native)? (?P<value>(?-i:[A-Z][a-z]+(?:ish|ese|ian|an|ch|ic|i|ek|ew|in|ese|u|e)))",
            single=Single.NEVER,
        ),
        form(
            Kind.CONTACT,
            "phone|number|mobile|cell|email|e-mail|mail|handle|telegram|signal",
            rf"(?:{_WHOSE}|the (?=office))(?P<name>(?:(?:work|office|home|private|personal|business|second|mobile|cell|phone|emergency|landline) ){{0,2}}(?:phone|number|mobile|cell|email|e-mail|mail|handle|telegram|signal)(?: address| number)?)(?: at work)?(?:{_BE}| changed to| has changed to| changed,? it's| has changed,? it's) (?:now )?(?P<value>[\w.+@-]*[\d@][\w.+@ ()/-]*\w)",
        ),
        form(
            Kind.CONTACT,
            "reach me|reach|text me|call me",
            r"(?:(?:you can )?(?:reach|text|email|call|write)s? me (?:at|on|under)) (?:now )?(?P<value>[\w.+@-]*[\d@][\w.+@ ()/-]*\w)",
            name="number",
            is_speakers=True,
        ),
        form(
            Kind.VEHICLE,
            "drive|driving|ride|cycle",
            rf"(?:drives?|driving|rides?) (?:an? |my |the )(?:old |new |used |\w+ )?(?P<value>(?:\w+ )?{PROPER}|(?:\w+ )?{_CARS})",
            name="car",
        ),
        form(
            Kind.VEHICLE,
            "car|bike|van|truck|scooter|vehicle",
            rf"{_WHOSE}(?P<name>{_CARS}){_BE} (?:an? )(?:\w+ )?(?P<value>(?:\w+ )?{PROPER})",
        ),
        form(
            Kind.VEHICLE,
            "have|own|bought|got|lease",
            rf"(?:have|has|own|owns|bought|got|leased?|leasing|picked up)(?: myself)? an? (?:new |used |second-hand |old |second |\w+ )?(?P<value>{_BRANDS}(?: {PIECE})?)",
            name="car",
            single=Single.NEVER,
        ),
        form(
            Kind.FAVOURITE,
            "favourite|favorite|fave",
            rf"{_WHOSE}(?:all-time )?(?:favou?rite|fave) (?P<name>(?:[\w-]+ ){{0,2}}?[\w-]+?)(?: (?:of all time|ever|right now|at the moment|these days))?(?:{_BE}| has become| used to be [\w ]+ but now it's) (?:now )?(?P<value>{PIECE}(?: {PIECE}){{0,5}})",
        ),
        form(
            Kind.FAVOURITE,
            "favourite|favorite",
            rf"(?P<value>{PROPER}){_BE} (?:my|our)(?: new| all-time)? favou?rite (?P<name>(?:[\w-]+ ){{0,2}}?[\w-]+)(?=[.,!;]|$| now| these| at| right| of| ever)",
            is_speakers=True,
        ),
        form(
            Kind.LIKING,
            "like|love|enjoy|adore|into|fan of|fond",
            rf"(?:(?<!look )(?<!looks )(?<!feel )(?<!feels )(?<!sounds )(?<!tastes )(?<!shaped )(?<!just )(?<!it )(?:(?<=i )|(?<=we )|(?<=he )|(?<=she )|(?<=who )|(?<=they )|(?<=really )|(?<=also )|(?<=still )|(?<=actually )|(?<=both )|(?<=absolutely )|(?<=always )|(?<=now )|(?<=[a-z]{2} )(?=likes|loves|enjoys|adores))like|likes|loves?|enjoys?|adores?|am into|'m into|(?:big |huge )?fan of|fond of|crazy about)(?: (?:to eat|to drink|eating|drinking|listening to|playing|watching|the|my))? (?P<value>(?!to\b|it\b|that\b|this\b|you\b|how\b|when\b|if\b|what\b|him\b|her\b)(?:{PIECE} ){{0,2}}?{PIECE})",
            name="likes",
            single=Single.NEVER,
        ),
        form(
            Kind.LIKING,
            "hate|dislike|can't stand|despise|detest|don't like|doesn't like",
            rf"(?:hates?|dislikes?|can't stand|cannot stand|despises?|detests?|(?:don't|doesn't|do not) (?:really )?(?:like|enjoy)) (?:the |my )?(?P<value>(?!to\b|it\b|that\b|this\b|you\b|how\b|when\b|if\b|what\b|him\b|her\b)(?:{PIECE} ){{0,2}}?{PIECE})",
            name="dislikes",
            single=Single.NEVER,
        ),
        form(
            Kind.PRICE,
            "is |are |cost|went|rose|drop|rais|increas|up to|down to|now|pay|fee|reduc|cut",
            rf"(?:{_WHOSE}|the |this |^)(?P<name>(?:[\w'-]+ ){{0,3}}?(?:rent|salary|wage|pay|fees?|price|tuition|mortgage|premium|subscription|membership|contribution|insurance|budget|allowance|bill|deposit|rate|hourly rate|day rate|pension|instal?lment|payment|ticket|pass|plan|hosting|costs?|income|quote|offer)(?: (?:for|of) (?:the |my |our )?[\w-]+)?)(?:{_BE}| costs?| went up| went down| has gone up| goes up| rose| dropped| has risen| was (?:raised|increased|reduced|cut|lowered)| got (?:raised|cut|increased)| has been \w+| increased| changed| comes to)(?: me| us)?(?: now| up| down)*(?: from [\w.,€$£]+(?: euros)?)?(?: to| at| about| around| roughly| only| exactly| by)*(?: me| us)? {_MONEY}",
        ),
        form(
            Kind.PRICE,
            "pay|earn|make",
            rf"(?:pays?|paying)(?: now)?(?: about| around| only| just)? {_MONEY}(?: \w+){{0,3}}? (?:for|in) (?:the |my |our )?(?P<name>[\w-]+(?: (?!after\b|because\b|since\b|now\b|and\b|but\b|from\b|so\b|as\b|these\b|at\b)[\w-]+)?)",
        ),
        form(
            Kind.PRICE,
            "earn|make",
            rf"(?:earns?|earning|makes?|making)(?: now)?(?: about| around| only| just| roughly)? {_MONEY}(?= (?:a|per|net|gross|before|after|now)|[.,!]|$)",
            name="salary",
        ),
        form(
            Kind.PRICE,
            "cost",
            rf"(?P<name>(?:the |my |our )?(?:[\w'-]+ ){{0,3}}?[\w'-]+) (?:now )?costs?(?: me| us)?(?: now| about| around| only)? {_MONEY}",
            is_speakers=True,
        ),
        form(
            Kind.PLAN,
            "|".join(
                "appoint meet flight trip holiday vacation wedding party exam test interview deadline launch release call stand sync review retro class lesson course surgery operation check move concert match race marathon delivery visit conf workshop talk present demo dinner lunch due session pract train rehears reunion audit kick go-live migr sprint view cerem grad picnic festiv tourn book reserv defen start submi".split()
            ),
            rf"(?:{_WHOSE}|the |this year's |^)(?P<name>(?:[\w'-]+ ){{0,3}}?{_EVENT}(?: (?:with|to|at|in|for) (?:the |my |our )?(?:dr\.? )?[\w'-]+)?)(?:{_BE}(?: (?:planned|scheduled|set|booked|due|moved|rescheduled|postponed|pushed|pushed back|brought forward|happening|on))*| (?:has been|was|got|is being|had to be|is|are|were)(?: \w+)? (?:moved|rescheduled|postponed|pushed|pushed back|brought forward|shifted|delayed|changed)(?: from [\w ]+?)?| moved| takes place| starts?| shifted| changed| got moved)(?: (?:on|at|for|to|in|until|till|by|back|forward|over|now))* {_WHEN}",
        ),
        form(
            Kind.PLAN,
            "flying|going|travel|driving|leaving|heading|moving",
            rf"(?:'re|'m|am|are|is|'s) (?:now )?(?:flying|going|travelling|traveling|heading|moving|taking the train)(?: back)? (?:to|for) (?:the )?(?P<name>{PROPER}|\w+)(?: instead)?(?: (?:on|at|in|for|now))* {_WHEN}",
        ),
        form(
            Kind.PLAN,
            "appoint|meet|flight|trip|exam|interview|book|lesson|class",
            rf"(?:have|has|got|'ve got|booked|made|scheduled|there's)(?: an?| my| the| our)? (?P<name>(?:[\w'-]+ ){{0,2}}?{_EVENT}(?: (?:with|to|at|in) (?:the |my )?(?:dr\.? )?[\w'-]+)?)(?: (?:on|at|for|in))* {_WHEN}",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.PLAN,
            "|".join("spend celebrat holiday vacation summer christmas go".split()),
            rf"(?:spending|spend) (?P<name>(?:our |my |the )?(?:summer|holidays?|vacation|christmas|easter|new year(?:'s)?|honeymoon|weekend))(?: \w+)? (?:in|at|on|with) (?P<value>(?:the )?{PROPER}|my \w+)",
        ),
        form(
            Kind.ROLE,
            "is |are |'s |took over|becom|new |now",
            rf"(?P<value>{PROPER})(?:{_BE}| took over| takes over| became| has taken over| becomes| steps in| acts)(?: now)?(?: as)? (?:the |our )(?:new |current |acting |interim )?{_ROLES}(?= now|[.,;!]|$| at| of| from| since| in| for| and)",
            is_speakers=True,
        ),
        form(
            Kind.ROLE,
            "is |are |'s ",
            rf"(?:the|our) (?:new |current |acting |interim )?{_ROLES}(?: (?:at|of|for) (?:the )?\w+)?(?:{_BE}| changed to) (?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.ROLE,
            "leads|runs|heads|owns|maintains|in charge",
            rf"(?P<value>(?-i:[A-Z][\w-]+))(?: now)? (?:leads|runs|heads|owns|maintains|looks after|manages|{_BE.strip()} in charge of) (?:the |our )(?P<name>(?:[\w-]+ ){{0,2}}(?:team|project|department|group|repo|product|service|platform|infra|infrastructure|design|backend|frontend|sales|support|marketing|release|deploys?))",
            is_speakers=True,
        ),
        form(
            Kind.PORT,
            "port|listen|:",
            rf"{_THING}(?:{_BE})? (?:now )?(?:runs?|running|listens?|listening|reachable|available|serves?|exposed|binds?|sits?|lives?|moved)?(?: now)? ?(?:on|to|at|uses?|under) (?:the )?(?:tcp )?port (?:now )?(?P<value>\d{{2,5}})",
        ),
        form(
            Kind.PORT,
            "port",
            rf"(?:port (?:of|for) {_THING}|{_THING.replace('thing', 'thing2')}'?s? (?:new )?port)(?:{_BE}| (?:was |has been )?(?:changed|moved|switched)(?: from \d+)? to) (?P<value>\d{{2,5}})",
        ),
        form(
            Kind.PORT,
            "listen|runs on|is on|to 8|to 9|to 3|to 5|on 8|on 9|on 3|on 5",
            rf"(?:{_THING} (?:now )?(?:runs?|listens?|is running|is listening|is)(?: now)? on|moved {_THING.replace('thing', 'thing2')} to) :?(?P<value>\d{{4,5}})(?! (?:users|people|cores))",
        ),
        form(
            Kind.VERSION,
            "version|upgrad|updat|runs|on |use|bump|pinned|target|migrat|downgrad|now",
            rf"(?:(?:we|i|i'm|we're|are|am|is|'re|'m|'s|have|has)(?: now| still| currently| just| all)* )?(?:upgraded|updated|bumped|downgraded|migrated|pinned|moved|switched|went)(?: {_THING})?(?: (?:from|off) [\w. ]+?)? (?:to|at|on) {_PRODUCT} {_VER}",
        ),
        form(
            Kind.VERSION,
            "run|on |use|requires|target|needs|built",
            rf"(?:runs?|running|uses?|using|are on|is on|'re on|'m on|targets?|requires?|stays? on|built (?:on|with)|pinned to|develop(?:ing)? (?:on|with))(?: now| on| still)* {_PRODUCT} {_VER}(?! ?(?:%|euros|dollars|gb|users|times|minutes|hours|days|weeks|people|km))",
        ),
        form(
            Kind.VERSION,
            "version|upgrad|bump|release|updat",
            rf"(?:(?:current |latest |newest )?version of {_THING}{_BE}|{_THING.replace('thing', 'thing2')}(?:{_BE}| is now| was (?:bumped|upgraded|updated))(?: (?:on|at|to|now))* (?:version|release)|{_THING.replace('thing', 'thing3')}'s (?:current )?version{_BE}|(?:upgraded|bumped|updated) {_THING.replace('thing', 'thing4')} to(?: version)?) {_VER}",
            name="version",
        ),
        form(
            Kind.HOST,
            "host|deploy|runs on|run on|lives|moved|server|ip|domain|reachable|url|migrated|is on|stored",
            rf"{_THING}(?: (?:is|are|was|were|has been|gets))?(?: now)? (?:hosted|deployed|runs?|running|lives?|moved|migrated|stored|served|reachable|sits)(?: now| over)* (?:on|at|in|to|from|under|with) (?:the )?(?P<value>(?!port\b|version\b|time\b|every|top\b|monday|tuesday|wednesday|thursday|friday|saturday|sunday)[\w-]+(?:[.:][\w-]+)+|(?:aws|gcp|azure|hetzner|heroku|fly\.io|vercel|netlify|render|digitalocean|linode|ovh|kubernetes|k8s|ecs|lambda|cloudflare|scaleway|railway)(?: [\w-]+)?|[\w]+-[\w-]*\d[\w-]*|(?-i:[A-Z]\w+))",
        ),
        form(
            Kind.HOST,
            "moved|migrated",
            rf"(?:moved|migrated) {_THING}(?: (?:over|off|from) [\w.-]+?)? (?:over )?to (?P<value>aws|gcp|azure|hetzner|heroku|fly\.io|vercel|netlify|render|digitalocean|linode|ovh|kubernetes|cloudflare|scaleway|railway|[\w-]+(?:\.[\w-]+)+|\w+-\w*\d\w*)",
        ),
        form(
            Kind.HOST,
            "ip|domain|url|hostname|address",
            rf"(?:{_THING}(?:'s| has the)? (?P<name>ip(?: address)?|hostname|domain|url)|(?P<name2>ip(?: address)?|hostname|domain|url) of {_THING.replace('thing', 'thing2')})(?:{_BE})? (?:now )?(?P<value>(?:https?://)?[\w-]+(?:\.[\w-]+)+(?:/\S*)?)",
        ),
        *forms_of_people(_REL, _WHEN),
        form(
            Kind.TOOL,
            "replac|swap",
            rf"(?:replaced|replacing|swapped|swapping) (?:out )?(?:the )?(?P<value>{PIECE}(?: {PROPER})?) (?:with|by|for) (?P<instead>{PIECE})",
            is_ended=True,
        ),
        form(
            Kind.TOOL,
            "from|off|instead of|away",
            rf"(?:(?:switch|switched|switching|migrat|migrated|migrating|mov|moved|moving|went|chang|changed|changing)(?:e|es|ing)? (?:\w+ ){{0,3}}?(?:from|off|away from)|(?<!i am )instead of|rather than|no more|got rid of|ditched|dropped|dropping|abandoned|phased out|sunset|decommissioned|scrapped) (?:the )?(?P<value>(?!a\b|an\b|it\b|that\b|this\b|my\b|our\b)[\w.+#-]+(?: {PROPER})?)",
            is_ended=True,
        ),
        form(
            Kind.TOOL,
            "not |n't ",
            rf"(?:(?:decided|agreed|chose) (?:against(?: using)?|not to (?:use|go with|adopt|migrate to|move to|switch to|buy|take|do|book|get))|(?:won't|will not|aren't going to|are not going to|not going to|'re not|are not|aren't|not) (?:be )?(?:us(?:e|ing)|go(?:ing)? with|adopt(?:ing)?|migrat(?:e|ing) to|switch(?:ing)? to|mov(?:e|ing) to)) (?:the |a )?(?P<value>[\w.+#-]+(?: {PROPER})?)",
            is_ended=True,
        ),
        form(
            Kind.TOOL,
            "use|using|switched|migrat|moved to|going with|went with|settled|decided|chose|picked|adopt|standardi|instead",
            rf"(?:(?:now |also |still )?uses?|using|(?:have |has )?(?:now |just |recently )?(?:switch|chang|migrat|mov)(?:ed|ing)(?: (?:over|everything|{_THING}))?(?: from [\w.+#-]+)? to|(?:going|went|go|sticking|stick|ended up) with|settled on|decided (?:to use|to go with|for|on)|chose|picked|adopted|standardi[sz]ed on) (?:the )?(?P<value>(?-i:[A-Z][\w.+#-]*|pnpm|npm|yarn|bun|poetry|uv|pip|vim|neovim|tmux|zsh|fish|pytest|ruff|black|mypy|redis|postgres|mysql|sqlite|nginx|caddy|docker|podman|vite|webpack)(?: {PROPER})?)(?: (?:for|as)(?: all)?(?: the| our| my)? (?P<name>(?:[\w-]+ )?[\w-]+))?",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.TOOL,
            "is |are |runs on",
            rf"(?:my|our|the) (?:new |main |default )?(?P<name>(?:primary |main |password |task |issue |bug |note |project |package |text |code |build |unit |load |message |job |web |search |orm |static |mail |email |css |ui |test |ci |cloud )?(?:database|db|editor|ide|browser|search engine|framework|queue|cache|ci|hosting provider|provider|bank|gym|phone|laptop|operating system|os|shell|manager|tracker|tool|runner|broker|bundler|stack|host|app|insurer|health insurance|isp|carrier|network|supermarket|airline|language|backend|frontend|orm|linter|formatter|registrar|wiki|chat|system)){_BE} (?:an? |on )?(?P<value>(?:\w+ )?{PROPER}|pnpm|npm|postgres|mysql|sqlite|redis|nginx|vim|neovim)",
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "smok|drink|coffee|run|jog|swim|gym|yoga|medit|play|train|danc|climb|cycl|walk|journal|paint|sing|knit|cook|bake|hik|garden|surf|ski|box|row|chess|guitar|piano|read|sleep|wake|get up|gets up|go to|subscri|practi|volunteer|commut",
            rf"(?:i|we|who|he|she|{_REL}|(?-i:[A-Z][a-z]+))(?: (?:now|usually|always|normally|still|often|mostly|regularly|currently|generally|'m|am|is|are|'re))*(?:'m|'re|'s)? (?P<value>(?P<name>smokes?|drinks?|runs?|running|jogs?|swims?|swimming|medit\w+|plays?|playing|trains?|training|dances?|climbs?|bould\w+|cycles?|walks?|journals?|paints?|sings?|knits?|cooks?|bakes?|hikes?|surfs?|skis?|boxes|rows?|sleeps?|wakes? up|gets? up|goes to|go to|commutes?|volunteers?|practi[sc]es?|reads?|does yoga|do yoga|subscribes?|goes|go)(?: (?!and\b|but\b){PIECE}){{1,6}}|smokes?|meditates?|knits?|drinks?)",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.HABIT,
            "stopped|quit|gave up|given up|giving up|no longer|done with|any more|anymore|cancel|unsubscr|sold|dropped|called off|fell through|got rid|not happening|off the table|not going",
            rf"(?:(?:have |has |'ve |'s |just |finally |recently |actually )*(?:stopped|quit|gave up(?: on)?|given up(?: on)?|giving up|dropped|cancell?ed|unsubscribed from|sold|got rid of|threw out|gave away|called off|scrapped|deleted|ended|left|done with|outgrew|closed)) (?:doing |going to |playing |eating |taking |using |having |the |my |our |his |her |that |old |to )*(?P<value>(?!and\b|but\b|it\b|him\b|her\b|them\b){PIECE}(?: {PIECE}){{0,3}})",
            is_ended=True,
        ),
        form(
            Kind.HABIT,
            "cancel|called off|off|fell through|gone|over|closed|sold|not happening",
            r"(?:the|my|our) (?P<value>(?:[\w'-]+ ){0,4}?[\w'-]+) (?:is|are|was|were|got|has been|have been|had to be|'s)(?: \w+)? (?:cancell?ed|called off|off the table|off|sold|gone|over|closed|scrapped|not happening)",
            is_ended=True,
        ),
        form(
            Kind.HABIT,
            "no longer|any more|anymore|n't ",
            rf"(?:no longer|(?:don't|doesn't|do not|does not|am not|'m not|isn't|aren't|is not|are not|can't|won't)(?= [^.,;]{{1,60}}any ?more)) (?P<value>{PIECE}(?: (?!any ?more\b){PIECE}){{0,4}})",
            is_ended=True,
        ),
        form(
            Kind.OTHER,
            "is |are |'s ",
            rf"(?:{_WHOSE}|the )(?P<name>(?!(?:next|first|last|same|other|only|best|worst|problem|point|idea|question|answer|thing|reason|fact|truth|result)\b)(?:[\w'-]+ ){{0,3}}?(?!it\b|that\b|there\b|which\b|what\b|who\b|one\b|this\b|he\b|she\b)[\w'-]+)(?: (?:is|are|was renamed|was changed|has changed|changed|got renamed|has been (?:moved|changed|renamed|set))(?: now)?(?: (?:called|named|at|on|to|set to|due|in))*) (?P<value>{_DAYS}(?: \d+(?:st|nd|rd|th)?)?|{NUMBER}(?: ?{PIECE})?|{PROPER})(?=[.,;!]|$| now| from| instead| these| since| and| for)",
        ),
    ),
)
"""Wide lines: a table, one form a line."""

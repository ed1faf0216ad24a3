"""How one asks for an attribute in English."""

from collections.abc import Mapping

from libravdb.model import AttributeKind

ENGLISH: Mapping[AttributeKind, tuple[str, ...]] = {
    AttributeKind.HOME: (
        r"where (?:do|did|am|are|does|is) (?:i|we|\w+) (?:currently |now )?(?:live|living|based|staying|reside)",
        r"(?:my|our) (?:\w+ )?(?:address|home town|city|street|flat|apartment)\b",
        r"which (?:city|town|street|country|floor|district)\b.{0,30}\b(?:i|we|my|our)\b",
        "where's home",
    ),
    AttributeKind.WORK: (
        r"where (?:do|does|am|is) (?:i|\w+) (?:work|working|employed)",
        r"what (?:do|does) (?:i|\w+) do for (?:a living|work)",
        r"(?:my|our|\w+'s) (?:\w+ )?(?:job|employer|company|profession|occupation|workplace|position|job title)\b",
        r"who (?:do|does) (?:i|\w+) work for",
        r"which (?:company|firm|school|hospital)\b.{0,30}\b(?:i|my)\b",
    ),
    AttributeKind.CONTACT: (
        r"(?:my|our|\w+'s) (?:new |current |mobile |cell |home |work )?(?:phone|mobile|cell|number|phone number|e-?mail|mail address|handle)\b",
        "how can (?:i|you|they) (?:reach|call)",
    ),
    AttributeKind.HEALTH: (
        r"(?:am|are) (?:i|we) (?:\w+ ){0,2}allergic",
        "allerg(?:y|ies|ic)",
        r"(?:my|our) (?:\w+ )?(?:health|condition|diagnosis|medication|meds|tablets|illness|disease|injury|blood type)\b",
        "what (?:can't|cannot|mustn't|shouldn't) (?:i|we) (?:eat|have|take|drink)",
        "which (?:medicine|medication|pills)",
    ),
    AttributeKind.DIET: (
        "what (?:do|don't|can|can't) (?:i|we) (?:not )?eat",
        r"(?:my|our) diet\b",
        "(?:am|are) (?:i|we) (?:a )?(?:vegan|vegetarian)",
        "do (?:i|we) eat",
        "what (?:should|shall|could) (?:i|we) (?:cook|eat|make for dinner)",
        "recipe for (?:us|me)",
        "cook for",
    ),
    AttributeKind.PET: (
        r"(?:my|our|\w+'s) (?:\w+ )?(?:pet|pets|dog|cat|cats|dogs|rabbit|hamster|parrot|horse)\b",
        "what pets?",
        "(?:name|breed) of (?:my|our) (?:dog|cat|pet)",
    ),
    AttributeKind.PERSON: (
        r"(?:my|our|\w+'s) (?:\w+ )?(?:mother|mum|mom|father|dad|sister|brother|wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|children|parents|niece|nephew|aunt|uncle|grand\w+|boss|manager|landlord|landlady|neighbou?r|flatmate|roommate|colleague|friend|doctor|gp|dentist|therapist|teacher|tutor|coach|accountant|lawyer|mechanic)\b.{0,20}(?:name|called)",
        r"(?:name of|who is|who's|who was) (?:my|our)\b",
        "am i (?:seeing|dating|married|single)",
        "who do i (?:live|work|train|play|climb) with",
        "who (?:does|is doing) my",
    ),
    AttributeKind.NAME: (
        r"what(?:'s| is) my (?:full |first |last |sur|nick)?name\b",
        "what (?:am i called|should you call me|do (?:people|they|you) call me)",
        r"who am i\b",
    ),
    AttributeKind.BIRTHDAY: (
        r"(?:my|our|\w+'s) birthday",
        "how old (?:am i|is my|are my|are our|is our)",
        r"when (?:was|were) (?:i|my \w+) born",
        r"my age\b",
    ),
    AttributeKind.PRICE: (
        r"how much (?:is|was|are|do|does|did|am|were)\b",
        r"what (?:do|did|does) (?:i|we|it|\w+) (?:pay|cost|earn|charge)",
        r"(?:my|our) (?:\w+ )?(?:rent|salary|fee|fees|rate|day rate|price|budget|mortgage|income|wage|subscription)\b",
    ),
    AttributeKind.FAVOURITE: (
        "favou?rite",
        "what .{1,30} do i (?:like|love|enjoy|prefer) (?:most|best)",
        "best liked",
    ),
    AttributeKind.VEHICLE: (
        r"(?:what|which|my|our) (?:\w+ )?(?:car|bike|bicycle|van|motorbike|scooter|truck|boat|vehicle)\b",
        "what do i drive",
        "number ?plate",
    ),
    AttributeKind.LANGUAGE: (
        "(?:what|which|how many) languages?",
        "languages do i",
        "do i speak",
        "mother tongue",
    ),
    AttributeKind.PLAN: (
        r"when (?:is|are|do|does|am|will|'s)\b.{0,50}\b(?:my|our|i|we)\b",
        r"(?:my|our) (?:\w+ ){0,2}(?:appointment|trip|flight|holiday|vacation|exam|deadline|meeting|interview|surgery|operation|wedding|party|visit)\b",
        "what (?:am i|are we) (?:doing|planning)",
        r"(?:my|our) plans?\b",
    ),
    AttributeKind.ROLE: (
        r"who (?:is|'s|was|runs|leads|heads|manages|owns)\b",
        r"who(?:'s| is) (?:the|our|my)\b",
    ),
    AttributeKind.VERSION: (
        r"(?:which|what) (?:\w+ )?version",
        "version of",
        "running (?:at the moment|now)",
    ),
    AttributeKind.PORT: (r"\bports?\b",),
    AttributeKind.HOST: (
        r"\bhosts?(?:name|ed)?\b",
        r"(?:which|what|where).{0,30}\b(?:server|machine|box|data ?cent(?:er|re)|region)\b",
    ),
    AttributeKind.TOOL: (
        r"(?:which|what) (?:\w+ ){0,2}(?:database|db|editor|framework|language|tool|library|linter|app|software|program|browser|os|operating system|bank|provider|queue|cache|orm|shell)\b",
        "what (?:do|are) (?:i|we) us(?:e|ing)",
    ),
}

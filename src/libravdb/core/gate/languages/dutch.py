"""Dutch."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

DUTCH = GateVocabulary(
    name="dutch",
    script=Script.LATIN,
    common=frozenset(
        "aan al als bij dan dat de deze die dit door een en er geen had heb hebben heeft heel het hier hij hoe ik in is je"
        " jij kan maar me mij mijn met naar niet nog nu of om onze ons ook op over te toen tot u uit van voor was wat we"
        " wel werd wij worden zal ze zich zij zijn zo zonder vandaag bent".split()
    ),
    person=(
        r"ik|mij|mijn|wij|we|ons|onze|hij|zij|haar|hem|moeder|vader|ouders|mama|papa|oma|opa|zoon|dochter|kind(?:eren)?|broer|zus|man|vrouw|partner|vriend(?:in|en)?|oom|tante|neef|nicht|buur(?:man|vrouw)|collega'?s?|baas|arts|tandarts|klant|familie",
    ),
    preference=(
        r"liever|het liefst|voorkeur|favoriete?|houd? van|hou niet van|haat|lekker|graag|lust|allergi\w+|vegetari\w+|veganist\w*|besloten|gekozen|kiezen|in plaats van|wil(?:len)?|zou graag",
    ),
    fact=(
        r"(?:ik|wij|we) (?!(?:denk|snap|begrijp|weet)\b)\w+(?: \w+)?|(?:mijn|onze|ons) \w+|(?:de|het) (?:server|database|project|dienst|team|vergadering|klant|contract)",
    ),
    rule=(
        r"altijd|nooit|vanaf nu|voortaan|in de toekomst|elke keer|onthoud|vergeet niet|zorg (?:dat|ervoor)|noem me|vermijd",
    ),
    date=(
        r"(?:maan|dins|woens|donder|vrij|zater|zon)dag|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|nu|vaak|soms|gisteren|morgen|vandaag|(?:volgend|vorig|elk|dit)e? (?:jaar|maand|week|zomer|winter|keer)|\w+ (?:dagen|weken|maanden|jaar) geleden|(?:in|sinds) (?:19|20)\d\d|sinds \w+|kerst|verjaardag|om \w+ uur",
    ),
    quantity=(
        r"\d[\d.,]{0,12} ?(?:%|procent|km|kg|g|m|gb|mb|minuten|uur|dagen|weken|maanden|jaar|euro|€|keer)(?!\w)|(?:twee|drie|vier|vijf|zes|zeven|acht|negen|tien|twintig|honderd|duizend) \w+|(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])",
    ),
    decision=(
        r"besloten|gekozen|beslissing|in plaats van|migr\w+|overgestapt|gebruiken|vervang\w+|architectuur|geschreven in",
    ),
    fix=(r"opgelost|gerepareerd|hersteld|oorzaak|gefixt",),
    release=(r"uitgebracht|gemerged|uitgerold|gepubliceerd|versie \d\S*|release",),
    configuration=(r"gewijzigd|veranderd|ingesteld|verhoogd|verlaagd|ingeschakeld|uitgeschakeld|hernoemd|poort \d+",),
    negation=(r"niet|geen|nooit|niets|niemand|zonder|noch|niet meer",),
    remember=(r"(?:onthoud(?: dat|:)|noteer(?: dat|:)|vergeet niet|schrijf op)",),
    change=(r"nu|niet meer|meer|verhuisd|veranderd|overgestapt|in plaats|nieuwe?|gestopt|vroeger|verplaatst",),
    chatter=(
        r"hallo|hoi|hé|goede?(?:morgen|middag|avond|nacht)|dag|doei|tot (?:ziens|morgen|straks)|hoe gaat het|dank(?: je| u)?(?: wel)?|dankjewel|bedankt|graag gedaan|ja|nee|ok(?:é|ay)?|oke|prima|goed|mooi|leuk|fijn|heel fijn|perfect|top|klopt|precies|begrepen|snap ik|duidelijk|alsjeblieft|haha+|ga (?:door|verder)|verder|volgende|wacht even|momentje|klaar|het werkt|ik ben moe",
    ),
    request=(
        r"(?:schrijf|leg|vertaal|vat|geef|zeg|toon|laat|maak|vergelijk|zoek|vertel|controleer)|(?:kun|kan|zou) je",
    ),
    question=(r"wat|wie|waar|wanneer|waarom|hoe|welke?|hoeveel|kun je|kan je",),
    deictic=(r"dat|dit|het|je|zo",),
)

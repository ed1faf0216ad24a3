"""German."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

_WORLD = (
    r"\w*(?:server|rechner|datenbank|backend|frontend|dienst|anwendung|bibliothek|repo|projekt|pipeline|build|deployment"
    r"|release|sicherung|backup|backups|tests?|konfiguration|passwort|zertifikat|port|netzwerk|drucker|büro|team|firma|kunde|vertrag"
    r"|budget|frist|termin|besprechung|fehler|absturz|ausfall|kinder|haus|wohnung|auto|garten|hochzeit|code|api|schnittstelle)"
)

GERMAN = GateVocabulary(
    name="german",
    script=Script.LATIN,
    common=frozenset(
        "aber alle als am an auch auf aus bei bin bis da das dass dein deine dem den denn der des die dir doch du ein eine"
        " einem einen einer er es euch für habe haben hat hatte hier ich ihm ihn ihr im in ins ist ja kann mal man mein"
        " meine meinen meiner mich mir mit nach nicht noch nur oder schon sehr sein seine sich sie sind so über um und uns"
        " unser unsere unter vom von vor war was wenn wer wie wir wird wo zu zum zur heute jetzt bitte kein keine".split()
    ),
    person=(
        r"ich|mich|mir|mein(?:e[mnrs]?)?|wir|uns|unser(?:e[mnrs]?)?|er|ihm|ihn",
        r"(?:groß|schwieger|stief|enkel)?(?:mutter|vater|sohn|tochter|eltern|kind(?:er)?)|mama|papa|oma|opa|bruder|schwester|geschwister|zwillinge?",
        r"(?:ehe)?(?:mann|frau)|partner(?:in)?|freund(?:in|e)?|verlobte[rn]?|tante|onkel|cousine?|nichte|neffe|familie|nachbar(?:in|n)?",
        r"kolleg(?:e|en|in)|chef(?:in)?|vermieter(?:in)?|arzt|ärztin|zahnarzt|lehrer(?:in)?|kunde|kundin|kunden|ansprechpartner(?:in)?|herrn?|team",
        r"(?:heißt|namens|mit|von|und) (?-i:[A-ZÄÖÜ][a-zäöüß]+)(?= und\b|,|\.|$)",
    ),
    preference=(
        r"mag|mögen|liebe|lieben|hasse|hassen|bevorzug\w+|lieber|am liebsten|lieblings\w+|gern(?:e)?|ungern|verabscheue|kann .{1,20} nicht (?:leiden|ausstehen)",
        r"allerg\w+|vegetari\w+|vegan\w*|unverträglich\w*|diabet\w+|(?:esse|trinke|benutze|nutze) (?:kein\w*|nie|nicht)|höhenangst|angst vor",
        r"entschieden|entscheidung|beschlossen|gewählt|wählen|einigen|geeinigt|statt|anstatt|anstelle|steigen .{1,40} um|umgestiegen|umsteigen|wechseln|gewechselt|fliegt raus|gehostet|gespeichert|(?:wird|werden) (?:\w+ ){1,6}(?:ge\w+t|ge\w+en|\w+iert)|(?:laufen|läuft) (?:\w+ ){0,5}(?:auf|hinter|unter)|sondern|lieber|läuft (?:auf|hinter|unter)|laufen auf|geschrieben in|in \w+ geschrieben|steh(?:e|t|en)(?: \w+){0,3} auf|(?:wir|ich) (?:nutze|nutzen|verwende|verwenden|setzen)|setzen auf|(?:ich|wir|sohn|tochter|er|sie) (?:spiele|spielt|spielen|sammle|singe|male)|möchte[n]?|will|wollen|würde gern\w*",
    ),
    fact=(
        r"(?:ich|wir) (?!(?:glaube|denke|meine|verstehe|verstehen|weiß|hoffe|schau|schaue|gucke|sehe|seh)\b)\w+",
        r"(?:bin|habe|hab|war|hatte|wohne|arbeite|fahre|fliege|gehe|mache|esse|trinke|mag|spiele|lerne|studiere|heiße|werde|muss|will|kann|treffe|kaufe|brauche|nutze|benutze|nehme|ziehe) ich",
        r"(?:sind|haben|waren|hatten|wohnen|fahren|fliegen|gehen|machen|werden|wollen|nutzen|ziehen|treffen) wir",
        r"(?:mein|unser)(?:e[mnrs]?)? \w+",
        r"(?:der|die|das|den|dem|im|am|unser\w*) (?:[\w-]+ ){0,2}" + _WORLD,
        r"habe? (?:es|ihn|sie|das) \w+|läuft (?:auf|hinter|unter)|in \w+ geschrieben|liegt (?:in|auf|an)|lag an|heißt|wohnt in|sitzt in|geschrieben in",
        r"(?:er|sie) (?:ist|hat|wohnt|arbeitet|heißt|kommt|spielt)",
    ),
    rule=(
        r"sprich mich|nenn(?:e)? mich|wenn (?:ich|du|jemand) .{1,60}, (?:dann )?(?:antworte|nutze|frag|schreib|prüf)\w*|immer(?! noch| wieder)|nie(?:mals)?|ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|in zukunft|jedes mal|merk(?:e)? dir|denk(?:e)? dran|vergiss nicht|achte darauf|stell(?:e)? sicher|duze|sieze|nenn(?:e)? mich|ohne rückfrage|auf keinen fall|darfst? nicht|muss|müssen|verwende|benutze (?!ich)",
    ),
    date=(
        r"(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabend|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember",
        r"\d{1,2}\. ?(?:\d{1,2}\.(?: ?\d{2,4})?|\w+)|\d{4}-\d{2}-\d{2}|(?:in|seit|bis|ab|von|im jahr) (?:19|20)\d\d|um \d{1,2}(?::\d{2})?(?: uhr)?|\d{1,2} uhr",
        r"früher|damals|jede[nrs]? \w+|um (?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)|jetzt|derzeit|momentan|inzwischen|mittlerweile|oft|manchmal|jeden \w+|(?:mon|diens|donners|frei|sams|sonn)tags|nicht mehr|ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|gestern|vorgestern|morgen|übermorgen|heute|(?:letzt|nächst|vorig|kommend|dies|jed)e[mnrs]? (?:\w+ )?(?:jahr|monat|woche|tag|sommer|winter|frühling|herbst|wochenende|mal|quartal|morgen|abend)",
        r"vor \w+ (?:tagen|wochen|monaten|jahren)|seit \w+|weihnachten|ostern|silvester|im (?:sommer|winter|frühling|herbst)|nachts|morgens|abends|täglich|wöchentlich|monatlich|jährlich|geburtstag|frist",
    ),
    quantity=(
        r"\d[\d.,]{0,12} ?(?:%|prozent|km|kg|g|m|cm|gb|mb|tb|ms|s|min|minuten|stunden|tage|wochen|monate|jahre|euro|€|uhr|mal)(?!\w)|€ ?\d[\d.,]{0,12}",
        r"(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|ein paar|mehrere|halbe\w*|dutzend) \w+",
        r"(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])|\w+ jahre alt|(?:alle|beide|kein|keine|keinen|viele|wenige|nur|jede[rs]?) \w+|alleinerziehend",
    ),
    decision=(
        r"entschieden|entscheidung|beschlossen|gewählt|geeinigt|setzen auf|nutzen|statt|anstatt|umgestiegen|umsteigen|steigen .{1,40} um|wechseln|migrier\w+|architektur|geschrieben in|läuft auf|liegt in|ersetz\w+",
    ),
    fix=(
        r"(?:das problem|die ursache|der grund) (?:war|lag|kam|ist)|behoben|gelöst|korrigiert|repariert|gefixt|ursache|lag an|kam vo[nm]|workaround|umgangen|der fehler (?:war|lag|kam)|beheb\w+",
    ),
    release=(
        r"veröffentlich\w+|gemergt|gemerged|ausgerollt|ausgeliefert|deployt|deployed|release|freigegeben|version \d\S*",
    ),
    configuration=(
        r"(?:gesetzt|geändert|erhöht|gesenkt|umbenannt|aktiviert|deaktiviert|eingestellt|konfiguriert|hochgesetzt)|konfiguration|einstellung|umgebungsvariable|port \d+",
    ),
    negation=(r"nicht|kein(?:e[mnrs]?)?|nie|niemals|nichts|ohne|niemand|weder|nicht mehr|kaum|gegen",),
    remember=(
        r"(?:(?:ok(?:ay)?|also|und|bitte|ach|hey|übrigens)[,:]? )*(?:merke? (?:dir|es dir)|merk's dir|notiere?(?: dir)?|notier's|denk(?:e)? (?:bitte )?(?:dran|daran)|vergiss (?:bitte )?nicht|vergiss nie|behalte? (?:bitte )?(?:im (?:kopf|hinterkopf|gedächtnis))|schreib(?:e)? (?:dir |das )+auf|speichere?|halte fest|für die akten)(?!,? (?:wann|was|wer|wie|wo)\\b)",
        r"(?:kannst|könntest|würdest) du (?:dir )?(?:bitte |mal |auch )*(?:merken|notieren|aufschreiben|speichern)|(?:kannst|könntest|würdest) du dir (?:bitte |mal |auch )*(?:.{1,60} )?(?:merken|notieren|aufschreiben)",
    ),
    change=(
        r"jetzt|nun|nicht mehr|mehr|umgezogen|gezogen|ziehe|gewechselt|wechsel\w*|statt|stattdessen|inzwischen|mittlerweile|neu(?:e[mnrs]?)?|verschoben|geändert|umgestiegen|steigen|ab sofort|seit (?:gestern|heute|kurzem|dieser)|früher|aufgehört|gekündigt|umbenannt|erhöht|gesenkt|doch|abgesagt",
    ),
    chatter=(
        r"oh(?: mann)?|ach|mann oh mann|hallo(?: zusammen)?|hi|hey|moin|servus|grüß (?:dich|gott)|grüezi|guten (?:morgen|tag|abend)|gute nacht|tschüss|tschau|ciao|bis (?:dann|später|morgen|bald)|schönen? (?:tag|abend|feierabend|woche|wochenende)(?: noch)?|wie geht's(?: dir)?(?: heute)?|wie geht es dir|alles (?:fit|gut|klar)|na",
        r"(?:vielen |herzlichen |besten |tausend )?dank(?:e)?(?: dir| ihnen| schön| sehr| für .{1,30})?|das hat (?:mir )?(?:sehr )?geholfen|du bist (?:super|toll|genial|der beste|die beste)|super erklärt|erklärt|geholfen",
        r"ja|nein|doch|ok(?:ay)?|klar|na klar|genau(?: so)?|stimmt|passt(?: so)?|alles klar|einverstanden|verstanden|(?:ich )?versteh(?:e)?|gut|sehr gut|super|toll|prima|perfekt|klasse|cool|schön|interessant|witzig|lustig|richtig|falsch|aha|ach so|sicher|gerne?|bitte(?: schön)?|kein problem|egal|schade|wow|haha+|hm+|äh+|so|das reicht|machen wir(?: so| das)?|so machen wir(?:'s| es)|das war's(?: schon)?|du hast recht|recht",
        r"moment(?: mal)?|(?:eine )?sekunde|warte(?: mal| kurz)?|ich (?:probier|versuch|versuche|schaue|guck|gucke|seh|sehe|prüfe|teste|probiere)(?: .{1,30})?|lass (?:uns|mich) (?:weitermachen|weiter|mal sehen|sehen|schauen|anfangen|loslegen)|weiter(?: so| geht's)?|mach weiter|los|bin (?:wieder da|gleich zurück|zurück)|fertig|nächster schritt|es (?:geht|funktioniert|klappt)(?: jetzt| wieder)?|nach",
        r"(?:ich bin|bin) (?:so |sehr |ganz |total |etwas )?(?:müde|hungrig|froh|traurig|gespannt|verwirrt|fertig|bereit|da|krank vor lachen)|schönes wetter(?: heute)?|was für ein\w* .{1,30}|oder|das ist (?:ja )?(?:witzig|lustig|super|toll|gut|schön|interessant|nett)",
    ),
    request=(
        r"(?:kannst|könntest|würdest|magst|kannste) du|könnten sie|können sie|ich (?:möchte|will|hätte gern), dass du|hilf mir",
        r"(?:bitte |jetzt |dann |nun )*(?:schreib|erklär|zeig|übersetz|fass|gib|sag|liste|vergleich|erstell|mach|erzähl|such|find|lies|öffne|prüf|teste|führ|starte|füge?|entfern|kürz|formulier|berechne|nenn|beschreib|hilf|versuch|probier|korrigier|analysier|generier|entwirf|bau|rechne|zähl|sortier|wiederhol)(?:e|s)?",
    ),
    question=(
        r"was|wer|wem|wen|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche[mnrs]?|wozu|womit",
        r"(?:ist|sind|bin|war|hat|habe|haben|kann|kannst|könnte|soll|sollte|muss|darf|gibt|geht|weißt|hast|bist|wird|würde|brauche) (?:ich|du|er|sie|es|wir|ihr|man|das|der|die|dein|mein)",
    ),
    deictic=(r"das|dies(?:es|er|e)?|es|du|hier|da|so",),
)

"""How wishes are said in German."""

from __future__ import annotations

from libravdb.core.guidance.languages.wording import WishWording, any_of

_LANGUAGES = (
    "deutsch|englisch|französisch|spanisch|italienisch|portugiesisch|niederländisch|chinesisch|japanisch|koreanisch|"
    "russisch|polnisch|türkisch|arabisch|schwedisch|griechisch|tschechisch|ukrainisch|schweizerdeutsch|hochdeutsch|"
    "dänisch|norwegisch|finnisch|ungarisch|rumänisch|bulgarisch|kroatisch|serbisch|bosnisch|slowenisch|slowakisch|hebräisch|hindi|"
    "persisch|farsi|kurdisch|vietnamesisch|thailändisch|indonesisch|albanisch|plattdeutsch|bairisch|esperanto|isländisch|irisch|"
    "dialekt|latein|katalanisch|meiner sprache"
)
_OUTPUTS = (
    r"antwort(?:en)?|erklärung(?:en)?|texte?n?|nachrichten?|zusammenfassung(?:en)?|romane?|aufsätze|beispiele?n?|listen?|"
    r"stichpunkte?n?|stichworte?|aufzählung(?:en)?|tabellen?|absätze|emojis?|smileys?|ausrufezeichen|fachbegriffe?n?|"
    r"fachchinesisch|fremdwörter|anglizismen|fachsprache|warnhinweise?|hinweise|disclaimer|smalltalk|einleitung(?:en)?|"
    r"floskeln|geschwafel|blabla|codeblöcke|code|markdown|überschriften|fettdruck|details?|quellen|quellenangaben|links|"
    r"rückfragen|gegenfragen|ton|entschuldigung(?:en)?|humor|witze|sarkasmus|ironie|vorschläge|empfehlungen|ratschläge|"
    r"komplimente|lob|lobhudelei|sätze|einheiten|celsius|fahrenheit|euro|erinnerungen|spoiler|abkürzungen|metaphern|"
    r"bilder[n]?|fotos|grafiken|diagrammen?|screenshots|großbuchstaben|kleinschreibung|ziffern|kalendersprüche|\w*sprüche|\w*zitate|"
    r"fakten|tipps|rechtschreibung|quizfragen?|stichwörter|ganze sätze|slang|schimpfwörter|spitznamen|grußformeln?|begrüßung(?:en)?|"
    r"unterschrift|meinung(?:en)?|vermutungen|spekulationen|wiederholungen|fazit|überblick|schritte|alternativen|optionen|vergleiche?|prozente|"
    r"anhänge|sprachnachrichten|videos|anführungszeichen|semikolons|sternchen|klammern|gedankenstriche|farben|text|pathos|rechenwege?|lösungswege?|varianten?|vornamen|anreden?|ich-form|gelobe|lobeshymnen|"
    r"belehrungen|predigten|rechtfertigungen|höflichkeitsfloskeln|standardfloskeln|warnungen|ironie|uhrzeiten|kommentare|schachtelsätze|gendern|genderformen|fließtext"
)
_STYLE = (
    r"kurz(?:e|en|er|es)?|kürzer(?:e|en)?|knapp(?:e|en|er)?|knapper|lang(?:e|en|er)?|längere?n?|ausführlich(?:e|en|er)?|"
    r"ausführlicher|detailliert(?:e|en|er)?|formell(?:e|er)?|förmlich(?:er)?|locker(?:er)?|höflich(?:er)?|freundlich(?:er)?|"
    r"direkt(?:e|er)?|ehrlich(?:e|er)?|einfach(?:e|en|er)?|sachlich(?:e|er)?|präzise(?:r)?|prägnante?|klare?|deutlicher"
)

_WORKS = (
    r"antwort\w*|erklär\w*|schreib\w*|nenn\w*|sag\w*|sprich\w*|red\w*|verwend\w*|benutz\w*|nutz\w*|gib\w*|gebe\w*|zeig\w*|fass\w*|hält\w*|halt\w*|"
    r"lass\w*|lässt|vermeid\w*|frag\w*|duz\w*|siez\w*|schick\w*|erinner\w*|bleib\w*|verzicht\w*|übersetz\w*|formatier\w*|formulier\w*|zitier\w*|rund\w*|"
    r"rechn\w*|schläg\w*|empfiehl\w*|erwähn\w*|beginn\w*|fäng\w*|start\w*|stell\w*|bestätig\w*|setz\w*|list\w*|kürz\w*|prüf\w*|nummerier\w*|bring\w*|mach\w*|"
    r"unterschreib\w*|warn\w*|füg\w*|ergänz\w*|wiederhol\w*|glieder\w*|teil\w*|markier\w*|kennzeichn\w*|korrigier\w*|vergleich\w*|ausschreib\w*|plan\w*|such\w*|"
    r"buch\w*|entwirf\w*|erstell\w*|verfass\w*|koch\w*|programmier\w*|zusammenfass\w*|vorschl\w*|angib\w*|angeb\w*|führ\w*|ausführ\w*|lob\w*|widersprich\w*"
)
_TASKS = (
    r"rezept\w*|speiseplän\w*|essensplän\w*|menüs?|kochen|backen|code|sql|python|java|rust|terraform|docker|excel|tabellen?|skripten?|funktionen|tests?|"
    r"commits?|mails?|e-mails?|briefen?|nachrichten|newsletter\w*|beiträgen?|posts|artikeln?|berichten?|protokollen?|folien|präsentation\w*|"
    r"rechnungen|angeboten?|kostenvoranschlägen?|verträgen?|dokumenten?|doku|übersetzungen|zusammenfassungen|tipps|hilfe|ideen|vorschlägen?|"
    r"empfehlungen|fragen|zeug|sachen|plänen?|routen?|wanderungen?|ausflügen?|touren|spaziergängen?|reisen|reisetipps|urlaub\w*|flügen?|zügen|"
    r"zugfahrten|hotels|restaurants|filmen?|büchern?|spielen?|musik|geschenken?|einkaufslisten?|hausaufgaben|mathe|unterricht\w*|übungen|training\w*|"
    r"workouts?|aufsätzen?|geschichten|gedichten|rätseln?|stricken|nähen|garten|kleingarten|pflanzen|schaltungen|elektronik|reparaturen|steuern?|"
    r"medikamenten?|gesundheit|nachrichtenlage|wetter|sport|fußball|schach|vokabeln|grammatik|bewerbungen|terminen?|besprechungen|kunden|mietern?|"
    r"allem|alles"
)

GERMAN = WishWording(
    code="de",
    common=frozenset(
        "der die das und oder aber ich du mir mich dir dich er sie es wir ihr nicht kein keine keinen ein eine einen"
        " einem ist sind war bin bitte immer nie niemals auf mit für von zu im in den dem des wenn dass ob wie was so"
        " nur auch noch mehr ab jetzt schon mal doch ja nein mein meine meinen dein deine deiner deinen sich bei nach"
        " vor über lieber man soll kannst möchte will habe hat uns euch alle alles etwas".split()
    ),
    leads=(
        r"^(?:(?:ok(?:ay)?|hey|hi|hallo|moin|servus|na|so|also|und|aber|ach(?: ja)?|übrigens|noch (?:was|etwas|eins|eine "
        r"(?:sache|bitte))|danke(?: schön| dir)?|bitte|super|gut|alles klar|ja|nein(?=[,.!])|haha|ps|p\.s|nebenbei|achja|"
        r"eine (?:bitte|sache|kleine bitte)|(?:bitte )?(?:merk dir|denk dran|behalte im kopf|notier\w*|speicher\w*)(?: mal)?(?: ab)?(?:,? dass|(?=[:,])(?!:? ?ab))|kleine bitte|kurze bitte|kurzer hinweis|mal ehrlich|ehrlich gesagt|hör mal|"
        r"prima|genau|stimmt|sag mal|sorry|hm+|apropos|weißt du|zur info|fürs protokoll)[ ,:.!;–—-]+){1,6}"
    ),
    forward=any_of(
        r"ab (?:jetzt|sofort|heute|nun|morgen|hier)|von (?:jetzt|nun|heute|hier) an|künftig|zukünftig|in zukunft|fortan|"
        r"für die zukunft|fürs nächste mal|beim nächsten mal|das nächste mal|nächstes mal|nicht mehr|nie mehr|nie wieder|"
        r"keine? (?:\w+ )?mehr|nur noch|bis auf weiteres|dauerhaft|für immer|grundsätzlich|standardmäßig|wieder auf|"
        r"bis ich (?:was|etwas) anderes sage|außer ich sage|in (?:jeder|allen) (?:antwort|antworten|chats?|gesprächen?)"
    ),
    habitual=any_of(
        rf"(?:aus|in|bei|unter|zu|mit|für|nach|an) (?:allen?|jede\w*)(?: \w+)? (?:{_TASKS}|{_OUTPUTS})|"
        r"immer|nie|niemals|stets|jedes mal|jedesmal|ständig|generell|prinzipiell|in der regel|normalerweise|jederzeit|"
        r"dauernd|jeden (?:tag|morgen|abend)|jeder (?:antwort|nachricht)|im allgemeinen|am wochenende|an wochenenden|"
        r"sonntags|samstags|abends|nachts|morgens|ausnahmslos|überall|die ganze zeit|auf keinen fall|keinesfalls|"
        r"am sonntag|am samstag|alles|jede[snr]? \w+|deine antworten|durchgehend|konsequent|wann immer"
    ),
    reported=(
        r"(?:^|[,;] ?|\b(?:und|aber|weil|denn) )(?:(?:mein|meine|sein|seine|ihr|ihre|unser|unsere|der|die|das|ein|eine|"
        r"dein|deine)(?: [\w-]+){1,3}|er|sie|man|alle|jeder|jemand|mama|papa|oma|opa|die leute) "
        r"(?:hat |haben |immer |mal |auch |stets |mir |uns |oft |früher |einmal ){0,4}(?:sagt|sagte|sagten|sagen|gesagt|"
        r"meint|meinte|gemeint|findet|fand|will|wollte|rät|riet|geraten|empfiehlt|empfahl|erzählt|behauptet|verlangt|"
        r"möchte|schreibt|erwartet|predigt|warnt|bittet|bat|gebeten|beigebracht)\b|(?<!so )(?<!zu )\blaut (?=\w)|\bhat (?:mir |uns )?(?:immer |mal )?"
        r"(?:gesagt|geraten|erzählt|beigebracht)\b|\bman sagt\b|\bangeblich\b|\bes heißt\b|\bich habe gelesen\b"
    ),
    unreal=(
        r"\bwenn ich (?:\w+ )?(?:wäre|hätte|könnte)\b|\bwas wäre wenn\b|^stell dir vor\b|^angenommen\b|\bich wünschte\b|"
        r"\bhätte (?:ich|ich doch)\b|\bfrüher\b|\bdamals\b|^lass uns (?!auf|beim|du|bei)"
    ),
    polite=(
        r"^(?:kannst|könntest|würdest|wirst|können|könnten|würden|magst|möchtest) (?:du|sie|ihr)\b|^wäre es möglich\b|"
        r"^ist es möglich\b|^würde es dir was ausmachen\b"
    ),
    exhorting=(
        r"\bpass auf dich auf\b|\bgib (?:nie|niemals|nicht|bloß nicht)\w* auf\b|\baufgeben\b|\bviel (?:glück|erfolg|spaß)\b|"
        r"\balles gute\b|\bgute besserung\b|\bbleib (?:gesund|stark|tapfer|so wie|wie du|dran|ruhig|sitzen|zu hause)\b|"
        r"\blass dich nicht (?:unterkriegen|ärgern|stressen|hetzen)\b|\bmach dir (?:keine|nichts)\b|\bkeine sorge\b|"
        r"\bsei (?:nicht (?:traurig|so streng|böse|enttäuscht|albern)|vorsichtig|stark|tapfer|du selbst|stolz|brav)\b|"
        r"\bdu schaffst das\b|\bkopf hoch\b|\bgenieß\w*\b|\bschönen? (?:tag|abend|urlaub|wochenende|feierabend)\b|"
        r"\bmelde? dich\b|\bvergiss (?:nicht|deine|dein|nie)\b|\bdenk (?:an (?:dein|die|den|das)|dran)\b|\bruf (?:mal |doch |"
        r"bitte )?(?:mich|mama|papa|deine|deinen|sie|ihn|an)\b|\bkomm\w* (?:gut|doch|mal|vorbei|uns|zu)\b|\bschlaf gut\b|"
        r"\bruh dich\b|\bglaub an dich\b|\bträum\w*\b|\bdein(?:e|en|er|em)? (?:mama|mutter|vater|papa|oma|opa|frau|mann|"
        r"freundin|freund|kinder|herz|schlüssel|schirm|regenschirm|jacke|hund|katze|familie|schwester|bruder|gesundheit|"
        r"prüfung|chef|chefin|urlaub|geburtstag|traum|träume)\b|\bhalt (?:die ohren|durch)\b|\btu nichts\b|\blächle?\b|"
        r"\bherzlichen glückwunsch\b|\bdu solltest (?:mal |dich |zum |mehr |schlafen|dringend |unbedingt )|\btrink (?:genug|"
        r"viel|mehr)\b|\biss (?:was|mehr|genug)\b|\btrau (?:dich|keinem|niemandem)\b|\bliebe?\b(?= dich)|\bgrüß\w*\b"
    ),
    once=(
        r"\b(?:die|den|das) (?:überschrift|schrift|tabelle|bild|spalte|farbe|titel|zelle|knopf|foto|logo|rahmen|hintergrund|diagramm)\b|"
        r"\b(?:das|dies|diese|dieser|dieses|diesen|diesem|ihn|jenes)\b(?! (?:ergebnis|metrische|wichtigste|fazit|du|sie|nächste))"
        r"|\bes\b(?! (?:lieber|wäre|ist mir|wichtig|stört|nervt|gut|nicht|mir|mag|reicht|hilft))|\bheute\b|\bmorgen\b(?!s)|"
        r"\bgerade\b|\bdiesmal\b|\bjetzt\b|\bhier\b|\bdaraus\b|\bdavon\b|\bfolgende\w*\b|\bunten\b|\boben\b|\bletzte\w*\b|"
        r"\bnächste\w* (?:satz|zeile|absatz|woche)\b|\b(?:den|die|der) (?:satz|text|zeile|absatz|mail|e-mail|brief|test|fehler|"
        r"funktion|datei|code|artikel|abschnitt|liste|tabelle|version|entwurf|rede|einladung|überschrift)\b|"
        r"\b(?:schreib|schreibe|erstelle?|mach|mache|gib|nenn|nenne|zeig|such|finde|formulier\w*|übersetz\w*|erklär\w*|kürz\w*|"
        r"verfass\w*|entwirf|plane?|brauche|möchte|will|hätte gern)\b(?: mir| uns| bitte| mal)* (?:ein|eine|einen|einem|drei|"
        r"zwei|vier|fünf|zehn|\d+|mein|meine|meinen|wie|was|warum|wer|welche)\b|\b(?:an|für) meine?n? (?:vermieter|chef|chefin|"
        r"mutter|vater|schwester|bruder|freund|freundin|nachbarn?)\b|^[^:]{3,60}: ?(?:\S+ ){2,}\S+|\bja oder nein\b|"
        r"\bin (?:einem|drei|zwei|fünf) (?:wort|satz|sätzen|worten)\b|\bnochmal\b|\bnoch (?:ein)?mal\b|\bsobald\b|"
        r"\bwenn du (?:da|fertig|zu hause|angekommen|ankommst|zeit)\b|\bein bisschen (?:kürzer|länger)\b"
    ),
    head=(
        r"(?:^|[,;:.(!—–] ?| - |\b(?:und|aber|also|dann|bitte|oder|sondern|jetzt|an|künftig|zukunft|sofort|mir|mich|code|"
        r"rezepte\w*|fragen?|sql|mails?|mal|heute|dich|dir|lieber) )(?:(?:bitte|doch|ruhig|einfach|immer|nie|niemals|"
        r"nicht|nur|gerne?|mal|auch|stets|lieber|erst|dann|mir|mich|künftig|ab jetzt|in zukunft|ab sofort|generell|"
        r"grundsätzlich|standardmäßig)[, ]+){0,5}"
    ),
    verbs=(
        r"(?:führ|führe|überschreib|überschreibe|änder|ändere|veröffentliche|unterschreib|unterschreibe|unterzeichne|nummerier|nummeriere|unterstreich|"
        r"behandle|behandel|begrüß|begrüße|verlass|geh davon aus|erspar|erspare|verschone|verschon|kennzeichne|markier|markiere|gliedere|bereite|verfasse|"
        r"formulier|formuliere|wähl|wähle|installier|installiere|aktualisiere|beschreib|beschreibe|vergleiche|korrigier|korrigiere|begründe|fasse dich|fass dich|"
        r"rück|rücke|zieh|teste|plane|such|suche|kopier|verschick|poste|quiz|lies|tu|pack|packe|antworte|antworten|beantworte|nenn mir|rund|schreib|schreibe|schreiben|schreibst|erklär|erkläre|erklären|nenn|nenne|nennen|"
        r"sag|sage|sprich|rede|red|sprechen|verwende|verwenden|benutz|benutze|benutzen|nutz|nutze|nutzen|nimm|nehmen|gib|"
        r"geben|zeig|zeige|fass|fasse|halt|halte|halten|lass|lasse|weglassen|vermeide|vermeiden|frag|frage|fragen|duz|duze|"
        r"duzen|siez|sieze|siezen|schick|schicke|schicken|erinner|erinnere|sei|seien|bleib|bleibe|hör auf|hör|verzichte|"
        r"verzichten|übersetz|übersetze|formatier|formatiere|zitier|zitiere|runde|runden|rechne|rechnen|schlag|schlage|"
        r"empfiehl|empfehle|erwähn|erwähne|verrat|verrate|beginn|beginne|fang|fange|starte|stell|stelle|bestätige|setz|"
        r"setze|liste|kürz|kürze|spar|prüf|prüfe|achte|achten|kontaktier|kontaktiere|entschuldige|wiederhole|wiederhol|"
        r"lösch|lösche|kauf|kaufe|bestell|bestelle|buch|buche|deploy|deploye|committe|pushe|speicher|speichere|teil|teile|"
        r"merk dir|warn|warne|weise|füg|füge|ergänze|komm zum punkt|wechsel|wechsle|bring|bringe|mach keine|mach es|"
        r"mach|mache|gendere|gender|rate|erfinde|erfinden|lob|lobe|übertreib|übertreibe|weck|wecke|stör|störe|ruf mich)\b"
    ),
    speaking=any_of(
        r"antwort\w*|erklär\w*|sprich|rede?|sag\w*|frag\w*|nenn\w*|duz\w*|siez\w*|schreib\w*|sei|entschuldig\w*|erinner\w*|"
        r"fass|lob\w*|stör\w*|kontaktier\w*"
    ),
    wanted=(
        r"\bich (?:will|möchte|hätte gern\w*|wünsche mir|erwarte|mag es|mag es nicht|hasse es|brauche|finde es \w+|fände es "
        r"\w+|würde mich freuen|würde mir wünschen|bitte dich)(?: \w+){0,2},? (?:dass|wenn|zu) (?:du|sie|deine)?\b|"
        r"\b(?:mir|es) (?:wäre|ist|würde|nervt|stört|hilft|gefällt|reicht)\b.{0,30}\b(?:wenn|dass) (?:du|sie)\b|"
        r"\b(?:schön|gut|toll|nett|super|lieber|besser|wichtig|hilfreich),? (?:wäre es,? )?(?:wenn|dass) (?:du|sie)\b|"
        r"\bmich (?:nervt|stört)\b"
    ),
    prefers=(
        r"\bich (?:bevorzuge|mag|liebe|hasse|möchte|will|brauche|hätte(?: lieber| gern\w*)?|lese|bekomme|finde|"
        r"verstehe|kriege|wünsche mir|stehe auf|kann)\b|\bmir (?:sind|gefallen|reichen|ist|wären|helfen)\b|"
        r"\bich bin kein fan von\b"
    ),
    not_preferred=(
        r"^ (?:ein|eine|einen|dein|deine|deinen|diese|dieses|den|der|das|es|noch|zu|wissen|lernen|meine?|unsere?|drei|"
        r"zwei|fünf)\b"
    ),
    second=(
        r"\bdu (?:kannst|darfst|musst|brauchst|sollst|solltest|könntest|dürftest)\b|\b(?:kannst|darfst|musst|brauchst|"
        r"sollst|solltest) du\b|\bsie (?:können|dürfen|müssen|brauchen|sollen) (?:mich|mir|gern|ruhig|nicht|immer)\b|"
        r"\bnicht nötig\b|\bhör (?:bitte )?auf\b|\bschluss mit\b|\bgenug (?:mit|von)\b|\bdeine (?:\w+ )?(?:antworten|texte|"
        r"nachrichten|erklärungen) (?:sollen|sollten|müssen|dürfen|sind zu|können)\b|\bdein ton\b|\bwir können\b|"
        r"\blass (?:uns|die|den|das|bitte|mal|doch)\b|\bspar dir\b|\bkomm mir nicht mit\b|\bvergiss (?:was|das mit|die sache)\b|"
        r"\bignorier\w* (?:was|das|meine)\b|\bverschon\w* mich\b|\bbleiben wir\b|\bsagen wir\b"
    ),
    nominal=(
        rf"^(?:bitte |ab jetzt |künftig |in zukunft |generell |nur |und |aber )*(?:keine?n?|weniger|mehr|nur|ohne|bloß "
        rf"keine?|null)(?: [\w-]+){{0,3}}? (?:{_OUTPUTS})\b|^(?:bitte |nur |ab jetzt |immer )*(?:(?:{_STYLE})(?: und |, | )?)+"
        rf"(?:{_OUTPUTS})\b(?! (?:ist|sind|war|waren|zu|über|von)\b)|^(?:{_OUTPUTS})\b.{{0,40}}\b(?:bitte|immer|nur|"
        rf"zuerst)\b|^(?:bitte |nur |ab jetzt |immer |wieder |und )*auf (?:{_LANGUAGES})\b|^(?:preise|temperaturen|datum|"
        rf"daten|gewichte|entfernungen|mengen|einheiten|alles|uhrzeiten)\b(?:,? (?:bitte|immer|nie|nur|stets|ab jetzt|künftig|alle|für mich))*,? (?:in|als|auf|im) \w+|^bitte (?:(?:{_STYLE})"
        rf"(?: und |, |$|[.!]))+|^(?:bitte |immer )*(?:kurz|knapp) und (?:knapp|bündig)|\b(?:bitte|immer|nur)\b.{{0,60}}\b"
        rf"(?:antworten|rechnen bitte|verwenden|schreiben|benutzen|siezen|duzen|angeben|weglassen|vermeiden|nutzen|nennen|fragen|"
        rf"rechnen|halten|reden|sprechen|erklären|zitieren|formatieren|nachfragen|wiederholen|loben|entschuldigen|abkürzen|übersetzen|umrechnen)(?:[.!,]|$)|\bnur (?:noch )?(?:auf )?(?:{_LANGUAGES})\b|^(?:nach|vor|ab|bis) (?:\d{{1,2}}|\w+) uhr\b.{{0,40}}\b(?:keine?n?|nichts|nicht)\b|^am wochenende\b.{{0,30}}\bkeine\b|"
        rf"^(?:bei|für|in|im|beim) (?:[\wäöüß-]+ ){{0,3}}?[\wäöüß-]*(?:rezept\w*|code|sql|mail\w*|tipps?|ideen|vorschl\w*|empfehlung\w*|texte?n?|bericht\w*|filme?n?|büchern?|reisen?|flügen?|hotels|python|fragen|nachrichten|kunden|commits?|listen?|geschenke?n?|briefe?n?|training\w*|essen),? (?:nur|keine?n?|nie|niemals|immer|ohne|bitte|stets)\b|"
        rf"^[\wäöüß-]*(?:rezept\w*|code|sql|mail\w*|tipps?|ideen|vorschl\w*|empfehlung\w*|texte?n?|bericht\w*|filme?n?|bücher\w*|reisen?|python|css|commits?|listen?|geschenke?n?|briefe?n?): ?.{{0,60}}\b(?:immer|nie|bitte|jedes mal|nur)\b|"
        rf"^(?:[\wäöüß-]+ ){{0,2}}?[\wäöüß-]*(?:rezept\w*|code|sql|mail\w*|tipps?|ideen|vorschl\w*|empfehlung\w*|texte?n?|bericht\w*|filme?n?|büchern?|reisen?|flügen?|hotels|python|fragen|nachrichten|kunden|commits?|listen?|geschenke?n?|briefe?n?|training\w*|essen) (?:in|auf|als|mit|ohne) [\wäöüß' ,-]{{2,40}}\b(?:bitte|immer|jedes mal|künftig)\b"
    ),
    address=(
        r"\b(?:nenn|nenne|nennt|nennen sie) mich (?!(?:verrückt|altmodisch|blöd|naiv)\b)|\bsag(?:e|en sie)? (?:einfach |bitte |"
        r"ruhig |doch )*(?:[\w-]+ ){1,2}zu mir\b|\b(?:duz|duze|siez|sieze|duzen|siezen)(?: sie)?(?: bitte| doch)* (?:mich|"
        r"uns)\b|\bdu (?:kannst|darfst|sollst) (?:mich|gern\w* (?:mich )?|ruhig |auch |einfach |zu mir )+.{0,20}\b(?:nennen|"
        r"duzen|siezen|sagen)\b|\bsprich mich (?:mit|als|bitte)\b|\bmich (?:bitte |immer |künftig )*(?:mit |als |beim )"
        r".{1,30}\b(?:ansprechen|anreden|an)\b|\b(?:können|dürfen) uns (?:ruhig |gern\w* )?duzen\b|\blass uns (?:beim|per) "
        r"(?:du|sie)\b|\bich (?:möchte|will|mag es)\b.{0,20}\b(?:genannt|geduzt|gesiezt|angesprochen)\b|\bper (?:du|sie)\b|"
        r"\bbleiben wir beim (?:du|sie)\b|\bsag (?:bitte )?(?:du|sie)\b|\bnicht mehr .{2,20} nennen\b"
    ),
    not_address=r"\b(?:alle|freunde|sie|er|die leute|mama|kollegen) nennen? mich\b|\bnennt mich (?:jeder|immer)\b",
    condition=(
        r"(?:^|[,;] ?|\b(?:und|aber|bitte) )(?:wenn|falls|sobald|immer wenn|jedes mal,? wenn|sooft) (?:du|ich|es|wir|man|"
        r"sie|etwas)\b|(?:^|[,;] ?)(?:bei|für|in|im|beim|was) (?!(?:mir|zukunft|mich|jeder|deinen?|allen|der regel))"
        r"[\w-]+(?: [\w-]+){0,3}|\b(?:bei|für|in|beim) (?:\w+ )?(?:sql|python|code|rezepten?|e-?mails?|mails?|kunden|"
        r"commits?|commit-nachrichten|berichten?|kochen|training|reisen|flügen|filmen|büchern|tabellen|rechnungen|texten)"
        r"|\b(?:wenn|falls) (?:du|ich|es) |\brezepten?\b|\bsql\b|\b\w+-code\b"
    ),
    agentive=(
        r"\b(?:wenn|falls|sobald|immer wenn|jedes mal,? wenn|sooft) (?:ich (?:dich |dir |nach |um |etwas |einen? |mal |dich nach |dich um )*"
        r"[\w äöüß-]{0,30}?(?:frag\w*|bitte|schick\w*|brauche|will|möchte|erwähn\w*|rede|schreib\w*|zeige|sage|einfüge|teile)|du "
        r"(?:mir |uns |für mich |etwas |einen? |meine[mnrs]? )*[\w äöüß-]{0,30}?(?:schreib\w*|gibst|vorschl\w*|empfiehlst|hilfst|erstell\w*|machst|planst|erklär\w*|"
        r"übersetz\w*|zeigst|benutzt|verwendest|nennst|suchst|rechnest|nicht weißt|(?:dir )?(?:nicht|un)\s?sicher|antwort\w*|zusammenfasst|buchst|programmierst)|es um|wir (?:über )?)"
    ),
    clause=(
        r", (?:dann |bitte )?(?!(?:ich|du|er|sie|es|wir|man|das|die|der|und|aber|weil|dass|wie|was|ist|sind|war|wird|werden|habe|hat|kann|bin)\b)[a-zäöüß]+ (?:mir|immer|nie|"
        r"bitte|nur|auch|zuerst|mit|keine?n?|den|die|das|alle\w*|jede\w*|erst)\b(?! (?:ich|er|sie|wir|alle|leute))"
    ),
    normative=(
        r"^(?:(?:alle|meine|deine|die|jede|der|das) )?(?:[\wäöüß-]+ ){0,3}?(?:[\wäöüß-]*(?:nachrichten?|mails?|briefe?|berichte?|ideen|tipps|rezepte?|"
        r"code|tabellen?|titel|commits?|funktionen|zusammenfassung(?:en)?|texte?|vorschläge|pläne|abfragen|listen?|beispiele|preise|mengen|"
        r"kommentare|übersetzungen?|termine|protokolle?|einkaufslisten?))\b(?: (?:an|für|von|in|zu) (?:[\wäöüß-]+ ?){1,4})? ?"
        r"(?:soll(?:en|te|ten)?|müssen|muss|darf|dürfen|bitte immer|immer|nie)\b"
    ),
    acting=r"\b(?:ich|wir|er|sie|es|man|wer|der|die|zu)(?: (?:immer|nie|oft|auch|nur))? $",
    for_me=r"\b(?:mir|mich|uns)\b",
    others=(
        r"^(?:ich|wir|er|sie|es|man|alle|jeder|niemand|mein(?:e|er)? \w+|(?:ab jetzt|künftig|in zukunft|von nun an|ab morgen) "
        r"(?:werde|gehe|esse|bin|mache|will|trinke|kaufe|laufe|\w+) (?:ich|wir|er|sie))\b"
    ),
    subjects=any_of(_TASKS),
    proposing=any_of(
        "schlag\\w*|vorschlagen|vorschlägst|empfiehl|empfehl\\w*|buch\\w*|bestell\\w*|kauf\\w*|deploy\\w*|committ\\w*|such\\w*|plan\\w*"
    ),
    usual=(
        r"\b(?:wenn|falls|sooft|immer wenn) du (?:mir )?(?:\w+ )?(?:uhrzeiten?|zeiten|preise?|zahlen|daten|datum|entfernungen?|temperaturen?|gewichte?|mengen|beträge?|namen|links|quellen|beispiele?|"
        r"einheiten|maße) (?:\w+)|"
        r"\b(?:wenn|falls|bevor|immer wenn|jedes mal,? wenn) (?:du|ich|sie|wir)(?: \w+){0,3} (?:antwort\w*|fragen?|frage|"
        r"fragst|erklär\w*|red\w*|sprich\w*|schreib\w*|lösch\w*|schick\w*|kauf\w*|machst|änder\w*|sicher\w*|weißt|unsicher|"
        r"bist|vermeidest|benutzt|verwendest|kannst|bestell\w*|wissen)\b|\bwenn (?:möglich|nötig|du unsicher|du (?:dir )?"
        r"nicht sicher|du etwas nicht)\b|\bin (?:deinen|allen|jeder|unseren) (?:\w+ )?(?:antworten?|nachrichten?|texten|"
        r"chats?|gesprächen)\b|\bfür mich\b|\bbei (?:mir|allem|jeder antwort|fragen)\b|\bbevor du\b|\bwenn du (?:mir "
        r"(?:antwortest|schreibst|etwas erklärst)|mit mir)\b|\bwenn du\b(?=.{0,40}\b(?:vermeid|benutz|verwend|kürzer|"
        r"bleib|wärst|würdest|könntest))"
    ),
    outputs=any_of(_OUTPUTS),
    undoing=(
        r"\bdu (?:kannst|darfst|brauchst|musst)\b|\b(?:kannst|darfst|brauchst|musst) du\b|\bweglassen\b|\breich(?:t|en)\b|\bgenüg(?:t|en)\b|\bkeine?n? .{1,30}mehr\b|"
        r"\bwieder\b|\bnicht mehr\b|\bdoch (?:wieder|lieber|nicht)\b|\bvergiss (?:was|das)\b|\bstattdessen\b|\bdoch\b|"
        r"\bzurück\b|\bwechs\w+\b|\blieber\b|\bhat sich erledigt\b|\bignorier\w*\b|\bbrauchst\b|\bmusst nicht\b"
    ),
    meaning=(
        r"^(?:wenn|falls) ich .{1,60} (?:sage|schreibe|erwähne),? (?:dann )?(?:meine ich|ist|geht es)\b|^mit .{1,40} meine ich\b|^unter .{1,40} verstehe ich\b"
    ),
    telling=(
        rf"\bim zweifel\b|\bwenn du (?:etwas|es|was|dir|dich) (?:\w+ )?nicht (?:weißt|findest|sicher|kannst|auskennst)\b|\bich (?:will|möchte|mag es) nicht\b.{{0,20}}\b(?:gelobt|belehrt|geduzt|gesiezt|unterbrochen|bedankt|korrigiert|genannt)\b|"
        rf"^(?:ein|eine|zwei|drei|kurze|die) (?:\w+ )?(?:{_OUTPUTS}|satz|zeile|wort|variante|option|vorschlag|empfehlung|beispiel)\b.{{0,12}}\b(?:reich|genüg)(?:t|en)\b.*\b(?:mir|in der regel|ab jetzt|immer|künftig|meistens)\b|"
        rf"^(?:{_OUTPUTS}) gehör(?:t|en)\b.{{0,20}}\b(?:jede\w*|alle\w*|immer|den|die)\b|^lieber .{{3,60}} als .{{3,60}}\b(?:bitte|immer)\b|"
        r"\b(?:geh\w*|gehen sie) (?:\w+ )?davon aus, dass ich\b|\bnimm (?:\w+ )?an, dass ich\b|\bsetz\w* voraus, dass ich\b|\bbehand\w+ mich\b|\bdu (?:musst|brauchst|sollst)\b.{0,20}\bnicht (?:jedes ?mal|immer|ständig|dauernd|mehr|extra)\b|"
        r"\bbetrachte mich als\b|\b(?:rede|red|sprich|schreib\w*) (?:bitte )?mit mir (?:wie|als|ohne|in|auf)\b|"
        rf"\bich (?:\w+ )?(?:verstehe|finde|lerne|lese|komme|begreife|merke|behalte|fände|mag)\b.{{0,30}}\b(?:besser|leichter|einfacher|schneller|gut|schwer|am besten|"
        rf"übersichtlicher|hilfreich\w*|angenehmer|schlimm|nervig|anstrengend|lieber)\b.{{0,20}}\bwenn (?:du|sie)\b.{{0,60}}\b(?:{_WORKS})\b|"
        rf"\b(?:mir|mich|es|das) (?:\w+ )?(?:hilft|nervt|stört|verwirrt|freut|ärgert|stresst|irritiert|reicht|genügt|wäre|ist|fällt|macht)\b.{{0,40}}\b(?:wenn|dass) (?:du|sie)\b"
        rf".{{0,60}}\b(?:{_WORKS})\b|\berspar\w* mir\b|\bverschon\w* mich\b|\bkannst du dir (?:\w+ )?(?:sparen|schenken)\b|\bdu (?:dir )?.{{1,40}} sparen\b|"
        rf"\bich hätte gern\w* (?:zu|bei|in|nach|für) (?:jede\w*|allen?)\b"
    ),
    verbless=(
        rf"^(?:bei|für|in|zu) (?:[\wäöüß-]+ ){{0,2}}?[\wäöüß-]*(?:{_TASKS}),? (?:{_WORKS}) (?:mir |mich |bitte )*(?:immer|auch|nie|nur|keine?n?|den|die|das|alles?|mit|in|als|auf)\b|"
        r"\b(?:nie|niemals|nicht|keine?n?|nichts)\b.{1,60}\bohne (?:mich|mein\w*|dass ich|rücksprache|vorher|rückfrage|absprache|zu fragen|zustimmung|erlaubnis)\b|"
        r"\bfrag\w* mich vor (?:jede\w*|allen?)\b|"
        rf"^(?:bitte |immer |nur |und )*(?:einen?|eins|jeweils einen?) (?:\w+ )?(?:nach (?:der|dem) anderen|auf einmal|pro (?:nachricht|antwort))\b|"
        rf"(?:^|[,;:–—-] ?|\balso )(?:bitte |und |also )*(?:keine?n?|null|nie|nur|bloß keine?|nichts in|ohne) (?:[\w-]+ ){{0,3}}?(?:{_OUTPUTS})(?:,? (?:mehr|bitte|bei mir|"
        rf"für mich|von dir)\b|$|[.,!])|^(?:nur |alle )?(?:[\w-]+ ){{0,2}}?(?:{_OUTPUTS})(?:,? (?:bitte|für mich|bei mir))*,? (?:nur|immer|jedes mal|nie|kannst du)\b|"
        rf"^(?:zahlen|preise|daten|datumsangaben|uhrzeiten|zeiten|temperaturen|entfernungen|gewichte|mengen|beträge|maße|namen|summen)(?:,? (?:immer|nie|bitte|nur|ab jetzt|künftig))*,? (?:in|als|auf|im|mit|ohne|netto|brutto|ausgeschrieben)\b.{{0,40}}(?:\b(?:immer|nie|bitte|nur|"
        rf"ab jetzt|künftig|angeben|schreiben)\b)|^(?:zahlen|preise|daten|uhrzeiten)(?:,? (?:immer|bitte|nur|ab jetzt|künftig)){{1,3}} (?:in|als|auf|im|mit|ohne|netto|brutto)\b|^(?:bei|für|in|im|beim|zu|zum) (?:[\wäöüß-]+ ){{0,3}}?[\wäöüß-]*?(?:{_TASKS})(?:,? (?!(?:ich|er|sie|wir|man|es|gab|gibt|war|waren|ist|sind|hat|hatte|haben|fährt|kommt|regnet)\b)[\w\"äöüß-]+){{0,6}}?,? (?:immer|nie|niemals|nur|nichts|keine?n?|stets|"
        rf"bitte|ausschließlich|ohne)\b|^[\wäöüß -]{{0,25}}?(?:{_TASKS})(?: für mich)?: ?.{{0,120}}\b(?:immer|nie|nur|keine?n?|bitte|nichts|jedes mal)\b|"
        rf"^(?:in |bei |für )?(?:alle[ms]?|jede\w*|keine?n?|nie|nur|was)\b.{{0,60}}\b(?:du|die du|das du|den du)\b.{{0,30}}\b(?:{_WORKS})\b|"
        rf"\b(?:{_WORKS}) ?(?<=st )du (?:mir |bitte |dabei |also )*(?:immer|nie|niemals|stets|künftig|ab jetzt|grundsätzlich|nur|bitte)\b|"
        rf"^in [\wäöüß-]*(?:{_TASKS}) (?:{_WORKS}) ?(?<=st )du\b|\b(?:bitte|künftig|ab jetzt|immer|nur|nie)\b.{{0,60}}\b\w+(?:schlagen|geben|lassen|schreiben|nennen|führen|"
        rf"fassen|nummerieren|formulieren|runden)(?:[.!,]|$)|\b(?:kurze|knappe|lange|einfache|ausführliche) (?:{_OUTPUTS}) (?:reichen|genügen|sind besser)\b"
    ),
    released=(
        rf"\b(?:{_OUTPUTS}|preise|fleisch|fisch)\b.{{0,40}}\b(?:wieder (?:erlaubt|okay|ok|gut|willkommen|erwünscht|gern\w*)|nicht mehr (?:nötig|notwendig|gebraucht)|"
        rf"(?:brauche|brauch|will|möchte) ich nicht mehr|(?:kannst|darfst|musst|brauchst) du\b.{{0,20}}(?:weglassen|wieder|nicht mehr|lassen|sein lassen)|(?:sind|ist) (?:jetzt )?"
        rf"(?:wieder )?(?:okay|ok|in ordnung|erlaubt|überflüssig|unnötig)|hat sich erledigt|haben sich erledigt)\b|^(?:jetzt |ab jetzt |bitte )*(?:wieder|zurück) (?:zu |auf |mit |in |normal\w* )*(?:{_OUTPUTS}|{_LANGUAGES}|{_STYLE})\b"
    ),
    even=r"\b(?:auch wenn|selbst wenn|sogar wenn|obwohl|egal (?:ob|was|wie|welche\w*|in welcher)) .*$",
    topics={
        "tax": any_of(r"netto\w*|brutto\w*|mehrwertsteuer|mwst|ust|steuern?"),
        "signature": r"\bunterschr\w+|\bunterzeichn\w+|\bgrußformel\b|\bsignatur\b",
        "images": any_of(r"bilder[n]?|fotos?|grafiken|screenshots|diagramme?"),
        "case": any_of(r"großbuchstaben|kleinbuchstaben|kleinschreibung|großschreibung|klein schreiben"),
        "numbering": r"\bnummerier\w*",
        "quiz": r"\bquiz\w*",
        "summary": any_of(r"zusammenfassung(?:en)?|fazit|fass\w* .{0,20}zusammen"),
        "diet": any_of(
            r"vegan\w*|vegetarisch\w*|fleisch\w*|fisch|schwein\w*|rind\w*|gluten\w*|laktose\w*|nüsse?n?|erdnüsse?n?|zucker"
        ),
        "pace": r"\bnach (?:der|dem) anderen\b|\bzeile für zeile\b|\bschritt für schritt\b",
        "language": any_of(_LANGUAGES),
        "emoji": any_of("emojis?|smileys?|emoticons?"),
        "formality": any_of(r"duz\w*|siez\w*|per du|per sie|beim du|beim sie|sag du|sag sie|gesiezt|geduzt"),
        "narrator": any_of("(?:erste|zweite|dritte)[rn]? person|(?:ich|er|du|wir)-(?:form|perspektive)"),
        "address": any_of(
            r"nenn\w* mich|mich .{1,20} nennen|zu mir|mein name|spitznamen?|vornamen?|nachnamen?|genannt|"
            r"ansprechen|anreden|sprich mich"
        ),
        "times": (
            r"\b(?:schreib\w*|ruf\w*|nachricht\w*|melde\w*|kontaktier\w*|erinner\w*|stör\w*|weck\w*|schick\w*|termine?|benachrichtigung\w*|"
            r"anruf\w*|mail\w*)\b.{0,40}\b(?:vor|nach|bis|zwischen|ab|am|um|in der)\b.{0,12}\b(?:\d{1,2}|uhr|mittag|"
            r"mitternacht|morgens|abends|nachts|nacht|wochenende|\w+tags?|sechs|sieben|acht|neun|zehn|elf)\b|\bsonntags\b|"
            r"\bam wochenende\b|\bruhezeit\w*\b|\bnachts\b|\b(?:vor|nach) (?:\d{1,2}|acht|neun|zehn|sieben)(?: uhr)?\b"
        ),
        "units": any_of(
            r"metrisch\w*|celsius|fahrenheit|gramm|kilo\w*|kg|pfund|unzen|kilometern?|km|meilen|litern?|einheiten|zoll|"
            r"zentimetern?"
        ),
        "currency": any_of("euros?|dollar|franken|währung|pfund sterling"),
        "dates": any_of(r"24-stunden\w*|datum|datumsformat|uhrzeiten|tt\.mm\.\w+|jahr-monat-tag"),
        "confirmation": (
            r"\bohne (?:mich|mein\w*|dass ich|rücksprache|absprache|vorher)\b|\bfrag\w* mich vor\b|\bzu fragen\b|"
            r"\bfrag\w* (?:mich )?(?:\w+ ){0,3}(?:erst|vorher|bevor|zuerst|nach)\b|\bbevor du\b|\bohne (?:mich )?zu fragen\b|"
            r"\bohne (?:meine )?(?:rückfrage|erlaubnis|zustimmung|nachfrage)\b|\bbestätig\w*\b|\berst fragen\b|\bvorher (?:zu )?"
            r"fragen\b|\bum erlaubnis\b|\bnachfragen\b"
        ),
        "order": r"\b(?:zuerst|zunächst|erst) (?:das|die) (?:ergebnis|antwort|fazit|kurzfassung)\b|\b(?:ergebnis|fazit|antwort) zuerst\b",
        "questions": any_of("rückfragen?|gegenfragen?|nachfragen"),
        "repetition": any_of(r"wiederhol\w*"),
        "apologies": any_of(r"entschuldig\w*|sorry"),
        "disclaimers": any_of("warnhinweise?|warnungen|disclaimer|hinweise|belehr\\w*|moralpredigt\\w*"),
        "smalltalk": any_of(
            "smalltalk|floskeln|einleitung(?:en)?|geschwafel|blabla|zum punkt|um den heißen brei|phrasen"
        ),
        "praise": any_of("lob\\w*|komplimente|schmeichel\\w*"),
        "level": any_of(
            r"fachbegriffe?n?|fachchinesisch|fachsprache|fremdwörter|einfache[nr]? (?:worten|sprache|wörter)|verständlich\w*|"
            r"grundlagen|anfänger|als wäre ich|wie einem kind|anglizismen|abkürzungen"
        ),
        "examples": any_of("beispiele?n?|vergleiche|metaphern"),
        "sources": any_of("quellen?|quellenangaben?|links|belege"),
        "honesty": any_of(r"erfind\w*|rat(?:e|en|est)|nicht sicher|unsicher|nicht weißt|überprüf\w*|vermut\w*"),
        "criticism": any_of(
            r"ehrlich\w*|direkt\w*|schonungslos\w*|beschönig\w*|kritisch\w*|kritik|klartext|sanfter|netter|schonender|harsch"
        ),
        "humour": any_of("humor|witze?|lustig\\w*|sarkas\\w*|ironi\\w*|ernst\\w*"),
        "tone": any_of(
            "formell\\w*|förmlich\\w*|locker\\w*|höflich\\w*|freundlich\\w*|ton|sachlich\\w*|kumpel|freund|"
            "ausrufezeichen|gender\\w*"
        ),
        "layout": any_of(
            r"stichpunkte?n?|stichworte?n?|listen?|aufzählung\w*|fließtext|absätze|schritt für schritt|ganze sätze"
        ),
        "portions": r"\bfür (?:einen?|zwei|drei|vier|fünf|sechs|\d{1,2})(?: personen| leute|$|[.,!])|\bportionen\b",
        "format": any_of(
            r"stichpunkte?n?|stichworte?n?|listen?|tabellen?|markdown|überschriften|fett\w*|aufzählung\w*|fließtext|"
            r"codeblöcke|absätze|formatier\w*|schrittweise|schritt für schritt"
        ),
        "length": any_of(
            r"kurz\w*|kürzer\w*|knapp\w*|lang\w*|länger\w*|ausführlich\w*|detailliert\w*|details?|sätze|worte?|romane?|"
            r"bündig|zusammenfassung|prägnant\w*|weitschweifig|erklärung(?:en)?"
        ),
        "indentation": any_of(r"einrück\w*|tabs|\w+ leerzeichen"),
        "code": any_of(
            r"code|kommentare|typen|einrückung|tabs|leerzeichen|großbuchstaben|kleinbuchstaben|schlüsselwörter|"
            r"sql|funktionen|variablen|\w+-code|großgeschrieben|groß"
        ),
        "privacy": r"\b(?:teil\w*|speicher\w*|weitergeb\w*|gib)\b.{0,30}\b(?:mein\w*|daten|nummer|adresse)\b",
        "reminders": any_of("erinner\\w*"),
    },
)

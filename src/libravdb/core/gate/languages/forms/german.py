"""How statements are made in German."""

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
from libravdb.core.gate.languages.forms.naming import named_pets, named_relations
from libravdb.model import AttributeKind as Kind

RELATIONS = relations(
    """
mother: mutter, mama, mutti
father: vater, papa, vati
sister: schwester, kleine schwester, große schwester
brother: bruder, kleiner bruder, großer bruder, kleinen bruder, großen bruder
daughter: tochter
son: sohn
child: kind, baby
husband: mann, ehemann
wife: frau, ehefrau
partner: partner, partnerin, freundin, freund, verlobte, verlobter, verlobten, lebensgefährtin, lebensgefährte
grandmother: großmutter, oma
grandfather: großvater, opa
aunt: tante
uncle: onkel
cousin: cousin, cousine
niece: nichte
nephew: neffe
friend: beste freundin, bester freund, kumpel
neighbour: nachbar, nachbarin
flatmate: mitbewohner, mitbewohnerin
colleague: kollege, kollegin
boss: chef, chefin, vorgesetzter, vorgesetzte, teamleiter, teamleiterin
landlord: vermieter, vermieterin
doctor: hausarzt, hausärztin, arzt, ärztin
dentist: zahnarzt, zahnärztin
therapist: therapeut, therapeutin, physiotherapeut, physiotherapeutin
accountant: steuerberater, steuerberaterin
lawyer: anwalt, anwältin
teacher: lehrer, lehrerin, klavierlehrer, klavierlehrerin
coach: trainer, trainerin
cleaner: putzfrau
hairdresser: friseur, friseurin
vet: tierarzt, tierärztin
mother-in-law: schwiegermutter
father-in-law: schwiegervater
parents: eltern
"""
)
_REL = any_of(RELATIONS)
_MY = r"(?:mein|meine|meiner|meinem|meinen|unser|unsere|unserer|unserem|unseren)"
_NEW = r"(?:neue[rsn]? |aktuelle[rsn]? )?"
_NOW = r"(?: (?:jetzt|nun|inzwischen|mittlerweile|aktuell|seit \w+|ab \w+|ja|übrigens|neuerdings|eigentlich|noch|immer noch|auch))*"
_OF = rf"(?: (?:meine[rs]|unsere[rs]) (?P<whose>{_REL})(?: (?-i:[A-Z]\w+))?| von (?P<whom>(?-i:[A-Z][a-zäöüß]+)))?"
_IS = rf"(?: ist| sind| lautet| heißt| wird| wurde| kommt| liegt)(?: {_MY} {_NEW}\w+)?{_NOW}"
_DAYS = (
    r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?|januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|morgen|übermorgen|heute abend|mittag|mitternacht|nächste[rsn]? \w+|frühling|sommer|herbst|winter|weihnachten|ostern|q[1-4]|halb \w+|viertel \w+"
)
_WHEN = rf"(?P<value>(?:{_DAYS}|\d[\d:./-]*)(?:,? (?:(?:um|am|den|der|von|bis|ab|im|und) ){{0,2}}(?:{_DAYS}|\d[\d:./-]*|uhr|früh|vormittag|nachmittag|abend)){{0,5}})"
_AT = r"(?: (?:am|um|im|auf|den|der|erst|schon|für|ab|in|bis|vom|zum|nach))*"
_EVENT = r"(?-i:[A-ZÄÖÜ]?[\wäöüß-]*(?:[Tt]ermin|[Bb]esprechung|[Mm]eeting|[Ff]lug|[Rr]eise|[Uu]rlaub|[Hh]ochzeit|[Ff]eier|[Pp]arty|[Pp]rüfung|[Kk]lausur|[Gg]espräch|[Ff]rist|[Dd]eadline|[Ss]tart|[Rr]elease|[Aa]nruf|[Kk]urs|[Oo]peration|[Uu]mzug|[Kk]onzert|[Ss]piel|[Rr]ennen|[Ll]ieferung|[Bb]esuch|[Kk]onferenz|[Vv]ortrag|[Pp]räsentation|[Dd]emo|[Ee]ssen|[Tt]raining|[Pp]robe|[Tt]reffen|[Aa]bgabe|[Ss]tunde|[Uu]nterricht|[Uu]ntersuchung|[Kk]ontrolle|[Aa]usflug|[Tt]rip|[Vv]orstellung|[Kk]ickoff|[Rr]etro|[Dd]aily|[Ss]tammtisch|[Tt]urnier|[Mm]arathon))"
_MONEY = r"(?P<value>(?:€ ?|chf )?\d[\d.,']*(?:\s?(?:euro|eur|€|franken|chf|dollar|\$|%|k))?)"
_COST = r"(?-i:[A-ZÄÖÜ]?[\wäöüß-]*(?:[Mm]iete|[Gg]ehalt|[Ll]ohn|[Bb]eitrag|[Gg]ebühr|[Gg]ebühren|[Pp]reis|[Rr]ate|[Vv]ersicherung|[Bb]udget|[Tt]aschengeld|[Rr]echnung|[Kk]aution|[Aa]bo|[Mm]itgliedschaft|[Hh]onorar|[Ss]tundensatz|[Tt]agessatz|[Rr]ente|[Kk]osten|[Ee]inkommen|[Tt]icket|[Ss]trom|[Nn]ebenkosten|[Kk]redit))"
_PETS = r"(?P<name>hund|hündin|katze|kater|welpe|kaninchen|hase|hamster|papagei|wellensittich|meerschweinchen|pferd|pony|schildkröte|fisch|goldfisch|schlange|huhn|maus|ratte)"
_CAR = r"(?:auto|wagen|rad|fahrrad|e-bike|motorrad|roller|moped|bus|lieferwagen)"
_THING = r"(?P<thing>(?:(?:der|die|das|den|dem|unser\w{0,2}|mein\w{0,2}) |^)(?:[\w.-]+ ){0,2}?[\w.-]+)"
_THING2 = _THING.replace("thing", "thing2")
_PRODUCT = r"(?P<name>(?!(?:port|version|auf|die|der|das|den|um|am|im|in|zu|von|ca|etwa|nur)\b)[A-Za-z][\w.+#-]*)"
_VER = r"(?P<value>v?\d+(?:\.\w+){0,4})"
_ROLE = r"(?P<name>cto|ceo|cfo|coo|teamleiter(?:in)?|team lead|product owner|projektleiter(?:in)?|geschäftsführer(?:in)?|abteilungsleiter(?:in)?|scrum master|ansprechpartner(?:in)?|vorsitzende[rn]?|kapitän(?:in)?|trainer(?:in)?|direktor(?:in)?|rektor(?:in)?|bürgermeister(?:in)?|klassenlehrer(?:in)?|kassier(?:in|er)?)"

GERMAN = FormVocabulary(
    language="german",
    relations=RELATIONS,
    speaker=words(r"ich|wir|mir|mich|uns"),
    other=words(r"er|sie|ihr|ihm"),
    listener=words(r"du|dein\w{0,2}|dir|dich"),
    kin=words(
        rf"{_MY} (?:neue[rsn]? |kleine[rsn]? |große[rsn]? |ältere[rsn]? |jüngere[rsn]? )?(?P<relation>{_REL})(?:,? (?P<called>(?-i:[A-Z][a-zäöüß]+)))?"
    ),
    thing=words(rf"(?:der|die|das|den|dem|{_MY}) (?P<thing>(?:[\w.-]+ ){{0,2}}?[\w.-]+)"),
    unreal=words(
        r"würde\w*|könnte\w*|hätte\w*|wäre\w*|möchte\w*|will|wollen|wollte|falls|wenn|wünsch\w*|hoffe\w*|überleg\w*|träum\w*|früher|damals|als kind|als jugendliche[r]?|als student\w*|vor (?:vielen |\w+ )?jahren|aufgewachsen|habe (?:mal|früher|lange|\w+ jahre) in|bis (?:19|20)\d\d|in meiner kindheit"
        r"|fast|beinahe|vielleicht|eventuell|angeblich|stell dir|angenommen|ob|sagte|meinte|soll|sollen|sollte|wohnte|lebte|arbeitete|gestern|im (?:roman|buch|film)|ursprünglich|übers wochenende|für (?:ein|zwei|drei|paar) (?:woche|wochen|tage)"
    ),
    ended=words(
        r"nicht mehr|kein\w* [\wäöüß -]{0,30}?mehr|nie mehr|nie wieder|aufgehört|aufgegeben|verkauft|abgesagt|gekündigt|storniert|getrennt|verstorben|gestorben|tot|abgeschafft|losgeworden|hingeschmissen|gestrichen|eingestellt|abgemeldet|weggegeben|fällt aus|ausgefallen|ins wasser gefallen|abgeblasen|verworfen|abgeschaltet"
    ),
    denied=words(r"nicht|kein\w*|nie|niemals|weder"),
    also=words(r"auch|außerdem|zusätzlich|zweite[rsn]?|noch ein\w*|nebenbei|dazu|daneben|beide|andere[rsn]?"),
    changed=words(
        r"jetzt|nun|neu\w*|inzwischen|mittlerweile|statt\w*|geändert|gewechselt|umgestiegen|umgezogen|gezogen|verschoben|verlegt|umbenannt|seit (?:gestern|heute|letzte\w*|diese\w*|kurzem|neuestem|montag|\w+)|ab (?:sofort|jetzt|morgen|\w+)|nicht mehr|kein\w* \w+ mehr|doch|erhöht|gestiegen|gesunken|ersetzt|gesenkt|neuerdings|endlich|künftig|angehoben|aktualisiert"
    ),
    joint=words(r"und|aber|sondern|weil|da|denn|obwohl|während|sodass|damit"),
    forms=(
        form(
            Kind.NAME,
            "heiße|name ist",
            rf"(?:ich heiße|mein (?:neuer |voller )?name ist){_NOW} (?P<value>{PROPER})",
            name="name",
            is_speakers=True,
        ),
        form(
            Kind.NAME,
            "nachname|familienname",
            rf"mein (?:neuer )?(?:nachname|familienname) (?:ist|lautet){_NOW} (?P<value>{PROPER})",
            name="surname",
            is_speakers=True,
        ),
        form(
            Kind.NAME,
            "nenn|ruf mich|spitzname",
            rf"(?:nenn(?:t|en)? (?:mich|du mich)|ruf mich|(?:alle|freunde) nennen mich|mein spitzname ist){_NOW}(?: bitte| einfach| lieber)* (?P<value>(?!an\b|zurück\b|wenn\b|später\b|morgen\b)[\w-]+)",
            name="nickname",
            is_speakers=True,
        ),
        form(Kind.BIRTHDAY, "geburtstag", rf"(?:{_MY}|der) geburtstag{_OF}{_IS}{_AT} {_WHEN}", name="birthday"),
        form(Kind.BIRTHDAY, "geburtstag", rf"(?:hat|habe)(?: (?:am|im))? {_WHEN} geburtstag", name="birthday"),
        form(
            Kind.BIRTHDAY,
            "jahre alt|geworden|wird",
            r"(?:ist|bin|wird|sind|bin gerade)(?: jetzt| schon| nun| gestern| letzte woche| gerade)* (?P<value>\d{1,2}|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn)(?: jahre(?: alt)?| geworden)",
            name="age",
        ),
        form(
            Kind.HOME,
            "adresse|anschrift",
            rf"{_MY} {_NEW}(?P<name>\w*(?:adresse|anschrift)){_OF}{_IS} (?P<value>[^.;!?\n]{{3,60}})",
        ),
        form(
            Kind.HOME,
            "wohn|leb|zuhause|daheim",
            rf"(?:(?P<first>wohne|wohnen wir|wir wohnen|wir leben|ich lebe)|(?P<third>wohnt|wohnen|lebt|leben)|lebe)(?: ich| wir| sie| er)?(?: (?!in |im |am |bei )\w+){{0,3}} (?:in|im|am|auf) (?:der |dem )?(?P<value>{PROPER}|(?:\w+ )?{PROPER})(?= |[.,;!]|$)",
        ),
        form(
            Kind.HOME,
            "gezogen|umgezogen|ziehe",
            rf"(?:bin|sind|ist|bin ich|sind wir|ist sie|ist er)(?: \w+){{0,5}}? (?:nach|in die|ins) (?P<value>{PROPER})(?: \w+){{0,2}}? (?:um|zurück|weg)?gezogen",
        ),
        form(
            Kind.HOME,
            "wohnung|haus",
            rf"{_MY} {_NEW}(?:wohnung|haus) (?:ist|liegt){_NOW} (?:in|im|am|auf) (?:der |dem )?(?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.WORK,
            "arbeit|job|stelle|angefangen|fang|angestellt|gewechselt|beschäftigt",
            rf"(?:arbeite|arbeitet|arbeiten|angestellt|beschäftigt|jobbe|jobbt)(?: ich| wir| er| sie)?(?: (?!bei |für |als |in )\w+){{0,4}} (?:bei der|beim|bei|für die|für) (?P<value>{PROPER}|(?:\w+ ){{0,2}}\w+)",
            name="employer",
        ),
        form(
            Kind.WORK,
            "angefangen|begonnen|gewechselt|job|stelle|anfang",
            rf"(?:(?:habe|hat|haben|bin|ist)(?: \w+){{0,6}}?|(?:neuen? )?(?:job|stelle)(?: \w+){{0,2}}?|fange(?: \w+){{0,3}}) (?:bei der|beim|bei|zu|zur|zum) (?P<value>{PROPER})(?: \w+){{0,3}}? ?(?:angefangen|begonnen|gewechselt|gefunden|bekommen|unterschrieben|angenommen|an)?",
            name="employer",
        ),
        form(
            Kind.WORK,
            "arbeitgeber",
            rf"{_MY} {_NEW}arbeitgeber{_IS} (?P<value>{PROPER})",
            name="employer",
            is_speakers=True,
        ),
        form(
            Kind.WORK,
            "arbeit|job|beruf|befördert|geworden",
            rf"(?:(?:arbeite|arbeitet|jobbe|jobbt)(?: ich| er| sie)?(?: (?!bei |für |als )\w+){{0,4}} als|(?:bin|ist|wurde)(?: \w+){{0,3}}? zu[rm]|von beruf bin ich|bin von beruf|mein beruf ist) (?P<value>(?:\w+e[rn]? )?{PROPER})(?: befördert)?",
            name="job",
        ),
        form(
            Kind.WORK,
            "bin ",
            rf"bin{_NOW} (?P<value>(?!vege|vega|pesc|flexi)(?-i:[A-ZÄÖÜ]\w*(?:er|erin|in|eur|ist|istin|ent|entin|ant|arzt|ärztin|frau|mann|wirt|pfleger)))(?= |[.,;!]|$)(?! \w+ (?:gezogen|gegangen|gefahren))",
            name="job",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.WORK,
            "gekündigt|kündig|rente|pension|arbeitslos|aufgehört|entlassen|verlassen",
            rf"(?:(?:bei(?: der| dem)? |beim )(?P<value>{PROPER})(?: \w+){{0,2}}? (?:gekündigt|aufgehört|raus|weg|entlassen)|(?:job|stelle)(?: \w+){{0,3}}? (?:gekündigt|aufgegeben|verloren|hingeschmissen)|bin(?: \w+){{0,3}}? (?:arbeitslos|in rente|in pension|pensioniert|entlassen worden)|(?P<value2>{PROPER}) verlassen)",
            name="employer",
            is_ended=True,
        ),
        form(
            Kind.STATUS,
            "single|verheiratet|verlobt|geschieden|verwitwet|getrennt|ledig|geheiratet|vergeben",
            r"(?:bin|sind|ist|haben|habe|hat|leben|lebe)(?: \w+){0,4}? (?P<value>single|verheiratet|verlobt|geschieden|verwitwet|getrennt|ledig|geheiratet|vergeben)",
            name="marital",
        ),
        form(
            Kind.STATUS,
            "gestorben|verstorben|tot",
            r"(?:ist|sind)(?: \w+){0,4}? (?:gestorben|verstorben|tot)",
            name="life",
            is_ended=True,
        ),
        form(
            Kind.PERSON,
            "getrennt|schluss",
            r"(?:(?:habe mich|hab mich)(?: \w+){0,3}? von (?:(?P<value>(?-i:[A-Z]\w+))|meine[rm] \w+)(?: \w+)? getrennt|(?P<value2>(?-i:[A-Z]\w+)) und ich (?:haben uns|sind)(?: \w+)? (?:getrennt|nicht mehr zusammen)|mit (?P<value3>(?-i:[A-Z]\w+)) schluss gemacht)",
            name="partner",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "zusammen",
            r"(?:bin|sind)(?: \w+){0,3}? mit (?P<value>(?-i:[A-Z]\w+)) zusammen",
            name="partner",
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "heißt|ist |name",
            rf"(?:(?:der|die) (?P<name2>{_REL}) (?:meine[rs]|unsere[rs]) (?P<whose>{_REL})|{_MY} {_NEW}(?:kleine[rsn]? |große[rsn]? )?(?P<name>{_REL})|der name {_MY} (?P<name3>{_REL})s?) (?:heißt|ist){_NOW} (?P<value>(?:frau |herr |dr\.? )*(?-i:(?!Frau\b|Herr\b|Dr\b)[A-ZÄÖÜ][a-zäöüß-]+(?: [A-ZÄÖÜ][a-zäöüß-]+)?))(?=[.,;!]|$| und| aus| seit| jetzt)",
        ),
        form(
            Kind.PERSON,
            "ist |heißt",
            rf"(?P<value>(?:frau |herr |dr\.? )*(?-i:[A-ZÄÖÜ][a-zäöüß-]+)) ist{_NOW} (?:mein|meine|unser|unsere) {_NEW}(?P<name>{_REL})(?=[.,;!]|$| und)",
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "allergi",
            r"(?:allergisch (?:gegen|auf)|allergie gegen) (?P<value>(?:die |den |das )?[\w-]+)",
            single=Single.NEVER,
        ),
        form(
            Kind.HEALTH,
            "allergie|unverträglich|intoleran",
            r"(?:habe|hat|hab)(?: \w+){0,3}? (?P<value>[\w-]+?)-?(?:allergie|unverträglichkeit|intoleranz)",
            single=Single.NEVER,
        ),
        form(
            Kind.HEALTH,
            "asthma|diabetes|migräne|heuschnupfen|epilepsie|rheuma|bluthochdruck|zöliakie|neurodermitis|adhs|tinnitus|arthrose",
            r"(?:habe|hat|hab|leide an|leidet an|leide unter)(?: \w+){0,2}? (?P<value>asthma|diabetes|migräne|heuschnupfen|epilepsie|rheuma|bluthochdruck|zöliakie|neurodermitis|adhs|tinnitus|arthrose)",
            single=Single.NEVER,
        ),
        form(
            Kind.DIET,
            "vege|vega|pesc|ketogen|koscher|halal|glutenfrei|laktosefrei|flexitar",
            r"(?:bin|ist|lebe|lebt|esse|isst|ernähre mich|ernährt sich|sind|essen)(?: \w+){0,3}? (?P<value>vegetarier(?:in)?|vegetarisch|vegan(?:er|erin)?|pescetari\w+|pesketari\w+|ketogen|koscher|halal|glutenfrei|laktosefrei|flexitarier(?:in)?)",
        ),
        form(
            Kind.DIET,
            "fleisch|fisch|alles",
            r"(?:esse|isst|essen)(?: (?!kein)\w+){0,3}? (?P<value>fleisch|fisch|alles|geflügel)",
        ),
        form(
            Kind.DIET,
            "esse kein|trinke kein|isst kein|trinkt kein",
            r"(?:esse|isst|trinke|trinkt) (?:kein\w*) (?P<value>\w+)(?! mehr)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "hund|hünd|katze|kater|welpe|kaninchen|hase|hamster|papagei|sittich|schwein|pferd|pony|kröte|fisch|schlange|huhn|maus|ratte",
            rf"{_MY} (?:\w+ )?{_PETS} heißt{_NOW} (?P<value>{PROPER})",
            single=Single.IF_CHANGED,
            is_speakers=True,
        ),
        form(
            Kind.PET,
            "hund|hünd|katze|kater|welpe|kaninchen|hase|hamster|papagei|sittich|schwein|pferd|pony|kröte|fisch|schlange|huhn|maus|ratte",
            rf"(?:habe|haben|hat|hab)(?: (?:jetzt|wir|ich|nun|auch|seit \w+))* (?:einen?|zwei|drei) (?:\w+ )?{_PETS}n?(?: namens (?P<value>{PROPER}))?",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "gestorben|eingeschläfert|weggegeben|abgegeben|weggelaufen",
            rf"{_MY} {_PETS}(?:,? (?P<value>(?-i:[A-Z]\w+)))?(?: \w+){{0,5}}? (?:gestorben|eingeschläfert|weggegeben|abgegeben|weggelaufen)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.LANGUAGE, "muttersprache", rf"{_MY} muttersprache ist (?P<value>\w+)", name="native", is_speakers=True
        ),
        form(
            Kind.LANGUAGE,
            "spreche|spricht|lerne|lernt",
            r"(?:spreche|spricht|lerne|lernt)(?: \w+){0,2}? (?P<value>(?-i:[A-Z]\w+(?:isch|sch)))",
            single=Single.NEVER,
        ),
        form(
            Kind.CONTACT,
            "nummer|telefon|handy|mail",
            rf"(?:{_MY}|die) {_NEW}(?P<name>[\w-]*(?:nummer|telefon|handy|e-?mail|mail-?adresse|mailadresse|durchwahl)){_OF}(?:{_IS}| hat sich geändert:?(?: auf)?| hat sich geändert,? (?:sie ist|neu)(?: jetzt)?:?)(?: die)? (?P<value>[\w.+@-]*[\d@][\w.+@ ()/-]*\w)",
        ),
        form(
            Kind.VEHICLE,
            "fahre|fährt",
            rf"(?:fahre|fährt|fahren)(?: (?:jetzt|nun|ich|wir|inzwischen|seit \w+))* (?:einen?|ein|den|das) (?:\w+e[ns]? )?(?P<value>(?:\w+ )?{PROPER})",
            name="car",
        ),
        form(
            Kind.VEHICLE,
            "auto|wagen|rad|bike|roller",
            rf"{_MY} {_NEW}(?P<name>{_CAR}) ist{_NOW} (?:ein|eine) (?:\w+r? )?(?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.FAVOURITE,
            "lieblings",
            rf"(?:{_MY}|das|die|der) (?:neue[rs]? )?lieblings(?P<name>\w+){_OF}{_IS} (?:der |die |das )?(?P<value>{PIECE}(?: {PIECE}){{0,4}})",
        ),
        form(
            Kind.FAVOURITE,
            "lieblings",
            rf"(?P<value>{PROPER}) ist{_NOW} {_MY} (?:neue[rs]? )?lieblings(?P<name>\w+)",
            is_speakers=True,
        ),
        form(
            Kind.LIKING,
            "mag|liebe|gern|lieb",
            r"(?:(?:mag|liebe|liebt|mögen|lieben)(?: (?:sehr|total|jetzt|eigentlich|wirklich))* (?!es\b|dich\b|das\b|ihn\b|sie\b|nicht\b|kein)(?P<value>(?:\w+ ){0,1}\w+)|(?:esse|trinke|höre|spiele|schaue|lese|isst|trinkt|hört|spielt) (?:sehr |total )?gerne? (?P<value2>\w+(?: \w+)?))",
            name="likes",
            single=Single.NEVER,
        ),
        form(
            Kind.LIKING,
            "hasse|mag|nicht ausstehen|verabscheu",
            r"(?:hasse|hasst|verabscheue|(?:mag|mögen) (?:gar |überhaupt )?kein\w*) (?P<value>(?!es\b|dich\b|das\b|ihn\b)(?:\w+ )?\w+)|mag (?P<value2>\w+) (?:gar |überhaupt )?nicht",
            name="dislikes",
            single=Single.NEVER,
        ),
        form(
            Kind.PRICE,
            "miete|gehalt|lohn|beitrag|gebühr|preis|rate|versicherung|budget|geld|rechnung|kaution|abo|mitglied|honorar|satz|rente|kosten|einkommen|ticket|strom|kredit",
            rf"(?:{_MY}|die|der|das) {_NEW}(?P<name>{_COST}){_OF} (?:ist|beträgt|kostet|liegt|wurde|steigt|stieg|sinkt|sank|macht|hat sich|ging|geht|sind|wurden)(?: (?:jetzt|nun|bei|auf|von \S+(?: euro)?|gestiegen|erhöht|angehoben|gesenkt|um|ab \w+|mittlerweile|inzwischen|rauf|hoch|runter|monatlich|im monat|etwa|rund|mich|uns|nur))* {_MONEY}",
        ),
        form(
            Kind.PRICE,
            "zahle|zahlen|verdiene|kostet|kosten",
            rf"(?:zahle|zahlt|zahlen)(?: (?:jetzt|wir|ich|nun|inzwischen|nur|etwa))* {_MONEY}(?: (?:im|pro) \w+)? (?:für (?:die |das |den |mein\w* )?|an )?(?P<name>\w+)",
        ),
        form(
            Kind.PRICE,
            "verdien",
            rf"(?:verdiene|verdient)(?: (?:jetzt|ich|nun|inzwischen|nur|etwa|rund))* {_MONEY}",
            name="salary",
        ),
        form(
            Kind.PLAN,
            "termin|bespr|meeting|flug|reise|urlaub|hochzeit|feier|party|prüfung|klausur|gespräch|frist|deadline|start|release|anruf|kurs|operation|umzug|konzert|spiel|rennen|liefer|besuch|konferenz|vortrag|präsent|demo|essen|training|probe|treffen|abgabe|stunde|unterricht|untersuch|kontrolle|ausflug|trip|vorstell|kickoff|retro|daily|stamm|turnier|marathon",
            rf"(?:{_MY}|der|die|das) {_NEW}(?P<name>{_EVENT}(?: (?:beim|mit|nach|in|bei) (?:der |dem )?\w+)?){_OF} (?:ist|sind|findet|beginnt|startet|wurde|wird|geht|fängt)(?: (?:jetzt|nun|statt|doch|erst|schon|auf|verschoben|verlegt|von \w+(?: \d+)?(?: uhr)?|los|an|inzwischen|vorverlegt|worden|immer|leider|geplant|nicht))*{_AT} {_WHEN}",
        ),
        form(
            Kind.PLAN,
            "fliege|fahre|reise",
            rf"(?:fliegen|fliege|fahren|fahre|reisen)(?: (?:wir|ich|jetzt|nun|doch|erst))*{_AT} {_WHEN} nach (?P<name>{PROPER})",
        ),
        form(
            Kind.PLAN,
            "termin|prüfung|flug|bespr|treffen",
            rf"(?:habe|haben|hab)(?: (?:ich|wir|jetzt))*{_AT} {_WHEN}(?: \w+){{0,2}}? (?P<name>{_EVENT})",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.ROLE,
            "ist |übern",
            rf"(?P<value>(?:frau |herr )?(?-i:[A-ZÄÖÜ]\w+(?: [A-ZÄÖÜ]\w+)?)) (?:ist|wird|wurde){_NOW} (?:der|die|unser\w{{0,2}}) {_NEW}{_ROLE}",
            is_speakers=True,
        ),
        form(
            Kind.ROLE,
            "ist |heißt",
            rf"(?:der|die|unser\w{{0,2}}) {_NEW}{_ROLE} (?:ist|heißt){_NOW} (?P<value>(?:frau |herr )?{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.PORT,
            "port|lauscht|hört auf|horcht",
            rf"{_THING} (?:läuft|lauscht|hört|ist|horcht|wurde|liegt|sitzt)(?: (?:jetzt|nun|inzwischen))* (?:auf|unter|an) (?:dem )?(?:port )?(?P<value>\d{{2,5}})",
        ),
        form(
            Kind.PORT,
            "port",
            r"(?:der )?port (?:von|vom|des|der) (?P<thing>[\w.-]+(?: [\w.-]+)?) (?:ist|wurde)(?: \w+){0,2}? (?:auf )?(?P<value>\d{2,5})",
        ),
        form(
            Kind.VERSION,
            "version|auf |nutz|verwend|aktualis|läuft",
            rf"(?:(?:sind|bin|läuft|laufen|nutzen|nutze|verwenden|setzen|aktualisiert|umgestiegen|gehoben|haben|umgestellt|arbeiten)(?: (?:jetzt|nun|inzwischen|wir|auf|mit|unter|noch|von \S+ \S+|alles|ich))* )(?:auf |mit |unter )?{_PRODUCT} {_VER}(?! ?(?:uhr|euro|%|jahre|leute|mal|stunden|minuten|tage))",
        ),
        form(
            Kind.VERSION,
            "version",
            rf"{_THING} (?:ist|läuft|steht)(?: (?:jetzt|nun|bei|auf|in))* version {_VER}",
            name="version",
        ),
        form(
            Kind.HOST,
            "läuft|liegt|gehostet|zieht|umgezogen|server|domain|ip|erreichbar",
            rf"{_THING} (?:läuft|liegt|ist|wird|wurde|zieht|steht)(?: (?:jetzt|nun|inzwischen|umgezogen))* (?:auf|bei|unter|in|zu) (?:der |dem )?(?!port\b|version\b)(?P<value>[\w-]+(?:[.:][\w-]+)+|hetzner|aws|azure|gcp|ovh|ionos|vercel|netlify|heroku|kubernetes|\w+-\w*\d\w*)(?: gehostet| umgezogen| erreichbar)?",
        ),
        form(
            Kind.TOOL,
            "von |statt|weg",
            rf"(?:(?:wechseln|gewechselt|umgestiegen|steigen|migrieren|migriert|umgestellt|gehen)?(?: \w+){{0,3}}? ?von (?P<value>{PROPER}|[\w.+#-]+) (?:auf|zu) [\w.+#-]+|(?:statt|anstatt|anstelle von) (?P<value2>{PROPER}|[\w.+#-]+))",
            is_ended=True,
        ),
        form(
            Kind.TOOL,
            "nicht|gegen|doch kein",
            r"(?:(?:entschieden|beschlossen),? (?P<value>[\w.+#-]+)(?: doch)? nicht zu (?:nutzen|verwenden|nehmen|benutzen|kaufen)|(?:nehmen|nutzen|verwenden|benutzen|kaufen)(?: wir| ich| jetzt)*(?: doch)? (?P<value2>[\w.+#-]+)(?: doch)? nicht|(?:nehmen|nutzen|verwenden|benutzen|kaufen)(?: wir| ich)*(?: jetzt)? doch kein\w* (?P<value3>[\w.+#-]+)|gegen (?P<value4>[\w.+#-]+) entschieden)",
            is_ended=True,
        ),
        form(
            Kind.TOOL,
            "nutze|nutzt|verwend|benutz|umgestiegen|wechsel|gewechselt|setzen|nehmen|entschieden|umgestellt",
            rf"(?:(?:nutze|nutzen|nutzt|verwende|verwenden|verwendet|benutze|benutzen|benutzt|nehmen|setzen)(?: (?:wir|ich|jetzt|nun|auf|inzwischen|mittlerweile|auch|nur|weiterhin|künftig))*|(?:auf|zu|für|von \S+ auf|von \S+ zu)) (?P<value>(?-i:[A-Z][\w.+#-]*|pnpm|npm|uv|pip)(?: {PROPER})?)(?: (?:für (?:die |das |den |unser\w* )?|als )(?P<name>\w+))?(?: (?:umgestiegen|gewechselt|entschieden|umgestellt|migriert))?(?<!auf)",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.TOOL,
            "ist ",
            rf"{_MY} {_NEW}(?P<name>datenbank|editor|ide|browser|suchmaschine|framework|cache|anbieter|stromanbieter|internetanbieter|bank|hausbank|fitnessstudio|handy|laptop|betriebssystem|krankenkasse|versicherung|supermarkt|tool|provider|hoster) ist{_NOW} (?:die |der |das |bei der |bei )?(?P<value>(?:\w+ )?{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "rauche|trinke|laufe|jogge|schwimme|spiele|gehe|mache|trainiere|tanze|klettere|male|singe|stricke|stehe|schlafe|meditiere|treffe|fahre|lerne|abonn|koche|wandere|lese|raucht|spielt|geht",
            rf"(?:ich|wir|er|sie|{_REL}) (?P<value>(?P<name>rauche|trinke|laufe|jogge|schwimme|spiele|gehe|mache|trainiere|tanze|klettere|male|singe|stricke|stehe|schlafe|meditiere|koche|wandere|lese|raucht|spielt|geht|trinkt|läuft|spielen|gehen)(?: (?!und\b|aber\b){PIECE}){{0,6}})",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.HABIT,
            "aufgehört|aufgegeben|verkauft|abgesagt|gekündigt|storniert|abgeschafft|gestrichen|weggegeben|hingeschmissen|verworfen|abgemeldet|abbestellt|abgeblasen",
            r"(?:(?:mit (?:dem |der |meinem |meiner )?(?P<value>\w+(?: \w+)?)(?: habe? ich| haben wir| hab ich)?|(?:habe|haben|hab|ist|wurde|sind|wurden|hat)(?: (?:ich|wir|letzte\w* \w+|gestern|jetzt|leider|mich|nun|inzwischen))*(?: (?:das|den|die|mein\w*|unser\w*))? (?P<value2>(?!mit\b|ich\b|wir\b)\w+(?: \w+){0,2}?))(?: (?:ganz|wieder|jetzt|endlich|leider|gestern|letzte\w* \w+|doch|nun))* (?:aufgehört|aufgegeben|verkauft|abgesagt|gekündigt|storniert|abgeschafft|gestrichen|weggegeben|hingeschmissen|verworfen|abgemeldet|abbestellt|abgeblasen)|(?:der|die|das|mein\w*|unser\w*) (?P<value3>[\w-]+(?: \w+){0,3}?) (?:ist|wurde|sind|wurden|fällt|fallen)(?: \w+){0,2}? (?:abgesagt|verkauft|storniert|aus|gestrichen|verworfen|abgeblasen|gekündigt))",
            is_ended=True,
        ),
        form(
            Kind.HABIT,
            "nicht mehr|mehr",
            rf"(?:ich|wir|er|sie|{_REL}) (?P<value>{PIECE}(?: (?!nicht\b|kein){PIECE}){{0,3}}?) (?:nicht mehr|kein\w* mehr)|(?:nicht mehr|kein\w*) (?P<value2>{PIECE}(?: {PIECE})?) mehr",
            is_ended=True,
        ),
        form(Kind.HABIT, "nicht mehr", rf"nicht mehr (?P<value>{PIECE}(?: {PIECE}){{0,3}})", is_ended=True),
        form(
            Kind.OTHER,
            "ist |heißt|lautet|sind ",
            rf"(?:{_MY}|der|die|das) {_NEW}(?P<name>[\w-]+(?: (?:für|von|der|des|im|in) [\w-]+)?){_OF} (?:ist|heißt|lautet|läuft|wurde|sind)(?: (?:jetzt|nun|auf|am|um|bei|verschoben|im|der|inzwischen|umbenannt in|geändert auf))* (?P<value>(?:{_DAYS})(?: \d+\.?)?|{NUMBER}(?: {PIECE})?)(?=[.,;!]|$| statt| jetzt| und| für)",
        ),
        *named_relations(
            _REL,
            mine="mein|meine|meiner|meinem|meinen|unser|unsere|unserem|unserer",
            cues="mein|unser",
            that_is="das ist|die ist|der ist",
        ),
        *named_pets(
            "hund|hündin|katze|kater|welpe|kaninchen|hase|hamster|papagei|wellensittich|meerschweinchen|pferd|pony|schildkröte",
            mine="mein|meine|meiner|meinem|meinen|unser|unsere|unserem|unserer",
            cues="mein|unser",
        ),
        form(
            Kind.HEALTH,
            "verträgt|vertrage|vertrag ",
            r"(?:vertrage|vertrag|verträgt)(?: leider| absolut| auch)? (?:kein|keine|keinen) (?P<value>[\w-]+)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "unterricht",
            r"(?:ich|wir|er|sie) (?P<value>unterricht(?:e|et|en) [\w-]+(?: (?:an|am|in|im) (?:einer |einem |der |dem )?[\w-]+(?: in [\w-]+)?)?)",
            name="job",
            single=Single.NEVER,
        ),
    ),
)

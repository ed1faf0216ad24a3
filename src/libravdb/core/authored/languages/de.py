"""German."""

from __future__ import annotations

import re

from libravdb.core.authored.languages.grammar import (
    OBLIGATION,
    PERMISSION,
    PROHIBITION,
    Construction,
    DeonticLanguage,
    Modal,
    by_modality,
    phrases,
    words,
)

_INFINITIVES = words("""
abbrechen abgeben abhaken abschließen absprechen achten aktualisieren anbieten ankündigen anpingen anpassen
archivieren aufbewahren aufteilen auslassen ausschreiben aktivieren bauen belassen benachrichtigen berechnen bereinigen
berücksichtigen bestellen bewerten checken cachen deaktivieren definieren drucken eintragen einplanen entwerfen
ermitteln erzwingen exportieren festhalten filtern freigeben gießen gruppieren importieren indizieren isolieren
kennzeichnen klären kommunizieren linten markieren maskieren meiden minimieren nummerieren patchen pflegen pinnen
rotieren runden schulen sichten signieren skalieren squashen streichen taggen tippen trinken umwandeln
unterschreiben verfolgen verteilen verhindern verlangen verpacken verwerfen vorlegen warten weglassen werfen
wechseln zuweisen zählen zulassen überspringen überwachen
aktualisieren anfangen angeben anhängen anlegen annehmen anrufen antworten anzeigen
aufräumen aufschreiben ausführen ausgeben auslagern ausschalten beachten beantworten beenden befolgen beginnen
begründen behalten behandeln behaupten benennen benutzen beschreiben bestätigen bevorzugen bitten bleiben buchen
committen deployen dokumentieren durchführen duzen einfügen eingeben einhalten einrücken einschalten einsetzen
entfernen entscheiden erfinden ergänzen erinnern erklären erlauben ersetzen erstellen erwähnen erzeugen erzählen
formatieren formulieren fragen führen geben halten hinzufügen hochladen implementieren informieren initialisieren
installieren integrieren kapseln kaufen kochen kommentieren konfigurieren kontrollieren kopieren kürzen laden lassen
lernen lesen liefern loggen löschen machen melden mergen merken messen migrieren mitteilen mocken nachfragen nehmen
nennen notieren nutzen optimieren ordnen organisieren planen priorisieren protokollieren prüfen pushen putzen
rechnen reden reparieren reservieren respektieren sammeln schicken schließen schreiben schätzen senden setzen
sichern siezen sorgen sortieren speichern sprechen starten stellen stoppen strukturieren suchen teilen testen
trennen umbenennen unterbrechen unterlassen validieren verfassen vergessen vergleichen verlinken vermeiden vermerken
verraten verschieben verschlüsseln versionieren versuchen verweisen verwenden verzichten verändern veröffentlichen
vorschlagen warnen wecken weitergeben wiederholen wählen zeigen zitieren zurückgeben zusammenfassen zusammenführen
ändern öffnen überprüfen überschreiben übersetzen
""")


def _imperatives(infinitives: frozenset[str]) -> frozenset[str]:
    """ "verwenden" gives "verwende" and "verwend"; separable prefixes leave the head: "führe … aus"."""
    prefixes = ("ab", "an", "auf", "aus", "durch", "ein", "fest", "hinzu", "hoch", "mit", "nach", "vor", "weiter", "zu",
                "zurück", "zusammen")  # fmt: skip
    forms: set[str] = set()
    for verb in infinitives:
        if verb.endswith(("ern", "eln")):
            forms.add(verb.removesuffix("n") + "e")
        forms |= {verb.removesuffix("n"), verb.removesuffix("en") if len(verb) > 6 else verb.removesuffix("n")}
        for prefix in prefixes:
            if verb.startswith(prefix) and len(verb) > len(prefix) + 4:
                forms.add(verb.removeprefix(prefix).removesuffix("n"))
    return frozenset(form for form in forms if form.endswith(("e", "ier")) or len(form) > 5)


_PREFIXES = words("ab an auf aus durch ein fest her hin mit nach offen vor weg weiter zurück zusammen")
_WITH_ZU = frozenset(
    prefix + "zu" + verb.removeprefix(prefix)
    for verb in _INFINITIVES
    for prefix in _PREFIXES
    if verb.startswith(prefix) and len(verb) > len(prefix) + 4
)
_PREFIX = "(?:ab|an|auf|aus|durch|ein|fest|her|hin|mit|nach|offen|vor|weg|weiter|zurück|zusammen)"

# The form that commands a friend is also what one says of oneself: "teste gerade die neue Version".
_FIRST_PERSONS = frozenset(form for form in _imperatives(_INFINITIVES) if form.endswith("e")) - words(
    "merke stelle überlege suche mache denke"
)

_NOT_GENERAL = "ich|wir|er|sie|es|du|ihr|der|die|das|diese[rs]?|mein\\w*|unser\\w*|ein\\w*|manche|viele|einige"
_PARTICIPLE = (
    r"(?:\w*ge\w+(?:t|en)|\w+iert|(?:be|ver|er|ent|zer|über|unter)\w+(?:t|en)|deployt|mergt|committet|gepusht)"
)
_SYSTEM = "(?:unterstützt|angezeigt|erkannt|gefunden|geladen|gelöst|benötigt|gebraucht|erwartet|beeinflusst|erreicht"
_SYSTEM += (
    "|ausgelöst|übernommen|zugestellt|erwähnt|genannt|erklärt|untersucht|berücksichtigt|besprochen|beachtet|bekannt)"
)


def _third_persons(infinitives: frozenset[str]) -> frozenset[str]:
    """ "melden" as "meldet", "reparieren" as "repariert", "aufräumen" as "räumt … auf"."""
    forms: set[str] = set()
    for verb in infinitives:
        heads = [verb, *(verb.removeprefix(p) for p in _PREFIXES if verb.startswith(p) and len(verb) > len(p) + 4)]
        for head in heads:
            stem = head.removesuffix("en") if head.endswith("en") else head.removesuffix("n")
            forms.add(stem + ("et" if stem.endswith(("d", "t")) else "t"))
    return frozenset(forms)


GERMAN = DeonticLanguage(
    code="de",
    common=words("""
    aber alle aller als am an auch auf aus bei bis bitte da damit das dass dein deine dem den der des die dir doch du
    durch ein eine einem einen einer er es für habe haben hat hatte ich ihr im immer in ist ja kann kein keine
    keinen man mehr mein meine mich mir mit muss müssen nach nicht nie niemals noch nur oder ohne schon sehr sein
    sich sie sind so soll sollte um und uns unter vom von vor war was wenn wer werden wie wir wird wo zu zum zur
    """),
    contractions={"gib's": "gib es", "geht's": "geht es"},
    speaker=words("ich mich mir"),
    addressee=words("du ihr sie"),
    group=words("wir"),
    others=words("er"),
    things=words("es das dies"),
    whoever=words("wer"),
    norm_verbs=(
        _third_persons(_INFINITIVES)
        | words("""
    bezahlt bringt fährt gibt hält holt hilft kauft kocht kümmert lädt lässt liest nimmt räumt
    repariert schaltet spricht
    spült stellt trägt übergibt übernimmt wäscht zahlt zieht
    """)
    )
    - words("bleibt fängt hält lernt redet"),
    asking=phrases("könntest du | kannst du | könnten sie | könntet ihr | würdest du | würden sie | kannst du bitte"),
    unfailing=words("immer stets nie niemals künftig"),
    styled=phrases("""
    einrückung | einrückungen | zeilenlänge | zeilenenden | anführungszeichen | namen | benennung | namensgebung
    rechtschreibung | schreibweise | zeilenbreite
    """)
    - phrases("namen"),
    placed=words("liegen liegt gehören gehört kommen kommt stehen"),
    belonging=words("gehören gehört kommen"),
    formerly_first=words("früher damals einst"),
    unreal=words("hätte hätten hättest hat haben hatte hatten"),
    people=words("""
    agent agenten assistent assistenten benutzer entwickler gast gäste jeder kind kinder kunden man mitarbeiter
    mitwirkende niemand nutzer reviewer tester
    """),
    relatives=words("mutter vater bruder schwester chef chefin freund freundin mann frau arzt ärztin oma opa nachbar"),
    nobody=words("niemand nichts kein keine keiner"),
    question_words=words("warum wieso weshalb wie wer wen wem was wo wohin woher wann welche welcher welches"),
    inverters=words("""
    bin darf hast hat ist kann kannst können könnte könntest muss müssen sind soll sollte willst wird
    """),
    inverted=words("ich du er sie es wir ihr man"),
    reporting=words("""
    behauptet behauptete empfahl erklärte erzählt erzählte fragte gesagt geschrieben laut meint meinte rief riet
    sagt sagte sagten schreibt schrieb warnte zufolge
    """),
    hedges=phrases(
        "vielleicht | ich glaube | ich denke | ich finde | wahrscheinlich | vermutlich | wohl | es kann sein"
    ),
    small_talk=phrases("""
    alles gute | alles klar | bis bald | bis dann | bis morgen | bis später | bitte schön | bitte sehr | danke
    das darf doch | das gibt es nicht | das ist nicht dein ernst | das kann doch | das kann nicht | das muss ja
    denk mal | denk an mich | halt die ohren | halt durch | kopf hoch | drück mir | lass es dir | lasst es euch
    lass dir | das musst du | den musst du | die musst du | du musst unbedingt | nicht schlecht | nicht übel
    nicht wahr | bleib gesund | bleib so | mach weiter so | mach mal | sei nicht traurig | sei froh | gib nicht auf
    komm doch | du hast recht | genau | gern | gerne | gute besserung | gute nacht | guten abend | guten morgen
    guten tag | grüß | liebe grüße | viele grüße | halb so wild | hallo | hör mal | kein ding | kein problem
    kein stress | kein wunder | keine ahnung
    keine chance | keine frage | keine lust | keine panik | keine sorge | keine ursache | keine zeit | komm gut
    komm schon | lass gut sein | lass mich | lass uns | mach dir keine | mach dir nichts | mach es gut | mach's gut
    macht nichts | melde dich | nichts zu danken | nie gehört | nie im leben | nie wieder | nimm es nicht
    pass auf dich auf | sag mal | schau mal | schönen abend | schönen tag | schönes wochenende | sie haben recht
    stell dir vor | stimmt | viel erfolg | viel glück | viel spaß | vielen dank | warte mal
    """),
    status_labels=words("antwort fehler ergebnis ausgabe status fehlgeschlagen warnung erwartet stand fazit betreff"),
    past=words("""
    gestern vorgestern früher neulich damals vorhin letzte letzten letztes letzter gerade seit schon bin habe
    nachher gleich
    """),
    past_forms=words(
        "worden abgestürzt ausgefallen eingeschlafen verschwunden gewesen gegangen gekommen geblieben passiert geworden"
    ),
    momentary=words("heute morgen nachher später gleich bald mal"),
    leads=phrases("""
    ab jetzt | ab sofort | ach | ach ja | achso | ähm | naja | na gut | nee | nö | und zwar | im zweifel | aber
    also | am besten | andernfalls | auch | außerdem | bitte | daher | dann | denn
    deshalb | einfach | generell | grundsätzlich | gut | hey | hinweis | in zukunft | ja | jedenfalls | jetzt
    künftig | nein | nun | nur | ok | okay | regelmäßig | sondern | sonst | sorgfältig | standardmäßig | stattdessen
    super | und | von nun an | wichtig | zuerst | zunächst | übrigens
    """),
    greetings=words("danke hallo hi hey sorry super prima toll ok okay gut"),
    markers=words("bitte niemals nie vermeide verwende nutze"),
    subordinators=words("wenn falls sobald bevor nachdem weil obwohl damit dass ob während solange da sofern als um"),
    conditions=words("wenn falls sobald"),
    openers=words("vor nach bei für im in am auf mit ohne unter aus durch zum zur während seit ab wegen laut"),
    determiners=words("""der die das den dem des ein eine einen einem einer alle jede jeden jedes jeder meine deine
    mein dein sein ihr unser unsere"""),
    adverbs=words("immer auch bitte stets nur sofort unbedingt grundsätzlich jetzt dann mir mich dir dich sich"),
    finite=words("""
    beginnt bleibt braucht dauert endet fehlt fehlschlug folgt klappt kommt lief liegt nervt schlägt schlug startet
    steht
    bin bist darf dürfen geht gibt haben hat hatte hatten ist kann können läuft muss möchte möchten müssen sind soll
    sollen musste mussten durfte durften konnte konnten wollte wollten hätte hätten wäre wären würde würden dürfte
    dürften
    war waren werden will wird wollen wurde wurden
    """),
    formulas=by_modality(
        obligation="""
        achte darauf | achten sie darauf | beachte | beachten sie | behalte im kopf | dein name ist
        deine aufgabe ist | denk daran | denk dran | denke daran | denken sie daran | du heißt | es ist notwendig
        es ist wichtig | ich möchte dass du | ich will dass du | merk dir | merke dir | merken sie sich
        sorge dafür | stell sicher | stelle sicher | stellen sie sicher | vergessen sie nicht | vergiss nicht
        """,
        prohibition="""
        auf keinen fall | lass die finger von | lasst die finger von | es ist nicht erlaubt | es ist untersagt
        es ist verboten | finger weg | hör auf
        hören sie auf | unter keinen umständen | verzichte auf | verzichten sie auf
        """,
        permission="""
        es ist erlaubt | es ist in ordnung | es ist nicht nötig
        """,
    ),
    modals=(
        *(Modal(phrase=form, affirmed=OBLIGATION, denied=PERMISSION) for form in ("muss", "müssen", "musst")),
        *(Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION) for form in ("sollst", "soll", "sollen")),
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION, weight="weak")
            for form in ("sollte", "sollten", "solltest")
        ),
        *(Modal(phrase=form, affirmed=PERMISSION, denied=PROHIBITION) for form in ("darf", "dürfen", "darfst")),
        *(
            Modal(phrase=form, affirmed=PERMISSION, denied=PROHIBITION, weight="leave")
            for form in ("kannst", "können sie", "könnt")
        ),
    ),
    copulas=words("ist sind"),
    predicates={
        "pflicht": (OBLIGATION, PERMISSION),
        "verpflichtend": (OBLIGATION, PERMISSION),
        "erforderlich": (OBLIGATION, PERMISSION),
        "notwendig": (OBLIGATION, PERMISSION),
        "vorgeschrieben": (OBLIGATION, PERMISSION),
        "verboten": (PROHIBITION, PERMISSION),
        "akzeptabel": (PERMISSION, PROHIBITION),
        "unerlaubt": (PROHIBITION, PERMISSION),
        "untersagt": (PROHIBITION, PERMISSION),
        "tabu": (PROHIBITION, PERMISSION),
        "unzulässig": (PROHIBITION, PERMISSION),
        "unerwünscht": (PROHIBITION, PERMISSION),
        "erlaubt": (PERMISSION, PROHIBITION),
        "gestattet": (PERMISSION, PROHIBITION),
        "zulässig": (PERMISSION, PROHIBITION),
        "optional": (PERMISSION, OBLIGATION),
        "freiwillig": (PERMISSION, OBLIGATION),
        "nicht nötig": (PERMISSION, PERMISSION),
    },
    frames=(
        # "sind zu vermerken", "ist zu vermeiden", "sind aufzubewahren"
        Construction(
            pattern=re.compile(r"\b(?:ist|sind)\b.* zu (?:vermeiden|unterlassen|verhindern)$"), modality=PROHIBITION
        ),
        Construction(
            pattern=re.compile(
                r"\b(?:ist|sind)\b(?!.*\b(?:nicht|kaum|schwer|leicht|nichts|viel)\b)"
                rf".* (?:zu \w+e?n|{_PREFIX}zu\w+e?n)$"
            ),
            modality=OBLIGATION,
        ),
        Construction(
            pattern=re.compile(
                rf"\b(?:ist|sind)\b.*\b(?:nicht|nie|niemals) .*(?:zu \w+e?n|{_PREFIX}zu\w+e?n)$(?<!sehen)"
            ),
            modality=PROHIBITION,
        ),
        # "Jeder Dienst hat … anzubieten", "Passwörter haben hier nichts zu suchen"
        Construction(
            pattern=re.compile(
                r"^(?!(?:ich|wir|er|sie|du|ihr|es)\b).*\b(?:hat|haben)\b.*\bnichts (?:zu suchen|verloren)$"
            ),
            modality=PROHIBITION,
        ),
        Construction(
            pattern=re.compile(
                rf"^(?:jede[rs]?|alle|sämtliche) .*\b(?:hat|haben)\b.* (?:zu \w+e?n|{_PREFIX}zu\w+e?n)$"
            ),
            modality=OBLIGATION,
        ),
        # "Jeder Endpunkt braucht eine Prüfung", "Für Prototypen brauchst du keine Tests"
        Construction(
            pattern=re.compile(r"^(?!(?:ich|wir|er|sie)\b).*\b(?:braucht|brauchst|brauchen)\b.*\bkeine?n?\b"),
            modality=PERMISSION,
        ),
        Construction(
            pattern=re.compile(r"^(?!(?:ich|wir|er|sie)\b).*\bbrauchst du .*\b(?:nicht|nichts)\b"), modality=PERMISSION
        ),
        Construction(
            pattern=re.compile(r"^(?:jede[rs]?|alle|sämtliche) .*\b(?:braucht|brauchen|benötigt|benötigen)\b"),
            modality=OBLIGATION,
        ),
        # "Für neue Abhängigkeiten ist eine Genehmigung nötig"
        Construction(
            pattern=re.compile(r"^(?:für|bei|vor|zum|zur|beim) .*\b(?:ist|sind) keine?n?\b.* nötig$"),
            modality=PERMISSION,
            cue="nötig",
        ),
        Construction(
            pattern=re.compile(
                r"^(?:für|bei|vor|zum|zur|beim) .*\b(?:ist|sind) (?!(?:viel|mehr|etwas|nur|nicht|wenig"
                r"|keine?n?)\b).* nötig$"
            ),
            modality=OBLIGATION,
            cue="nötig",
        ),
        # "In Skripten kann auf Typangaben verzichtet werden"
        Construction(
            pattern=re.compile(
                r"\b(?:kann|können|darf|dürfen)\b.*\b(?:auf .+ verzichtet|weggelassen|übersprungen) werden$"
                r"|^auf .+ (?:kann|darf)\b.* verzichtet werden$"
            ),
            modality=PERMISSION,
        ),
        # "Generierte Dateien werden nicht von Hand bearbeitet", "Auf `main` wird nicht direkt gepusht"
        Construction(
            pattern=re.compile(
                rf"^(?!(?:{_NOT_GENERAL})\b)(?!.*\b(?:gerade|derzeit|momentan|noch nicht|heute|leider|seit|bisher)\b)"
                r"(?!.*\b(?:werden|wird) .*\b(?:dass|weil)\b)"
                rf".+ (?:wird|werden) (?:\S+ )*?(?:nicht|nie|niemals|keine?n?)\b.* (?!{_SYSTEM}$){_PARTICIPLE}$"
            ),
            modality=PROHIBITION,
        ),
        # "Commit-Nachrichten werden auf Englisch geschrieben"
        Construction(
            pattern=re.compile(
                rf"^(?!(?:{_NOT_GENERAL})\b).+ (?:wird|werden) (?:immer |stets )?(?:auf (?:englisch|deutsch|französisch"
                r"|spanisch|chinesisch)|im (?:imperativ|präsens|singular|plural|aktiv)|klein|groß|kleingeschrieben) ?"
                r"(?:geschrieben|verfasst|formuliert|benannt|gehalten)?$"
            ),
            modality=OBLIGATION,
        ),
        # "Niemand verlässt das Labor ohne Abmeldung"
        Construction(
            pattern=re.compile(
                r"^niemand (?!(?:weiß|kennt|mag|hat|ist|kommt|glaubt|versteht|braucht|wohnt"
                r"|interessiert|liebt)\b)\w+t\b"
                r"(?!.*\b(?:mehr|mir|mich|uns|noch)\b).* (?:ohne|vor|nach|bevor|\w+tags|am|während|außer)\b"
            ),
            modality=PROHIBITION,
        ),
        # "Freitags wird nicht deployt", "Hier wird nicht geraucht"
        Construction(
            pattern=re.compile(
                r"^(?:hier|bei uns|auf \w+|am \w+|\w+tags|nachts|abends|morgens|an \w+) (?:wird|werden) .*"
                r"\b(?:nicht|nie|niemals|nichts|keine?n?)\b.*(?:ge\w+(?:t|en)|iert|deployt|mergt|committet)$"
            ),
            modality=PROHIBITION,
        ),
    ),
    frame_words=_WITH_ZU
    | words(
        "niemand geschrieben verfasst verzichtet weggelassen jede jeder jedes sämtliche braucht"
        " brauchst brauchen benötigt benötigen"
    ),
    negations=words("""
    kein keine keinem keinen keiner keinerlei nicht nichts nie niemals niemand niemandem niemanden nirgends
    """),
    never=words("nie niemals"),
    always=words("immer stets ausschließlich"),
    none_of=phrases("keine | kein | keinen | keinerlei"),
    denies_after_verb=True,
    is_verb_last=True,
    verbs=_imperatives(_INFINITIVES)
    | words("""
    weck wecke zahl zahle bezahl bezahle koch koche kauf kaufe bring bringe hol hole wasch wasche such putz
    cache check checke ping pinge push pushe merge committe deploye logge squashe tagge linte mocke haltet nutzt macht
    schreibt nehmt gebt prüft lasst achtet verwendet seid schlaf grüß komm trink iss gieß fütter füttere
    antworte behandle bleib denk denke erkläre fang fass frag geh gib halt halte hilf lass leg lege lies mach mache
    merk nenn nimm nutz prüf ruf rufe sag sammle schreib sei seien setz sieh sprich stell stelle stopp triff wirf
    zeig miss
    """),
    last_verbs=_INFINITIVES,
    noun_verbs=words("""
    frage messe suche liste reihe sorge plane karte lage pflege rate probe reise ordne anfrage ansage
    """),
    noun_openings=phrases("messe am | messe im | messe in | frage mich"),
    spoken_to=words("dir euch ihnen"),
    third_person=("t", "et"),
    past_alike=_FIRST_PERSONS,
    avoiding=words("vermeide vermeiden unterlasse unterlassen vermieden"),
    stopping=frozenset(),
    elided=words("weiß"),
    errands=words("zeig zeige sag sage erzähl erzähle gib schick hilf übersetz übersetze korrigier kürz kürze"),
    for_speaker=words("mir uns"),
    standing=words("immer nie wenn falls bevor jedes sobald kurz"),
    perfect=words("haben"),
    being=words("sein"),
    outcomes=words("reichen funktionieren klappen gehen stimmen passen laufen genügen helfen halten"),
    wishing=words("schlaf grüß grüße drück iss trink komm"),
    dated=words("heute"),
    once=phrases("diesmal | dieses mal | ausnahmsweise | nur dieses"),
    every_time=phrases("jedes mal | ab jetzt | ab sofort | in zukunft"),
    polite=words("bitte"),
    standing_leads=words("zukunft künftig ab immer"),
    momentary_objects=words("das dies diesen diese dieses mir"),
    indefinite=words("ein eine einen"),
    daily=words("essen trinken schlafen arbeiten reisen rauchen schwimmen ausruhen aufstehen"),
    partitive=words("der des von aller"),
    recurring=words("wieder inzwischen mittlerweile"),
    states=words("erschöpft fertig froh glücklich hungrig kaputt krank müde nervös stolz traurig verrückt"),
    perceived=words("sein haben sehen finden"),
    identity=phrases("du bist | sie sind | du bist nicht | du bist kein | du bist keine"),
    articles=words("ein eine der die das zu"),
    praise=words("schatz engel held genie beste idiot süß lieb toll star besten"),
    traits=words("hilfsbereit geduldig präzise freundlich höflich ehrlich vorsichtig direkt"),
    not_banned=words("""
    ahnung antwort chance ding ergebnisse fehler frage idee lust panik problem sorge stress thema ursache wunder
    zeit änderung änderungen
    """),
    contrasts=words("nicht keine"),
    over=words("vor"),
    only=words("nur"),
    filler=words("""
    ab auch benutze benutzen bitte darf darfst das dem den der des die du dürfen ein eine einem einen einer es ich
    immer ist jetzt kann kannst kein keine keinen mehr muss musst müssen nicht nie niemals nur nutze nutzen sie sind
    sofort soll sollen sollst sollte sollten und verwende verwenden verwendet wir zu
    """),
    vague=words("""
    alles angemessen arbeite besser code dinge es gut gute guten guter korrekt mach mache ordentlich professionell
    qualität richtig sauber schreib schreibe sei sinnvoll vernünftig
    """),
    open_ended=phrases(
        "bei bedarf | falls nötig | wenn nötig | wo sinnvoll | nach bedarf | und so weiter | je nachdem"
    ),
)

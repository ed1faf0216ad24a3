"""French."""

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

_ER = words("""
racheter réparer fermer casser fumer manger
réveiller sortir aligner allouer approuver archiver arroser attacher attaquer auditer avancer boucler cacher cadrer
calculer cibler
clarifier collecter composer compresser configurer confier convoquer courber cuisiner dater dater dessiner deviner
découper décrypter décaler dédier échapper écraser emballer encapsuler encadrer épingler étiqueter examiner expédier
exposer extraire filtrer favoriser figer générer héberger illustrer indexer invoquer journaliser justifier lier loger
manger numéroter opter parser patcher payer peser piloter planifier prioriser profiler prouver purger rebaser relancer
remonter repasser repousser rejouer relever réessayer réutiliser rogner simuler soigner sauter tagguer taguer typer
tracer tronquer tutoyer viser voter
abandonner accepter activer actualiser adapter adresser afficher aider ajouter ajuster analyser annoncer annuler
appeler appliquer apporter arranger arrêter attribuer bloquer changer charger chercher chiffrer citer classer coller
commencer commenter comparer compiler compléter confirmer conserver considérer consulter contrôler copier corriger
couper créer demander distinguer documenter donner déclarer démarrer déplacer déployer désactiver détailler effacer
employer enregistrer envoyer essayer estimer expliquer exporter exprimer exécuter fermer fixer flatter forcer
formater formuler fusionner garder grouper gérer ignorer importer imposer indiquer informer initialiser installer
insérer intégrer inventer isoler jouer laisser lancer limiter lister livrer marquer masquer mentionner mesurer
migrer mocker modifier montrer nettoyer nommer normaliser noter notifier optimiser organiser oublier parler partager
passer placer poser pousser privilégier proposer protéger préciser préférer préparer présenter publier raconter
ranger rappeler refuser regarder regrouper rejeter remplacer renommer renvoyer respecter rester retirer retourner
rédiger réinventer répéter réserver révéler saluer sauvegarder signaler signer simplifier stocker supposer supprimer
surveiller séparer terminer tester tracer traiter trier trouver tutoyer utiliser valider versionner viser vouvoyer
vérifier écouter éditer éliminer évaluer éviter
""")


def _forms(verbs: frozenset[str]) -> frozenset[str]:
    """The forms that command: utilise, utilisez, utilisons, utiliser."""
    forms: set[str] = set()
    for verb in verbs:
        stem = verb.removesuffix("er")
        forms |= {stem + "e", stem + "ez", stem + ("eons" if stem.endswith("g") else "ons"), verb}
        if stem.endswith(("ay", "oy", "uy")):
            forms.add(stem[:-1] + "ie")
    return frozenset(forms)


_DAYS = "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week)"
_WHEN = f"(?:le {_DAYS}|les {_DAYS}s|sans|avant|après|ici|à la main|manuellement|directement)"
_NOT_MEANT = "(?!(?:trouve|arrive|pense|aime|semble|existe|ressemble|marche|importe|reste|gagne)\\b)"

FRENCH = DeonticLanguage(
    code="fr",
    common=words("""
    ai après au aux avant avec ce ces cette chaque comme dans de des du elle en es est et il ils jamais je la le les
    leur lui ma mais me mes moi mon ne nos notre nous on ou où par pas plus pour qu que qui sa sans se ses si son
    sont sur ta te tes toi ton toujours tous tout toute toutes très tu un une vos votre vous à ça été être
    """),
    splits_hyphens=True,
    contractions={"d'abord": "abord"},
    elisions={
        "n'": "ne",
        "d'": "de",
        "l'": "le",
        "qu'": "que",
        "j'": "je",
        "m'": "me",
        "t'": "te",
        "s'": "se",
        "c'": "ce",
        "lorsqu'": "lorsque",
        "puisqu'": "puisque",
        "jusqu'": "jusque",
    },
    speaker=words("je"),
    addressee=words("tu vous"),
    group=words("nous on"),
    others=words("elle lui"),
    things=words("il ça cela ce ceci"),
    whoever=phrases("celui qui | celle qui | ceux qui | quiconque | toute personne qui | le dernier qui"),
    norm_verbs=(
        frozenset(stem + end for stem in (verb.removesuffix("er") for verb in _ER) for end in ("e", "ent"))
        | words("""
    achète rachète éteint met prend prévient rappelle rend remet rédige répond suit tient avertit remplit paie essuie
    nettoie envoie appelle attribue
    """)
    )
    - words("trouve reste estime suppose oublie mange mangent fume fument trouvent restent joue jouent"),
    asking=phrases("""
    tu pourrais | pourrais tu | vous pourriez | pourriez vous | peux tu | pouvez vous | ce serait bien de
    """),
    unfailing=words("toujours jamais désormais dorénavant"),
    styled=phrases("""
    indentation | guillemets | fins de ligne | longueur des lignes | longueur de ligne | orthographe
    """),
    placed=words("vont va se vivent"),
    belonging=words("vont va"),
    people=words("""
    agent agents assistant chacun clients contributeurs développeurs enfants invités personne utilisateurs
    """),
    relatives=words("mère père frère sœur chef patron médecin mari femme ami amie copain copine voisin"),
    nobody=words("personne rien aucun aucune"),
    question_words=words("pourquoi comment qui quand où quel quelle combien que quoi"),
    inverters=words("dois doit peux peut est sont as avez pouvez devez faut puis ai veux"),
    inverted=words("je tu il elle nous vous ils on"),
    reporting=words("dit disait disent écrit écrivait selon raconte demande affirme conseille explique prétend répète"),
    hedges=phrases("peut être | je pense | je crois | sans doute | probablement | il se peut | je suppose"),
    small_talk=phrases("""
    allons | tu peux le faire | fais un bisou | fais une bise | viens | venez | envoie moi le | envoie moi la
    envoie moi un
    embrasse | salue ta | salue ton | salue les
    tu dois voir | tu dois absolument voir | tu dois goûter | tu dois essayer | tu devrais voir | appelle moi quand tu
    appelle moi demain | appelle moi ce | tiens bon | tiens moi au | courage | amuse toi | amusez vous | repose toi
    allez | attendez | attends | aucun problème | aucun souci | aucune idée | bien sûr | bon appétit | bon courage
    bon week | bonjour | bonne chance | bonne journée | bonne nuit | bonsoir | ce ne est | ce ne est pas | de rien
    dis donc | dis moi | désolé | désolée | il faut que je | il faut que on | imagine | jamais de la vie
    laisse moi | laisse tomber | merci beaucoup | merci bien | merci pour | merci à | ne bouge pas | ne quitte pas
    ne t'inquiète | ne te en fais | ne te inquiète pas | ne vous en faites | ne vous inquiétez pas | on verra
    pardon | pas de problème | pas de souci | pas de soucis | pas du tout | pas encore | pas grave | pas mal
    pas possible | pas question | pas vraiment | passe le | passe un | passe une | passez un | passez une
    plus jamais | prends soin | regarde | rien de grave | salut | tu as raison | tu parles | tu plaisantes
    vous avez raison | à bientôt | à demain | à plus | à tout | ça marche | écoute
    """),
    status_labels=words("réponse erreur résultat sortie statut état échec avertissement attendu objet conclusion"),
    past=words("hier avant-hier dernier dernière derniers autrefois jadis"),
    past_forms=frozenset(),
    momentary=words("demain tantôt bientôt"),
    leads=phrases("""
    ah | ah et | eh bien | au fait | bon | nan | de préférence | abord | alors | au besoin | aussi | bien | bref
    d'abord | de abord | de plus | donc | dorénavant | désormais
    en général | en principe | enfin | ensuite | et | important | maintenant | mais | non | ok | oui
    par défaut | parfait | puis | s'il te plaît | se il te plaît | se il vous plaît | si possible | simplement
    sinon | stp | super | svp | toujours | veille bien | à l'avenir | à partir de maintenant | également
    """),
    greetings=words("merci bonjour salut désolé ok super parfait bien"),
    markers=words("ne jamais évite évitez veuillez"),
    subordinators=words("si quand lorsque parce puisque comme que pendant tandis dès afin quoique où"),
    conditions=words("si quand lorsque"),
    only=words("seulement uniquement"),
    openers=words("avant après dans en pour avec sans sous par à au lors chez sur selon de chaque"),
    has_generic_articles=True,
    determiners=words("""
    ce ces cet cette chaque de des du la le les ma mes mon ta tes ton tous tout toute toutes un une
    """),
    adverbs=words(
        "abord toujours aussi bien pas jamais plus me te se le la les lui leur y en moi toi nous vous jamais rien"
    ),
    finite=words("est sont était étaient a ont avait sera seront peut peuvent doit doivent va vont ai es avons avez"),
    formulas=by_modality(
        obligation="""
        assure toi | assurez vous | fais attention | faites attention | garde à l'esprit | garde à le esprit
        gardez à le esprit | il est essentiel | il est important | il est impératif | il est nécessaire
        il est obligatoire | il faut | je préfère que | je souhaite que | je te demande de | je veux que
        je voudrais que | je aimerais que | je aimerais bien que | je aimerais mieux que | je apprécierais que
        merci de | ne oublie pas | ne oubliez pas | note que | notez que | pense à | pensez à
        rappelle toi | sache que | sachez que | souvenez vous | souviens toi | ton nom est | ton rôle est
        tu te appelles | veille à | veillez à | veuillez | votre rôle est
        """,
        prohibition="""
        arrête de | arrêtez de | cesse de | cessez de | en aucun cas | il est défendu | il est interdit
        je ne aimerais pas que | je préfère que tu ne | plus question de | hors de question de
        il ne est pas autorisé | il ne est pas permis | il ne faut jamais | il ne faut pas | interdiction de
        interdit de | je ne veux pas que | merci de ne jamais | merci de ne pas | sous aucun prétexte
        veuillez ne pas
        """,
        permission="""
        il est autorisé | il est permis | il est possible de | il ne est pas nécessaire | inutile de
        pas la peine de | ce ne est pas la peine de | libre à toi
        ne hésite pas à | ne hésitez pas à | pas besoin de | tu ne es pas obligé | tu ne es pas obligée
        vous ne êtes pas obligé | vous ne êtes pas obligés
        """,
    ),
    modals=(
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION)
            for form in ("doit", "doivent", "dois", "devez", "devons", "devra", "devront")
        ),
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION, weight="weak")
            for form in ("devrait", "devraient", "devrais", "devriez", "devrions")
        ),
        *(
            Modal(phrase=form, affirmed=PERMISSION, denied=PROHIBITION, weight="leave")
            for form in ("peux", "pouvez", "peut", "peuvent")
        ),
    ),
    copulas=words("est sont"),
    predicates={
        "obligatoire": (OBLIGATION, PERMISSION),
        "obligatoires": (OBLIGATION, PERMISSION),
        "requis": (OBLIGATION, PERMISSION),
        "requise": (OBLIGATION, PERMISSION),
        "requises": (OBLIGATION, PERMISSION),
        "interdit": (PROHIBITION, PERMISSION),
        "interdite": (PROHIBITION, PERMISSION),
        "interdits": (PROHIBITION, PERMISSION),
        "interdites": (PROHIBITION, PERMISSION),
        "à relire": (OBLIGATION, PERMISSION),
        "à vérifier": (OBLIGATION, PERMISSION),
        "à faire": (OBLIGATION, PERMISSION),
        "à signaler": (OBLIGATION, PERMISSION),
        "à documenter": (OBLIGATION, PERMISSION),
        "à conserver": (OBLIGATION, PERMISSION),
        "à valider": (OBLIGATION, PERMISSION),
        "à respecter": (OBLIGATION, PERMISSION),
        "à bannir": (PROHIBITION, PERMISSION),
        "proscrit": (PROHIBITION, PERMISSION),
        "proscrits": (PROHIBITION, PERMISSION),
        "à éviter": (PROHIBITION, PERMISSION),
        "à proscrire": (PROHIBITION, PERMISSION),
        "permis": (PERMISSION, PROHIBITION),
        "autorisé": (PERMISSION, PROHIBITION),
        "autorisée": (PERMISSION, PROHIBITION),
        "autorisés": (PERMISSION, PROHIBITION),
        "autorisées": (PERMISSION, PROHIBITION),
        "facultatif": (PERMISSION, OBLIGATION),
        "facultatifs": (PERMISSION, OBLIGATION),
        "facultatives": (PERMISSION, OBLIGATION),
        "facultative": (PERMISSION, OBLIGATION),
        "optionnelle": (PERMISSION, OBLIGATION),
        "optionnel": (PERMISSION, OBLIGATION),
        "optionnels": (PERMISSION, OBLIGATION),
        "optionnelles": (PERMISSION, OBLIGATION),
    },
    frames=(
        # "Rien n'est fusionné sans relecture"
        Construction(pattern=re.compile(r"^(?:rien|aucune? \w+) ne (?:est|part) \w+ée? sans\b"), modality=PROHIBITION),
        # "Chaque pull request nécessite deux validations", "Les coquilles ne nécessitent pas de relecture"
        Construction(
            pattern=re.compile(r"^.+ ne (?:nécessite|nécessitent|requiert|requièrent|exige|exigent) (?:pas|aucune?)\b"),
            modality=PERMISSION,
        ),
        Construction(
            pattern=re.compile(
                r"^(?:chaque|tout|toute|tous|toutes) .* (?:nécessite|nécessitent|requiert|requièrent"
                r"|exige|exigent) (?!(?:du|de la|beaucoup|environ|peu)\b)"
            ),
            modality=OBLIGATION,
        ),
        # "Les messages s'écrivent en anglais", "Les fichiers générés ne se modifient pas à la main"
        Construction(
            pattern=re.compile(
                r"^(?:les|chaque|tout|toute|tous|toutes|le|la) .*\bse (?:écrivent|écrit|rédigent"
                r"|rédige|nomment|nomme|notent"
                r") (?:toujours )?(?:en|au|dans|avec) "
            ),
            modality=OBLIGATION,
        ),
        Construction(
            pattern=re.compile(rf"^(?:les|des) .* ne se \w+ent (?:pas|jamais)\b.* {_WHEN}\b"), modality=PROHIBITION
        ),
        Construction(
            pattern=re.compile(
                r"^les .* ne sont (?:jamais (?!(?:arriv|ven|all|tomb)\w+|parti)\w+(?:és|ées|is|ises|its|us|ues)\b"
                rf"|pas \w+(?:és|ées)\b.* {_WHEN}\b)"
            ),
            modality=PROHIBITION,
        ),
        # "Personne ne déploie le vendredi", "On ne fume pas ici"
        Construction(
            pattern=re.compile(rf"^personne ne {_NOT_MEANT}\w+e\b(?!.*\b(?:moi|nous)\b).* {_WHEN}\b"),
            modality=PROHIBITION,
        ),
        Construction(
            pattern=re.compile(rf"^on ne {_NOT_MEANT}\w+e (?:pas|jamais)\b.* {_WHEN}\b"), modality=PROHIBITION
        ),
        # "ne touche pas à …": without a subject it commands, whatever the verb is.
        Construction(
            pattern=re.compile(
                r"^ne (?:(?:me|te|le|la|les|lui|leur|nous|vous|se|en|y) ){0,2}\w+ (?:pas|jamais|plus|rien)\b"
            ),
            modality=PROHIBITION,
        ),
    ),
    negations=words("ne pas jamais"),
    denials=phrases("ne | ne pas | ne jamais | ne plus"),
    never=words("jamais"),
    none_of=phrases("jamais de | pas de | aucun | aucune | plus de"),
    verbs=_forms(_ER)
    | words("""
    achète aie appelle attendez attendre attends avertir avertis avertissez avoir ayez choisir choisis choisissez
    convertis cours dire dis dites décrire décris décrivez définir définis définissez faire fais faites fournir
    fournis fournissez jette lire lis lisez lève maintenez maintenir maintiens mets mettez mettre mène ouvre ouvrez
    ouvrir permets permettez prendre prends prenez protège préfère prévenez prévenir préviens rappelle remplis
    remplissez rendez rendre rends réduire réduis réduisez réfléchis réfléchissez répondez répondre réponds répète
    sers sois soyez suis suivez suivre tenez tenir tiens traduire traduis traduisez vends écrire écris écrivez être
    """),
    noun_verbs=words("""
    aide annonce attaque branche charge classe colle commande copie cible coupe demande donne étiquette fixe forme garde
    lance liste livre marque mesure montre note offre page pause place pose programme règle réserve signe table
    test teste trace trie visite
    """)
    - words("donne lance teste"),
    partitive=words("de du des"),
    needs_articles=True,
    participles=("ée", "ées", "és"),
    infinitives=("er", "ir", "re"),
    involuntary=words("échouer être avoir changer arriver"),
    frame_phrases=phrases("à la main"),
    frame_words=words("""
    rien aucun aucune nécessite nécessitent requiert requièrent exige exigent écrivent écrit rédigent rédige nomment
    nomme notent personne jamais vendredi ici pourrais pourriez
    """),
    restricting=words("que"),
    mass=words("tout"),
    avoiding=words("évite évitez éviter évitons"),
    errands=words("raconte dis montre donne explique corrige traduis résume fais"),
    for_speaker=words("moi nous"),
    standing=words("toujours jamais si quand avant chaque"),
    past_alike=words("dis fais suis"),
    noun_openings=phrases("garde à vue | mise à jour | place à"),
    wishing=words("dors repose profite mange salue embrasse voyage"),
    dated=words("aujourd'hui"),
    once=phrases("cette fois | pour une fois | juste cette fois"),
    every_time=phrases("à chaque fois | chaque fois | à partir de maintenant"),
    polite=words("stp svp plaît"),
    standing_leads=words("dorénavant désormais avenir défaut maintenant"),
    momentary_objects=words("ce cet cette ces"),
    daily=words("venir manger boire dormir travailler voyager fumer nager"),
    third_person=(),
    perfect=words("avoir"),
    outcomes=words("aider marcher suffire aller arriver fonctionner être"),
    being=words("être"),
    states=words("fatigué fatiguée fou folle content contente drôle sympa épuisé épuisée une un le la"),
    perceived=words("voir trouver être avoir imaginer"),
    identity=phrases("tu es | vous êtes | tu ne es pas"),
    articles=words("un une le la"),
    praise=words("ange génie meilleur meilleure amour trésor as idiot chef star chou"),
    traits=words("patient serviable précis honnête aimable prudent direct"),
    not_banned=words(
        "erreur erreurs résultat résultats réponse nouvelle nouvelles changement problème"
        " souci soucis idée chance doute mal quoi raison panique"
    ),
    contrasts=words("pas"),
    filler=words("""
    au aussi autant ce ces cette de des devez dois doit doivent du en est et faut il interdit jamais je la le les ma
    mais merci mes mon ne obligatoire pas permis peux plus sont ta tes ton toujours tu un une utilise utiliser
    utilisez vous à
    """),
    vague=words("""
    approprié bien bon bonne bonnes choses code correct correctement fais fais-le meilleur meilleures mieux
    pratiques professionnel propre proprement qualité raisonnable sois tout écris
    """),
    open_ended=phrases("si nécessaire | au besoin | le cas échéant | si besoin | selon le cas"),
)

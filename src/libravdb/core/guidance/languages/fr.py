"""How wishes are said in French."""

from __future__ import annotations

from libravdb.core.guidance.languages.wording import WishWording, any_of

_LANGUAGES = (
    "français|anglais|allemand|espagnol|italien|portugais|néerlandais|chinois|japonais|coréen|russe|polonais|arabe|turc|"
    "danois|suédois|norvégien|finnois|grec|hongrois|roumain|bulgare|croate|serbe|tchèque|ukrainien|hébreu|hindi|vietnamien|thaï|persan|"
    "wolof|créole|occitan|basque|alsacien|corse|espéranto|catalan|breton|latin|ma langue"
)
_OUTPUTS = (
    r"réponses?|explications?|messages?|résumés?|exemples?|listes?|puces|listes à puces|tableaux?|paragraphes?|[ée]mojis?|"
    r"émoticônes?|smileys?|points d'exclamation|jargon|termes techniques|avertissements?|mises en garde|blabla|bla-bla|"
    r"introductions?|intros?|remplissage|code|markdown|titres|gras|détails?|sources|liens|citations|questions|ton|excuses|"
    r"humour|blagues|sarcasme|ironie|suggestions|recommandations|conseils|compliments|flatterie|phrases|celsius|euros|textes?|"
    r"rappels|spoilers|images|photos|dessins|graphiques|schémas|captures|majuscules|minuscules|chiffres|phrases de motivation|citations|faits|indices|"
    r"orthographe|gros mots|surnoms|salutations?|signatures?|opinions|suppositions|répétitions|conclusions?|étapes|alternatives|options|"
    r"comparaisons?|pourcentages|pièces jointes|vidéos|guillemets|astérisques|parenthèses|tirets|couleurs|texte|sermons|leçons(?: de morale)?|"
    r"éloges|fioritures|calculs?|variantes?|première personne|baratin|discours|heures|anglicismes|abréviations|commentaires|formules de politesse|formalités|texte brut|pavés|romans|dissertations"
)
_STYLE = (
    r"court(?:e|es|s)?|brefs?|brèves?|bref|concise?s?|longue?s?|longs|détaillée?s?|formel(?:le|les|s)?|directe?s?|simples?|"
    r"claire?s?|honnêtes?|polie?s?|techniques?|complète?s?|précise?s?|succinct(?:e|es|s)?|décontracté"
)

_WORKS = (
    r"répond\w*|expli\w*|écri\w*|utilis\w*|emploi\w*|parl\w*|dis|dise\w*|demand\w*|évit\w*|gard\w*|rest\w*|soi[st]|es|arrêt\w*|cess\w*|laiss\w*|omet\w*|inclu\w*|ajout\w*|mets|mett\w*|donn\w*|"
    r"montr\w*|cit\w*|mentionn\w*|commenc\w*|termin\w*|fini\w*|appel\w*|rappel\w*|prévien\w*|envo\w*|confirm\w*|vérifi\w*|répèt\w*|tradui\w*|arrondi\w*|recommand\w*|propos\w*|suggèr\w*|"
    r"tutoi\w*|vouvoi\w*|invent\w*|supprim\w*|résum\w*|fais|fass\w*|numérot\w*|sign\w*|salu\w*|compar\w*|corrig\w*|prépar\w*|rédig\w*|calcul\w*|cherch\w*|planifi\w*|décou\w*|marqu\w*|list\w*|"
    r"félicit\w*|flatt\w*|présent\w*|va[sx]?|pren\w*"
)
_TASKS = (
    r"recettes?|menus?|régimes?|cuisine|code|sql|python|java|rust|terraform|docker|excel|tableaux|scripts?|fonctions|tests?|commits?|mails?|e-mails?|courriers?|lettres?|messages|"
    r"newsletters?|publications|articles?|rapports?|comptes rendus|diapos?|présentations?|factures?|devis|contrats?|documents?|traductions?|résumés|conseils|aide|idées|"
    r"suggestions|recommandations|questions|trucs|plans?|trajets?|itinéraires?|randonnées?|balades?|sorties|voyages?|vacances|vols?|trains?|hôtels?|restaurants?|restos?|films?|livres?|"
    r"jeux|musique|cadeaux|courses|devoirs|maths|cours|exercices?|entraînements?|dissertations?|histoires?|poèmes?|mots croisés|couture|tricot|jardin|potager|plantes|circuits|"
    r"électronique|réparations?|impôts|médicaments?|santé|actualités|météo|sport|foot|échecs|vocabulaire|grammaire|candidatures|rendez-vous|réunions|clients?|locataires"
)

FRENCH = WishWording(
    code="fr",
    common=frozenset(
        "le la les un une des et ou mais de du au aux en avec pour par que qui ne pas je tu il elle on nous vous me te"
        " se mon ma mes ton ta tes son sa ses est sont suis es être ce cette ces ça plus moins très toujours jamais"
        " quand si comme sur dans sans moi toi lui leur y déjà aussi bien fait faire peux veux d'un l'on c'est j'ai"
        " n'est qu'il s'il plaît désormais tout tous".split()
    ),
    leads=(
        r"^(?:(?:ok(?:ay)?|salut|bonjour|coucou|hé|eh|bon|bien|parfait|super|génial|merci(?: beaucoup)?|s'il (?:te|vous) plaît|"
        r"stp|svp|et|mais|ah(?: oui)?|au fait|autre chose|une (?:chose|dernière chose|petite chose)|encore une chose|d'ailleurs|"
        r"aussi|(?:garde en tête|souviens-toi|note|retiens|n'oublie pas|rappelle-toi) que|(?:note|retiens)(?= ?:)|oui|non(?=[,.!])|haha|ps|p\.s|note|écoute|alors|donc|dis|tiens|franchement|d'accord|pardon|petite demande|"
        r"petite précision|petit détail|pour info)[ ,:.!;–—-]+){1,6}"
    ),
    forward=any_of(
        r"désormais|dorénavant|à partir de (?:maintenant|aujourd'hui|demain|là)|à l'avenir|dès (?:maintenant|à présent|"
        r"aujourd'hui)|la prochaine fois|les prochaines fois|par la suite|jusqu'à nouvel ordre|par défaut|sauf si je|plus "
        r"jamais|ne .{1,25} plus|n'\w+ plus|une fois pour toutes|dans toutes (?:tes|vos)|dans chaque réponse|pour toujours|"
        r"maintenant et à l'avenir|plus (?:de|d')"
    ),
    habitual=any_of(
        rf"(?:de|dans|avec|pour|à) (?:toutes?|tous|chaque)(?: les| mes| tes)?(?: \w+)? (?:{_TASKS}|{_OUTPUTS})|"
        r"toujours|jamais|chaque fois(?: que)?|à chaque fois|tout le temps|en général|généralement|d'habitude|tous les jours|"
        r"chaque (?:jour|matin|soir|message|réponse)|le (?:dimanche|samedi|lundi|vendredi|week-end)|les week-ends|sans "
        r"exception|tou(?:s|tes) (?:mes|tes)|tes réponses|constamment|sans arrêt|systématiquement|en permanence|sans cesse"
    ),
    reported=(
        r"(?:^|[,;] ?|\b(?:et|mais|parce que|car|comme) )(?:(?:mon|ma|mes|son|sa|le|la|les|un|une|notre|ton|ta)(?: [\w'-]+)"
        r"{1,3}|l'\w+|il|elle|ils|elles|on|les gens|maman|papa|mamie|papy|quelqu'un|tout le monde) (?:m'a |nous a |a |me |nous "
        r"|toujours |aussi |souvent |avait |ont |m'ont ){0,4}(?:dit|disait|disent|disaient|raconte|veut|voulait|demande|"
        r"demandait|demandé|recommande|recommandé|conseille|conseillé|conseillait|insiste|pense|croit|exige|prévient|répète|"
        r"répétait|appris|suggère|attend)\b|\bselon\b|\bd'après\b|\bj'ai (?:lu|entendu)\b|\bon (?:m'a|dit)\b|\bm'a (?:dit|appris|"
        r"conseillé|demandé)\b"
    ),
    unreal=(
        r"\bsi j'(?:étais|avais|pouvais)\b|^imagine\b|^suppos\w*\b|\baurais\b|\bavant,? je\b|\bet si\b|\bsi seulement\b|"
        r"\bautrefois\b"
    ),
    polite=(
        r"^(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|tu (?:peux|pourrais)|tu veux bien|veux-tu|est-ce que tu (?:peux|"
        r"pourrais)|serait-il possible|ça te dérangerait|vous pourriez|vous pouvez)\b"
    ),
    exhorting=(
        r"\bprends? soin\b|\bprenez soin\b|\babandonne\w*\b|\bbon courage\b|\bcourage\b|\bbonne (?:chance|journée|soirée|nuit|"
        r"route|année|continuation|fête)\b|\bne t'inquiète\b|\bt'inquiète\b|\bprofite\w*\b|\bamuse-toi\b|\brepose-toi\b|\bsois "
        r"(?:fort|forte|prudent|prudente|toi-même|heureux|sage|courageux)\b|\bfais attention à toi\b|\bdors bien\b|\bn'oublie pas "
        r"(?:de (?!répond|m'écrire|utilis|mettre|cit)|ton|ta|tes|le|la|les)|\bdis-moi quand\b|\btiens-moi au courant\b|\bappelle-moi "
        r"(?:demain|plus tard|quand|ce|si|après|à|dès|lundi|mardi|ensuite|vite)|\bviens\b|\bpasse(?:z)? (?:me|nous|à)\b|\btu "
        r"devrais\b|\bta (?:mère|maman|sœur|femme|famille|santé|grand-mère)\b|\bton (?:père|papa|frère|mari|cœur|chien|chat|"
        r"parapluie|examen|chef|patron|copain)\b|\brêve\w*\b|\bcrois en\b|\bfélicitations\b|\bjoyeux\b|\bbisous?\b|\bje "
        r"t'aime\b|\btu (?:vas y arriver|peux le faire|en es capable)\b|\bguéris\b|\bbon (?:anniversaire|voyage|week-end|appétit|"
        r"rétablissement)\b|\bsouris\b|\bbois (?:de|assez|plus)\b|\bmange (?:bien|plus)\b|\bfais-toi plaisir\b|\bne lâche\w*\b|\bsalue\b"
    ),
    once=(
        r"\b(?:le|la|l') ?(?:titre|police|tableau|image|cellule|colonne|en-tête|pied|couleur|graphique|bouton|photo|logo|couverture)\b|"
        r"\b(?:ça|ceci|cela|ce|cet|cette|ces|celui-ci|celle-ci)\b(?! que je)|\w+-(?:le|la|les)\b|\baujourd'hui\b|\bdemain\b|"
        r"\bce soir\b|\bcette fois\b|\bmaintenant\b|\bici\b|\bsuivante?s?\b|\bci-dessous\b|\bci-dessus\b|\bprécédente?s?\b|"
        r"\b(?:le|la|les|l') ?(?:texte|phrase|mail|e-mail|lettre|test|erreur|fonction|fichier|article|paragraphe|ligne|dernière?|"
        r"deuxième|second[e]?|première?|version|liste|poème|message|résumé)\b(?! en premier| d'abord)|\b(?:écris|donne|donne-moi|"
        r"fais|fais-moi|rédige|crée|cherche|prépare|j'ai besoin|je veux|je voudrais|j'aimerais|explique|explique-moi|dis-moi|"
        r"raconte|propose|montre-moi|trouve)(?:-moi)? (?:un|une|d'un|d'une|trois|deux|cinq|dix|\d+|mon|ma|mes|comment|pourquoi|ce "
        r"que|qui|quel)\b|^[^:]{3,60}: ?(?:\S+ ){2,}\S+|\boui ou non\b|\ben (?:une?|deux|trois) (?:phrases?|mots?|lignes?)\b|"
        r"\bencore une fois\b|\bquand tu (?:arrives|as fini|auras|seras|rentres|es)\b|\bà mon (?:propriétaire|chef|patron|père|ami)"
        r"\b|\bà ma (?:mère|sœur|propriétaire|cheffe)\b|\bun peu\b"
    ),
    head=(
        r"(?:^|[,;:.(!—–] ?| - |\b(?:et|mais|alors|donc|ou|plaît|maintenant|désormais|avenir|stp|recettes?|sql|code|fois|films|"
        r"python|livres) )(?:(?:s'il te plaît|toujours|jamais|ne|n'|ne me|ne m'|m'|simplement|plutôt|aussi|juste|seulement|me|"
        r"surtout|d'abord|désormais|plus)[, ]*){0,5}"
    ),
    verbs=(
        r"(?:\w+-moi(?= toujours| jamais| d'abord)|enlève|retire|ôte|reconnais|avoue|lance|lancez|exécute|exécutez|touche|touchez|efface|modifie|écrase|publie|poste|commande|paie|signe|signez|indente|numérote|souligne|traite|considère|adresse|salue|"
        r"présente|note|liste|décris|détaille|cherche|choisis|prépare|rédige|compare|corrige|découpe|marque|sépare|installe|imprime|pars du principe|évite-moi|épargne-moi|attends|"
        r"ouvre|ferme|compte|mets-les|donne-les|écris-les|réponds|répondez|répondre|réponds-moi|explique|expliquez|expliquer|écris|écrivez|écrire|utilise|utilises|utilisez|"
        r"utiliser|emploie|employer|parle|parlez|parler|dis|dites|dire|demande|demandez|demander|évite|évites|évitez|éviter|"
        r"garde|gardez|garder|reste|restez|rester|sois|soyez|être|arrête|arrêtez|arrêter|cesse|laisse|laisser|omets|inclus|"
        r"inclure|ajoute|ajoutez|ajouter|mets|mettez|mettre|donne|donnez|donner|montre|montrer|cite|citez|citer|mentionne|"
        r"mentionner|commence|commencez|commencer|termine|terminer|finis|appelle|appelez|rappelle|préviens|envoie|envoyez|"
        r"envoyer|confirme|confirmer|vérifie|vérifier|répète|répéter|excuse|t'excuse|traduis|convertis|arrondis|recommande|"
        r"recommander|propose|proposer|suggère|tutoie|tutoyez|tutoyer|vouvoie|vouvoyez|vouvoyer|invente|inventer|suppose|"
        r"supprime|achète|réserve|partage|enregistre|déploie|saute|sauter|épargne|limite|limite-toi|résume|résumer|formate|fais|"
        r"faites|faire|change|passe|repasse|reviens|flatte|félicite|remercie|dérange|réveille|contacte|critique|corrige-moi|"
        r"révèle|révéler|spoile|raconte|abrège|va|allez|aller|indique|calcule|privilégie|oublie|ignore|préfère|tiens-toi|prends)\b"
    ),
    speaking=any_of(
        r"répon\w+|expli\w+|parle\w*|dis|demande\w*|sois|soyez|appelle\w*|rappelle\w*|écris|envoie\w*|répète\w*|excus\w*|tutoie\w*|"
        r"vouvoie\w*|tutoyer|vouvoyer|dérange|contacte|préviens|remercie"
    ),
    wanted=(
        r"\b(?:je (?:veux|voudrais|préfère|souhaite|souhaiterais|préférerais|déteste|n'aime pas|ne veux pas|veux pas|t'ai "
        r"demandé)|j'(?:aimerais|aime|attends|apprécie|apprécierais|aime bien|ai besoin))(?: bien| mieux| beaucoup| de)?(?: que| "
        r"quand| si|,? si) (?:tu|vous|tes|t')|\b(?:ce serait|ça serait|il serait|c'est|il vaut|ça m'aide|ça m'agace|ça m'énerve|"
        r"ça m'arrange\w*)\b.{0,20}\b(?:que|si|quand) (?:tu|vous)\b|\bil faut que tu\b"
    ),
    prefers=(
        r"\b(?:je (?:préfère|veux|déteste|voudrais|n'aime pas|ne veux pas|ne veux plus|ne supporte pas|n'ai pas besoin|hais|"
        r"préférerais)|j'(?:aime(?: bien| mieux)?|adore|aimerais|apprécie|ai horreur|ai besoin))(?: de| d')?"
    ),
    not_preferred=(
        r"^ ?(?:un |une |ta |ton |tes |ce |cette |ces |mon |ma |que |apprendre|lire|écrire|parler|savoir|le (?!texte brut|"
        r"markdown|gras)|la |l'|trois|deux)"
    ),
    second=(
        r"\b(?:tu (?:peux|pourrais|dois|devrais toujours|n'as pas besoin|n'as pas à|n'as plus (?:à|besoin)|ne dois|as le droit)|"
        r"vous (?:pouvez|devez|n'avez pas)|pas (?:la peine|besoin)|inutile|il n'est pas nécessaire|on peut)\b|\b(?:arrête|cesse|"
        r"arrêtez|assez)(?: donc)? (?:de|d'|avec)|\b(?:tes|vos) (?:\w+ )?(?:réponses|messages|explications|textes) (?:doivent|"
        r"devraient|peuvent|sont trop)\b|\bépargne-moi\b|\boublie (?:ce que|mes?|l')|\bignore (?:ce que|mes?)\b|\brevenons\b|"
        r"\bon se (?:tutoie|vouvoie)\b"
    ),
    nominal=(
        rf"^(?:s'il te plaît,? |désormais,? |à l'avenir,? |et |surtout )*(?:pas (?:de |d')|plus (?:de |d')|moins (?:de |d')|sans |"
        rf"seulement (?:des )?|zéro |aucune? |jamais (?:de |d'))(?:[\w'-]+ ){{0,3}}?(?:{_OUTPUTS})\b|^(?:si|quand) (?:je|tu) .{{3,40}},? qu'(?:elle|il)s? (?:soi(?:t|ent))\b|\b(?:seulement|uniquement) (?:en |le )?(?:{_LANGUAGES})\b|^(?:des )?(?:{_OUTPUTS}) "
        rf"(?:(?:plus |très |toujours )?(?:{_STYLE})(?: et |, | )?)+|^(?:{_OUTPUTS})\b.{{0,40}}\b(?:s'il te plaît|stp|toujours|"
        rf"seulement|d'abord|en premier)\b|^(?:seulement |toujours |tout |plutôt )*en (?:{_LANGUAGES})\b|^(?:les )?(?:prix|"
        rf"températures|dates|distances|poids|quantités|unités|mesures|tout)\b(?:,? (?:toujours|jamais|seulement|s'il te plaît|stp|désormais))*,? (?:en|avec|comme|sans) \w+|^(?:plus |très )?"
        rf"(?:{_STYLE}),? (?:s'il te plaît|stp)|"
        rf"^(?:pour|dans|avec|sur) (?:[\w'-]+ ){{0,3}}?(?:recettes?|code|sql|python|mails?|conseils|idées|suggestions|recommandations|textes?|rapports?|films?|livres?|voyages?|vols|hôtels|questions|messages|clients|menus?|cadeaux|tests|lettres?|listes?)(?: de \w+)?,? (?:seulement|jamais|toujours|sans|pas d|que d|uniquement|rien que)[\w' ].{{1,60}}|^(?:recettes?|code|sql|python|mails?|conseils|idées|suggestions|recommandations|textes?|rapports?|films?|livres?|voyages?|vols|hôtels|questions|messages|clients|menus?|cadeaux|tests|lettres?|listes?) ?: ?.{{0,60}}"
        rf"\b(?:toujours|jamais|stp|s'il te plaît|à chaque fois)\b|^(?:[\w'-]+ ){{0,2}}?(?:recettes?|code|sql|python|mails?|conseils|idées|suggestions|recommandations|textes?|rapports?|films?|livres?|voyages?|vols|hôtels|questions|messages|clients|menus?|cadeaux|tests|lettres?|listes?) (?:en|avec|sans|comme) [\w' ,-]{{2,40}}\b(?:s'il te plaît|stp|toujours|à "
        rf"chaque fois)\b"
    ),
    address=(
        r"\bappelle[zs]?-moi (?!(?:demain|plus tard|quand|ce |si |après|à |dès|lundi|mardi|ensuite|vite|un |une |fou|folle|avant|"
        r"le |la |pour|aujourd|bientôt|tout))[^\W\d]|\b(?:tu peux|vous pouvez|tu pourrais) (?:plutôt )?m'appeler (?!(?:demain|quand|"
        r"à|ce|si|plus|après|le|avant)\b)[^\W\d]|\bm'appelles? (?!(?:demain|quand|plus tard|avant|après|le |à ))[^\W\d].{0,20}|"
        r"\b(?:tutoie|tutoyez|vouvoie|vouvoyez)-moi\b|\bme (?:tutoyer|vouvoyer|tutoies|vouvoies)\b|\bon (?:peut )?se (?:tutoie|"
        r"tutoyer|vouvoie)\b|\badresse-toi à moi\b|\bm'appeler par\b"
    ),
    not_address=r"\bje m'appelle\b|\b(?:il|elle|ils|on|tout le monde|mes amis|maman) (?:ne )?m'appelle\w*\b",
    condition=(
        r"(?:^|[,;] ?|\b(?:et|mais) )(?:quand|lorsque|chaque fois que|à chaque fois que|si|dès que) (?:tu|je|on|j'|il|c'est)|"
        r"(?:^|[,;] ?)(?:pour|dans|avec|sur|concernant) (?!(?:moi|l'avenir|toutes|chaque|tes|ma part))[\w' -]{2,40}|\b(?:dans|pour|"
        r"en|avec|sur) (?:le |la |les |mes? |du |des )?(?:\w+ )?(?:sql|python|code|recettes?|mails?|e-mails|cuisine|rapports?|"
        r"voyages?|vols|livres|films|tableaux|factures|clients|commits?|entraînements?|lettres)\b|\bsql\b|\brecettes\b"
    ),
    agentive=(
        r"\b(?:quand|lorsque|chaque fois que|à chaque fois que|si|dès que) (?:je (?:te |t'|vous )?(?:demand\w*|pos\w*|envo\w*|parl\w*|donn\w*|dis|montr\w*|"
        r"partag\w*|mentionn\w*|coll\w*|veux)|tu (?:me |m'|nous |ne |n'|en )*(?:écri\w*|propos\w*|recommand\w*|donn\w*|fai\w*|expli\w*|répond\w*|utilis\w*|prépar\w*|"
        r"aid\w*|tradui\w*|résum\w*|montr\w*|cod\w*|suggèr\w*|calcul\w*|cherch\w*|rédig\w*|sais|es|cit\w*|parl\w*|mentionn\w*|planif\w*)|on parle|il s'agit|c'est)"
    ),
    clause=(
        r", (?:alors )?(?!(?:je|tu|il|elle|on|nous|vous|ils|elles|ça|les|mes|des|mais|sans|dans|et|ou|que|qui|le|la|une?|mon|ma|c'est|pas|tous|toutes|est|sont|bien|plus|moins)\b)"
        r"[a-zéèêçà]+(?:e|s|z)(?:-moi|-les|-la|-le|-nous)? (?:toujours|jamais|d'abord|le|la|les|une?|des|par|en|avec|pas|tout|seulement)\b"
    ),
    normative=(
        r"^(?:tou(?:s|tes) )?(?:les|mes|tes|des|le|la)? ?(?:[\w'-]+ ){0,2}?(?:messages?|mails?|lettres?|rapports?|idées|conseils|recettes?|code|tableaux?|titres?|"
        r"commits?|fonctions|résumés?|textes?|suggestions|réponses?|requêtes|listes?|exemples|prix|quantités|commentaires|traductions?|tests|cadeaux)\b"
        r"(?: (?:pour|de|à|en|au|du) (?:[\w'-]+ ?){1,4})?,? ?(?:doivent|doit|devraient|devrait|ne doivent|toujours|jamais|fais-les|mets-les|donne-les|écris-les)\b"
    ),
    acting=r"\b(?:je|nous|il|elle|ils|elles|on|qui|de|à|se)(?: (?:toujours|ne))? $",
    for_me=r"\b(?:me|moi|nous)\b|\bm'",
    others=(
        r"^(?:je|j'\w+|nous|il|elle|ils|elles|mon \w+|ma \w+|(?:désormais|dorénavant|à partir de maintenant|à l'avenir),? (?:je|j'|nous|on|il|elle)|on)\b"
    ),
    subjects=any_of(_TASKS),
    proposing=any_of("recommand\\w*|suggèr\\w*|propos\\w*|réserv\\w*|achèt\\w*|déploi\\w*|cherch\\w*|planifi\\w*"),
    usual=(
        r"\b(?:quand|lorsque|chaque fois que|si) tu (?:me |m'|nous )?(?:donn\w*|di[st]|mets|mentionn\w*|écris|montr\w*|cit\w*|indiqu\w*) (?:les? |la |des |une? |de l')?(?:heures?|prix|nombres?|chiffres?|dates?|distances?|"
        r"températures?|poids|quantités?|montants?|noms?|liens?|exemples?|mesures?)\b|"
        r"\b(?:quand|lorsque|chaque fois que|si|avant (?:de|que)) (?:tu |je |vous |j'|ne |n'|me |m'|te |t'|en )*(?:répond\w*|expli\w*"
        r"|parl\w*|demand\w*(?= (?:quelque chose|de l'aide|conseil)|[,.]|$)|pos\w* une question|écris\w*|aide|sais|es (?:pas )?sûre?|"
        r"suis|supprim\w*|envo\w*|achet\w*|fai\w*|chang\w*|dout\w*|sois)(?! (?:des|du|de la|une? (?:film|recette|livre|mail)))|"
        r"\bdans (?:tes|toutes|chaque|nos) (?:\w+ )?(?:réponses?|messages?|explications|conversations)\b|\bpour moi\b|\bavec moi\b|"
        r"\bsi possible\b|\bavant de\b"
    ),
    outputs=rf"(?:\b|d'|l')(?:{_OUTPUTS})\b",
    undoing=(
        r"\btu peux\b|\bplus la peine\b|\bn'en .{1,20} plus\b|\binutile\b|\bc'est bon\b|\bsuffi\w+|"
        r"\bà nouveau\b|\bde nouveau\b|\boublie (?:ce|mes?)\b|\bignore\b|\bplutôt\b|\breviens\b|\brevenons\b|\brepasse\b|\bau lieu\b|"
        r"\bfinalement\b|\bn'as plus\b|\bpas besoin\b|(?<!partir de )(?<!dès )\bmaintenant\b|\bpasse (?:au|à|en)\b|\bne .{1,20} plus\b"
    ),
    meaning=r"^(?:quand|si|lorsque) je (?:dis|parle de|mentionne|écris) .{1,60}?,? (?:je parle|je veux dire|c'est|il s'agit|je pense à|ça veut dire)\b|^par .{1,40} j'entends\b",
    telling=(
        r"\ben cas de doute\b|\bsi tu (?:ne |n')?(?:sais|trouves|es|peux) pas\b|\bune?(?: seule)? (?:\w+ )?(?:phrase|ligne|mot|option|exemple|réponse|suggestion) (?:me )?suffit\b|"
        r"\b(?:pars|partez) du principe que je\b|\b(?:considère|suppose|présume|admets|rappelle-toi) que (?:je|j')|\b(?:traite|considère)[zs]?-moi (?:comme|en)\b|"
        r"\badress\w+-(?:toi|vous) à moi\b|\bparle[zs]?-moi (?:comme|sans|avec|en)\b|"
        rf"\bje (?:\w+ )?(?:comprends|retiens|suis|apprends|lis|m'y retrouve|trouve)\b.{{0,30}}\b(?:quand|si|lorsque) (?:tu|vous) (?:\w+ |m'|me ){{0,2}}?(?:{_WORKS})\b|"
        rf"\b(?:ça|cela) (?:\w+ )?(?:m'\w+|me \w+).{{0,30}}\b(?:quand|si|que|lorsque) (?:tu|vous) (?:\w+ |m'|me ){{0,2}}?(?:{_WORKS})\b|"
        r"\b(?:épargne|évite)[zs]?-moi\b|\b(?:garde|garde-toi) tes (?:compliments|conseils|leçons)\b|"
        rf"\b(?:inutile|pas besoin|pas la peine|plus la peine|pas nécessaire|pas obligé) (?:de |d')(?:me |te |t'|m'|toujours |tout )*(?:{_WORKS})\b|"
        rf"\btu n'(?:as|es) (?:pas|plus) (?:besoin de |à |obligé\w* de )(?:me |te |t'|m'|les |le |la )*(?:{_WORKS})\b"
    ),
    verbless=(
        r"(?:\bne |\bn'|\bjamais\b|\brien\b|\baucune?\b).{1,60}\bsans (?:me |m'|mon |ma |que je |d'abord |en )\w+|"
        rf"^une? (?:seule )?[\w-]+ à la fois\b|^une? par une?\b|"
        rf"(?:^|[,;:–—-] ?|\bet |\bdonc )(?:pas|plus|jamais|zéro|aucune?|sans|seulement|uniquement|rien que|que|juste|rien en) ?(?:de |d'|du |des |le |la |les |en )?(?:[\w'-]+ ){{0,2}}?(?:{_OUTPUTS})\b"
        rf"(?! (?:est|sont|était)\b)(?:,|[.!]|$| (?:s'il|stp|avec moi|pour moi|du tout|jamais|quand tu|dans))|"
        rf"^(?:les |le |la |l')?(?:{_OUTPUTS}|nombres|prix|dates|heures|températures|distances|poids|quantités|mesures|montants|noms)(?: (?:du|de la|de|pour|des) [\w ]{{1,15}})?(?:,? (?:toujours|jamais|seulement|uniquement|s'il te plaît|stp))*,? (?:en|avec|sans|comme|au|à|mets-les|hors|ttc) .{{0,40}}\b(?:toujours|jamais|seulement|"
        rf"s'il te plaît|stp|désormais|dorénavant|en)\b|^(?:les |le |la |l')?(?:{_OUTPUTS}|nombres|prix|dates|heures)(?: (?:du|de la|de|pour|des) [\w ]{{1,15}})?(?:,? (?:toujours|jamais|seulement|uniquement)){{1,2}} (?:en|avec|sans|comme|au|à)\b|"
        rf"^(?:désormais|dorénavant),? (?:les|le|la) (?:{_OUTPUTS}|prix|dates|heures)\b|"
        rf"^(?:pour|dans|en|avec|sur|côté) (?:[\w'-]+ ){{0,3}}?(?:{_TASKS})(?:,? (?!(?:on|je|il|elle|ils|y|avait|était|est|sont|c'est)\b)[\w'\"-]+){{0,6}}?,? (?:toujours|jamais|seulement|uniquement|rien|sans|pas|que|s'il te plaît|stp)\b|"
        rf"^(?:[\w'-]+ ){{0,3}}?(?:{_TASKS})(?: pour moi)? ?: ?.{{0,120}}\b(?:toujours|jamais|seulement|uniquement|rien|pas|sans|stp|s'il te plaît)\b|"
        rf"^(?:dans |pour |en )?(?:tout|toute|tous|toutes|chaque|aucun|aucune|rien|pas|jamais)\b.{{0,60}}\bque tu (?:me |m'|nous )?(?:{_WORKS})\b|"
        rf"^(?:quand|si|lorsque) .{{3,50}},? qu'(?:il|elle)s? (?:ne )?(?:soi(?:t|ent)|ai(?:t|ent))\b"
    ),
    released=(
        rf"\b(?:{_OUTPUTS}|prix|viande|poisson)\b.{{0,40}}(?:c'est plus la peine|plus (?:la peine|besoin|nécessaires?|obligatoires?|utiles?)|tu peux (?:l'|les |le |la )?(?:enlever|arrêter|laisser tomber|remettre|"
        rf"supprimer)|c'est (?:de nouveau |à nouveau )?(?:bon|ok|d'accord)|(?:de nouveau|à nouveau) (?:bienvenu\w*|permis\w*|autorisé\w*|ok)|n'en mets plus)|\bn'en (?:{_WORKS}) plus\b|\btu peux (?:re\w+|de nouveau \w+|à nouveau \w+)\b|"
        rf"^(?:on )?(?:retour|reviens|repasse|revenons|repassons) (?:à l'|à la |au |aux |en |à )(?:{_OUTPUTS}|{_LANGUAGES}|{_STYLE}|tu|vous|format)\b|\bplus la peine\b"
    ),
    even=r"\b(?:même (?:si|quand|lorsque)|peu importe|quelle? que soi\w*|bien que|quoi que) .*$",
    topics={
        "tax": r"\b(?:tva|ttc|ht|hors taxes?|taxes? comprises?|nets?|bruts?)\b",
        "signature": r"\bsign(?:e|es|er|ez|ature)\b",
        "images": any_of(r"images?|photos?|dessins|graphiques|schémas"),
        "case": any_of(r"majuscules?|minuscules?"),
        "numbering": r"\bnumérot\w*",
        "quiz": any_of(r"quiz|devinettes?|interroge-moi"),
        "summary": any_of(r"résumés?|récap\w*"),
        "diet": any_of(
            r"végan\w*|végétarien\w*|viandes?|poissons?|porc|bœuf|poulet|gluten|lactose|noix|cacahuètes|sucre"
        ),
        "pace": r"\bà la fois\b|\bligne par ligne\b",
        "language": any_of(_LANGUAGES),
        "emoji": r"[ée]mojis?\b|\bémoticônes?\b|\bsmileys?\b",
        "formality": r"\btuto\w+|\bvouvo\w+",
        "narrator": any_of("(?:première|deuxième|troisième) personne"),
        "address": r"\bappelle\w*-moi\b|\bm'appel\w+\b|\bmon (?:nom|prénom|surnom)\b",
        "times": (
            r"\b(?:écri\w*|appel\w*|message\w*|envo\w*|contact\w*|dérang\w*|rappel\w*|réveill\w*)\b.{0,40}\b(?:avant|après|jusqu'à|"
            r"entre|le|la|les|en)\b.{0,14}\b(?:\d{1,2}|\w+ heures?|midi|minuit|matin|soir|nuit|week-ends?|dimanche|samedi|lundi|"
            r"vendredi|neuf|huit|dix)\b"
        ),
        "units": any_of(
            "métrique|celsius|fahrenheit|grammes?|kilos?|kilogrammes|kg|livres sterling|onces|kilomètres?|km|miles|"
            "litres?|unités|mesures|pouces|quantités"
        ),
        "currency": any_of("euros?|dollars?|devise|francs"),
        "dates": any_of("24 heures|format de date|dates"),
        "confirmation": (
            r"\bsans (?:me |m'|que je |d'abord )\w+|\bsans mon (?:feu vert|accord|avis|aval)\b|\bfeu vert\b|"
            r"\bdemande\w*(?:-moi)?\b.{0,20}\b(?:avant|d'abord)\b|\bsans (?:me )?(?:demander|consulter|mon accord|confirm\w+)\b|"
            r"\bconfirm\w+\b|\bavant de (?:supprimer|envoyer|acheter|faire|changer|effacer|réserver)\b|\bmon accord\b"
        ),
        "order": r"\b(?:réponse|résultat|conclusion|résumé)\b.{0,14}\b(?:d'abord|en premier|au début)\b|\bd'abord (?:la|le) (?:réponse|résultat|conclusion)\b",
        "questions": r"\bpar une question\b|\bquestions en retour\b|\bavec une question\b",
        "repetition": any_of("répèt\\w*|répét\\w*"),
        "apologies": r"\b(?:t'|d')?excus\w*|\bdésolé",
        "disclaimers": any_of("avertissements?|mises en garde|sermons?|morale"),
        "smalltalk": any_of(
            "blabla|bla-bla|introductions?|intros?|remplissage|au but|formules de politesse|formalités|remercie\\w*|tourner autour"
        ),
        "praise": any_of("compliments?|flatt\\w+|félicit\\w+"),
        "level": any_of(
            "jargon|termes techniques|mots simples|langage (?:simple|clair)|comme si j'\\w+|débutante?|anglicismes|"
            "les bases|abréviations|simplement"
        ),
        "options": any_of("options?|choix|alternatives"),
        "examples": r"\b(?:d')?exemples?\b|\banalogies\b",
        "sources": any_of("sources?|liens|références|cit\\w+"),
        "honesty": r"\binvent\w+|\bdevin\w+|\bne (?:le )?sais pas\b|\bpas sûre?\b|\bvérifi\w+",
        "criticism": any_of("directe?|franche?|franc|honnête|sans filtre|critiques?|cash|vérité"),
        "humour": r"\b(?:d')?humour\b|\bblagues?\b|\bsarcas\w+|\bironie\b|\bdrôle\b|\bsérieu\w+",
        "tone": any_of(
            "formel\\w*|informel\\w*|décontracté\\w*|polie?|ton plus|ton|ami|professionnel\\w*|chaleureux|points d'exclamation|familier"
        ),
        "layout": any_of("puces|listes?|paragraphes|texte suivi|étape par étape"),
        "portions": r"\bpour (?:une|deux|trois|quatre|cinq|six|\d{1,2})(?: personnes| à chaque|$|[.,!])|\bportions\b",
        "format": any_of(
            "puces|listes?|tableaux?|markdown|titres|gras|texte brut|paragraphes|format\\w*|étapes|étape par étape"
        ),
        "length": any_of(
            "court(?:e|es|s)?|brefs?|brèves?|brièvement|concise?s?|long(?:ue|ues|s)?|détaillée?s?|détails?|phrases|mots|résum\\w+|"
            "succinct\\w*|lignes|pavés|romans"
        ),
        "indentation": any_of("indentation|tabulations|\\w+ espaces"),
        "code": any_of(
            "code|commentaires|types|indentation|majuscules|minuscules|mots-clés|sql|fonctions|variables|espaces"
        ),
        "privacy": r"\b(?:partag\w+|enregistr\w+|révèl\w+)\b.{0,30}\b(?:mes|mon|ma|données|numéro|adresse)\b",
        "reminders": any_of("rappel\\w*"),
    },
)

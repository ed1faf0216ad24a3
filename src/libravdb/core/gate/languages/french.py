"""French."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

_WORLD = (
    r"(?:serveurs?|base de données|backend|frontend|service|application|dépôt|projet|déploiement|sauvegarde|tests?|configuration|mot de passe"
    r"|certificat|port|réseau|imprimante|bureau|équipe|entreprise|client|contrat|budget|réunion|échéance|erreur|bug|panne|maison|appartement|voiture|mariage|enfants|api)"
)

FRENCH = GateVocabulary(
    name="french",
    script=Script.LATIN,
    common=frozenset(
        "ai au aux avec c ce ces cette d dans de des du elle en es est et eux il ils j je l la le les leur lui ma mais me"
        " mes moi mon n ne nos notre nous on ou où par pas plus pour qu que qui s sa sans se ses si son sont sur ta te tes"
        " toi ton très tu un une vos votre vous y été était à a as ont fait aujourd hui maintenant ça".split()
    ),
    person=(
        r"je|moi|me|mon|ma|mes|nous|notre|nos|elle|lui",
        r"(?:grand-|belle-|beau-)?(?:mère|père|mères|pères|fils|fille|filles|frère|sœur|soeur|frères|sœurs|parents|enfants?)|maman|papa|mamie|papi|bébé|garçons?|jumeaux|jumelles",
        r"femme|mari|époux|épouse|compagne|compagnon|copain|copine|fiancée?|tante|oncle|cousine?s?|nièce|neveu|famille|amie?s?|voisine?s?|collègues?|chef|patronne?|médecin|dentiste|prof|professeure?|client|équipe|monsieur|madame|m\.|mme",
    ),
    speaker=(
        r"j'\w+",
        r"on (?:a|est|va|part|utilise|habite)",
    ),
    preference=(
        r"préfèr\w+|préféré\w*|j'aime|j'adore|je (?:n'aime|déteste|hais|raffole)|n'aime pas|on aime|nous aimons|supporte pas|plutôt que|fan de|favorie?s?",
        r"allergi(?:que|e)s?|végétarienn?e?|végane?|intolérante?|diabétique|ne (?:mange|bois|fume) (?:pas|jamais|plus)|peur de",
        r"décidé|décision|choisi|choisissons|opté|convenu|au lieu de|à la place|remplac\w+|passons à|passé à|voudrais|aimerais|je veux|nous voulons|on veut|hébergée?s?|stockée?s?|tourne (?:sous|sur)|écrit en|utilisons|on utilise|j'utilise|je joue",
    ),
    fact=(
        r"je (?!(?:pense|crois|vois|sais|comprends|regarde|vérifie)\b)\w+|j'(?:ai|habite|étais|avais|étudie|aime|adore|apprends|utilise|écris|attends|enseigne|organise|arrive)|nous \w+|on (?:a|est|va|part|utilise|habite|héberge|passe)",
        r"(?:mon|ma|mes|notre|nos) \w+",
        r"(?:le|la|les|l'|du|au|notre) ?(?:\w+ ){0,2}" + _WORLD,
        r"(?:il|elle) (?:est|a|habite|travaille|s'appelle|joue)|s'appelle|tourne (?:sous|sur)|se trouve|écrit en|passe le",
    ),
    rule=(
        r"tutoie-moi|appelle-moi|parle-moi|toujours|jamais|à partir de maintenant|désormais|dorénavant|à l'avenir|chaque fois|rappelle-toi|souviens-toi|n'oublie pas|assure-toi|note que|appelle-moi|évite|ne \w+ (?:jamais|pas|plus) (?:les|de|le|la|des|en)|tutoie-moi|vouvoie-moi",
    ),
    date=(
        r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
        r"\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}-\d{2}-\d{2}|(?:en|depuis|jusqu'en) (?:19|20)\d\d|à \w+ heures?|\d{1,2} ?h ?\d{0,2}|avant \w+ heures|\d{1,2}:\d{2}",
        r"la nuit|autrefois|maintenant|actuellement|souvent|parfois|tous les \w+|toutes les \w+|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|à partir de maintenant|désormais|dorénavant|hier|avant-hier|demain|aujourd'hui|ce (?:matin|soir|mois|week-end)|cette (?:semaine|année|nuit)|(?:semaine|mois|année|été|hiver|printemps|automne) (?:prochaine?|dernière?|passée?)|l'(?:an|année|été|hiver) \w+|il y a \w+ (?:jours|semaines|mois|ans)|depuis \w+|chaque \w+|noël|pâques|le matin|le soir|anniversaire|bac",
    ),
    quantity=(
        r"\d[\d.,]{0,12} ?(?:%|pour cent|km|kg|g|m|cm|go|mo|ms|s|min|minutes|heures|jours|semaines|mois|ans|euros?|€|fois)(?!\w)",
        r"(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|trente|quarante|cinquante|soixante|cent|mille|plusieurs|quelques|demi) \w+",
        r"(?:tous|toutes|aucune?|beaucoup|peu|seulement|chaque) \w+|(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])",
    ),
    decision=(
        r"décidé|décision|choisi|opté|convenu|au lieu de|plutôt que|à la place|remplac\w+|migr\w+|utilisons|on utilise|architecture|écrit en|tourne (?:sous|sur)|passons à|passé à",
    ),
    fix=(r"corrigée?|résolue?|réparée?|la cause|venait d\w+|contournement|était dû|corrige|patch\w*",),
    release=(
        r"publiée?|déployée?|fusionnée?|livrée?|mise? en production|version \d\S*|release|sortie? (?:hier|aujourd'hui)",
    ),
    configuration=(
        r"changée?|modifiée?|configur\w+|augmentée?|réduite?|activée?|désactivée?|renommée?|réglée?|port \d+|variable d'environnement|mis (?:à|dans)",
    ),
    negation=(r"pas|ne|n'\w+|jamais|rien|personne|sans|ni|aucune?|non|plus (?:de|d')",),
    remember=(
        r"(?:(?:ok|alors|et|ah|au fait|s'il te plaît|stp)[,:]? )*(?:souviens-toi(?: que| de| bien|:)?|rappelle-toi(?: que| de|:)?|retiens(?: que| bien| ceci|:)?|note(?:z)? (?:que|bien|ça|ceci|:)|note:|n'oublie pas(?: que| de|:)?|garde (?:en tête|en mémoire|à l'esprit)|mémorise|enregistre (?:que|ça|ceci)|prends note)(?! (?:quand|comment|qui|où)\\b)",
        r"(?:tu peux|peux-tu|pourrais-tu|est-ce que tu peux|tu pourrais) (?:bien )?(?:te souvenir|te rappeler|noter|retenir|mémoriser|enregistrer|garder en (?:tête|mémoire)) (?:que|de|ça|ceci|mon|ma)",
    ),
    change=(
        r"maintenant|désormais|ne .{1,20} plus|n'\w+ .{0,15}plus|plus|déménagé|chang\w+|remplac\w+|nouve(?:au|l|lle|aux)|au lieu|à la place|arrêté|quitté|passé|passée|passons|avant|migr\w+|depuis (?:hier|aujourd'hui|cette)|renommée?|reportée?|déplacée?|annulée?",
    ),
    chatter=(
        r"bonjour|salut|coucou|bonsoir|bonne (?:nuit|journée|soirée)|bon (?:week-end|après-midi)|au revoir|à (?:bientôt|demain|plus|tout à l'heure)|ça va|comment (?:ça va|vas-tu|allez-vous)|bienvenue|tchao",
        r"merci(?: beaucoup| bien| mille fois| à toi)?(?: pour .{1,30})?|c'est (?:très |vraiment |trop )?(?:gentil|parfait|super|bien|bon|génial|top|drôle|clair|noté|vrai|intéressant)|tu es (?:génial|super|le meilleur|un ange)|ça m'aide|très",
        r"oui|non|si|ok(?:ay)?|d'accord|bien(?: sûr)?|parfait|super|génial|très bien|entendu|compris|je (?:vois|comprends)|exact(?:ement)?|ça (?:me va|marche)|tout à fait|intéressant|s'il (?:te|vous) plaît|stp|svp|haha+|mdr|ah|oh|hm+|euh|bon|voilà|pas de (?:souci|problème)|peu importe|de rien|tant mieux|dommage",
        r"attends?(?: un (?:instant|moment|peu))?|un (?:instant|moment)|une (?:seconde|minute)|je (?:regarde|vérifie|reviens|teste|vais voir)(?: .{1,20})?|on (?:continue|y va|avance|passe à la suite)|continue|continuons|vas-y|allons-y|la suite|étape suivante|ça (?:fonctionne|marche)(?: maintenant)?|c'est (?:fait|bon)|fini|je suis (?:fatigué|crevé|prêt|là|content|de retour)e?|quel(?:le)? .{1,30}",
    ),
    request=(
        r"(?:tu peux|tu pourrais|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|est-ce que tu peux|vous pouvez)|je (?:veux|voudrais|aimerais) que tu|aide-moi",
        r"(?:maintenant,? |s'il te plaît,? )*(?:écris|écrivez|explique|traduis|résume|donne|dis|montre|liste|compare|corrige|crée|génère|rédige|raconte|cherche|trouve|ajoute|supprime|lance|essaie|relance|calcule|décris|refais|propose|fais|vérifie)(?:-moi|-le|-la|-les)?",
    ),
    question=(
        r"qu'est-ce|est-ce|que|quoi|qui|où|quand|pourquoi|comment|combien|quel(?:le)?s?|peux-tu|as-tu|es-tu|y a-t-il|tu (?:peux|sais|connais|penses|crois)",
    ),
    deictic=(r"c'est|ça|cela|ceci|ce|tu|voici|vous",),
)

"""How statements are made in French."""

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
mother: mère, maman
father: père, papa
sister: sœur, soeur, petite sœur, grande sœur, petite soeur, grande soeur
brother: frère, petit frère, grand frère
daughter: fille
son: fils
child: bébé, enfant
husband: mari, époux
wife: femme, épouse
partner: compagne, compagnon, copine, copain, fiancée, fiancé, conjoint, conjointe
grandmother: grand-mère, mamie
grandfather: grand-père, papi
aunt: tante
uncle: oncle
cousin: cousin, cousine
niece: nièce
nephew: neveu
friend: ami, amie, meilleur ami, meilleure amie
neighbour: voisin, voisine
flatmate: colocataire, coloc
colleague: collègue
boss: chef, cheffe, patron, patronne, responsable, manager
landlord: propriétaire, proprio
doctor: médecin, médecin traitant, docteur
dentist: dentiste
therapist: psy, psychologue, kiné, thérapeute
accountant: comptable
lawyer: avocat, avocate
teacher: prof, professeur, professeure, prof de piano
coach: coach, entraîneur, entraîneuse
hairdresser: coiffeur, coiffeuse
vet: vétérinaire
mother-in-law: belle-mère
father-in-law: beau-père
parents: parents
"""
)
_REL = any_of(RELATIONS)
_MY = r"(?:mon|ma|mes|notre|nos)"
_NEW = r"(?:nouve(?:au|l|lle) )?"
_NOW = r"(?: (?:maintenant|désormais|actuellement|aussi|encore|toujours|en fait|dorénavant))*"
_OF = rf"(?: de (?:mon|ma|notre) (?P<whose>{_REL})(?: (?-i:[A-Z]\w+))?| (?:de |d')(?P<whom>(?-i:[A-Z][a-zéèêïôü]+)))?"
_IS = rf"(?:(?: est| sont| sera| s'appelle| devient)|, c'est| c'est| a changé,? c'est| passe à| est passée? à){_NOW}"
_DAYS = r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|demain|après-demain|midi|minuit|printemps|été|automne|hiver|noël|pâques|semaine prochaine|mois prochain|prochaine?"
_WHEN = rf"(?P<value>(?:{_DAYS}|\d[\d:./h-]*)(?:,? (?:(?:à|au|le|la|de|du|et|l') ?){{0,2}}(?:{_DAYS}|\d[\d:./h-]*|heures?|matin|soir|après-midi)){{0,5}})"
_AT = r"(?: (?:le|la|à|au|en|pour|du|l'|jusqu'au|les))*"
_EVENT = r"(?:rendez-vous|rdv|réunion|vol|voyage|mariage|fête|examen|entretien|deadline|échéance|lancement|appel|cours|opération|déménagement|concert|match|course|livraison|visite|conférence|présentation|démo|dîner|déjeuner|entraînement|répétition|vacances|contrôle|soutenance|atelier|marathon|tournoi|séance|sortie|point)"
_MONEY = r"(?P<value>\d[\d.,  ]*(?:\s?(?:euros?|€|dollars|francs|chf|%|k))?)"
_COST = r"(?:loyer|salaire|abonnement|cotisation|prix|mensualité|crédit|assurance|budget|facture|caution|forfait|retraite|pension|frais|tarif|inscription|mutuelle|électricité|paie|argent de poche|billet|adhésion)"
_PETS = r"(?P<name>chiens?|chiennes?|chats?|chattes?|chiot|chaton|lapin|hamster|perroquet|perruche|cheval|poney|tortue|poisson|serpent|poule|souris|cochon d'inde)"
_THING = r"(?P<thing>(?:le |la |les |l'|notre |nos |mon |ma |^)(?:[\w.-]+ ){0,3}?[\w.-]+)"
_PRODUCT = r"(?P<name>(?!(?:port|version|la|le|les|à|en|de|du|sur|avec|environ)\b)[A-Za-z][\w.+#-]*)"
_VER = r"(?P<value>v?\d+(?:\.\w+){0,4})"
_ROLE = r"(?P<name>cto|ceo|pdg|daf|directeur(?: \w+)?|directrice(?: \w+)?|chef(?:fe)? de projet|product owner|capitaine|président[e]?|trésori(?:er|ère)|responsable (?:de|du|des) \w+|responsable \w+|lead \w+|maire|rédact\w+ en chef)"

FRENCH = FormVocabulary(
    language="french",
    relations=RELATIONS,
    speaker=words(r"je|nous|on|moi|j'\w+"),
    other=words(r"il|elle|ils|elles"),
    listener=words(r"tu|vous|ton|ta|tes|votre"),
    kin=words(rf"{_MY} {_NEW}(?P<relation>{_REL})(?:,? (?P<called>(?-i:[A-Z][a-zéèêïôü]+)))?"),
    thing=words(rf"(?:le |la |les |l'|{_MY} )(?P<thing>(?:[\w.-]+ ){{0,3}}?[\w.-]+)"),
    unreal=words(
        r"\w+erais|\w+erait|\w+erions|voudrais|aimerais|veux|voulons|si|j'espère|espère|rêve|rêvais|avant|habitais|habitait|travaillais|travaillait|vivais|quand j'étais|enfant|petite?,|il y a (?:longtemps|des années|\w+ ans)|grandi|jusqu'en (?:19|20)\d\d|en (?:19|20)\d\d|presque|peut-être|dit que|disait|imagine|étais|avais|j'ai (?:habité|vécu|travaillé)|hier|dans le (?:roman|film)|pour une semaine|devrait|devrions|pourrait|faudrait|à l'époque|autrefois"
    ),
    ended=words(
        r"(?:ne|n')[\w' ]{1,40}? plus|plus de|n'\w+ plus|arrêté|vendu|annulée?s?|résilié|rompu|séparés|quitté|mort|morte|décédée?|abandonné|laissé tomber|démissionné|licenciée?|désabonnée?|au lieu de|à la place de|supprimé|renoncé|tombée? à l'eau|c'est fini"
    ),
    denied=words(r"ne|n'\w+|pas|jamais|aucun\w*|sans"),
    also=words(r"aussi|également|en plus|autre|deuxième|second\w*|par ailleurs|à côté|les deux"),
    changed=words(
        r"maintenant|désormais|nouve(?:au|l|lle|aux)|au lieu|à la place|chang\w+|déménag\w+|passée?s?|passons|passe|depuis (?:hier|cette|ce|la|le|lundi|\w+)|renommée?|finalement|augment\w+|monté|baissé|remplac\w+|reportée?|déplacée?|avancée?|décalée?|dorénavant|enfin|plus|mis à jour|migr\w+|installée?s?|à partir de"
    ),
    joint=words(r"et|mais|car|parce que|donc|alors que|puisque|tandis que"),
    forms=(
        form(
            Kind.NAME,
            "m'appelle|nom est|nom, c'est",
            rf"(?:je m'appelle|mon (?:nouveau )?nom(?: est|, c'est)){_NOW} (?P<value>{PROPER})",
            name="name",
            is_speakers=True,
        ),
        form(
            Kind.NAME,
            "appelle-moi|appelez-moi|m'appellent|surnom",
            r"(?:appelle-moi|appelez-moi|(?:tout le monde|on) m'appelle|mon surnom,? (?:est|c'est))(?: plutôt| maintenant| simplement)* (?P<value>(?!demain\b|quand\b|si\b|plus\b)[\w-]+)",
            name="nickname",
            is_speakers=True,
        ),
        form(Kind.BIRTHDAY, "anniversaire", rf"(?:mon|l')? ?anniversaire{_OF}{_IS}{_AT} {_WHEN}", name="birthday"),
        form(
            Kind.BIRTHDAY,
            " ans",
            r"(?:(?P<first>j'ai(?: maintenant| eu)?|je viens d'avoir)|(?P<third>a(?: maintenant| eu)?|vient d'avoir)) (?P<value>\d{1,2}|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze) ans",
            name="age",
        ),
        form(
            Kind.HOME,
            "adresse",
            rf"(?:mon|notre) {_NEW}(?P<name>adresse(?: (?!mail|e-?mail|est|c'est)\w+)?){_OF}{_IS} (?P<value>[^.;!?\n]{{3,60}})",
        ),
        form(
            Kind.HOME,
            "habit|vis |vit|vivons|vivent|résid|loge",
            rf"(?:(?P<first>j'habite|nous habitons|on habite|je vis|nous vivons|on vit|je réside|je loge)|(?P<third>habite|habitent|vit|vivent|réside))(?: (?:maintenant|désormais|actuellement|seule?|toujours|plus|depuis \w+(?: \w+)?))* (?:(?:à|en|au|aux|dans le|dans la|rue|sur) (?P<value>{PROPER}|(?!la\b|le\b|une?\b)\w+)|(?P<value2>{PROPER}))",
        ),
        form(
            Kind.HOME,
            "déménag|installé|emménag",
            rf"(?:(?P<first>j'ai (?:re)?déménagé|nous avons déménagé|on a déménagé|je viens de déménager|je me suis installée?|nous nous sommes installés|on s'est installés|j'ai emménagé)|(?P<third>a déménagé|s'est installée?|ont déménagé))(?: (?:de \w+|le mois dernier|hier|la semaine dernière|récemment|il y a \w+ \w+|enfin))* (?:à|en|au|pour) (?P<value>{PROPER})",
        ),
        form(
            Kind.WORK,
            "travaill|commenc|embauch|rejoint|bosse|poste",
            rf"(?:(?P<first>je travaille|je bosse|j'ai commencé(?: à travailler)?|j'ai rejoint|j'ai été embauchée?|je viens de commencer|j'ai trouvé un (?:poste|travail|boulot)|j'ai un nouveau (?:poste|travail|boulot)|j'ai pris un poste)|(?P<third>travaille|bosse|a commencé|a rejoint))(?: (?:maintenant|désormais|depuis \w+|lundi|hier|toujours|plus|un nouveau boulot))*(?: (?:chez|pour|à|au|à la|dans une?|par))? (?:l'|la |le )?(?P<value>{PROPER}|(?:petite )?(?:start-?up|boîte|agence|banque|école|hôpital|boulangerie|clinique|mairie|université)(?: \w+){{0,2}})",
            name="employer",
        ),
        form(
            Kind.WORK,
            "travaill|promu|deven|nommée",
            r"(?:(?P<first>je travaille|je bosse|j'ai été promue?|je suis devenue?|j'ai été nommée?)|(?P<third>travaille|est devenue?))(?: (?:maintenant|désormais))*(?: comme| en tant que)? (?P<value>(?!à\b|chez\b|pour\b|dans\b|au\b|en\b|maintenant\b|beaucoup\b|trop\b|de\b|depuis\b|toujours\b|plus\b|pas\b)\w+(?: (?:de|en) \w+)?)",
            name="job",
        ),
        form(
            Kind.WORK,
            "suis",
            r"(?P<first>je suis)(?: maintenant| désormais)? (?P<value>(?!végé|végan|vegan)\w+(?:eur|euse|ier|ière|iste|ien|ienne|ecte|teur|trice|ologue|aire|cin|prof|avocate?|étudiante?))(?=[.,;!]|$| à| chez| de| en| et| dans)",
            name="job",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.WORK,
            "quitté|démission|licenci|retraite|chômage",
            rf"(?P<first>j'ai (?:quitté|démissionné(?: de)?|été licenciée?(?: de)?)|je suis (?:à la retraite|au chômage))(?: (?:mon|chez))*(?: (?:travail|boulot|poste|emploi)(?: chez (?P<value2>{PROPER}))?| (?P<value>{PROPER}))?",
            name="employer",
            is_ended=True,
        ),
        form(
            Kind.STATUS,
            "célibataire|mari|fianc|divorc|veu|sépar|pacs",
            r"(?:(?P<first>je suis|nous sommes|on est|on s'est|je me suis|nous nous sommes)|(?P<third>est|s'est|sont))(?: (?:maintenant|désormais|enfin))* (?P<value>célibataire|mariée?s?|fiancée?s?|divorcée?s?|veuve|veuf|séparée?s?|pacsée?s?)",
            name="marital",
        ),
        form(
            Kind.STATUS,
            "mort|décéd",
            r"(?P<third>est (?:mort|morte|décédée?)|est décédée?)",
            name="life",
            is_ended=True,
        ),
        form(
            Kind.PERSON,
            "rompu|sépar|quitté|plus ensemble",
            r"(?:j'ai (?:rompu avec|quitté) (?:(?P<value>(?-i:[A-Z]\w+))|ma \w+|mon \w+)|(?P<value2>(?-i:[A-Z]\w+)) et moi (?:avons rompu|on a rompu|nous sommes séparés|on s'est séparés|ne sommes plus ensemble|c'est fini))",
            name="partner",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "s'appelle|est |c'est",
            rf"(?:(?:le |la |l')(?P<name2>{_REL}) de {_MY} (?P<whose>{_REL})|{_MY} {_NEW}(?P<name>{_REL})) ?(?:s'appelle|est|, c'est|c'est){_NOW} (?P<value>(?:monsieur |madame |m\. |mme |docteur |dr\.? )?{PROPER})",
        ),
        form(
            Kind.PERSON,
            "est ",
            rf"(?P<value>(?-i:[A-Z][\w-]+)) est{_NOW} {_MY} {_NEW}(?P<name>{_REL})(?=[.,;!]|$| et)",
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "sors avec|ensemble avec|en couple avec",
            r"(?:je sors|je suis en couple|je suis) avec (?P<value>(?-i:[A-Z]\w+))",
            name="partner",
            is_speakers=True,
        ),
        form(
            Kind.TOOL,
            "c'est fini|terminé",
            rf"(?P<value>{PROPER}),? (?:c'est (?:fini|terminé)|est (?:fini|abandonné))",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "allergi",
            r"(?:allergique|allergie) (?:à l'|à la |à |au |aux )(?P<value>\w+(?: à coque)?)",
            single=Single.NEVER,
        ),
        form(
            Kind.HEALTH,
            "asthme|diabète|migraine|épilepsie|arthrose|hypertension|cœliaque|anxiété|insomnie|intoléran|diabétique|asthmatique",
            r"(?:j'ai|a|souffre|suis|est)(?: (?:de|du|des|de l'|d'))?(?: l')?(?: de l')? ?(?P<value>asthme|diabète|migraines?|épilepsie|arthrose|hypertension|cœliaque|anxiété|insomnie|intolérante? au \w+|diabétique|asthmatique)",
            single=Single.NEVER,
        ),
        form(
            Kind.DIET,
            "végétarien|végan|vegan|pescétar|sans gluten|halal|casher|kéto|végétalien",
            r"(?:(?P<first>je suis|je mange|je suis devenue?|nous sommes)|(?P<third>est|mange|est devenue?))(?: (?:maintenant|désormais|redevenue?))* (?P<value>végétarienn?e?s?|végane?s?|vegane?|végétalienn?e?|pescétarienn?e?|sans gluten|halal|casher|kéto)",
        ),
        form(
            Kind.DIET,
            "viande|poisson|de tout",
            r"(?:(?P<first>je mange|je remange|j'ai recommencé à manger|nous mangeons|on mange)|(?P<third>mange|remange))(?: (?:plus|à nouveau|de nouveau|maintenant))* (?:de la |du |de )?(?P<value>viande|poisson|de tout|poulet)",
        ),
        form(
            Kind.DIET,
            "mange pas|bois pas|mange jamais|bois jamais",
            r"(?P<first>je ne (?:mange|bois) (?:pas|jamais)) (?:de |d')(?P<value>\w+)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "chien|chat|chiot|lapin|hamster|perr|cheval|poney|tortue|poisson|serpent|poule|souris|cochon",
            rf"{_MY} {_PETS} s'appelle{_NOW} (?P<value>{PROPER})",
            single=Single.IF_CHANGED,
            is_speakers=True,
        ),
        form(
            Kind.PET,
            "chien|chat|chiot|lapin|hamster|perr|cheval|poney|tortue|poisson|serpent|poule|souris|cochon",
            rf"(?P<first>j'ai|nous avons|on a|j'ai adopté|on a adopté) (?:une?|deux|trois) {_PETS}",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "mort|décéd|donné",
            rf"{_MY} {_PETS}(?:,? (?P<value>(?-i:[A-Z]\w+)))? (?:est (?:mort|morte|décédée?|partie?))",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.LANGUAGE,
            "parle|apprend|langue maternelle",
            r"(?:(?P<first>je parle|j'apprends)|(?P<third>parle|apprend))(?: (?:le|l'|couramment))? ?(?P<value>(?!de\b|à\b|avec\b|du\b|beaucoup\b|trop\b)\w+(?:ais|ois|ol|and|ien|in|abe|ain|usse|ugais))",
            single=Single.NEVER,
        ),
        form(
            Kind.CONTACT,
            "numéro|téléphone|portable|mail|courriel",
            rf"(?:{_MY}|le|l') ?{_NEW}(?P<name>(?:numéro(?: de (?:téléphone|portable|bureau))?|téléphone|portable|adresse (?:e-?)?mail|e-?mail|mail|courriel)(?: professionnel| perso| pro| du bureau)?){_OF}{_IS}(?: le)? (?P<value>[\w.+@-]*[\d@][\w.+@ ()/-]*\w)",
        ),
        form(
            Kind.VEHICLE,
            "conduis|conduit|roule|voiture|vélo|moto",
            rf"(?:(?P<first>je conduis|je roule en|je roule avec)|(?P<third>conduit|roule en))(?: maintenant)? (?:une? |la |le |ma |mon )?(?:\w+ )?(?P<value>{PROPER})",
            name="car",
        ),
        form(
            Kind.VEHICLE,
            "voiture|vélo|moto|scooter",
            rf"{_MY} {_NEW}(?P<name>voiture|vélo|moto|scooter)(?: est|, c'est){_NOW} une? (?P<value>(?:\w+ )?{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.FAVOURITE,
            "préféré|favori",
            rf"(?:{_MY}|le |la |l')(?: ?)(?P<name>\w+(?: \w+)?) (?:préférée?|favorite?|favori){_OF}{_IS} (?P<value>(?:le |la |l')?{PIECE}(?: {PIECE}){{0,3}})",
        ),
        form(
            Kind.LIKING,
            "aime|adore",
            r"(?:j'aime|j'adore|nous aimons|on adore)(?: (?:bien|beaucoup|vraiment|le|la|les|l'|les))* ?(?P<value>(?!que\b|pas\b|quand\b)\w+(?: \w+)?)",
            name="likes",
            single=Single.NEVER,
            is_speakers=True,
        ),
        form(
            Kind.LIKING,
            "déteste|n'aime pas|horreur|supporte pas",
            r"(?:je déteste|je n'aime pas|j'ai horreur (?:de|du|des)|je ne supporte pas)(?: (?:le|la|les|l'))* ?(?P<value>(?!que\b|quand\b)\w+(?: \w+)?)",
            name="dislikes",
            single=Single.NEVER,
            is_speakers=True,
        ),
        form(
            Kind.PRICE,
            "loyer|salaire|abonnement|cotisation|prix|mensualité|crédit|assurance|budget|facture|caution|forfait|retraite|pension|frais|tarif|inscription|mutuelle|électricité|paie|argent|billet|adhésion",
            rf"(?:{_MY} |le |la |les |l'){_NEW}(?P<name>{_COST}(?: (?:de|du|de la) (?!mon\b|ma\b)\w+)?){_OF} (?:est|coûte|s'élève|passe|est passée?|monte|est montée?|a augmenté|augmente|a été \w+|fait|sont|baisse|a baissé|est descendue?)(?: (?:de|à|maintenant|désormais|me|environ|jusqu'à|\S+ à))* {_MONEY}",
        ),
        form(
            Kind.PRICE,
            "paie|paye|payons",
            rf"(?P<first>je paie|je paye|nous payons|on paie|on paye)(?: maintenant| désormais)? {_MONEY}(?: \w+){{0,3}}? (?:de|pour) (?:le |la |mon |ma |l')?(?P<name>\w+)",
        ),
        form(Kind.PRICE, "gagne", rf"(?P<first>je gagne)(?: maintenant| désormais)? {_MONEY}", name="salary"),
        form(
            Kind.PLAN,
            "rendez|rdv|réunion|vol|voyage|mariage|fête|examen|entretien|deadline|échéance|lancement|appel|cours|opération|déménag|concert|match|livraison|visite|confér|présent|démo|dîner|déjeuner|entraîn|répét|vacances|contrôle|soutenance|atelier|marathon|tournoi|séance|sortie|point",
            rf"(?:{_MY} |le |la |les |l')(?P<name>{_EVENT}(?: (?:chez|avec|de|du|à|au|en|d') ?(?:le |la |l'|mon |ma )?(?!le\b|lundi\b|maintenant\b)\w+)?) (?:est|a été|sera|aura lieu|commence|a lieu|passe|sont|tombe)(?: (?:maintenant|désormais|reportée?s?|déplacée?s?|avancée?s?|décalée?s?|prévue?s?|fixée?s?|passée?s?|finalement|du \w+))*{_AT} {_WHEN}",
            is_speakers=True,
        ),
        form(
            Kind.PLAN,
            "partons|part |pars|vole|allons|vais|va ",
            rf"(?P<first>nous partons|on part|je pars|nous allons|on va|je vais)(?: finalement)? (?:à|au|en|pour) (?P<name>{PROPER}){_AT} {_WHEN}",
        ),
        form(
            Kind.PLAN,
            "rendez|rdv|réunion|vol|examen",
            rf"(?P<first>j'ai|nous avons|on a) (?:une? |le |la )?(?P<name>{_EVENT}(?: (?:chez|avec|de|du) (?:le |la )?\w+)?){_AT} {_WHEN}",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.ROLE,
            "est |devient",
            rf"(?P<value>{PROPER}) (?:est|devient){_NOW} (?:le |la |l'|notre )(?:nouve(?:au|lle) )?{_ROLE}",
            is_speakers=True,
        ),
        form(
            Kind.ROLE,
            "est |c'est",
            rf"(?:le |la |l'|notre )(?:nouve(?:au|lle) )?{_ROLE}(?: est|, c'est){_NOW} (?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.PORT,
            "port",
            rf"{_THING} (?:tourne|écoute|est|utilise|fonctionne|passe|répond)(?: (?:maintenant|désormais))* (?:sur|au|à)?(?: ?le)? ?port (?P<value>\d{{2,5}})",
        ),
        form(
            Kind.PORT,
            "port",
            r"le port (?:de|du|de la|de l') ?(?P<thing>[\w.-]+(?: de [\w.-]+)?) (?:est|passe à|est passé à)(?: maintenant)?(?: le)? (?P<value>\d{2,5})",
        ),
        form(
            Kind.VERSION,
            "version|utilis|passé|passons|tourne|migré|sommes|est en",
            rf"(?:(?P<first>nous utilisons|on utilise|nous sommes|on est|nous sommes passés|on est passés?|on a migré|j'utilise)|tourne|est)(?: (?:maintenant|désormais|à|en|sur|sous|passés?|vers|de \S+ \S+))* {_PRODUCT} {_VER}(?! ?(?:euros|%|ans|fois|heures))",
        ),
        form(
            Kind.HOST,
            "tourne|héberg|est |migré|serveur|domaine",
            rf"{_THING} (?:tourne|est(?: hébergée?)?|se trouve|a migré|a été migrée?|passe)(?: (?:maintenant|désormais))* (?:sur|chez|à|vers) (?!port\b|le port)(?P<value>[\w-]+(?:[.:][\w-]+)+|hetzner|aws|azure|gcp|ovh|scaleway|vercel|netlify|heroku|\w+-\w*\d\w*)",
        ),
        form(
            Kind.TOOL,
            "de |au lieu|à la place",
            rf"(?:(?:passés?|changé|migré|passons|passe)(?: \w+)? (?:de|d') ?(?P<value>{PROPER}|[\w.+#-]+) (?:à|vers|pour)|(?:au lieu|à la place) (?:de |d')(?P<value2>{PROPER}|[\w.+#-]+)|remplacé (?P<value3>{PROPER}|[\w.+#-]+) par)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.TOOL,
            "pas ",
            r"(?:(?:décidé|convenu) de ne pas (?:utiliser|prendre|adopter|acheter|migrer vers|passer à)|(?:n'utilisera|n'utiliserons|ne prendra|ne prendrons|ne va|n'allons) pas(?: utiliser| prendre)?(?: finalement)?) (?P<value>[\w.+#-]+)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.TOOL,
            "utilis|passé|passons|passe à|migré|choisi|opté",
            rf"(?P<first>nous utilisons|on utilise|j'utilise|nous sommes passés(?: de \S+)? à|on est passés?(?: de \S+)? à|je suis passée?(?: de \S+)? à|on passe à|nous passons à|on a migré vers|nous avons choisi|on a choisi|nous avons opté pour|on a opté pour|par)(?: maintenant| désormais| aussi)* (?P<value>(?-i:[A-Z][\w.+#-]*|pnpm|npm|uv)(?: {PROPER})?)(?: (?:pour|comme) (?:le |la |les |l')?(?P<name>\w+))?",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.TOOL,
            "est |c'est",
            rf"(?:{_MY}|la|le) ?{_NEW}(?P<name>base de données|éditeur|navigateur|framework|banque|salle de sport|ordinateur|opérateur|fournisseur|système|supermarché|mutuelle|téléphone){_IS} (?:une? |le |la |chez )?(?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "fume|bois|cours|nage|joue|fais|danse|grimpe|peins|chante|médite|vais|marche|cuisine|lis|me lève|me couche|pratique",
            rf"(?:je |j') ?(?P<value>(?P<first>fume|bois|cours|nage|joue|fais|danse|grimpe|peins|chante|médite|vais|marche|cuisine|lis|me lève|me couche|pratique)(?: (?!et\b|mais\b){PIECE}){{0,6}})",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.HABIT,
            "arrêt|vendu|annul|résili|abandonn|tomber|désabonn|renonc|quitté|supprim",
            r"(?:(?:j'ai|nous avons|on a|je me suis)(?: enfin| finalement)? (?:arrêté(?: de| d')?|vendu|annulé|résilié|abandonné|laissé tomber|désabonnée? (?:de|à)|renoncé (?:à|au)|quitté|supprimé))(?: (?:le|la|les|l'|mon|ma|mes|notre|nos|du))* ?(?P<value>\w+(?: (?!et\b|mais\b)\w+){0,3})",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "annulé|vendu|supprimé|à l'eau|résilié",
            rf"(?:le |la |les |l'|{_MY} )(?P<value>[\w-]+(?: [\w-]+){{0,4}}?) (?:est|a été|sont|ont été|est tombée?)(?: \w+)? ?(?:annulée?s?|vendue?s?|supprimée?s?|à l'eau|résiliée?)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "plus",
            rf"(?:ne |n')(?P<value>{PIECE}(?: (?!plus\b){PIECE}){{0,2}}?) plus(?: (?:de |d'|du |à |au |chez |en )?(?P<rest>{PIECE}(?: {PIECE})?))?",
            is_ended=True,
        ),
        form(
            Kind.OTHER,
            "est |sont |s'appelle|c'est",
            rf"(?:{_MY} |le |la |l'){_NEW}(?P<name>\w+(?: (?:de|du|de la|d') ?(?!mon\b|ma\b)\w+)?){_OF} ?(?:est|sont|s'appelle|, c'est|passe à|est passée? à|sera)(?: (?:maintenant|désormais|le|la|à|au|les|en|de))* (?P<value>(?:{_DAYS})(?: \d+)?|{NUMBER}(?: {PIECE})?)(?=[.,;!]|$| et| au lieu| maintenant| pour)",
        ),
        *named_relations(_REL, mine="mon|ma|notre", cues="mon |ma |notre ", that_is="c'est|qui est"),
        *named_pets(
            "chien|chienne|chat|chatte|chiot|chaton|lapin|hamster|perroquet|perruche|cheval|poney|tortue",
            mine="mon|ma|notre",
            cues="mon |ma |notre ",
        ),
        form(
            Kind.HEALTH,
            "supporte|digère",
            r"ne (?:supporte|digère) pas (?:le |la |les |l')(?P<value>lactose|gluten|lait|noix|noisettes|arachides|crustacés|fruits de mer|œufs|alcool|caféine|pénicilline)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "j'enseigne",
            r"j'(?P<value>enseigne (?:le |la |les |l')?[\w-]+(?: (?:dans|à|au|en) (?:un |une |le |la )?[\w-]+(?: à [\w-]+)?)?)",
            name="job",
            single=Single.NEVER,
            is_speakers=True,
        ),
    ),
)

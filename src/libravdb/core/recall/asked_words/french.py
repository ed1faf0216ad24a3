"""How one asks for an attribute in French."""

from collections.abc import Mapping

from libravdb.model import AttributeKind

FRENCH: Mapping[AttributeKind, tuple[str, ...]] = {
    AttributeKind.HOME: (
        r"où (?:est-ce que )?(?:j'habite|je vis|habit\w+|vi[st]|vivons)",
        "(?:mon|notre) (?:adresse|appartement|quartier)",
        "dans quelle (?:ville|rue)",
    ),
    AttributeKind.WORK: (
        "où (?:est-ce que )?je (?:travaille|bosse)",
        "pour qui je travaille",
        r"(?:mon|ma) (?:travail|boulot|métier|entreprise|employeur|poste|profession)\b",
    ),
    AttributeKind.CONTACT: (r"(?:mon|notre) (?:nouveau )?(?:numéro|téléphone|portable|mail|adresse mail|e-?mail)\b",),
    AttributeKind.HEALTH: (
        r"allergi\w+",
        r"(?:ma|mes|mon) (?:maladie|diagnostic|médicaments?|santé|blessure|traitement)\b",
        "qu'est-ce que je ne peux pas (?:manger|prendre)",
    ),
    AttributeKind.DIET: (
        "qu'est-ce que je mange",
        "(?:mon) régime",
        r"suis-je (?:vegan|végétari\w+)",
        "qu'est-ce qu(?:'on|e je) (?:cuisine|mange|prépare)",
    ),
    AttributeKind.PET: (r"(?:mon|ma|notre) (?:chien\w*|chat\w*|animal|lapin)\b",),
    AttributeKind.PERSON: (
        r"comment s'appelle(?:nt)? (?:mon|ma|mes|notre|nos)\b",
        r"(?:le )?(?:nom|prénom) de (?:mon|ma|mes)\b",
        r"qui est (?:mon|ma|notre)\b",
    ),
    AttributeKind.NAME: (
        "comment (?:je m'appelle|m'appelles?-tu)",
        r"mon (?:nom|prénom|surnom)\b",
    ),
    AttributeKind.BIRTHDAY: (
        "(?:mon|son) anniversaire",
        "quel âge",
    ),
    AttributeKind.PRICE: (
        "combien (?:je paie|coûte|je gagne|est-ce|on paie|ça)",
        r"(?:mon|notre) (?:loyer|salaire|budget|tarif)\b",
    ),
    AttributeKind.FAVOURITE: (
        "préférée?s?",
        "favorie?s?",
    ),
    AttributeKind.VEHICLE: (r"(?:ma|mon|notre|quelle?) (?:\w+ )?(?:voiture|vélo|moto|scooter|camionnette)\b",),
    AttributeKind.LANGUAGE: (
        "quelles? langues?",
        "langue maternelle",
        "je parle",
    ),
    AttributeKind.PLAN: (
        r"quand (?:est|est-ce|sont|ai-je|pars|partons)\b",
        r"(?:mon|ma|notre) (?:\w+ )?(?:rendez-vous|voyage|vol|examen|réunion|mariage|opération|vacances)\b",
    ),
    AttributeKind.ROLE: (r"qui (?:est|dirige|gère|s'occupe)\b",),
    AttributeKind.VERSION: (
        "quelle version",
        "version de",
    ),
    AttributeKind.PORT: (r"\bports?\b",),
    AttributeKind.HOST: (
        "sur quel(?:le)? (?:serveur|machine)",
        "où (?:tourne|est hébergée?)",
    ),
    AttributeKind.TOOL: (
        "quel(?:le)? (?:base de données|éditeur|outil|logiciel|framework|navigateur)",
        r"qu'(?:est-ce qu'on|utilis\w+)",
    ),
}

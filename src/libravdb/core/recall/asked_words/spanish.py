"""How one asks for an attribute in Spanish."""

from collections.abc import Mapping

from libravdb.model import AttributeKind

SPANISH: Mapping[AttributeKind, tuple[str, ...]] = {
    AttributeKind.HOME: (
        "dónde (?:vivo|vivimos|vive|resido)",
        r"(?:mi|nuestra) (?:dirección|ciudad|casa|calle)\b",
        "en qué (?:ciudad|calle)",
    ),
    AttributeKind.WORK: (
        "dónde trabajo",
        "en qué (?:trabajo|empresa)",
        "para quién trabajo",
        "a qué me dedico",
        r"(?:mi) (?:trabajo|empleo|empresa|puesto|profesión)\b",
    ),
    AttributeKind.CONTACT: (r"(?:mi|nuestro) (?:nuevo )?(?:teléfono|móvil|número|correo|celular|email)\b",),
    AttributeKind.HEALTH: (
        r"alerg\w+",
        r"(?:mi|mis) (?:enfermedad|diagnóstico|medicamentos?|salud|lesión)\b",
        "qué no puedo (?:comer|tomar)",
    ),
    AttributeKind.DIET: (
        "qué como",
        "(?:mi) dieta",
        r"soy (?:vegan\w|vegetarian\w)",
        "qué (?:cocino|cocinamos|comemos|puedo cocinar)",
    ),
    AttributeKind.PET: (r"(?:mi|nuestr[oa]) (?:perr[oa]|gat[oa]|mascota)\b",),
    AttributeKind.PERSON: (
        r"cómo se llaman? (?:mi|mis|nuestr\w+)\b",
        r"quién es (?:mi|nuestr\w+)\b",
        r"nombre de (?:mi|mis)\b",
    ),
    AttributeKind.NAME: (
        "cómo me llamo",
        r"mi (?:nombre|apodo|apellido)\b",
    ),
    AttributeKind.BIRTHDAY: (
        "(?:mi|su) cumpleaños",
        "cuántos años tengo",
        "mi edad",
    ),
    AttributeKind.PRICE: (
        "cuánto (?:pago|cuesta|gano|cobro|pagamos|es)",
        r"(?:mi|nuestro) (?:alquiler|sueldo|salario|presupuesto|tarifa)\b",
    ),
    AttributeKind.FAVOURITE: (
        "favorit[oa]s?",
        "preferid[oa]s?",
        "qué .{1,30} me gusta más",
    ),
    AttributeKind.VEHICLE: (r"(?:mi|nuestr[oa]|qué) (?:\w+ )?(?:coche|carro|moto|bici\w*|furgoneta)\b",),
    AttributeKind.LANGUAGE: (
        "qué idiomas?",
        "lengua materna",
        "hablo",
    ),
    AttributeKind.PLAN: (
        r"cuándo (?:es|son|tengo|voy|vamos|viajo|salgo)\b",
        r"(?:mi|nuestr[oa]) (?:\w+ )?(?:cita|viaje|vuelo|examen|reunión|boda|operación|plan)\b",
    ),
    AttributeKind.ROLE: (r"quién (?:es|dirige|lleva|manda)\b",),
    AttributeKind.VERSION: (
        "qué versión",
        "versión de",
    ),
    AttributeKind.PORT: (r"\bpuertos?\b",),
    AttributeKind.HOST: (
        "en qué (?:servidor|máquina)",
        r"dónde (?:corre|está alojad\w)",
    ),
    AttributeKind.TOOL: (
        "qué (?:base de datos|editor|herramienta|programa|framework|navegador)",
        "qué us(?:o|amos)",
    ),
}

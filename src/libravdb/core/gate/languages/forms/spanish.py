"""How statements are made in Spanish."""

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
mother: madre, mamá, mama
father: padre, papá, papa
sister: hermana, hermana mayor, hermana menor, hermana pequeña
brother: hermano, hermano mayor, hermano menor, hermano pequeño
daughter: hija
son: hijo
child: bebé
husband: marido, esposo
wife: mujer, esposa
partner: pareja, novia, novio, prometida, prometido
grandmother: abuela
grandfather: abuelo
aunt: tía
uncle: tío
cousin: primo, prima
niece: sobrina
nephew: sobrino
friend: amigo, amiga, mejor amigo, mejor amiga
neighbour: vecino, vecina
flatmate: compañero de piso, compañera de piso
colleague: compañero, compañera, colega
boss: jefe, jefa
landlord: casero, casera
doctor: médico, médica, doctor, doctora
dentist: dentista
therapist: terapeuta, psicólogo, psicóloga, fisio
accountant: gestor, gestora, contable
lawyer: abogado, abogada
teacher: profesor, profesora, profe
coach: entrenador, entrenadora
hairdresser: peluquera, peluquero
vet: veterinario, veterinaria
mother-in-law: suegra
father-in-law: suegro
parents: padres
"""
)
_REL = any_of(RELATIONS)
_MY = r"(?:mi|mis|nuestro|nuestra|nuestros|nuestras)"
_NEW = r"(?:nuev[oa] )?"
_NOW = r"(?: (?:ahora|ya|actualmente|hoy en día|también|todavía|aún))*"
_OF = rf"(?: de (?:mi|nuestr[oa]) (?P<whose>{_REL})(?: (?-i:[A-Z]\w+))?| de (?P<whom>(?-i:[A-Z][a-záéíóúñ]+)))?"
_IS = rf"(?: {_NOW.strip()})?(?: es| son| está| será| ha cambiado a| cambió a| pasó a| ha pasado a| ahora es| ya es| pasa a ser){_NOW}"
_DAYS = (
    r"lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|mañana|pasado mañana|mediodía|medianoche"
    r"|primavera|verano|otoño|invierno|navidad|semana santa|semana que viene|próxim[oa] \w+"
)
_WHEN = rf"(?P<value>(?:{_DAYS}|\d[\d:./-]*)(?:,? (?:(?:de|del|a|las|la|el|y|por|que) ){{0,3}}(?:{_DAYS}|\d[\d:./-]*|tarde|noche|viene|media|cuarto)){{0,5}})"
_AT = r"(?: (?:el|la|las|a|al|para|en|del|los|hasta|día|próximo|próxima))*"
_EVENT = r"(?:cita|reunión|vuelo|viaje|boda|fiesta|examen|entrevista|entrega|lanzamiento|llamada|clase|curso|operación|mudanza|concierto|partido|carrera|visita|conferencia|charla|presentación|demo|cena|comida|entrenamiento|ensayo|plazo|fecha límite|revisión|vacaciones|excursión|taller|maratón|torneo|consulta|quedada)"
_MONEY = r"(?P<value>(?:€ ?|\$ ?)?\d[\d.,]*(?:\s?(?:euros?|€|dólares|\$|pesos|soles|%|mil))?)"
_COST = r"(?:alquiler|sueldo|salario|cuota|precio|matrícula|hipoteca|suscripción|seguro|presupuesto|factura|fianza|tarifa|pensión|mensualidad|abono|renta|paga|gimnasio|luz|plan|entrada)"
_PETS = r"(?P<name>perr[oa]|gat[oa]|cachorro|conejo|hámster|loro|periquito|cobaya|caballo|tortuga|pez|serpiente|gallina|ratón)"
_THING = r"(?P<thing>(?:(?:el|la|los|las|nuestr[oa]s?|mi) |^)(?:[\w.-]+ ){0,3}?[\w.-]+)"
_PRODUCT = r"(?P<name>(?!(?:puerto|versión|la|el|las|los|a|en|de|por|con|unos|solo)\b)[A-Za-z][\w.+#-]*)"
_VER = r"(?P<value>v?\d+(?:\.\w+){0,4})"
_ROLE = r"(?P<name>cto|ceo|cfo|coo|director[a]?(?: \w+)?|jef[ea] de \w+|product owner|capitán|capitana|president[ea]|tesorer[oa]|responsable de \w+|líder(?: del? \w+)?|tutor[a]?|encargad[oa] de \w+)"

SPANISH = FormVocabulary(
    language="spanish",
    relations=RELATIONS,
    speaker=words(r"yo|nosotros|nosotras|me|nos"),
    other=words(r"él|ella|ellos|ellas"),
    listener=words(r"tú|tu|tus|te|usted"),
    kin=words(rf"{_MY} {_NEW}(?P<relation>{_REL})(?:,? (?P<called>(?-i:[A-Z][a-záéíóúñ]+)))?"),
    thing=words(rf"(?:el|la|los|las|{_MY}) (?P<thing>(?:[\w.-]+ ){{0,3}}?[\w.-]+)"),
    unreal=words(
        r"\w+aría|\w+ería|gustaría|quisiera|quiero|queremos|si|ojalá|espero|pensando en|sueño con|soñaba|antes|vivía|trabajaba|de (?:niñ[oa]|pequeñ[oa]|joven)|cuando era|hace (?:muchos )?años|crecí|hasta (?:19|20)\d\d|en (?:19|20)\d\d|casi|quizás?|tal vez|a lo mejor|dice|dijo|imagina|solía|tenía|era|viví|trabajé|ayer|en la (?:novela|película)|por una semana|por unos días|deberíamos|podría\w*"
    ),
    ended=words(
        r"ya no|no [\w ]{1,40}? más|dej(?:é|amos|ó|ado)(?: de)?|vend(?:í|imos|ió|ido)|cancel(?:é|amos|ó|ado|ada|aron)|rompimos|rompí|terminamos|murió|falleció|se acabó|anulad[oa]|anul(?:é|amos|ó)|me di de baja|dimos de baja|se canceló|renunci(?:é|ó)|me despidieron|abandon(?:é|amos|ó)|descart(?:é|amos|ado)|nunca más|en vez de|en lugar de|me jubilé|suspendid[oa]"
    ),
    denied=words(r"no|nunca|jamás|ni|tampoco|sin"),
    also=words(r"también|además|otr[oa]|segund[oa]|aparte|tanto|ambos"),
    changed=words(
        r"ahora|ya|nuev[oa]s?|en vez|en lugar|cambi\w+|mud\w+|pas(?:ó|amos|é|ado)|desde (?:ayer|hoy|este|esta|hace|el|la)|renombr\w+|al final|subió|subieron|bajó|aument\w+|actualiz\w+|por fin|últimamente|hoy en día|a partir de|migr\w+|sustitu\w+|reemplaz\w+|aplaz\w+|se movió|retras\w+|adelant\w+|traslad\w+|movid\w+"
    ),
    joint=words(r"y|pero|porque|sino|aunque|mientras|así que|pues"),
    forms=(
        form(
            Kind.NAME,
            "llamo|nombre",
            rf"(?:me llamo|mi nombre es){_NOW} (?P<value>{PROPER})",
            name="name",
            is_speakers=True,
        ),
        form(
            Kind.NAME,
            "llámame|dime|llaman|apodo",
            r"(?:llámame|me llaman|me dicen|mi apodo es)(?: ahora| mejor| todos)* (?P<value>(?!cuando\b|mañana\b|luego\b|a\b)[\w-]+)",
            name="nickname",
            is_speakers=True,
        ),
        form(Kind.BIRTHDAY, "cumple", rf"(?:mi|el) cumple(?:años)?{_OF}{_IS}{_AT} {_WHEN}", name="birthday"),
        form(
            Kind.BIRTHDAY,
            "años|cumpl",
            r"(?:(?P<first>tengo|cumplí|acabo de cumplir)|(?P<third>tiene|cumplió|cumple))(?: ya| ahora)* (?P<value>\d{1,2}|un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce) años",
            name="age",
        ),
        form(
            Kind.HOME,
            "dirección",
            rf"mi {_NEW}(?P<name>dirección(?: del trabajo| de casa)?){_OF}{_IS} (?P<value>[^.;!?\n]{{3,60}})",
        ),
        form(
            Kind.HOME,
            "viv|resid",
            rf"(?:(?P<first>vivo|vivimos|resido|estoy viviendo|estamos viviendo)|(?P<third>vive|viven|reside))(?: (?:ahora|ya|actualmente|sola|solo|juntos|con \w+(?: \w+)?))* en (?:la |el )?(?P<value>{PROPER}|(?!casa\b|una?\b)\w+)",
        ),
        form(
            Kind.HOME,
            "mud|traslad",
            rf"(?:(?P<first>me mudé|nos mudamos|me he mudado|nos hemos mudado|me trasladé|nos trasladamos|me acabo de mudar|me vine a vivir|me fui a vivir|nos fuimos a vivir)|(?P<third>se mudó|se ha mudado|se mudaron|se trasladó|se fue a vivir))(?: (?:de \w+|hace \w+(?: \w+)?|ya|ayer|este mes))* a (?P<value>{PROPER})",
        ),
        form(
            Kind.WORK,
            "trabaj|empec|contrat|empleo|entr",
            rf"(?:(?P<first>trabajo|empecé(?: a trabajar)?|he empezado(?: a trabajar)?|entré|me contrataron|comencé|me incorporé|conseguí trabajo|fiché)|(?P<third>trabaja|empezó(?: a trabajar)?|entró))(?: (?:ahora|ya|desde \w+|el \w+|a trabajar|este mes|en un nuevo trabajo))* (?:en|para|con|por) (?:la |el |un |una )?(?P<value>{PROPER}|(?:\w+ )?(?:empresa|hospital|colegio|banco|panadería|startup|clínica|agencia|tienda|universidad)(?: \w+){{0,2}})",
            name="employer",
        ),
        form(
            Kind.WORK,
            "trabaj|soy|ascend",
            r"(?:(?P<first>trabajo|me ascendieron|me han ascendido|estoy)|(?P<third>trabaja))(?: (?:ahora|ya))*(?: de| como| a) (?P<value>(?!en\b|la\b|el\b|casa\b)\w+(?: de \w+)?)",
            name="job",
        ),
        form(
            Kind.WORK,
            "soy",
            r"(?P<first>soy)(?: ahora)? (?P<value>\w+(?:ero|era|ista|or|ora|ogo|oga|nte|ico|ica|ecto|ecta|ado|ada|nta))(?=[.,;!]|$| en| de| y)(?! de (?:la|el|un))",
            name="job",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.WORK,
            "dej|renunci|despid|despidieron|jubil|paro",
            rf"(?P<first>(?:dejé|he dejado|renuncié|me despidieron)(?: (?:a|de|mi|el|en|del))* (?:(?:trabajo|puesto|empleo)(?: (?:en|de) (?P<value2>{PROPER}))?|(?P<value>{PROPER}))|me despidieron|me jubilé|me he jubilado|estoy en paro|me quedé en paro|renuncié)",
            name="employer",
            is_ended=True,
        ),
        form(
            Kind.STATUS,
            "solter|casad|comprometid|divorciad|viud|separad|casé|casamos|divorci",
            r"(?:(?P<first>estoy|soy|estamos|me|nos)|(?P<third>está|es|se))(?: (?:ahora|ya|he|hemos))* (?P<value>solter[oa]|casad[oa]s?|comprometid[oa]s?|divorciad[oa]s?|viud[oa]|separad[oa]s?|casé|casamos|divorcié|divorciamos|casó|divorció)",
            name="marital",
        ),
        form(
            Kind.STATUS,
            "murió|falleció|muerto",
            r"(?P<third>murió|falleció|ha muerto|ha fallecido)",
            name="life",
            is_ended=True,
        ),
        form(
            Kind.PERSON,
            "rompí|romp|termin|dejé|dejamos|lo dejamos|separ",
            r"(?:(?:rompí|terminé|corté|lo dejé) con (?:(?P<value>(?-i:[A-Z]\w+))|mi \w+)|(?P<value2>(?-i:[A-Z]\w+)) y yo (?:rompimos|terminamos|lo dejamos|nos separamos|ya no))",
            name="partner",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "se llama|es ",
            rf"(?:(?:el|la) (?P<name2>{_REL}) de {_MY} (?P<whose>{_REL})|{_MY} {_NEW}(?P<name>{_REL})) (?:ahora )?(?:se llama|es){_NOW} (?P<value>(?:doctora? |señora? |don |doña )?{PROPER})",
        ),
        form(
            Kind.PERSON,
            "es ",
            rf"(?P<value>(?-i:[A-Z][\w-]+)) es{_NOW} {_MY} {_NEW}(?P<name>{_REL})(?=[.,;!]|$| y| ahora)",
            is_speakers=True,
        ),
        form(
            Kind.PERSON,
            "salgo con|salir con|saliendo con",
            r"(?:salgo|estoy saliendo) con (?P<value>(?-i:[A-Z]\w+))",
            name="partner",
            is_speakers=True,
        ),
        form(
            Kind.HEALTH,
            "alergi|alérgic",
            r"(?:(?P<first>soy|tengo)|(?P<third>es|tiene))(?: \w+)? (?:alérgic[oa]|alergia) (?:a|al) (?:los |las |la |el )?(?P<value>\w+(?: secos)?)",
            single=Single.NEVER,
        ),
        form(
            Kind.HEALTH,
            "asma|diabetes|migraña|epilepsia|artritis|hipertensión|celia|ansiedad|insomnio|intoleran",
            r"(?:(?P<first>tengo|padezco|sufro de|soy)|(?P<third>tiene|es)) (?P<value>asma|diabetes|migrañas?|epilepsia|artritis|hipertensión|celíac[oa]|ansiedad|insomnio|intolerante a la lactosa)",
            single=Single.NEVER,
        ),
        form(
            Kind.DIET,
            "vegetarian|vegan|pescetarian|sin gluten|keto|halal|kosher",
            r"(?:(?P<first>soy|me hice|me he hecho|sigo una dieta|como|hago)|(?P<third>es|se hizo|come))(?: (?:ahora|ya))* (?P<value>vegetarian[oa]|vegan[oa]|pescetarian[oa]|sin gluten|keto|halal|kosher)",
        ),
        form(
            Kind.DIET,
            "carne|pescado|de todo",
            r"(?:(?P<first>como|he vuelto a comer|volví a comer)|(?P<third>come))(?: (?:otra vez|de nuevo|ahora))* (?P<value>carne|pescado|de todo|pollo)",
        ),
        form(
            Kind.DIET,
            "no como|no bebo|no tomo",
            r"(?P<first>(?<!ya )no (?:como|bebo|tomo)) (?P<value>\w+)(?! más)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "perr|gat|cachorro|conejo|hámster|loro|periquito|cobaya|caballo|tortuga|pez|serpiente|gallina|ratón",
            rf"{_MY} {_PETS}(?: ahora)? se llama{_NOW} (?P<value>{PROPER})",
            single=Single.IF_CHANGED,
            is_speakers=True,
        ),
        form(
            Kind.PET,
            "perr|gat|cachorro|conejo|hámster|loro|periquito|cobaya|caballo|tortuga|pez|serpiente|gallina|ratón",
            rf"(?P<first>tengo|tenemos|adoptamos|adopté) (?:una?|dos|tres) {_PETS}s?",
            single=Single.NEVER,
        ),
        form(
            Kind.PET,
            "murió|falleció|dimos en adopción",
            rf"{_MY} {_PETS}(?:,? (?P<value>(?-i:[A-Z]\w+)))? (?:se )?(?:murió|falleció|ha muerto|se escapó)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.LANGUAGE,
            "hablo|habla|aprend|estudi|lengua materna",
            r"(?:(?P<first>hablo|estoy aprendiendo|aprendo)|(?P<third>habla|aprende)) (?P<value>(?!con\b|de\b|en\b|mucho\b)\w+)",
            single=Single.NEVER,
        ),
        form(
            Kind.CONTACT,
            "número|teléfono|móvil|celular|correo|email|mail",
            rf"(?:{_MY}|el) {_NEW}(?P<name>(?:número(?: de (?:teléfono|móvil|trabajo))?|teléfono|móvil|celular|correo|email|e-mail|mail)(?: nuevo| del trabajo| personal)?){_OF}{_IS}(?: el)? (?P<value>[\w.+@-]*[\d@][\w.+@ ()/-]*\w)",
        ),
        form(
            Kind.VEHICLE,
            "conduzco|conduce|manejo|coche|carro|moto|bici",
            rf"(?:(?P<first>conduzco|manejo|llevo)|(?P<third>conduce|maneja))(?: ahora)? (?:un|una|el|la|mi) (?:\w+ )?(?P<value>{PROPER})",
            name="car",
        ),
        form(
            Kind.VEHICLE,
            "coche|carro|moto|bici",
            rf"{_MY} {_NEW}(?P<name>coche|carro|moto|bici) es{_NOW} (?:un|una) (?P<value>(?:\w+ )?{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.FAVOURITE,
            "favorit|preferid",
            rf"(?:{_MY}|el|la) (?P<name>\w+(?: \w+)?) (?:favorit[oa]|preferid[oa]){_OF}{_IS} (?P<value>(?:el |la )?{PIECE}(?: {PIECE}){{0,3}})",
        ),
        form(
            Kind.LIKING,
            "gusta|encanta|adoro|amo",
            r"(?:(?<!no )me (?:gusta|gustan|encanta|encantan)|adoro|amo)(?: (?:mucho|más|el|la|los|las))* (?P<value>(?!que\b|como\b)\w+(?: \w+)?)",
            name="likes",
            single=Single.NEVER,
            is_speakers=True,
        ),
        form(
            Kind.LIKING,
            "odio|detesto|no me gusta|no soporto",
            r"(?:odio|detesto|no soporto|no me (?:gusta|gustan))(?: (?:nada|el|la|los|las))* (?P<value>(?!que\b)\w+(?: \w+)?)",
            name="dislikes",
            single=Single.NEVER,
            is_speakers=True,
        ),
        form(
            Kind.PRICE,
            "alquiler|sueldo|salario|cuota|precio|matrícula|hipoteca|suscripción|seguro|presupuesto|factura|fianza|tarifa|pensión|mensual|abono|renta|paga|gimnasio|luz|plan|entrada",
            rf"(?:{_MY}|el|la) {_NEW}(?P<name>{_COST}(?: (?:del|de la|de) (?!mi\b|a\b)\w+)?){_OF}{_NOW} (?:me |nos )?(?:es|cuesta|sube|subió|ha subido|bajó|ha bajado|pasó|ha pasado|está|son|cambió|aumentó|vale|queda)(?: (?:a|de|en|ahora|ya|hasta|unos|me|por|\S+ euros a))* {_MONEY}",
        ),
        form(
            Kind.PRICE,
            "pago|gano|cobro",
            rf"(?P<first>pago|pagamos)(?: ahora)? {_MONEY}(?: \w+){{0,3}}? (?:de|por) (?:el |la |mi )?(?P<name>\w+)",
        ),
        form(Kind.PRICE, "gano|cobro", rf"(?P<first>gano|cobro)(?: ahora)? {_MONEY}", name="salary"),
        form(
            Kind.PLAN,
            "cita|reunión|vuelo|viaje|boda|fiesta|examen|entrevista|entrega|lanzamiento|llamada|clase|curso|operación|mudanza|concierto|partido|carrera|visita|confer|charla|present|demo|cena|comida|entren|ensayo|plazo|límite|revisión|vacacion|excurs|taller|marat|torneo|consulta|quedada",
            rf"(?:{_MY}|el|la|las) (?P<name>{_EVENT}(?: (?:con|de|del|a|al|en|para) (?:el |la |mi )?(?!el\b|la\b|las\b|ahora\b)\w+)?)(?: {_NOW.strip()})?(?: (?:es|será|son|está|se ha|se|ha sido|fue|pasó|pasa|empieza|queda))(?: (?:ahora|ya|programada|movió|movido|cambió|cambiado|aplazó|aplazado|aplazada|adelantó|adelantado|pasó|pasado|retrasó|retrasado|trasladada|movida|aplazad[oa]|del \w+|para|al|a))*{_AT} {_WHEN}",
            is_speakers=True,
        ),
        form(
            Kind.PLAN,
            "volamos|vuelo|viajamos|viajo|vamos|voy",
            rf"(?P<first>volamos|vuelo|viajamos|viajo|vamos|voy|salimos)(?: ahora)? (?:a|hacia|para) (?P<name>{PROPER}){_AT} {_WHEN}",
        ),
        form(
            Kind.PLAN,
            "cita|reunión|vuelo|examen",
            rf"(?P<first>tengo|tenemos) (?:una |un |el |la )?(?P<name>{_EVENT}(?: (?:con|de|del|en) (?:el |la )?(?!el\b)\w+)?){_AT} {_WHEN}",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.ROLE,
            "es ",
            rf"(?P<value>{PROPER}) (?:es|pasa a ser|será){_NOW} (?:el|la|nuestr[oa]) {_NEW}{_ROLE}",
            is_speakers=True,
        ),
        form(
            Kind.ROLE,
            "es ",
            rf"(?:el|la|nuestr[oa]) {_NEW}{_ROLE}(?: nuev[oa])? (?:ahora )?es{_NOW} (?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.PORT,
            "puerto",
            rf"{_THING} (?:ahora )?(?:está|corre|escucha|usa|funciona|va|se ejecuta|pasó|atiende)(?: (?:ahora|ya))* (?:en|por|al|a)?(?: ?el)? ?puerto (?P<value>\d{{2,5}})",
        ),
        form(
            Kind.PORT,
            "puerto",
            r"el puerto (?:de|del) (?:la |el )?(?P<thing>[\w.-]+(?: de [\w.-]+)?) (?:es|ahora es|cambió al?|pasó al?)(?: ahora)?(?: el)? (?P<value>\d{2,5})",
        ),
        form(
            Kind.VERSION,
            "versión|usamos|actualiz|estamos en|pasamos|migramos|corre",
            rf"(?P<first>usamos|uso|actualizamos|hemos actualizado|estamos en|estamos con|pasamos|migramos|subimos)(?: (?:ahora|ya|a|de \S+ \S+ a|en|la|el))* {_PRODUCT} {_VER}(?! ?(?:euros|%|años|veces))",
        ),
        form(
            Kind.HOST,
            "está|corre|aloja|migr|servidor|dominio|ip",
            rf"{_THING} (?:ahora )?(?:está(?: alojad[oa])?|corre|se aloja|vive|migró|se movió|pasó)(?: (?:ahora|ya))* (?:en|a) (?P<value>[\w-]+(?:[.:][\w-]+)+|hetzner|aws|azure|gcp|ovh|vercel|netlify|heroku|\w+-\w*\d\w*)",
        ),
        form(
            Kind.TOOL,
            "de |en vez|en lugar",
            rf"(?:(?:cambiamos|pasamos|migramos|cambié|pasé|migré|hemos pasado|hemos cambiado)(?: \w+)? de (?P<value>{PROPER}|[\w.+#-]+) a|(?:en vez|en lugar) de (?P<value2>{PROPER}|[\w.+#-]+))",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.TOOL,
            "no ",
            r"(?:(?:decidimos|hemos decidido|acordamos|decidí) no (?:usar|utilizar|adoptar|comprar|ir a|migrar a|contratar)|(?:al final )?no (?:vamos a|voy a) (?:usar|utilizar|adoptar|comprar|migrar a)|(?:al final )?no usaremos) (?P<value>[\w.+#-]+)",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.TOOL,
            "usamos|uso|utiliz|pasamos|cambi|migr|eleg|decidimos",
            rf"(?P<first>usamos|uso|utilizamos|utilizo|pasamos a|nos pasamos(?: todos)? a|me pasé a|cambiamos a|cambiamos de \S+ a|pasamos de \S+ a|migramos a|migramos de \S+ a|elegimos|decidimos usar|cambié a|hemos pasado a)(?: ahora| ya| también)* (?P<value>(?-i:[A-Z][\w.+#-]*|pnpm|npm|uv)(?: {PROPER})?)(?: (?:para|como) (?:el |la |los |las )?(?P<name>\w+))?",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.TOOL,
            "es ",
            rf"(?:{_MY}|la|el) {_NEW}(?P<name>base de datos|editor|navegador|framework|banco|gimnasio|portátil|compañía|operador|proveedor|sistema operativo|supermercado){_IS} (?:un |una |el |la )?(?P<value>{PROPER})",
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "fumo|bebo|corro|nado|juego|toco|entreno|bailo|escalo|pinto|canto|medito|voy|hago|camino|cocino|leo|me levanto|me acuesto|estudio|practico",
            rf"(?P<value>(?P<first>fumo|bebo|corro|nado|juego|toco|entreno|bailo|escalo|pinto|canto|medito|voy|hago|camino|cocino|leo|me levanto|me acuesto|estudio|practico)(?: (?!y\b|pero\b){PIECE}){{0,6}})",
            single=Single.IF_CHANGED,
        ),
        form(
            Kind.HABIT,
            "dej|vend|cancel|anul|baja|abandon|descart|suspend",
            r"(?:dejé(?: de)?|dejamos(?: de)?|he dejado(?: de)?|vendí|vendimos|he vendido|hemos vendido|cancelé|cancelamos|he cancelado|hemos cancelado|se canceló|anulé|anulamos|me di de baja de|dimos de baja|hemos dado de baja|abandoné|abandonamos|descartamos)(?: (?:el|la|los|las|mi|mis|nuestro|nuestra|a|del|al))* (?P<value>\w+(?: (?!y\b|pero\b)\w+){0,3})",
            is_ended=True,
            is_speakers=True,
        ),
        form(
            Kind.HABIT,
            "cancelad|anulad|suspendid|se canceló|vendid",
            rf"(?:el|la|{_MY}) (?P<value>\w+(?: \w+){{0,4}}?) (?:está|fue|ha sido|queda|se ha)?(?: ?se)? ?(?:cancelad[oa]|anulad[oa]|suspendid[oa]|canceló|vendid[oa])",
            is_ended=True,
            is_speakers=True,
        ),
        form(Kind.HABIT, "ya no", rf"ya no (?P<value>{PIECE}(?: {PIECE}){{0,4}})", is_ended=True),
        form(
            Kind.OTHER,
            "es |son |está|llama",
            rf"(?:{_MY}|el|la) {_NEW}(?P<name>\w+(?: (?:de|del|de la) (?!mi\b)\w+)?){_OF}(?: ahora)? (?:es|son|está|se llama|cambió a|pasó a|será)(?: (?:ahora|ya|el|la|las|a|los|en))* (?P<value>(?:{_DAYS})(?: \d+)?|{NUMBER}(?: {PIECE})?)(?=[.,;!]|$| y| en vez| ahora| para| de)",
        ),
        *named_relations(_REL, mine="mi|nuestro|nuestra", cues="mi |nuestr", that_is="que es|es"),
        *named_pets(
            "perr[oa]|gat[oa]|cachorro|conejo|hámster|loro|periquito|cobaya|caballo|tortuga",
            mine="mi|nuestro|nuestra",
            cues="mi |nuestr",
        ),
        form(
            Kind.HEALTH,
            "no puedo|no puede",
            r"no (?:(?P<first>puedo)|(?P<third>puede)) (?:comer|tomar|beber) (?P<value>lactosa|gluten|lácteos|leche|frutos secos|cacahuetes|marisco|pescado|huevos?|alcohol|cafeína|azúcar|nueces|avellanas)",
            name="avoids",
            single=Single.NEVER,
        ),
        form(
            Kind.WORK,
            "doy clase",
            r"doy (?P<value>clases? de [\w-]+(?: en (?:un |una |el |la )?[\w-]+)?)",
            name="job",
            single=Single.NEVER,
            is_speakers=True,
        ),
    ),
)

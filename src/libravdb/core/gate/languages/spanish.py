"""Spanish."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

_WORLD = (
    r"(?:servidor\w*|base de datos|backend|frontend|servicio|aplicación|repositorio|proyecto|despliegue|copia|pruebas|configuración"
    r"|contraseña|certificado|puerto|red|impresora|oficina|equipo|empresa|cliente|contrato|presupuesto|reunión|plazo|error|fallo|casa|piso|coche|boda|niños|api)"
)

SPANISH = GateVocabulary(
    name="spanish",
    script=Script.LATIN,
    common=frozenset(
        "a al algo ante así aunque como con cual cuando de del desde donde el ella ellos en era eres es esa ese eso esta está"
        " este esto estoy fue ha han hasta hay he la las le les lo los me mi mis muy más nada ni no nos nuestro nuestra o"
        " para pero por porque que qué quien se ser si sí sin sobre soy su sus también te tengo tiene tu un una uno y ya yo"
        " hoy ahora favor".split()
    ),
    person=(
        r"yo|me|mi|mis|mí|nosotros|nosotras|nos|nuestr[oa]s?|él|ella",
        r"madre|padre|padres|mamá|papá|hij[oa]s?|herman[oa]s?|abuel[oa]s?|niet[oa]s?|prim[oa]s?|tí[oa]s?|sobrin[oa]s?|espos[oa]|marido|mujer|novi[oa]|pareja|suegr[oa]|familia|bebé|niñ[oa]s?",
        r"amig[oa]s?|vecin[oa]s?|jef[ea]|compañer[oa]s?|coleg[ao]s?|médic[oa]|doctor[a]?|dentista|profesor[a]?|cliente|equipo|señor[a]?|don|doña",
    ),
    speaker=(
        r"(?:soy|somos|estoy|estamos|tengo|tenemos|vivo|vivimos|trabajo|trabajamos|estudio|nací|viajo|voy|vamos|fui|fuimos|he|hemos|uso|usamos|hago|compré|perdí|necesito|prefiero|quiero|odio|detesto|adoro|llamo|soporto|empiezo|termino|aprendo|entreno|toco|leo|escribo|cocino|compro|busco|pago|llevo|salgo|vengo|pongo|tomo|duermo|corro|nado|canto|enseño|creo una|llego|juego|hablo|conduzco|\w{2,}(?:amos|emos|imos))",
    ),
    preference=(
        r"prefier[oe]|preferimos|preferid[oa]s?|favorit[oa]s?|me gustan?|me encantan?|no me gustan?|odio|detesto|adoro|amo|no soporto|me apetece|fan de",
        r"alérgic[oa]|alergia|vegetarian[oa]|vegan[oa]|celíac[oa]|diabétic[oa]|intolerante|no (?:como|bebo|uso|fumo)|miedo a",
        r"decidido|decidimos|decidí|decisión|elegid[oa]|elegimos|elegí|optado|optamos|acordamos|acordado|en lugar de|en vez de|cambiamos|cambiado|quiero|queremos|me gustaría|migrar|guardamos|almacen\w+|alojad\w+|sino|usamos|uso|escrito en|corre en|juego al?|toco (?:el|la)",
    ),
    fact=(
        r"soy|somos|estoy|estamos|tengo|tenemos|vivo|vivimos|trabajo|trabajamos|estudio|estudié|nací|crecí|viajo|viajamos|voy a?|vamos a|fui|fuimos|he \w+(?:ado|ido|to|cho)|hemos \w+(?:ado|ido|to|cho)|me (?:llamo|mudé|mudo|casé|caso|dedico|rompí|jubilo)|cumplo|juego|hablo|uso|usamos|hago|conduzco|compré|compramos|perdí|empiezo|empecé|toco|leo|como|bebo|necesito|prefiero|quiero|odio|detesto|adoro|soporto|empiezo|termino|aprendo|entreno|toco|leo|escribo|cocino|compro|busco|pago|llevo|salgo|vengo|pongo|tomo|duermo|corro|nado|canto|enseño|creo una|llego|juego|hablo|conduzco|lo \w+é|\w{2,}(?:amos|emos|imos)|me (?:encanta|gusta)n?|no me gustan?",
        r"(?:mi|mis|nuestr[oa]s?) \w+",
        r"(?:el|la|los|las|del|al) (?:\w+ ){0,2}" + _WORLD,
        r"(?:él|ella) (?:es|tiene|vive|trabaja)|vive en|trabaja en|cumple|se llama|está en|corre en|escrito en",
    ),
    rule=(
        r"tr[aá]tame|h[aá]blame|siempre|nunca|jamás|a partir de ahora|de ahora en adelante|desde ahora|en el futuro|cada vez|recuerda(?: que)?|acuérdate|no olvides|asegúrate|ten en cuenta|llámame|evita|no (?:uses|borres|hagas|escribas|digas|toques|modifiques|olvides|envíes)",
    ),
    date=(
        r"lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
        r"\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}-\d{2}-\d{2}|(?:en|desde|hasta) (?:19|20)\d\d|a las? \w+|\d{1,2}:\d{2}",
        r"de (?:noche|día|madrugada)|antes|ahora|actualmente|a menudo|a veces|ya no|todos los \w+|todas las \w+|a partir de ahora|de ahora en adelante|ayer|anteayer|mañana|hoy|esta (?:mañana|tarde|noche|semana)|este (?:mes|año|verano|invierno)|(?:el|la) (?:próxim[oa]|pasad[oa]) \w+|(?:semana|mes|año|verano|invierno) (?:que viene|pasad[oa]|próxim[oa])|hace \w+ (?:días|semanas|meses|años|horas)|desde (?:hace )?\w+|cada \w+|navidad|por la (?:mañana|tarde|noche)|cumpleaños|cumple",
    ),
    quantity=(
        r"\d[\d.,]{0,12} ?(?:%|por ciento|km|kg|g|m|cm|gb|mb|ms|s|min|minutos|horas|días|semanas|meses|años|euros?|€|dólares|veces)(?!\w)",
        r"(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|mil|varios|varias|media) \w+",
        r"(?:todos|todas|ambos|ningún|ninguna|muchos|muchas|pocos|solo|sólo|cada) \w+|(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])",
    ),
    decision=(
        r"decidido|decidimos|decisión|elegid[oa]|elegimos|optamos|acordado|acordamos|en lugar de|en vez de|migrar|migramos|cambiamos|usamos|reemplaz\w+|arquitectura|escrito en|está en",
    ),
    fix=(
        r"arreglé|arreglad[oa]|solucion\w+|resuelt[oa]|corregid[oa]|corregí|la causa|se debía|era culpa|parche|lo arreglamos",
    ),
    release=(r"publicad[oa]|publicamos|lanzamos|lanzado|desplegad[oa]|desplegamos|fusionad[oa]|versión \d\S*|release",),
    configuration=(
        r"cambi(?:é|amos|ado)|configur\w+|puse|pusimos|subimos|bajamos|aument\w+|activ(?:é|amos|ado)|desactiv\w+|renombr\w+|puerto|variable de entorno",
    ),
    negation=(r"no|nunca|jamás|nada|nadie|sin|ni|tampoco|ningun[oa]?|ningún|ya no",),
    remember=(
        r"(?:(?:vale|y|por favor|oye|ah)[,:]? )*(?:recuerda(?: que|:|,)?|recuérdame que|acuérdate(?: de)?(?: que)?|apunta(?: que|:|,)?|anota(?: que|:|,)?|toma nota|ten en cuenta(?: que)?|ten presente|no (?:te )?olvides(?: que| de que|:)?|guarda (?:esto|que|lo siguiente)|memoriza|que conste)(?! (?:cuándo|cuando|cómo|qué|quién)\\b)",
        r"¿?(?:puedes|podrías|me puedes|podrías por favor) (?:por favor )?(?:recordar|apuntar|anotar|guardar|tener en cuenta|memorizar) (?:que|esto|mi)",
    ),
    change=(
        r"ahora|ya no|mudé|mudo|mudamos|cambi\w+|en lugar|en vez|nuev[oa]|dejé|dejado|antes|pasamos|migr\w+|desde (?:ayer|hoy|esta)|renombr\w+|aplazad[oa]|movid[oa]|subimos|cancelad[oa]",
    ),
    chatter=(
        r"hola|buenos días|buenas(?: tardes| noches)?|adiós|hasta (?:luego|mañana|pronto|la vista)|chao|¿?qué tal|cómo estás|cómo te va|bienvenid[oa]|buen (?:día|fin de semana)|saludos",
        r"(?:muchas |mil )?gracias(?: por .{1,30})?|te lo agradezco|eres (?:genial|el mejor|la mejor|un sol|increíble)|me (?:sirvió|ayudó|ha ayudado)(?: mucho)?|mucho",
        r"sí|si|no|vale|ok(?:ay)?|claro|de acuerdo|perfecto|genial|bien|muy bien|bueno|estupendo|excelente|exacto|entiendo|entendido|listo|correcto|qué (?:bueno|bien|interesante|gracioso)|interesante|por favor|ja(?:ja)+|guau|vaya|hm+|ya veo|ya|tienes razón|por supuesto|me parece bien|da igual|no importa",
        r"espera(?: un (?:momento|segundo))?|un (?:momento|segundo)|ya vuelvo|ahora vuelvo|sigamos|seguimos|sigue|continúa|continuemos|vamos|adelante|siguiente(?: paso)?|déjame (?:ver|probar|mirar)|voy a (?:ver|probar|mirar)|funciona(?: ahora)?|ya funciona|hecho|otra vez|estoy (?:cansad[oa]|aburrid[oa]|list[oa]|content[oa]|aquí)|de nada|qué .{1,20} día",
    ),
    request=(
        r"(?:por favor,? |ahora )*(?:escrib(?:e|eme|ir)|escríbe\w*|traduc(?:e|ir)|tradúce\w*|explica\w*|explíca\w*|resume\w*|resúme\w*|haz\w*|dame|dime|muestra\w*|muéstra\w*|enséña\w*|busca\w*|crea\w*|genera\w*|lista|compara|corrige\w*|cuenta\w*|cuénta\w*|revisa|ejecuta|añade|quita|prueba|intenta|calcula|redacta\w*|describe|ayúda\w*)",
        r"¿?(?:puedes|podrías|me puedes|me podrías|puede usted)|quiero que|necesito que|ayúdame",
    ),
    question=(r"qué|quién|quiénes|dónde|cuándo|cuánt[oa]s?|cómo|cuál|cuáles|por qué",),
    deictic=(r"eso|esto|ese|este|esta|eres|es|así|está",),
)

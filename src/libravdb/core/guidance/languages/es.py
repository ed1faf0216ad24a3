"""How wishes are said in Spanish."""

from __future__ import annotations

from libravdb.core.guidance.languages.wording import WishWording, any_of

_LANGUAGES = (
    "español|castellano|inglés|alemán|francés|italiano|portugués|catalán|gallego|euskera|vasco|valenciano|chino|japonés|"
    "danés|sueco|noruego|finés|griego|turco|húngaro|rumano|búlgaro|croata|serbio|checo|ucraniano|hebreo|hindi|coreano|vietnamita|"
    "tailandés|persa|asturiano|guaraní|quechua|esperanto|ruso|árabe|polaco|neerlandés|holandés|latín|mi idioma|mi lengua"
)
_OUTPUTS = (
    r"respuestas?|explicaci(?:ón|ones)|mensajes?|res[uú]menes|resumen|ejemplos?|listas?|viñetas|tablas?|párrafos?|emojis?|"
    r"emoticonos?|caritas|exclamaciones|jerga|tecnicismos|advertencias?|avisos|descargos|rodeos|introducci(?:ón|ones)|"
    r"relleno|paja|código|markdown|títulos|negritas?|detalles?|fuentes|enlaces|citas|preguntas|tono|disculpas|humor|"
    r"bromas|chistes|sarcasmo|ironía|sugerencias|recomendaciones|consejos|cumplidos|halagos|frases|celsius|euros|textos?|"
    r"recordatorios|spoilers|imágenes|fotos|dibujos|gráficos|diagramas|capturas|mayúsculas|minúsculas|cifras|discursos?|frases (?:motivadoras|hechas)|"
    r"citas|datos|pistas|ortografía|palabrotas|tacos|apodos|saludos?|despedidas?|firmas?|opiniones|suposiciones|repeticiones|conclusi(?:ón|ones)|"
    r"pasos|alternativas|opciones|comparaci(?:ón|ones)|porcentajes|adjuntos|audios|vídeos|comillas|asteriscos|paréntesis|guiones|colores|texto|"
    r"sermones|moralejas?|elogios|peloteo|cálculos?|variantes?|primera persona|diminutivos|autobombo|florituras|adornos|vueltas|horas|anglicismos|abreviaturas|comentarios|formalidades|texto plano|explicaciones|ladrillos|parrafadas"
)
_STYLE = (
    r"cort[ao]s?|breves?|concis[ao]s?|larg[ao]s?|detallad[ao]s?|extens[ao]s?|formal(?:es)?|informal(?:es)?|direct[ao]s?|"
    r"sencill[ao]s?|simples?|clar[ao]s?|honest[ao]s?|amables?|técnic[ao]s?|complet[ao]s?|precis[ao]s?|cercan[ao]"
)

_WORKS = (
    r"respond\w*|contest\w*|expliq\w*|explic\w*|escrib\w*|us[ae]\w*|utili\w+|habl\w*|dig\w*|dices|di|pregunt\w*|evit\w*|mant\w+|sea\w*|dej\w*|omit\w*|inclu\w*|añad\w*|pon\w*|"
    r"pong\w*|des|das|muestr\w*|cit\w*|mencion\w*|empie\w*|termin\w*|llam\w*|record\w*|recuerd\w*|avis\w*|envi\w*|enví\w*|mand\w*|confirm\w*|comprueb\w*|repit\w*|pid\w*|"
    r"traduc\w*|traduzc\w*|redonde\w*|recom\w+|sug\w+|trat\w*|tute\w*|inven\w*|borr\w*|reserv\w*|resum\w*|hag\w*|haces|numer\w*|firm\w*|salud\w*|compar\w*|corrij\w*|corrig\w*|"
    r"prepar\w*|prepares|propon\w*|redact\w*|calcul\w*|busc\w*|plane\w*|planifi\w*|divid\w*|marc\w*|list\w*|elog\w*|felicit\w*|dirij\w*|presentes"
)
_TASKS = (
    r"recetas?|menús?|dietas?|cocina|código|sql|python|java|rust|terraform|docker|excel|tablas|scripts?|funciones|tests?|commits?|correos?|cartas?|mensajes|mails?|"
    r"boletín|boletines|publicaciones|artículos?|informes?|actas?|diapositivas|presentaciones|facturas?|presupuestos?|contratos?|documentos?|traducciones|"
    r"resúmenes|consejos|ayuda|ideas|sugerencias|recomendaciones|preguntas|cosas|planes|rutas?|excursiones|excursión|caminatas?|paseos?|senderismo|viajes?|vacaciones|"
    r"vuelos?|trenes|hoteles|restaurantes?|películas?|libros?|juegos?|música|regalos?|compras?|deberes|mates|matemáticas|clases?|ejercicios?|entrenamientos?|"
    r"redacciones|cuentos?|poemas?|crucigramas?|costura|punto|jardín|huerto|plantas|circuitos|electrónica|reparaciones|impuestos|medicinas?|medicamentos|salud|"
    r"noticias|tiempo|deportes?|fútbol|ajedrez|vocabulario|gramática|solicitudes|citas|reuniones|clientes?|inquilinos"
)

SPANISH = WishWording(
    code="es",
    common=frozenset(
        "el la los las un una unos unas y o pero de del a al en con por para que no sí me te se mi tu su yo tú él ella"
        " nos es son era está lo le les más menos muy siempre nunca jamás cuando si como qué este esta esto eso ya"
        " también solo sólo ahora hoy quiero puedes favor hay ser todo todos sin sobre antes después mis tus".split()
    ),
    leads=(
        r"^(?:(?:ok(?:ay)?|vale|hola|oye|oiga|mira|bueno|bien|perfecto|genial|gracias|muchas gracias|por favor|porfa|y|pero|"
        r"ah|por cierto|una cosa(?: más)?|otra cosa|además|también|sí|no(?=[,.!])|jaja|pd|p\.d|nota|a ver|pues|entonces|"
        r"(?:recuerda|ten en cuenta|apunta|anota|no olvides) que|(?:recuerda|apunta|anota)(?=:)|eh|ey|disculpa|perdona|la verdad|claro|de acuerdo|estupendo|un favor|un detalle|aviso)[ ,:.!;–—-]+){1,6}"
    ),
    forward=any_of(
        r"(?:a partir|desde) de? ?(?:ahora|hoy|ya|mañana|este momento)|de ahora en adelante|de aquí en adelante|en adelante|"
        r"en el futuro|en lo sucesivo|de hoy en adelante|desde ahora|desde ya|la próxima vez|las próximas veces|ya no|nunca "
        r"más|no .{1,30} más|hasta (?:nuevo aviso|que te diga)|por defecto|salvo que (?:te )?(?:diga|pida)|para siempre|"
        r"en todas (?:tus|las) respuestas|en cada respuesta|como norma|de una vez por todas"
    ),
    habitual=any_of(
        rf"(?:de|en|con|para|a) (?:todas?|todos|cada)(?: las| los| mis| tus)?(?: \w+)? (?:{_TASKS}|{_OUTPUTS})|"
        r"siempre|nunca|jamás|cada vez(?: que)?|todo el tiempo|en general|por lo general|normalmente|todos los días|cada "
        r"(?:día|mañana|noche|mensaje)|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos|fines de semana)|"
        r"todas? (?:mis|tus)|tus respuestas|constantemente|continuamente|sin excepción|en todo momento|a todas horas"
    ),
    reported=(
        r"(?:^|[,;] ?|\b(?:y|pero|porque|como) )(?:(?:mi|su|el|la|los|las|un|una|nuestr[oa]|tu)(?: [\w-]+){1,3}|él|ella|"
        r"ellos|todos|alguien|la gente|mamá|papá) (?:siempre |ya |me |nos |también |una vez |ha |había ){0,4}(?:dice|dicen|"
        r"dijo|decía|decían|dicho|cuenta|contó|opina|quiere|quería|pide|pidió|pedía|recomienda|recomendó|aconseja|aconsejó|"
        r"insiste|cree|piensa|exige|espera|advierte|repetía|repite|enseñó|sugiere)\b|\bsegún\b|\bhe leído\b|\bme (?:dijo|"
        r"dijeron|enseñaron|enseñó|contó|aconsejó|recomendó|pidió)\b|\bdicen que\b"
    ),
    unreal=(
        r"\bsi (?:yo )?(?:fuera|tuviera|pudiera|hubiera)\b|^imagina\b|^supon\w*\b|\bojalá (?!respond|contest|us|fueras|seas)|"
        r"\bantes (?:siempre|solía)\b|\bhubiera\b|\bsolía\b"
    ),
    polite=r"^(?:puedes|podrías|me puedes|me podrías|te importaría|sería posible|podría|puede|serías tan amable)\b",
    exhorting=(
        r"\bcuíd[ae]te\b|\bcuídese\b|\bno te rindas\b|\bte rindas\b|\btú puedes\b|\bbuena suerte\b|\bsuerte\b|\bánimo\b|"
        r"\bque te (?:mejores|vaya|diviertas|recuperes|guste|cunda)\b|\bno te preocupes\b|\bpreocupes\b|\bdisfruta\b|"
        r"\bfeliz\b|\bsé (?:fuerte|feliz|tú mism[oa]|valiente|bueno)\b|\bten cuidado\b|\bdescansa\b|\bduerme bien\b|"
        r"\bno olvides\b|\bno te olvides\b|\bacuérdate de (?!respond|us|que)|\bavísame\b|\bllámame (?:mañana|luego|cuando|hoy|"
        r"esta|si|después|más tarde|al|el|en|a las)\b|\bven a\b|\bvente\b|\bsigue así\b|\bdeberías\b|\btu (?:madre|padre|"
        r"mamá|papá|abuela|hermana|hermano|mujer|marido|corazón|perro|gato|salud|familia|examen|novia|novio|jefe|sueño)\b|"
        r"\bsueñ\w+\b|\bconfía en\b|\bcree en ti\b|\bno tengas miedo\b|\bque (?:tengas|pases|descanses)\b|\bfelicidades\b|"
        r"\bun abrazo\b|\bbesos\b|\bte quiero\b|\bhidrátate\b|\bsonríe\b|\bvive\b|\bno estés triste\b|\bsaluda\b|\bcome bien\b"
    ),
    once=(
        r"\b(?:el|la) (?:título|letra|tabla|imagen|celda|columna|fila|encabezado|pie|fuente|color|gráfico|botón|fecha|foto|logo|portada)\b|"
        r"\b(?:esto|este|esta|estos|estas|eso|ese|esa|esos|aquello)\b|\b(?:haz|pon|corrige|traduce|reescribe|acorta|resume|"
        r"di|léel|envía|manda|cambia|borra|hazl)\w*(?:lo|la|los|las)\b|\bhoy\b|\bmañana\b|\besta (?:noche|tarde|vez)\b|"
        r"\bahora(?: mismo)?\b|\baquí\b|\bsiguiente\w*\b|\banterior\w*\b|\bde (?:arriba|abajo)\b|\bpor esta vez\b|"
        r"\b(?:el|la|los|las) (?:texto|frase|correo|carta|test|prueba|error|función|archivo|artículo|párrafo|línea|última|"
        r"último|segund[oa]|primer[oa]?|versión|lista|poema|mensaje|párrafos|código)\b|\b(?:escribe|dame|haz|hazme|redacta|crea|"
        r"busca|prepara|necesito|quiero|quisiera|me gustaría|explica|explícame|dime|cuéntame|sugiere|recomiéndame|ponme)\b"
        r"(?: me)? (?:un|una|unos|unas|tres|dos|cinco|diez|\d+|mi|cómo|qué|por qué|quién|cuál)\b|^[^:]{3,60}: ?(?:\S+ ){2,}"
        r"\S+|\bsí o no\b|\ben una (?:frase|palabra|línea)\b|\botra vez\b|\bde nuevo\b|\bcuando (?:llegues|termines|acabes|"
        r"puedas|tengas)\b|\ba mi (?:casero|jefe|jefa|madre|padre|hermana|amigo|amiga)\b|\bun poco más\b"
    ),
    head=(
        r"(?:^|[,;:.(!¡—–] ?| - |\b(?:y|pero|así que|entonces|o|sino|favor|ahora|adelante|futuro|porfa|recetas?|sql|código|"
        r"vez|siempre|libros|que|ya|python|semana|hoy) )(?:(?:por favor|siempre|nunca|jamás|no|solo|sólo|simplemente|mejor|"
        r"también|además|me|te|lo|le|nunca me|no me|ya no|a partir de ahora|en general|primero|ya)[, ]+){0,5}"
    ),
    verbs=(
        r"(?:\w{3,}[aeí]me(?= siempre| nunca)|quita|quítame|quites|saca|elimina|reconoce|reconócelo|ejecutes|ejecuta|lances|lanza|toques|toca|modifiques|sobrescribas|publiques|publica|firma|firmes|fírmame|numera|numeres|subraya|saludes|saluda|dirígete|"
        r"diríjase|detalla|lista|elige|prepara|prepares|redacta|redactes|instales|actualices|pagues|encargues|ponlos|ponlas|dalos|dalas|márcame|marca|divide|compara|"
        r"corrige|cuéntame|tráteme|trátenme|evítame|da por hecho|asume|avísame|espera|muéveme|cierra|abre|separa|ordena|elimines|gastes|contrates|responde(?:r|me)?|respóndeme|respondas|contesta(?:r|me)?|contéstame|contestes|explica(?:r|me)?|explícame|"
        r"expliques|escribe|escríbeme|escribas|escribir|usa|úsame|uses|usar|utiliza|utilices|utilizar|habla|háblame|hables|"
        r"hablar|di|dime|digas|decir|pregunta|pregúntame|preguntes|preguntar|evita|evites|evitar|mantén|mantengas|sé|seas|"
        r"ser|deja|dejes|dejar|omite|omitas|omitir|incluye|incluyas|incluir|añade|añadas|añadir|pon|ponme|pongas|poner|da|"
        r"dame|des|dar|muestra|muéstrame|muestres|cita|cites|citar|menciona|menciones|mencionar|empieza|empieces|empezar|"
        r"termina|termines|terminar|llámame|llames|recuérdame|recuerdes|avisa|envíes|envíame|mandes|mándame|confirma|"
        r"confirmes|confirmar|comprueba|compruebes|repitas|repite|repetir|pidas|pide|traduce|traduzcas|convierte|redondea|"
        r"recomiendes|recomienda|recomiéndame|sugieras|sugiere|trátame|trates|tutéame|tutees|háblame|ve al grano|vayas|"
        r"inventes|inventa|supongas|asumas|borres|borra|compres|reserves|compartas|guardes|despliegues|salta|saltes|saltarte|"
        r"ahórrate|ahórrame|limita|limítate|resume|resumas|formatea|haz|hagas|cambia|cambies|vuelve|vuelvas|adules|felicites|"
        r"agradezcas|molestes|despiertes|contactes|critícame|corrígeme|avísame antes|consulta|consúltame|destripes|reveles|"
        r"cuentes|abrevies|ocultes|indica|indiques|calcula|calcules)\b"
    ),
    speaking=any_of(
        r"respond\w*|respónd\w*|contest\w*|contést\w*|explic\w*|explíc\w*|habl\w*|hábl\w*|di|dime|digas|pregunt\w*|pregúnt\w*|"
        r"sé|seas|llám\w*|llames|recuérd\w*|escríb\w*|escribas|mandes|envíes|repit\w*|pidas|avis\w*|molestes"
    ),
    wanted=(
        r"\b(?:quiero|quisiera|prefiero|me gustaría|me gusta|me encanta|necesito|espero|odio|detesto|no quiero|no me gusta|"
        r"no soporto|me molesta|te pido|preferiría|agradecería|te agradecería|desearía|me encantaría|te dije)(?: mucho| más)?"
        r" que (?:\w+ )?|\b(?:sería|estaría|vendría) (?:\w+ )?(?:bien|genial|bueno|mejor|ideal|estupendo)(?: que| si)\b|"
        r"\bojalá (?:respond|contest|us|seas)\w*"
    ),
    prefers=(
        r"\b(?:prefiero|me gustan?(?: más)?|quiero|odio|detesto|no soporto|no me gustan?|necesito|me encantan?|no quiero|"
        r"no necesito|me molestan|preferiría|me sobran|me cansan|me bastan|no aguanto)\b"
    ),
    not_preferred=r"^ (?:un|una|unos|unas|tu|tus|est[aeo]s?|es[aeo]s?|mi|que|aprender|leer|escribir|hablar|saber|ir|el|tres|dos)\b",
    second=(
        r"\b(?:puedes|podrías|debes|deberías|no tienes que|no hace falta(?: que)?|no es necesario(?: que)?|tienes que|no "
        r"necesitas|no debes|no hay que|no necesito que|hace falta que)\b|\b(?:deja|dejes|para|basta) (?:ya )?(?:de|con)\b|"
        r"\btus (?:\w+ )?(?:respuestas|mensajes|explicaciones|textos) (?:\w+ )?(?:deben|deberían|tienen|pueden|son demasiado|"
        r"han de)\b|\bahórrate\b|\bahórrame\b|\bolvida lo\b|\bolvídate de lo\b|\bignora lo\b|\bvolvamos\b|\bpodemos (?:tutearnos|"
        r"hablar|usar)\b|\bte pido que\b"
    ),
    nominal=(
        rf"^(?:por favor,? |a partir de ahora,? |en adelante,? |y |solo )*(?:nada de|sin|menos|más|solo|sólo|no más|cero|ni)"
        rf"(?: [\w-]+){{0,3}}? (?:{_OUTPUTS})\b|^(?:{_OUTPUTS}) (?:(?:más |muy |siempre )?(?:{_STYLE})(?: y |, | )?)+|"
        rf"^(?:{_OUTPUTS})\b.{{0,40}}\b(?:por favor|siempre|solo|primero)\b|^(?:solo |siempre |todo |mejor )*en "
        rf"(?:{_LANGUAGES})\b|^(?:precios|temperaturas|fechas|distancias|pesos|cantidades|unidades|medidas|todo|los precios|las "
        rf"fechas|las temperaturas)\b(?:,? (?:siempre|nunca|solo|por favor|a partir de ahora))*,? (?:en|con|como|sin) \w+|^(?:más |muy )?(?:{_STYLE}),? por favor|"
        rf"^(?:para|en|con|sobre) (?:[\w-]+ ){{0,3}}?(?:recetas?|código|sql|python|correos?|consejos|ideas|sugerencias|recomendaciones|textos?|informes?|películas?|libros?|viajes?|vuelos?|hoteles|preguntas|mensajes|clientes|entrenamientos?|menús?|regalos?|tests|cartas?|listas?)(?: de \w+)?,? (?:solo|sólo|nada de|nunca|siempre|sin|jamás)\b|^(?:recetas?|código|sql|python|correos?|consejos|ideas|sugerencias|recomendaciones|textos?|informes?|películas?|libros?|viajes?|vuelos?|hoteles|preguntas|mensajes|clientes|entrenamientos?|menús?|regalos?|tests|cartas?|listas?): ?.{{0,60}}"
        rf"\b(?:siempre|nunca|por favor|cada vez)\b|^(?:cuando|si) .{{3,40}},? que (?:sean?|tengan?|lleven?) .{{2,40}}|\b(?:solo|sólo|únicamente) (?:en )?(?:{_LANGUAGES})\b|"
        rf"^(?:[\w-]+ ){{0,2}}?(?:recetas?|código|sql|python|correos?|consejos|ideas|sugerencias|recomendaciones|textos?|informes?|películas?|libros?|viajes?|vuelos?|hoteles|preguntas|mensajes|clientes|entrenamientos?|menús?|regalos?|tests|cartas?|listas?) (?:en|con|sin|como) [\w' ,-]{{2,40}}\b(?:por favor|siempre|cada vez)\b"
    ),
    address=(
        r"\b(?:llámame|llámeme|dime|puedes llamarme|puedes decirme|me puedes llamar|me llames|llamarme|me digas|quiero que me "
        r"llames) (?!(?:mañana|luego|cuando|hoy|esta|si|después|más tarde|al |el |en |a las|loc[oa]|ahora|la |lo |que|cómo|qué|"
        r"por|algo|antes|pront|un |una |dónde|quién|cuál|tu |siempre|todo)\b)[^\W\d]|\btut[eé]a(?:me|rme)\b|\btutees\b|"
        r"\btrátame de\b|\bme trates de\b|\bháblame de (?:tú|usted)\b|\b(?:me hables|hablarme) de (?:tú|usted)\b|\bpodemos "
        r"tutearnos\b|\bde usted\b"
    ),
    not_address=r"\b(?:todos|mis amigos|la gente|ellos|mi \w+) me (?:llaman?|dicen?)\b|\bme llamo\b",
    condition=(
        r"(?:^|[,;] ?|\b(?:y|pero|favor) )(?:cuando|cada vez que|siempre que|si) (?:te|me|yo|escribas|hables|hagas|uses|pida|"
        r"pregunte|hablemos|sea|estés|des|pases|programes|\w+s)\b|(?:^|[,;] ?)(?:para|en|con|sobre) (?!(?:mí|el futuro|"
        r"general|adelante|todas|cada|serte|ser))[\w' -]{2,40}|\b(?:en|para|con|sobre) (?:el |la |las |los |mis? )?(?:\w+ )?"
        r"(?:sql|python|código|recetas?|correos?|cocina|informes?|viajes?|vuelos|libros|películas|tablas|facturas|clientes|"
        r"commits?|entrenamientos?|cartas)\b|\bcuando te (?:pida|pregunte por|hable de)\b|\bsql\b|\brecetas\b"
    ),
    agentive=(
        r"\b(?:cuando|cada vez que|siempre que|si) (?:(?:yo )?te (?:pid\w*|pregunt\w*|mand\w*|enví\w*|habl\w*|cuent\w*|d[ée]|diga|pase|comparta)|(?:me |nos )?"
        r"(?:escribas|propongas|recomiendes|des|hagas|expliques|respondas|contestes|uses|prepares|ayudes|planees|traduzcas|resumas|muestres|programes|"
        r"sugieras|calcules|busques|redactes|no (?:lo )?sepas|no estés segur\w|no sabes|menciones|hables|cites|pongas)|hablemos|se trate|pregunte|pida|mencione|pegue)\b"
    ),
    clause=(
        r", (?!(?:no|me|te|se|el|la|los|las|mi|que|todo|nadie|es|está|era|hay|y|pero|porque|para|como|ella|yo|él|nos|lo|le|ya|si|cuando|siempre|nunca)\b)[a-záéíóúñ]+(?<!o)(?<!ó)(?<!é)(?<!s) "
        r"(?:siempre|primero|nunca|por|con|en|el|la|los|las|un|una|solo|sólo|directamente|antes|todo)\b"
    ),
    normative=(
        r"^(?:(?:todos|todas) )?(?:los|las|mis|tus|el|la)? ?(?:[\w-]+ ){0,2}?(?:mensajes?|correos?|cartas?|informes?|ideas|consejos|recetas?|código|tablas?|"
        r"títulos?|commits?|funciones|resúmenes|textos?|sugerencias|planes|respuestas|consultas|listas?|ejemplos|precios|cantidades|comentarios|traducciones|"
        r"tests|regalos)\b(?: (?:para|de|a|en) (?:[\w-]+ ?){1,4})?,? ?(?:deben|debe|deberían|tienen que|han de|hazl[oa]s?|ponl[oa]s?|dal[oa]s?|(?:siempre|nunca)(?! (?:suben|bajan|cambian|llegan|son|están)\b)|"
        r"que sean|escríbel[oa]s?|mándal[oa]s?|quiero que)\b"
    ),
    acting=r"\b(?:yo|nosotros|él|ella|ellos|quien|se|a|para|de)(?: (?:siempre|nunca|también))? $",
    for_me=r"\b(?:me|mí|conmigo|nos)\b|\w+me\b",
    others=(
        r"^(?:yo|nosotros|él|ella|ellos|mi \w+|el \w+|la \w+|(?:a partir de ahora|desde hoy|de ahora en adelante),? (?:voy|iré|vamos|yo|como|haré|\w+ré)|"
        r"siempre (?!pre|resp|usa|pon|da|di)\w+o|nunca \w+o)\b"
    ),
    subjects=any_of(_TASKS),
    proposing=any_of("recom\\w+|sug\\w+|propon\\w*|reserv\\w*|compr\\w*|despli\\w*|busc\\w*|planific\\w*"),
    usual=(
        r"\b(?:cuando|cada vez que|siempre que|si) (?:me |nos )?(?:des|digas|pongas|menciones|escribas|muestres|uses|cites) (?:las? |los? |una? |el )?(?:horas?|precios?|números?|fechas?|distancias?|temperaturas?|"
        r"pesos?|cantidades|importes?|nombres?|enlaces?|ejemplos?|medidas|cifras)\b|"
        r"\b(?:cuando|cada vez que|siempre que|si|antes de(?: que)?) (?:te |me |yo |no )*(?:respond\w*|contest\w*|expli\w*|"
        r"habl\w*|pregunt\w*|pid\w*|escrib\w*|ayuda|sabes|sepas|estés|estás|borr\w*|envi\w*|env[ií]\w*|compr\w*|hac\w*|hag\w*|"
        r"cambi\w*|dud\w*|sea posible)(?: (?:seguro|algo|ayuda|nada|una pregunta|conmigo))?[,.]?(?= |$)(?! (?:de|por|libros|"
        r"películas|sql|código|correos|recetas|una receta|vuelos)\b)(?! sql| c[oó]digo)|\ben (?:tus|todas|cada|las) "
        r"(?:\w+ )?(?:respuestas?|mensajes?|explicaciones)\b|\bpara mí\b|\bconmigo\b|\bantes de\b"
    ),
    outputs=any_of(_OUTPUTS),
    undoing=(
        r"\bpuedes\b|\bbasta con\b|\bno hace falta\b|\bquita\b|\bpuedes dejar\b|"
        r"\botra vez\b|\bde nuevo\b|\bya no\b|\bolvid\w+ lo\b|\bignora\b|\bmejor\b|\bvuelve\b|\bvolvamos\b|\ben vez\b|\bal final\b|"
        r"\bcambi\w+\b|\bno hace falta\b|\bno tienes que\b|(?<!de )(?<!desde )\bahora\b"
    ),
    meaning=r"^(?:cuando|si) (?:yo )?(?:digo|diga|escribo|hablo de|menciono) .{1,60}?,? (?:me refiero|quiero decir|hablo|es|significa)\b|^por .{1,40} entiendo\b|^con .{1,40} me refiero\b",
    telling=(
        rf"\b(?:prefiero|quiero|me gustaría|agradecería|te pido) que (?:no |me |siempre )*(?=\w+s\b)(?:{_WORKS})\b.*\b(?:conmigo|siempre|nunca|cada vez)\b|"
        r"\ben caso de duda\b|\bsi no (?:lo )?(?:sabes|encuentras|estás segur\w|puedes) |\b(?:con )?una? (?:\w+ )?(?:frase|línea|palabra|opción|ejemplo|respuesta|sugerencia) (?:me )?(?:basta|vale|llega|es suficiente)\b|\b(?:me )?basta con una? \w+|\bcon una? \w+ (?:me )?basta\b|"
        r"\b(?:da|dé) por (?:hecho|sentado|sabido) que\b|\b(?:asume|supón|ten presente|parte de la base de) que (?:sé|soy|tengo|ya|conozco|no|estoy|he|entiendo)\b|\btrát[ae]me como\b|"
        r"\bconsidérame\b|\bháblame (?:como|sin|con|en)\b|\bdir[ií]j[ae](?:te|se) a mí\b|\bdirígete a mí\b|"
        rf"\b(?:entiendo|aprendo|me aclaro|sigo|leo|me concentro|me oriento)\b.{{0,30}}\b(?:si|cuando) (?:\w+ ){{0,2}}?(?:{_WORKS})\b|"
        rf"\b(?:me (?:\w+ )?(?:ayuda|sirve|molesta|viene|resulta|facilita|confunde|agobia|irrita|gusta|cuesta|saca|pone|va|alegra))\b.{{0,30}}\b(?:que|si|cuando) (?:\w+ ){{0,2}}?(?=\w+s\b)(?:{_WORKS})\b|"
        rf"\b(?:ahórrame|ahórrate|evítame|déjate de|basta de|basta ya de|fuera) (?:los|las|el|la|tantos|tantas|tanto)?\b|"
        rf"\bno (?:hace falta|es necesario|tienes por qué|tienes que|necesitas)(?: que)? (?:\w+ ){{0,2}}?(?:{_WORKS})\b.{{0,40}}\b(?:cada vez|siempre|más|nunca)\b|"
        rf"\bno (?:hace falta que|tienes que|tienes por qué) (?:me |te )?(?:{_WORKS}|\w+rte|\w+rme)\b"
    ),
    verbless=(
        r"\b(?:no|nunca|jamás|nada|ningún|ninguna)\b.{1,60}\bsin (?:\w+ )?(?:pregunt\w*|avis\w*|consult\w*|dec[ií]r\w*|mi \w+|confirm\w*|que (?:yo|te))\b|"
        rf"^(?:por favor,? |siempre )*una? (?:\w+ )?(?:cada vez|a la vez|por (?:mensaje|respuesta|vez))\b|^(?:de )?un[ao] en un[ao]\b|"
        rf"(?:^|[,;:–—-] ?|\by |\basí que )(?:por favor,? )?(?:nada de|sin|solo|sólo|cero|ni|nunca|no más|basta de|únicamente) (?:[\w-]+ ){{0,3}}?(?:{_OUTPUTS})\b(?! (?:es|son|era|de la|del)\b)|"
        rf"^(?:las |los |el |la )?(?:{_OUTPUTS}|números|precios|fechas|horas|temperaturas|distancias|pesos|cantidades|medidas|importes|nombres)(?: (?:del|de la|de|para) [\w ]{{1,15}})?(?:,? (?:siempre|nunca|solo|sólo|por favor))*,? (?:en|con|sin|como|al|muy|más) .{{0,40}}\b(?:siempre|nunca|solo|"
        rf"por favor|a partir de ahora)\b|^(?:las |los |el |la )?(?:{_OUTPUTS}|números|precios|fechas|horas)(?: (?:del|de la|de|para) [\w ]{{1,15}})?(?:,? (?:siempre|nunca|solo|sólo)){{1,2}} (?:en|con|sin|como|al|muy|más)\b|"
        rf"^(?:a partir de ahora|de ahora en adelante|desde hoy),? (?:las|los|el|la) (?:{_OUTPUTS}|números|precios|fechas|horas)\b|"
        rf"^(?:los |las )?(?:precios|números|fechas|horas)\b.{{0,6}}\b(?:ponl|dal|escríbel|hazl|mándal)[ao]s\b|"
        rf"^(?:para|en|con|sobre|de) (?:[\w-]+ ){{0,3}}?(?:{_TASKS})(?:,? (?!(?:se|yo|él|ella|hay|había|era|es|son|está|fue|hubo|nunca se|siempre se)\b)[\w\"-]+){{0,6}}?,? (?!(?:nunca|siempre) se\b)(?:siempre|nunca|solo|sólo|nada|sin|jamás|por favor|únicamente|no)\b|"
        rf"^(?:[\w-]+ ){{0,3}}?(?:{_TASKS})(?: para mí)?: ?.{{0,120}}\b(?:siempre|nunca|solo|sólo|nada|por favor|sin|no)\b|"
        rf"^(?:en |para |con )?(?:todo|cualquier|cada|nada|ningún|ninguna|lo)\b.{{0,60}}\bque (?:me |nos )?(?:{_WORKS})\b|"
        rf"^(?:cuando|si) .{{3,50}},? que (?:no )?(?:sean?|tengan?|lleven?|estén?|vayan?|vengan?)\b|^que (?:no )?(?:sean?|haya|lleven?) .{{2,40}}\b(?:siempre|nunca)\b"
    ),
    released=(
        rf"\bya no (?:hace falta|hacen falta|necesito|quiero)(?: el| la| los| las| más)? (?:{_OUTPUTS})\b|"
        rf"\b(?:{_OUTPUTS}|precios|carne|pescado)\b.{{0,40}}\b(?:ya no (?:hace falta|hacen falta|es necesari\w+|son necesari\w+|l[oa]s? necesito)|(?:otra vez|de nuevo) (?:bien|vale)|"
        rf"vuelven a|está bien|están bien|puedes (?:quitar|dejar|volver))\b|^(?:vuelve|volvemos|volvamos|de vuelta) (?:al?|a los|a las) (?:{_OUTPUTS}|{_LANGUAGES}|{_STYLE}|tú|usted|formato|lo de (?:siempre|antes))\b|\bvuelve a (?:usar|poner|escribir|hablar|responder|contestar|dar|tratar|llamar|tutear|firmar)\w*\b|\bya no (?:hace falta|necesito|quiero|es necesario) que\b|"
        rf"\bpuedes (?:volver a )?(?:usar|poner|hacer|mandar|meter)\b.{{0,30}}\b(?:otra vez|de nuevo|ya)\b"
    ),
    even=r"\b(?:aunque|incluso (?:si|cuando)|aun (?:si|cuando)|por más que|da igual|sin importar|a pesar de) .*$",
    topics={
        "tax": any_of(r"iva|impuestos?|net[oa]s?|brut[oa]s?"),
        "signature": r"\bfirm(?:a|as|es|ar|e|ado)\b",
        "images": any_of(r"imágenes|imagen|fotos?|dibujos|gráficos|diagramas"),
        "case": any_of(r"mayúsculas|minúsculas"),
        "numbering": r"\bnumer(?:a|es|ar|ad[oa]s?)\b",
        "quiz": any_of(r"test final|pregunta de repaso|adivinanzas?"),
        "summary": any_of(r"resumen|resúmenes"),
        "diet": any_of(
            r"vegan[oa]s?|vegetarian[oa]s?|carnes?|pescado|cerdo|ternera|pollo|gluten|lactosa|frutos secos|cacahuetes|azúcar"
        ),
        "pace": r"\b(?:cada vez|a la vez)$|\blínea por línea\b",
        "language": any_of(_LANGUAGES),
        "emoji": any_of("emojis?|emoticonos?|caritas"),
        "formality": r"\btut[eé]\w+|\bde (?:tú|usted)\b|\btutearnos\b",
        "narrator": any_of("(?:primera|segunda|tercera) persona"),
        "address": r"\bll[aá]m(?:ame|arme|es|eme)\b|\bmi nombre\b|\bapodo\b|\bme digas\b|\bdime (?!si|que|qué|cuando)[a-zñ]+[.!]?$",
        "times": (
            r"\b(?:escrib\w*|llam\w*|mensaje\w*|mand\w*|envi\w*|enví\w*|contact\w*|molest\w*|record\w*|despiert\w*|avis\w*)\b"
            r".{0,40}\b(?:antes de|después de|hasta|entre|a partir de las|los|el|por la|de noche|en)\b.{0,14}\b(?:\d{1,2}|las|"
            r"mediodía|noche|noches|mañana|fines? de semana|domingos?|sábados?|lunes|viernes|ocho|nueve|diez)\b"
        ),
        "units": any_of(
            r"métric\w*|celsius|fahrenheit|gramos?|kilos?|kilogramos|kg|libras|onzas|tazas|kilómetros?|km|millas|"
            r"litros?|unidades|medidas|pulgadas"
        ),
        "currency": any_of("euros?|dólares|moneda|pesos"),
        "dates": any_of(r"24 horas|formato de fecha|fechas"),
        "confirmation": (
            r"\bsin (?:\w+ )?(?:avis\w*|dec[ií]r\w*|mi (?:ok|consentimiento|visto bueno|aprobación))\b|"
            r"\bpreg[uú]nt\w+ (?:\w+ ){0,2}(?:antes|primero)\b|\bsin (?:preguntar\w*|consultar\w*|mi permiso|confirm\w*)\b|"
            r"\bconfirm\w+\b|\bcons[uú]lt\w+\b|\bantes de (?:borrar|enviar|comprar|hacer|cambiar|eliminar|reservar|mandar)\b|"
            r"\bpid\w+ permiso\b"
        ),
        "order": r"\b(?:respuesta|resultado|conclusión|resumen)\b.{0,14}\b(?:primero|al principio)\b|\bprimero (?:la|el) (?:respuesta|resultado|conclusión)\b",
        "questions": r"\bpreguntas (?:de vuelta|al final)\b|\bcon una pregunta\b|\brepreguntes\b",
        "repetition": any_of(r"repit\w*|repet\w*"),
        "apologies": any_of(r"disculp\w*|perdón|perdones"),
        "disclaimers": any_of("advertencias?|avisos|descargos|sermones|moralejas?"),
        "smalltalk": any_of(
            "rodeos|relleno|paja|introducci(?:ón|ones)|al grano|formalidades|saludos|cháchara|agradezcas"
        ),
        "praise": any_of("cumplidos|halagos|adul\\w+|felicit\\w+"),
        "level": any_of(
            "jerga|tecnicismos|palabras sencillas|lenguaje (?:sencillo|claro|simple)|como si (?:tuviera|fuera)|"
            "principiante|anglicismos|lo básico|abreviaturas"
        ),
        "options": any_of("opciones|opción|alternativas"),
        "examples": any_of("ejemplos?|analogías"),
        "sources": any_of("fuentes?|enlaces|referencias|citas?|cites"),
        "honesty": any_of(
            r"invent\w+|adivin\w+|no (?:lo )?(?:sabes|sepas)|no estés segur[oa]|no estás segur[oa]|comprueb\w+|verific\w+"
        ),
        "criticism": any_of("direct[oa]|sincer[oa]|honest[oa]|sin filtros|crític[oa]s?|franc[oa]|critícame|verdad"),
        "humour": any_of("humor|bromas?|chistes?|sarcas\\w+|ironía|graci\\w+|serio"),
        "tone": any_of("formal(?:es)?|informal(?:es)?|cercan[oa]|amable|tono|amigo|profesional|exclamaciones"),
        "layout": any_of("viñetas|listas?|párrafos|puntos|texto corrido|paso a paso"),
        "portions": r"\bpara (?:un[ao]|dos|tres|cuatro|cinco|seis|\d{1,2})(?: personas|$|[.,!])|\braciones\b",
        "format": any_of(
            "viñetas|listas?|tablas?|markdown|títulos|negritas?|texto plano|párrafos|puntos|formato|pasos|paso a paso"
        ),
        "length": any_of(
            r"cort[ao]s?|breves?|concis[ao]s?|larg[ao]s?|detallad[ao]s?|detalles?|extens[ao]s?|frases|palabras|resum\w+|"
            r"brevedad|líneas|ladrillos|parrafadas"
        ),
        "indentation": any_of("sangría|tabuladores|\\w+ espacios"),
        "code": any_of(
            "código|comentarios|tipos|sangría|mayúsculas|minúsculas|palabras clave|sql|funciones|variables|espacios"
        ),
        "privacy": r"\b(?:compart\w+|guard\w+|revel\w+)\b.{0,30}\b(?:mis?|datos|número|dirección)\b",
        "reminders": any_of("recu[eé]rd\\w+|recordatorios"),
    },
)

"""Spanish."""

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

_AR = words("""
arreglar apagar reparar devolver avisar fregar barrer reponer
confiar despertar salir abandonar acabar acortar acumular alterar anular asustar callar cargar comerciar
compilar conectar confundir
considerar contratar crear criticar culpar declarar desechar diseñar duplicar encargar encender entregar estimar
exagerar
felicitar fijar forzar ignorar inventar juzgar justificar lavar levantar llorar manipular medir mejorar mezclar molestar
montar negar nivelar obligar observar olvidar pegar perder permitir pinchar portar prestar presuponer prometer quedar
refactorizar regalar repartir retrasar romper saltar silenciar subrayar tirar tocar trasladar trabajar truncar vaciar
aprobar aplicar archivar asignar aislar bloquear cachear calcular cocinar comprar configurar contar
convocar desglosar envolver escapar esquivar filtrar invocar justificar llenar numerar oír pagar pintar podar rechazar
regar reintentar rotar tirar versionar vigilar
aceptar activar actualizar adaptar adjuntar agregar ajustar analizar anotar aportar apuntar avisar ayudar
añadir borrar buscar cambiar cancelar cerrar cifrar citar colocar comentar comparar completar comprobar comunicar
confirmar conservar consultar contestar controlar copiar corregir crear cuidar dejar depurar desactivar descargar
desplegar detallar documentar editar ejecutar eliminar empezar encapsular enseñar enviar escalar especificar esperar
etiquetar evaluar evitar explicar exportar expresar firmar formatear fusionar generar guardar hablar importar
incorporar indicar informar iniciar instalar integrar intentar lanzar limitar limpiar listar llamar llevar mandar
mantener marcar mencionar migrar minimizar modificar mostrar nombrar notificar ocultar omitir ordenar organizar
parar pasar planificar preguntar preparar presentar priorizar probar procurar programar publicar quitar razonar
realizar recordar redactar reemplazar registrar renombrar reordenar repasar reservar respetar restaurar revelar
revisar sacar saludar separar simplificar soportar sustituir tomar trabajar tratar usar utilizar validar verificar
""")
_ER_IR = words("""
abrir aprender asumir añadir compartir comprender convertir corregir definir describir dividir elegir escribir
excluir exigir fingir hacer imprimir incluir insertar leer mantener medir mover obtener ofrecer omitir pedir poner
prometer proponer proteger reducir repetir requerir resolver responder resumir seguir subir suprimir tener traducir
transmitir unir vender ver volver romper recoger reponer devolver preferir
""")


def _stressed(form: str) -> str:
    """ "recuerda" as it is written before a pronoun: "recuérda(me)"."""
    groups = list(re.finditer("[aeiou]+", form))
    if len(groups) < 2:
        return form
    group = groups[-2]
    place = next((group.end() - 1 - i for i, vowel in enumerate(reversed(group[0])) if vowel in "aeo"), group.end() - 1)
    return form[:place] + "áéíóú"["aeiou".index(form[place])] + form[place + 1 :]


def _with_pronouns(forms: frozenset[str]) -> frozenset[str]:
    """ "avísame", "házlo", "dímelo": a command with its object."""
    return frozenset(
        _stressed(form) + pronoun for form in forms for pronoun in "me nos lo la los las le les se".split()
    )


def _forms(verbs: frozenset[str]) -> frozenset[str]:
    """The forms that command and forbid: usa, use, uses, usen, usad, usar; escribe, escriba, escribas …"""
    forms: set[str] = set()
    for verb in verbs:
        stem, kind = verb[:-2], verb[-2:]
        if kind == "ar":
            soft = {"c": "qu", "g": "gu", "z": "c"}.get(stem[-1])
            spelt = stem[:-1] + soft if soft else stem
            forms |= {stem + "a", spelt + "e", spelt + "es", spelt + "en", stem + "ad", verb, spelt + "emos"}
        elif kind in ("er", "ir"):
            forms |= {stem + "e", stem + "a", stem + "as", stem + "an", verb, stem + "amos", stem + "ed", stem + "id"}
    return frozenset(forms)


def _commands(verbs: frozenset[str]) -> frozenset[str]:
    """The form that commands a friend, with the vowel that breaks under stress: recordar, recuerda."""
    plain = {verb[:-2] + ("a" if verb.endswith("ar") else "e") for verb in verbs}
    return frozenset(plain | words("recuerda muestra cuenta prueba cierra piensa enseña dile dime"))


def _third_persons(verbs: frozenset[str]) -> frozenset[str]:
    """ "arregla", "escribe", "cierran": what somebody does, not what is said to be done."""
    forms: set[str] = set()
    for verb in verbs:
        vowel = "a" if verb.endswith("ar") else "e"
        forms |= {verb[:-2] + vowel, verb[:-2] + vowel + "n"}
    return frozenset(forms)


_DAYS = "(?:lunes|martes|miércoles|jueves|viernes|sábados|domingos|fines de semana)"
_FORM = (
    "(?:inglés|español|francés|alemán|chino|imperativo|mayúsculas?|minúsculas?|singular|plural|presente|infinitivo|`)"
)
_WHEN = f"(?:los {_DAYS}|sin|antes|hasta|después|a mano|manualmente|directamente|directos?|directas?)"
_NOT_MEANT = (
    "(?!(?:sabe|saben|ve|ven|oye|entiende|trata|cree|nota|encuentra|parece|acuerda|conoce|puede|pueden|debe|deben"
)
_NOT_MEANT += "|preocupe|vacía|carga|muestra|muestran|ha|han|va|van|sea|hagan|viene|vive|responde"
_NOT_MEANT += "|contesta|quiere|tiene|es|está)\\b)"

SPANISH = DeonticLanguage(
    code="es",
    common=words("""
    a al algo antes cada como con cuando de del desde donde el ella ellos en entre eres es esa ese eso esta estas
    este esto estos está fue ha hasta hay la las le les lo los me mi mis muy más nada ni no nos nunca o otra para
    pero por porque puede puedes que quien se sea ser si siempre sin sobre son su sus también tan te tiene todas
    todo todos tu un una unas uno unos usted y ya yo
    """),
    speaker=words("yo me"),
    addressee=words("tú usted ustedes vosotros"),
    group=words("nosotros"),
    others=words("él ella ellos ellas"),
    things=words("esto eso ello"),
    whoever=phrases("quien | quienes | el que | la que | los que | cualquiera que | el último que | aquel que"),
    norm_verbs=(
        _third_persons(_AR | _ER_IR)
        | words(
            "cierra cierran prueba vuelve pide sigue friega da dan hace hacen paga pagan pone ponen"
            " trae recoge devuelve"
            " enciende"
        )
    )
    - words("pierde pierden ve ven aprende espera tiene comprende"),
    asking=phrases("podrías | podría | podríais | me podrías | te importaría"),
    unfailing=words("siempre nunca"),
    styled=phrases("sangría | sangrado | indentación | comillas | finales de línea | longitud de línea | ortografía"),
    placed=words("van va viven se"),
    belonging=words("van va"),
    people=words("""
    agente agentes asistente clientes colaboradores desarrolladores invitados nadie niños todos usuarios
    """),
    relatives=words("madre padre hermano hermana jefe jefa médico médica marido mujer novio novia abuela abuelo"),
    nobody=words("nadie nada ningún ninguna ninguno"),
    question_words=words("qué quién cómo cuándo dónde cuál cuánto"),
    inverters=words("debo debería puedo podría tengo hago es está son hay puedes podrías debemos"),
    inverted=words("yo"),
    reporting=words("""
    aconsejó afirma afirmó contó decía dice dijeron dijo escribe escribió pidió preguntó recomendó según
    """),
    hedges=phrases("quizás | quizá | tal vez | creo que | supongo | a lo mejor | puede que | pienso que"),
    small_talk=phrases("""
    a ver | anda | cuéntame qué | cuéntame cómo | mándame el | mándame la | pásame el | pásame la | que descanses
    que te mejores | que te vaya
    que tengas | que pases | que duermas | tienes que ver ese | tienes que ver esa | tienes que ver esta
    tienes que ver este | tienes que probar | tienes que venir | llámame cuando llegues | llámame luego
    llámame mañana | avísame cuando llegues | ven a | vente a | saluda a | dale un | dale una | ánimo | buena suerte
    buenas noches | buenas tardes | buenos días | claro | cuídate | de nada | debe de
    debes de estar | espera | gracias | hasta luego | hasta mañana | hasta pronto | hola | imagina | lo siento
    mira | mucha suerte | muchas gracias | ni idea | ningún problema | no creo | no entiendo | no fastidies
    no hace falta que te preocupes | no hay problema | no importa | no lo sé | no me acuerdo | no me digas
    no me gusta | no me gustan | no pasa nada | no puede ser | no puedo | no quiero | no recuerdo | no se preocupe
    no sé | no te preocupes | no tengo | nos vemos | nunca jamás | nunca más | nunca se sabe | oye | pasa | perdona
    perdón | que aproveche | suena bien | ten cuidado con lo que | tiene razón | tienes razón | vale la pena | vamos
    """),
    status_labels=words("respuesta error resultado salida estado fallo aviso esperado asunto conclusión"),
    past=words("ayer anoche anteayer pasado pasada antaño entonces"),
    past_forms=frozenset(),
    momentary=words("mañana hoy luego pronto"),
    leads=phrases("""
    a partir de ahora | además | ahora | ante todo | así que | bien | bueno | de ahora en adelante | de lo contrario
    desde ahora | ah | ah y | bueno pues | por cierto | pues | oye y | eh | e | en adelante | en el futuro
    en general | entonces | finalmente | genial | importante | luego | mejor
     nuevamente | ok | oye | perfecto | pero | porfa | porfi | por defecto | por favor | por lo tanto | primero
    si es posible | siempre | siempre que puedas | simplemente | solo | sí | sólo | también | vale | y
    """),
    greetings=words("gracias hola perdona perdón lo vale genial perfecto ok bueno"),
    markers=words("nunca jamás siempre evita recuerda asegúrate"),
    subordinators=words("si cuando porque aunque mientras que como donde para salvo aun"),
    conditions=words("si cuando"),
    only=words("solo sólo"),
    openers=words("antes después en para con sin durante bajo por al tras desde según ante de a"),
    has_generic_articles=True,
    determiners=words("""
    cada el esta estas este estos la las los mi nuestro su toda todas todo todos tu un una unas unos
    """),
    adverbs=words("siempre también solo sólo nunca jamás ya se me te le les lo la los las nos más"),
    finite=words("es son está están era fue ha han había tiene tienen puede pueden debe deben va van hay sea"),
    formulas=by_modality(
        obligation="""
        asegurarse | asegúrate | asegúrese | avísame | debemos | debes | es fundamental | es importante
        es imprescindible | es necesario | es obligatorio | hay que | háblame | llámame | me gustaría que
        necesito que | no olvide | no olvides | no te olvides | prefiero que | pregúntame | quiero que | recordad
        recuerda | recuerde | se debe | se deben | te llamas | ten en cuenta | ten presente | tenemos que
        tenga en cuenta | tienes que | trátame | tu nombre es | tu trabajo es
        """,
        prohibition="""
        bajo ningún concepto | deja de | en ningún caso | está prohibido | nada de | no debemos | no debes
        no está permitido | no hay que | no puedes | no quiero que | no se debe | no se deben | no se permite
        no se permiten | no se puede | no se pueden | prefiero que no | procura no | prohibido | queda prohibido
        se prohíbe
        """,
        permission="""
        está permitido | no es necesario | no es obligatorio | no hace falta | no tienes por qué | no tienes que
        puedes | se permite | se permiten | se puede | siéntete libre de
        """,
    ),
    modals=(
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION)
            for form in ("debe", "deben", "deberá", "deberán", "debes", "debemos", "tienes que", "hay que")
        ),
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PERMISSION)
            for form in ("tiene que", "tienen que", "necesita", "necesitan", "ha de", "han de", "has de")
        ),
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION, weight="weak")
            for form in ("debería", "deberían", "deberías", "deberíamos")
        ),
        *(
            Modal(phrase=form, affirmed=OBLIGATION, denied=PROHIBITION, weight="guess")
            for form in ("debe de", "deben de", "debes de")
        ),
        *(Modal(phrase=form, affirmed=PERMISSION, denied=PROHIBITION) for form in ("puedes", "podéis")),
        *(Modal(phrase=form, affirmed=PERMISSION, denied=PROHIBITION, weight="leave") for form in ("puede", "pueden")),
    ),
    copulas=words("es son está están"),
    predicates={
        "obligatorio": (OBLIGATION, PERMISSION),
        "obligatoria": (OBLIGATION, PERMISSION),
        "obligatorios": (OBLIGATION, PERMISSION),
        "obligatorias": (OBLIGATION, PERMISSION),
        "prohibido": (PROHIBITION, PERMISSION),
        "prohibida": (PROHIBITION, PERMISSION),
        "prohibidos": (PROHIBITION, PERMISSION),
        "prohibidas": (PROHIBITION, PERMISSION),
        "permitido": (PERMISSION, PROHIBITION),
        "permitida": (PERMISSION, PROHIBITION),
        "permitidos": (PERMISSION, PROHIBITION),
        "permitidas": (PERMISSION, PROHIBITION),
        "opcional": (PERMISSION, OBLIGATION),
        "opcionales": (PERMISSION, OBLIGATION),
    },
    frames=(
        # "Cada módulo requiere su documentación", "No se requiere revisión"
        Construction(pattern=re.compile(r"^no se (?:requieren?|necesitan?|exigen?)\b"), modality=PERMISSION),
        Construction(pattern=re.compile(r"^se (?:requieren?|necesitan?|exigen?) "), modality=OBLIGATION),
        Construction(
            pattern=re.compile(
                r"^(?:cada|todo|toda|todos|todas|cualquier) (?!.*\bno (?:requieren?|exigen?)).* requieren? "
            ),
            modality=OBLIGATION,
        ),
        # "Los mensajes van en inglés", "Los nombres se escriben en minúsculas"
        Construction(
            pattern=re.compile(
                r"^(?:los|las|cada|todos?|todas?|el|la) .*\b(?:van|va|se (?:escriben?|redactan?"
                r"|nombran?|ponen?|guardan?"
                rf"|documentan?)) (?:siempre )?en {_FORM}"
            ),
            modality=OBLIGATION,
        ),
        # "Nunca se registran contraseñas", "Los viernes no se despliega", "Los archivos no se editan a mano"
        Construction(pattern=re.compile(rf"^(?:nunca|jamás) se {_NOT_MEANT}\w+[ae]n?\b"), modality=PROHIBITION),
        Construction(
            pattern=re.compile(
                rf"^(?:(?:los|las) {_DAYS}|aquí|en (?:la|el|los|las|esta|este) \w+|en `)(?: .*)? "
                rf"(?:no|nunca|jamás) se {_NOT_MEANT}\w+[ae]n?\b(?!.*\b(?:todavía|aún|ya|desde|ayer)\b)"
            ),
            modality=PROHIBITION,
        ),
        Construction(
            pattern=re.compile(
                rf"^(?:los|las) (?:.* )?(?:no|nunca|jamás) se (?:{_NOT_MEANT}\w+[ae]n\b.* {_WHEN}"
                r"|(?:guardan|suben|registran|escriben|envían|comparten|ponen|incluyen|publican) en)\b"
            ),
            modality=PROHIBITION,
        ),
        Construction(pattern=re.compile(rf"^no se {_NOT_MEANT}\w+[ae]n? .*\b{_WHEN}\b"), modality=PROHIBITION),
        # "Nadie despliega los viernes"
        Construction(pattern=re.compile(rf"^nadie {_NOT_MEANT}\w+[ae] (?:.* )?{_WHEN}\b"), modality=PROHIBITION),
    ),
    frame_words=words("van va escriben redactan nombran requiere requieren nadie viernes lunes domingos aquí mano")
    | words("directamente directo manualmente"),
    negations=words("no nunca jamás"),
    denials=phrases("no"),
    never=words("nunca jamás"),
    none_of=phrases("sin | nada de | ningún | ninguna"),
    verbs=_forms(_AR | _ER_IR)
    | _with_pronouns(_commands(_AR | _ER_IR))
    | words("""
    confíes confíe confía despierta despiértame despiertes duermas fíes fíate salgas pagues juegues
    prefiere prefiera prefieras prefieran acuestes asumas asume cierra cierre cierres comprueba
    compruebe corrige cuente cuentes da dame dale dales dime
    dile diles hazlo hazme hazla ponme ponlo ponla pásame tráeme envíame dámelo duerme saluda
    da des despiertes
    despliega despliegues di diga digas duermas dé elige elija empieces empieza encuentre encuentres escoge haga
    hagas haz incluya incluyas incluye juegues mantenga mantengas mantén mide muestra muestre muestres muevas mueve
    niegues ofrezcas pida pidas pide piense pienses pierdas pon ponga pongas propón prueba pruebe pruebes recuerda
    recuerdes repitas repite resuelvas resuelve sal sea seas siga sigas sigue sirvas suprimas sustituye sé ten tenga
    tengas traduzcas tradúceme uses vaya vayas ve ven venga vuelvas
    """),
    noun_verbs=words("""
    ayuda busca cambio captura carga cierre compra consulta copia cuenta descarga entrega envío espera firma guarda
    informe lista llamada marca nombre nota pase pregunta prueba regla reserva respuesta visita
    """),
    partitive=words("de del"),
    plurals=("s",),
    not_plurals=("ss",),
    participles=("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"),
    infinitives=("ar", "er", "ir"),
    involuntary=words("fallar ser estar haber tener pasar ocurrir cambiar"),
    avoiding=words("evita evite evitar evites eviten"),
    errands=words(
        "resúmeme tradúceme corrígeme traduce resume corrige explícame cuéntame dime dame muéstrame mándame pásame"
        " envíame tráeme enséñame llámame cómprame saluda dale dile"
    ),
    standing=words("siempre nunca cada cuando si todos todas antes después"),
    wishing=words("duerme descansa come disfruta saluda cuida viaja"),
    dated=words("hoy anoche"),
    once=phrases("esta vez | por esta vez | solo esta vez | sólo esta vez"),
    every_time=phrases("cada vez | a partir de ahora | todas las veces"),
    polite=words("favor porfa porfi"),
    standing_leads=words("adelante ahora futuro defecto"),
    momentary_objects=words("este esta estos estas esto"),
    recurrent=words("siempre nunca cada cuando si antes"),
    daily=words("venir comer beber dormir trabajar viajar fumar nadar descansar madrugar"),
    perfect=words("haber"),
    outcomes=words("ayudar funcionar bastar servir llegar ser estar ir valer"),
    being=words("ser estar"),
    states=words("cansado cansada bromeando fatal"),
    identity=phrases("eres | usted es | no eres"),
    articles=words("un una el la"),
    praise=words("genio cielo ángel mejor amor crack sol idiota máquina encanto"),
    traits=words("paciente servicial preciso honesto amable prudente directo"),
    not_banned=words(
        "cambios errores novedades noticias resultados respuesta respuestas problemas problema"
        " duda embargo idea más ti él ella"
    ),
    contrasts=words("no"),
    filler=words("""
    a de debe deben debes el en es está favor hay jamás la las los mi mis más no nunca obligatorio permitido pero
    por prohibido puede puedes que se siempre solo también tantos tu tus un una unas unos usa usar use uses usted
    utilice utiliza utilizar y
    """),
    vague=words("""
    adecuadamente adecuado bien buena buenas bueno buenos calidad correctamente correcto cosas código escribe haz
    hazlo limpio mejor mejores profesional prácticas razonable sé todo
    """),
    open_ended=phrases("si es necesario | cuando sea necesario | según corresponda | si procede | cuando proceda"),
)

"""Portuguese."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

PORTUGUESE = GateVocabulary(
    name="portuguese",
    script=Script.LATIN,
    common=frozenset(
        "a ao aos as até com como da das de do dos e é ela ele em era essa esse esta está este estou eu foi há isso já"
        " lhe mais mas me meu minha muito na não nas nem no nos nossa nosso num o os ou para pela pelo por porque quando"
        " que se sem ser seu sim só sou sua também te tem tenho um uma você vou hoje agora".split()
    ),
    person=(
        r"eu|me|mim|meus?|minhas?|nós|noss[oa]s?|ele|ela|mãe|pai|pais|filh[oa]s?|irmãos?|irmãs?|avó|avô|ti[oa]|prim[oa]s?|marido|esposa|mulher|namorad[oa]|noiv[oa]|amig[oa]s?|vizinh[oa]s?|colegas?|chefe|médic[oa]|dentista|cliente|família",
    ),
    speaker=(r"(?:sou|tenho|moro|trabalho|vou|estou|prefiro|somos|temos)",),
    preference=(
        r"prefiro|preferid[oa]s?|favorit[oa]s?|gosto|gostamos|adoro|adora|amo|odeio|detesto|não suporto|alérgic[oa]|alergia|vegetarian[oa]|vegan[oa]|diabétic[oa]|decid\w+|escolh\w+|em vez de|ao invés de|quero|queremos|gostaria|não (?:como|bebo|gosto)",
    ),
    fact=(
        r"(?:sou|somos|tenho|temos|moro|moramos|vivo|trabalho|estudo|vou|vamos|nasci|cresci|viajo|me chamo|me mudo|uso|usamos|jogo|falo|comprei)(?: \w+)?|(?:meus?|minhas?|noss[oa]s?) \w+|(?:o|a) (?:servidor|banco de dados|projeto|serviço|equipe|reunião|cliente|contrato)",
    ),
    rule=(
        r"sempre|nunca|jamais|a partir de agora|de agora em diante|no futuro|toda vez|lembre(?:-se)?|não esqueça|certifique-se|me chame|evite",
    ),
    date=(
        r"segunda(?:-feira)?|terça(?:-feira)?|quarta(?:-feira)?|quinta(?:-feira)?|sexta(?:-feira)?|sábado|domingo|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|agora|sempre que|todo \w+|ontem|amanhã|hoje|(?:semana|mês|ano|verão|inverno) (?:que vem|passad[oa])|próxim[oa] \w+|há \w+ (?:dias|semanas|meses|anos)|(?:em|desde) (?:19|20)\d\d|natal|aniversário|às \w+",
    ),
    quantity=(
        r"\d[\d.,]{0,12} ?(?:%|km|kg|g|m|gb|mb|minutos|horas|dias|semanas|meses|anos|euros|reais|vezes)(?!\w)|(?:dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|vinte|cem|mil) \w+|(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])",
    ),
    decision=(r"decid\w+|escolh\w+|em vez de|ao invés de|migr\w+|usamos|substitu\w+|arquitetura|escrito em",),
    fix=(r"corrigid[oa]|corrigi|resolvid[oa]|resolvi|consertei|a causa",),
    release=(r"lançad[oa]|lançamos|publicad[oa]|implantad[oa]|versão \d\S*|release",),
    configuration=(r"mud(?:ei|amos|ado)|alter\w+|configur\w+|aument\w+|ativ(?:ei|ado)|desativ\w+|renome\w+|porta \d+",),
    negation=(r"não|nunca|jamais|nada|ninguém|sem|nem|nenhum[a]?",),
    remember=(
        r"(?:lembra-te (?:que|de que)|lembre-se (?:que|de que)|lembra que|anota(?: que|:)|toma nota|não te esqueças|não esqueça(?: que)?)",
    ),
    change=(r"agora|não .{1,20} mais|mais|mudei|mudamos|mud\w+|em vez|nov[oa]|parei|antes|troc\w+|passamos",),
    chatter=(
        r"oi|olá|bom dia|boa (?:tarde|noite)|tchau|até (?:logo|amanhã|mais)|tudo (?:bem|bom)|como vai|(?:muito )?obrigad[oa]|valeu|de nada|sim|não|ok(?:ay)?|certo|claro|beleza|legal|perfeito|ótimo|entendi|exato|isso|por favor|kkk+|haha+|vamos (?:continuar|lá)|continue|próximo|espera|um momento|pronto|funciona|estou cansad[oa]",
    ),
    request=(
        r"(?:escreva|escreve|explique|explica|traduza|traduz|resuma|me dê|me dá|diga|mostre|mostra|crie|liste|compare|corrija|procure|conte)|(?:você )?(?:pode|poderia)",
    ),
    question=(r"o que|que|quem|onde|quando|por que|como|qual|quais|quant[oa]s?|você (?:pode|sabe)",),
    deictic=(r"isso|isto|aquilo|é|você|está",),
)

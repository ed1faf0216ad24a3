"""Italian."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

ITALIAN = GateVocabulary(
    name="italian",
    script=Script.LATIN,
    common=frozenset(
        "a ai al alla anche che chi ci come con cosa da dal dalla dei del della di e è ed era gli ha hai hanno ho i il in"
        " io la le lo loro ma mi mia mio molto ne nei nel nella noi non nostro o per perché più quando questo se sei si sono"
        " su sul ti tu un una uno vi oggi ora abbiamo siamo".split()
    ),
    person=(
        r"io|mi|me|mi[oae]|miei|noi|ci|nostr[oaie]|lui|lei|mamma|papà|madre|padre|genitori|figli[oae]?|fratell[oi]|sorell[ae]|nonn[oa]|zi[oa]|cugin[oa]|marito|moglie|fidanzat[oa]|compagn[oa]|ragazz[oa]|amic[oai]|amiche|vicin[oa]|colleg[ah]i?|capo|medico|dentista|client[ei]|famiglia",
    ),
    speaker=(r"(?:sono|ho|abito|vivo|lavoro|vado|siamo|abbiamo|preferisco|chiamo)",),
    preference=(
        r"preferisc\w+|preferit[oaie]|mi piac(?:e|ciono)|adoro|amo|odio|detesto|non sopporto|allergic[oa]|allergia|vegetarian[oa]|vegan[oa]|celiac[oa]|diabetic[oa]|deciso|scelto|invece d\w+|al posto d\w+|vorrei|voglio|vogliamo|non mangio|non bevo",
    ),
    fact=(
        r"(?:sono|siamo|ho|abbiamo|abito|abitiamo|vivo|viviamo|lavoro|studio|vado|andiamo|mi chiamo|parto|partiamo|uso|usiamo|gioco|parlo|compro|nacqui)(?: \w+)?|(?:mi[oae]|miei|nostr[oaie]) \w+|(?:il|lo|la) (?:server|database|progetto|servizio|squadra|riunione|cliente|contratto)|mi piace",
    ),
    rule=(
        r"sempre|mai|d'ora in poi|da ora in poi|in futuro|ogni volta|ricorda(?:ti)?|non dimenticare|assicurati|chiamami|evita",
    ),
    date=(
        r"luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|ora|adesso|spesso|ogni \w+|ieri|domani|oggi|(?:settimana|mese|anno|estate|inverno) (?:prossim[oa]|scors[oa])|(?:prossim[oa]|scors[oa]) \w+|\w+ (?:giorni|settimane|mesi|anni) fa|(?:nel|dal) (?:19|20)\d\d|da \w+ anni|natale|compleanno|alle \w+",
    ),
    quantity=(
        r"\d[\d.,]{0,12} ?(?:%|km|kg|g|m|gb|mb|minuti|ore|giorni|settimane|mesi|anni|euro|€|volte)(?!\w)|(?:due|tre|quattro|cinque|sei|sette|otto|nove|dieci|venti|cento|mille) \w+|(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])",
    ),
    decision=(r"deciso|scelto|decisione|invece d\w+|al posto d\w+|migr\w+|usiamo|sostitui\w+|architettura|scritto in",),
    fix=(r"risolto|corretto|sistemato|la causa|aggirato",),
    release=(r"rilasciat[oa]|pubblicat[oa]|unit[oa]|versione \d\S*|release",),
    configuration=(
        r"cambiat[oa]|configurat[oa]|impostat[oa]|aumentat[oa]|attivat[oa]|disattivat[oa]|rinominat[oa]|porta \d+",
    ),
    negation=(r"non|mai|niente|nulla|nessun[oa]?|senza|né",),
    remember=(r"(?:ricorda(?:ti)?(?: che|:)|annota(?: che|:)|tieni a mente|non dimenticare(?: che)?|prendi nota)",),
    change=(r"ora|adesso|non .{1,20} più|più|trasferit[oa]|cambiat[oa]|invece|nuov[oa]|smesso|prima|passat[oai]",),
    chatter=(
        r"ciao|buongiorno|buonasera|buonanotte|arrivederci|a (?:dopo|domani|presto)|come (?:stai|va)|tutto bene|grazie(?: mille| tante)?|mille|prego|sei (?:grande|il migliore|fantastic[oa])|sì|no|ok(?:ay)?|va bene|bene|perfetto|ottimo|certo|d'accordo|capito|esatto|giusto|bello|interessante|per favore|haha+|andiamo avanti|continua|continuiamo|avanti|un (?:attimo|momento)|aspetta|fatto|funziona|sono stanc[oa]",
    ),
    request=(
        r"(?:scriv\w+|spiega\w*|traduc\w+|riassum\w+|dammi|dimmi|mostra\w*|fammi|crea|elenca|confronta|correggi|cerca|trova|raccontami)|(?:puoi|potresti|mi puoi|può)",
    ),
    question=(r"che|chi|cosa|dove|quando|perché|come|quale|quali|quant[oaie]|puoi",),
    deictic=(r"questo|quello|ciò|è|tu|così",),
)

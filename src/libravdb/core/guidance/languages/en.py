"""How wishes are said in English."""

from __future__ import annotations

from libravdb.core.guidance.languages.wording import WishWording, any_of

_LANGUAGES = (
    "english|german|french|spanish|italian|portuguese|dutch|chinese|mandarin|cantonese|japanese|korean|russian|polish|"
    "turkish|arabic|hindi|swedish|danish|norwegian|finnish|greek|czech|ukrainian|hungarian|romanian|catalan|hebrew|"
    "vietnamese|thai|latin|welsh|irish|gaelic|scots|icelandic|croatian|serbian|bosnian|slovene|slovak|slovenian|bulgarian|"
    "albanian|lithuanian|latvian|estonian|maltese|basque|galician|persian|farsi|urdu|bengali|punjabi|tamil|telugu|"
    "indonesian|malay|tagalog|filipino|swahili|yoruba|igbo|hausa|zulu|afrikaans|amharic|somali|kurdish|armenian|georgian|"
    "esperanto|yiddish|brazilian|flemish|sign language|swiss german|my (?:own |native )?language|both languages"
)
_OUTPUTS = (
    "answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|essays?|walls? of text|examples?|"
    "bullets?|bullet points?|bulleted lists?|numbered lists?|lists?|tables?|paragraphs?|sentences|prose|emojis?|"
    "emoticons?|smileys?|exclamation (?:marks|points)|jargon|buzzwords|technical terms|disclaimers?|caveats?|warnings|"
    "small ?talk|chit-?chat|introductions?|intros?|preambles?|code(?: snippets| blocks?| samples)?|sql|markdown|"
    "plain (?:text|language|english)|headings|headers|bold|details?|sources?|citations|references|links|"
    "follow-?up questions?|questions back|counter-?questions|tone|apolog(?:y|ies|ising|izing)|fluff|filler|"
    "humou?r|formality|jokes|puns|sarcasm|suggestions|recommendations|advice|compliments|flattery|praise|pleasantries|"
    "\\w+isms|figures|sums|workings?|calculations?|variants?|first names|surnames|openings|greeting|metric|imperial|units|celsius|fahrenheit|euros|step[- ]by[- ]step|one-liners|analogies|metaphors|reminders|"
    "notifications|pings|titles|hashtags|abbreviations|acronyms|footnotes|moralising|moralizing|lectur(?:es|ing)|"
    "rhetorical questions|images|pictures|photos|screenshots|diagrams|charts|graphs|gifs|capitals|capital letters|all caps|caps|"
    "(?:lower|upper)[- ]?case(?: letters)?|(?:motivational|inspirational|inspiring) \\w+|quotes|quotations|pep talks?|slogans|facts|hints|"
    "quiz(?:zes)?|quiz questions?|(?:british|american|us|uk|oxford|canadian|australian) (?:english|spelling)|spelling|digits|roman numerals|"
    "text only|keywords|full sentences|short words|big words|long words|plain words|cliches|clichés|idioms|slang|swear ?words|swearing|"
    "rhymes|nicknames|pet names|greetings?|sign-?offs?|signatures?|thank-?yous|spoilers?|opinions|speculation|guesses|guesswork|"
    "guessing|rambling|waffle|waffling|padding|repetition|recaps?|overviews?|bottom line|next steps|action items|steps|"
    "alternatives|options|comparisons?|percentages|decimals|rounding|timestamps|attachments|voice messages|audio|videos|"
    "marketing speak|legalese|latin|foreign words|quotation marks|semicolons|asterisks|brackets|parentheses|italics|underlining|"
    "colou?rs|fonts|dashes|em[- ]dashes|ai[- ]speak|corporate speak|type hints|snippets|formatting"
)
_STYLE = (
    "short(?:er)?|brief(?:er)?|concise(?:ly)?|succinct|terse|crisp|compact|long(?:er)?|lengthy|detailed|thorough|"
    "in[- ]depth|formal|informal|casual|polite|friendly|direct|blunt|honest|simple|simpler|plain|technical|serious|"
    "funny|professional|warm|critical|strict|neutral|patient|precise|straight|upfront|frank|personal|relaxed"
)

_WORK = (
    "write|draft|send|post|book|schedule|suggest|recommend|translate|summari[sz]e|plan|make|give|show|tell|quote|cite|generate|"
    "code|answer|explain|list|propose|create|prepare|find|use|put|run|do|say|reply|respond|produce|design|build|order|publish|"
    "offer|mention|calculate|pick|choose|describe|compose|correct|review|set up|come up with|share|look up|hand"
)
_WORKED = (
    _WORK
    + "|told|gave|wrote|said|drew|draw|kept|keep|stuck|stick|stop(?:ped)?|skip(?:ped)?|start(?:ed)?|began|begin|end(?:ed)?|number|"
    "split|break|broke|repeat|ask(?:ed)?|call(?:ed)?|address|check|admit(?:ted)?|assume|avoid(?:ed)?|leave|left|go|went|get to|got to|"
    "spell|label|mark|use[ds]?|answer(?:ed)?|explain(?:ed)?|talk(?:ed)?|speak|spoke|compare|take|took|walk me|read|point|correct(?:ed)?|"
    "warn(?:ed)?|apologi[sz]\\w+|agree|praise|flatter|quiz|remind|confirm(?:ed)?|cut|drop(?:ped)?|add(?:ed)?|include|are (?:so |too |more )?\\w+"
)
_TASKS = (
    "recipes?|meals?|meal plans?|menus?|diets?|code|coding|sql|python|java(?:script)?|typescript|rust|golang|bash|css|html|terraform|docker|"
    "kubernetes|ansible|excel|spreadsheets?|formulas?|scripts?|functions?|tests?|commits?|commit messages|pull requests?|reviews?|"
    "e?mails?|letters?|texts?|messages|newsletters?|posts|captions?|tweets|blogs?|articles?|reports?|minutes|notes|slides|"
    "presentations?|invoices?|quotes|quotations|estimates|offers|contracts?|documents?|documentation|docs|translations?|summaries|"
    "tips|help|advice|ideas|suggestions|recommendations|questions|stuff|plans?|routes?|walks?|hikes?|rides?|trips?|travel|"
    "holidays?|flights?|trains?|hotels?|restaurants?|films?|movies|books?|games?|music|playlists?|gifts?|presents?|shopping|"
    "shopping lists?|homework|maths?|lessons?|lesson plans?|exercises?|workouts?|training|essays|stories|poems|puzzles|crosswords?|"
    "patterns?|knitting|sewing|baking|cooking|gardening|allotment|garden|plants|circuits|electronics|repairs|diy|budget\\w*|bills|"
    "taxes|accounts|medicines?|health|legal|news|weather|sports?|football|chess|quizzes|vocab\\w*|grammar|spelling|names|titles|"
    "job applications|applications|cover letters?|cvs?|appointments?|meetings?|calendar|reminders|customers?|clients?|tenants|"
    "everything"
)
_STANDS = "always|never|ever|every time|each time|only|without exception|at all times|by default|no matter what"

ENGLISH = WishWording(
    code="en",
    common=frozenset(
        "the a an and or but of to in on for with is are was be been i you me my your it this that these not do don't"
        " have has can could would should will from at by as if when what how so no please always never now we he she"
        " they them his her our us about more less any all just only use before after while always there here than"
        " answer answers write call keep stop give want like every ok thanks going".split()
    ),
    leads=(
        r"^(?:(?:ok(?:ay)?|hey|hi|hello|so|also|and|but|oh|btw|by the way|one (?:more |other |last |small |quick )?(?:thing|"
        r"request|note|wish)|one thing|actually|well|thanks(?: a lot| so much)?|thank you|thx|ty|please|pls|plz|look|"
        r"listen|anyways?|sure|great|cool|nice|perfect|good|right|yes|yeah|yep|no(?=[,.!])|haha|lol|ps|p\.s|note|"
        r"fyi|(?:please )?(?:remember|note|keep in mind|bear in mind|save|add|don't forget|store|memori[sz]e) that|"
        r"(?:remember|note|save this|keep in mind|don't forget)(?=:)|(?:a )?(?:quick|small|little|tiny) (?:note|request|thing|favou?r|rule)|for the record|to be clear|"
        r"just so you know|heads up|honestly|seriously|sorry|hmm+|um+|uh|ah|alright|right then|then|again|(?:hey |ok )?"
        r"(?:assistant|bot|claude|chatgpt|gpt|computer|buddy|mate|friend|dear))[ ,:.!;–—-]+){1,6}"
    ),
    forward=any_of(
        r"from (?:now|here|today|this point|this moment|tomorrow) (?:on(?:wards?)?(?: out)?|forward)|from here on out|in all (?:our|your|my) \w+|"
        r"henceforth|going forward|moving forward|in (?:the )?future|as of (?:now|today)|starting (?:now|today|tomorrow)|"
        r"for (?:all )?(?:future|further|later|coming) (?!reference)\w+|for good|until (?:further notice|i (?:say|tell you) otherwise)"
        r"|unless i (?:say|tell|ask)\b.{0,30}|next time(?: and every)?|in every (?:chat|session|conversation|answer|"
        r"reply|message)|in all (?:your|our|future)|for the rest of|not any ?more|any ?more|any longer|no longer(?! than)|"
        r"permanently|as a (?:standing )?rule|standing (?:rule|order|request|instruction)|as default|the default"
    ),
    habitual=any_of(
        rf"(?:out of|in|from|on|with|under|into|for|of) (?:every|each|all|any)(?! caps)(?: my| your| the)?(?: \w+)? (?:{_TASKS}|{_OUTPUTS})|"
        r"always|never|ever|everything|(?<!me )anything|all (?:my|your|of)|your (?:answers|replies|responses|messages|explanations|summaries)|until i say|every (?:\w+ ){1,3}you|every (?:single )?(?:time|answer|reply|message|response|day|morning|evening|night|week)|"
        r"each time|each (?:answer|reply)|whenever|by default|generally|in general|usually|all the time|at all times|"
        r"constantly|every \w+day|without exception|consistently|normally|(?:on|at) (?:\w+days|weekends)|as always"
    ),
    reported=(
        r"(?:^|[,;] ?|\b(?:and|but|because|since|as) )(?:(?:my|his|her|our|their|the|a|an|some|that|this|your)"
        r"(?: [\w'-]+){1,3}|he|she|they|people|everyone|everybody|someone|somebody|mum|mom|dad|grandma|grandpa|[\w-]+'s \w+|"
        r"(?!you\b|i\b|we\b|it\b|please\b)\w+(?= (?:says|said|told|wants|wanted|thinks|insists)\b))"
        r" (?:always |once |just |also |even |kept |keeps |has |have |had |used to |recently |still )*"
        r"(?:says?|said|tells?|told|telling|saying|asks?|asked|wants?|wanted|thinks?|thought|insists?|insisted|"
        r"recommends?|recommended|advises?|advised|suggests?|suggested|believes?|warns?|warned|reads?|states?|taught|"
        r"teaches|demands?|expects?|preaches|writes?|wrote|claims?|claimed|swears|ordered|orders|reminded|reminds)\b|"
        r"according to|\bi was (?:told|taught|raised)|\bi(?:'ve| have)? (?:read|heard) (?:that|somewhere|it)|"
        r"the saying goes|, (?:said|says) (?:my|the|he|she|his|her|our)\b|as they say|\bi (?:told|asked) (?:my|him|her|them|the|everyone|mum|mom|dad|our|people)\b|"
        r"\"[^\"]{8,}\" (?:he|she|they|said|says)"
    ),
    unreal=(
        r"(?<!as )\bif i were\b|(?<!as )\bif i was\b|\bwhat if\b|^imagine\b|^suppose\b|^assuming\b|^let's (?:say|assume|pretend|never|"
        r"always|just|go|meet|do|get)\b|\bi wish (?:i|we|he|she|they|it|my|the)\b|\bif only\b|\bwould have\b|"
        r"\bif (?:i could|i had|you had|you ever met)\b|\bi used to\b|\bback then\b|^never mind\b|^you never know\b|"
        r"^never in my\b|\bhypothetically\b|^nevermind\b"
    ),
    polite=(
        r"^(?:(?:can|could|would|will|can't|couldn't|shall) (?:you|u|we)|would you mind|do you mind|is it (?:possible|ok) "
        r"(?:for you )?to|may i ask you to|can i ask you to|could i ask you to|i'd like to ask you to)\b"
    ),
    exhorting=(
        r"\bif you need (?:anything|help|me|a hand)\b|\bjust shout\b|\bgive me a shout\b|"
        r"\btake (?:good )?care\b|\b(?:never|don't|do not|won't) (?:ever )?(?:give|giving) (?:up|in)\b|\bgood luck\b|"
        r"\bstay (?:safe|strong|healthy|warm|positive|hydrated|tuned|calm|cool|curious|away from)\b|\bhang in there\b|"
        r"\benjoy\b|\bhave (?:a |an |some )?(?:great|good|nice|lovely|fun|safe|wonderful|fantastic|blast|happy|rest|"
        r"faith|amazing|ball)\b|\bkeep (?:it up|going|up the|fighting|smiling|your (?:chin|head|eyes|fingers)|on )|"
        r"\bbe (?:careful|safe|yourself|strong|well|brave|happy|proud|kind to yourself|good to yourself)\b|"
        r"\bget well\b|\bget some (?:rest|sleep)\b|\bdon't (?:you )?(?:worry|be (?:sad|silly|afraid|scared|shy|late|too "
        r"hard on yourself|so hard on yourself|ridiculous|sorry for)|panic|stress|cry|overdo|lose hope|beat yourself|"
        r"let (?:them|him|her|it|anyone|that))\b|\byou(?:'ve| have)? (?:can do|got) (?:it|this)\b|\bbelieve in "
        r"(?:yourself|you)\b|\bbelieving\b|\bfollow your\b|\bdream(?:ing|s)?\b|\bbright side\b|\byour (?:mum|mom|mother|"
        r"dad|father|heart|kids?|wife|husband|sister|brother|parents|grandma|grandpa|umbrella|keys|coat|jacket|dog|cat|"
        r"exam|flight|birthday|holiday|vacation|trip|weekend|day|sleep|meds|medicine|vitamins|dreams|gut|instincts|"
        r"family|boyfriend|girlfriend|boss|landlord|health|homework|seat ?belt|self|way home|lunch|dinner)\b|"
        r"\bcongrat|\bhappy (?:birthday|new year|easter|holidays)\b|\bmerry christmas\b|\bsleep (?:well|tight)\b|"
        r"\bsafe (?:travels|trip|flight)\b|\blove you\b|\bmiss you\b|\bsee you\b|\btalk (?:to you )?(?:soon|later)\b|"
        r"\bdrive (?:safe|careful)|\bdrink (?:enough|more|plenty|water|lots)|\beat (?:your|more|well|something|healthy)|"
        r"\bcome (?:visit|over|by|home|back|on|to)\b|\bkeep me (?:posted|updated|in the loop)\b|\blet me know (?:how|if|"
        r"when|what)\b|\btell (?:him|her|them|your|everyone)\b|\bsay hi\b|\bgive (?:him|her|them|my (?:love|regards)|"
        r"yourself|it (?:a try|time|a shot))\b|\btrust (?:a|your|me|anyone|people|men|women|no one|nobody|the)\b|"
        r"(?:^|[,;.!] ?|\b(?:and|always|never|just|please|to) )(?:live|love|laugh|smile|hug|kiss|marry|date|forgive|breathe|relax|rest)\b|"
        r"\byou should (?:see|go|get|try|visit|call|rest|sleep|eat|drink|talk to (?:him|her|them|someone|a)|come|take|"
        r"watch|read|apply|join|buy|wear|stay|leave|be (?:proud|ashamed|careful|fine|ok))\b|\bmy (?:dear|love|friend)$"
    ),
    once=(
        r"\bthe (?:heading|chart|table|font|colou?r|column|row|cell|button|image|logo|caption|footer|header|list|border|background|margin|link)\b|"
        r"\b(?:in|of|on|from|to|for|with|me|explain|make|at|do|redo|read|repeat|use|fix|change|shorten|cut) that \w+|\bhow (?:is|are|was)\b|\bwhat's\b|"
        r"\bit\b(?! (?:person|guy|department|support|people|team|expert|feels|is|was|makes|looks|sounds|takes|helps|would|annoys|"
        r"gets|confuses|reads|hurts|drives|saves|just|really|'s|when|if|up)\b)(?!')|\b(?:this|these|those)\b(?! (?:is (?:just )?how|point\b|way\b))|\bthat(?=[.!,]|$| (?:again|one|please|text|line|part|sentence|for|to|"
        r"in|into|more|bit|paragraph|file|function|to me|out))|\b(?:right )?now\b(?! on)|\btoday\b|\btonight\b|"
        r"\btomorrow\b|\byesterday\b|\bthis (?:time|one|once)\b|\bfor once\b|\bat the moment\b|\bfor now\b|\bbelow\b|"
        r"\babove\b|\battached\b|\bfollowing\b|\bhere(?:'s| is| are)?\b|\bthe (?:last|first|second|third|next|previous|"
        r"same|other|latest|current|final|above|new|old|whole|rest|article|text|tests?|file|e?mail|paragraph|line|"
        r"sentence|word|build|bug|function|variable|version|draft|poem|story|letter|letters|report|post|tweet|speech|"
        r"essay|song|script|query|error|title|intro|document|page|image|photo|picture|chapter|slide|slides|meeting|"
        r"invitation|cv|resume|translation|diff|branch|commit|pr|class|method|loop|regex|config)\b|"
        r"\b(?:write|give|draft|send|make|create|list|tell|show|compose|suggest|recommend|find|generate|need|want|'d like|would like|"
        r"build|prepare|plan|name|get|design|add|do|invent|pick|choose|book|propose|translate|summari[sz]e|describe|"
        r"explain|rewrite|rephrase|correct|fix|check|proofread|analy[sz]e|compare|convert|calculate|count|help|run|"
        r"try|open|read|remove|rename|move|sort|print|play|start|continue|go|come|look)(?: me| us)? (?:a|an|my|his|"
        r"our|their|some|another|one|two|three|four|five|six|seven|eight|ten|twenty|\d+|"
        r"how|why|what|who|where)\b|\b(?:say|explain|try|run|do|read|check|send|show|tell|start)\b.{0,30}\bagain\b|"
        r"\b(?:give|show|send|write|make|read|find|get|tell|print)(?: me| us)? the (?!answers?|results?|short|gist|summary|code|sources?|reasons|bottom|conclusion|facts|exact|main|point|truth|big)\w+|"
        r"^[^:]{3,60}: ?(?:\S+ ){2,}\S+|\bof (?:the|a|an|my)\b.{0,20}$|\bwhen you(?:'re| are| get| have| land| arrive|"
        r" can| come)|\b(?:one|a) (?:word|sentence|line|paragraph)\b(?! (?:at most|max|tops))|\bthat's\b(?! (?:how|why|what|because|when|easier|better|the way|all i|enough|more))|\b(?:at|by|in) (?:\d{1,2}(?::\d\d)?|an hour|a minute|noon|half past)\b(?! (?:words|sentences|characters))|\bin (?:\d+|two|three|five|ten) (?:words|sentences|lines)"
        r"|\byes or no\b|\bwhat (?:is|are|does|do)\b|\bhow (?:do|does|to|many|much)\b|\bmy (?:letter|email|essay|cv|"
        r"code|text|boss|landlord|mum|mom|dad|sister|brother|wife|husband|friend|teacher|bio|speech|report)\b|\ba "
        r"\w+ (?:letter|email|mail|poem|story|essay|speech|message to|note to|report|plan|list|post|tweet)\b"
    ),
    head=(
        r"(?:^|[,;:.(!—–] ?| - |\b(?:and|but|so|then|or|please|pls|plz|instead|therefore|also|you to|"
        r"everything|otherwise|right|ok|don't|not|chat|thing|questions?|code|sql|on|out|forward|future|time|"
        r"examples?|mood|default|now|stuff|help|texts?|data|figures|money|food|movies?|books?|recipes?|emails?)"
        r" )(?:(?:please|pls|plz|always|never|just|do|don't|do not|dont|only|simply|kindly|ever|also|try to|try and|"
        r"make sure to|make sure you|make sure that you|be sure to|remember to|don't forget to|from now on|in future|"
        r"in the future|going forward|generally|by default|not|really|rather|instead|to|first|then|ideally|"
        r"consistently|feel free to)[, ]+){0,5}"
    ),
    verbs=(
        r"(?:answer|answering|reply|respond|explain|write|use|using|speak|talk|say|tell me|ask|avoid|keep|be|stay|stop|"
        r"quit|skip|drop|cut|leave out|omit|include|add|put|give|show|list|format|summari[sz]e|cite|quote|link|mention|"
        r"start|begin|end|finish|open|close|sign|call me(?! (?:crazy|old|stupid|mad|weird|lazy|naive|a |an ))|address|refer|remind|notify|message|text|contact|write to me|"
        r"ping me|wake|disturb|email|confirm|check with|double-check|double check|verify|warn|admit|assume|guess|make up|"
        r"invent|repeat|restate|rephrase|thank|apologi[sz]e|praise|flatter|compliment|greet|joke|swear|curse|lecture|"
        r"moralise|moralize|sugarcoat|sugar-coat|hedge|translate|convert|round|calculate|compute|prefer|stick to|"
        r"stick with|switch|go easy|spare me|save me|limit|suggest|recommend|propose|offer|order|buy|book|delete|"
        r"remove|send|post|publish|share|store|save|commit|push|deploy|run|schedule|merge|install|indent|name|comment|"
        r"document|test|treat|consider|remember|note|highlight|bold|number|structure|break down|walk me through|lie to|refrain|abstain|check twice|shout|whisper|"
        r"proofread|correct|point out|criticise|criticize|challenge|push back|disagree|interrupt|wait|think|reason|"
        r"take|get to the point|elaborate|expand|shorten|abbreviate|spell|capitali[sz]e|do not|spoil|reveal|bring up|"
        r"look up|search|run it by|run things by|bring \w+ up|prioriti[sz]e|focus|pay|charge|tag|label|count|express|measure|state|provide|return|output|"
        r"do without|tone|dial|ease|knock off|cut down|cut back|turn down|leave|aim|break|hold|draw|rely|fill|mark|quiz|flag|jump|hard-code|hardcode|spell|go back|read back|sign off|underline|split|group|"
        r"paste|attach|generate|draft|prepare|touch|edit|overwrite|modify|execute|trigger|approve|accept|quit|lose|ditch|hit|start|"
        r"mind|watch|steer|shy away|rate|explain|weigh|describe|define|outline|illustrate|demonstrate|assess|"
        r"print|render|wrap|compare|filter|rank|sort|read|update|log|reference|introduce|name-drop|second-guess|act|"
        r"behave|sound|pretend|imitate|mimic|ramble|waffle|go into|dumb|overexplain|over-explain|let me)\b(?!-)"
    ),
    speaking=any_of(
        "answer|reply|respond|explain|speak|talk|say|tell|ask|call|address|remind|thank|repeat|apologi[sz]e|be|message|"
        "confirm|check with|greet|joke|swear|lecture|sugarcoat|warn|admit|guess|praise|interrupt|contact|open|start|begin|end|ping|"
    ),
    wanted=(
        r"\bi(?:'d| would| do| really| generally| just| only| actually| don't| do not| always| need| want|'ve)* "
        r"(?:like|love|want|need|prefer|hate|expect|appreciate|rather|dislike|'d|enjoy|told|asked|hope|mind|wish|can't "
        r"stand|cannot stand|find it \w+|would rather|'d rather)(?: it)?(?: a lot| very much| better| more| best)?"
        r"(?: (?:when|if|that))? you(?: to|r answers| not| always| never| don't| didn't| would| could| stop| keep| kept|"
        r" use| used| give| gave| \w+)\b|\bi(?:'d| would) (?:appreciate|love|like|prefer|be (?:glad|grateful|happy)|hate)"
        r"(?: it)?(?: (?:a lot|very much|more|greatly|really))? if you\b|\bit(?:'d| would|'s| is| was| drives me| annoys "
        r"me| bothers me| helps)?(?: be| really| me)*(?: (?:great|nice|good|lovely|helpful|better|cool|best|easier|"
        r"annoying|important|fine|ok|perfect|kind|important to me))?(?: for me)?(?: if| when| that) you\b"
    ),
    prefers=(
        r"\bi(?:'d| would|'m| am| do| did| really| generally| usually| always| much| just| actually| strongly| still|"
        r" definitely| personally| simply| only| honestly| tend to| far| absolutely)* (?:prefer|like|love|want|need|hate|"
        r"dislike|appreciate|favou?r|enjoy|detest|loathe|rather (?:have|get|see|read)|can't stand|cannot stand|can't "
        r"bear|don't (?:really |much )?(?:like|want|need|care for|enjoy|appreciate|read)|do not (?:like|want|need)|not a "
        r"(?:big |huge )?fan of|a (?:big )?fan of|tired of|sick of|allergic to|find|learn best (?:with|from|by)|work best "
        r"with)\b"
    ),
    not_preferred=(
        r"^ (?:a\b|an\b|your|this|that|these|those|some|his|her|their|our|to (?!be (?:called|addressed)|get|have|read|see|"
        r"receive|hear)|it|one|two|three|\d+|how|what|him|them|reading|writing|learning|speaking|coding|making|"
        r"telling|all|more (?:time|money)|the (?!answer|answers|result|short|summary|code first|gist|reasons))"
    ),
    second=(
        r"\byou(?:'re| are)?(?: really| also| always| just)* (?:can|could|may|might|should|shouldn't|must|mustn't|"
        r"needn't|need not|don't need to|do not need to|don't have to|do not have to|don't need|allowed to|ought to|"
        r"welcome to|not to|are to|supposed to|never need to|never have to|never have|will always|will never)\b|"
        r"\bno need (?:to|for)\b|\bdon't bother\b|\bfeel free to\b|(?:^|[,;:.] ?|\b(?:and|please|just|but) )(?:stop|quit"
        r"|cease|no more) (?:\w+ing|the|with)\b|\b(?:your|all) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|messages?|"
        r"tone|explanations?|code|summaries)(?: to me)? (?:should|must|can|need|have to|may|shouldn't|are (?:too|far "
        r"too)|is too|be)\b|\byou (?:always|constantly|keep) (?:\w+ing|give|write|use|repeat)\b|\blet's (?:keep|switch|"
        r"speak|talk|use|stick|drop|be)\b|\bwe can (?:drop|skip|be|use|speak|talk)\b|\benough (?:with|of) the\b|"
        r"\bspare me\b|\bgo easy on\b|\blay off\b|(?<!i'll )(?<!i )(?<!to )(?<!always )(?<!n't )\bforget (?:what|about|the|that|my)\b|\bignore (?:what|my|the)\b|"
        r"\bscratch (?:what|that|the)\b|\bnever mind (?:what|the|my)\b"
    ),
    nominal=(
        rf"^(?:\w+ing forward,? )?(?:from now on,? |in future,? |generally,? |please,? |just |and |ok,? |absolutely |with "
        rf"me,? )*(?:no|zero|less|fewer|more|only|without|not so many|not too many|no more|minimal|maximum|max)"
        rf"(?: [\w'-]+){{0,3}}? (?:{_OUTPUTS})\b(?! (?:is|are|was|were|has|have|needed|found|left|yet|for me today|haha|came|went|got|\w+ed)\b)|"
        rf"^(?:(?:{_STYLE}|plain|bulleted|numbered|metric|clean|simple) (?:and \w+ )?)+(?:{_OUTPUTS})\b"
        rf"(?! (?:is|are|was|were|of|about|for (?:the|my|a))\b)(?!:)|"
        rf"^(?:{_OUTPUTS})\b.{{0,40}}\b(?:only|please|always|first|instead|pls)\b|"
        rf"^(?:(?:{_STYLE})(?:,? (?:and|but) )?)+(?: please| always| from)|\bshort and sweet\b|"
        rf"^(?:prices|dates|times|temperatures|distances|weights|amounts|measurements|numbers|currency|units|everything|"
        rf"answers)\b(?:,? (?:always|only|please|all|never|for me|with me|from now on))*,? (?:in|as|with) \w+|\b(?:{_LANGUAGES}) (?:only|please|always)\b|"
        rf"^only (?:in )?(?:{_LANGUAGES})\b|^(?:back to|switch(?: back)? to) (?:{_LANGUAGES})\b|"
        rf"^(?:for|in|with|on) (?:[\w'-]+ ){{0,3}}?(?:recipes?|code|sql|rust|golang|kotlin|swift|ruby|php|bash|excel|python|css|html|java|javascript|typescript|e?mails?|letters?|tips|ideas|suggestions|recommendations|texts?|reports?|films?|movies|books?|trips?|travel|questions|messages|clients|customers|workouts?|meals?|menus?|flights?|hotels?|restaurants?|gifts?|presents?|commits?|queries|scripts|tests|documents?|presentations?|slides|summaries|translations|posts|newsletters?|invoices|homework|maths?|exercises|shopping lists?|plans),? (?:only|no|never|always|without|just|nothing|not|use|give|show|list|add|put|write|keep|include|start|sign|mention|avoid|skip)\b|"
        rf"^(?:[\w+#-]+ )?(?:recipes?|code|sql|python|css|html|java|javascript|typescript|e?mails?|letters?|tips|ideas|suggestions|recommendations|texts?|reports?|films?|movies|books?|trips?|travel|questions|messages|clients|customers|workouts?|meals?|menus?|flights?|hotels?|restaurants?|gifts?|presents?|commits?|queries|scripts|tests|documents?|presentations?|slides|summaries|translations|posts|newsletters?|invoices|homework|maths?|exercises|shopping lists?|plans): ?.{{0,80}}\b(?:always|ever|every time|please|each time|only|never|no)\b|"
        rf"^(?:[\w'-]+ ){{0,2}}?(?:recipes?|code|sql|python|css|html|java|javascript|typescript|e?mails?|letters?|tips|ideas|suggestions|recommendations|texts?|reports?|films?|movies|books?|trips?|travel|questions|messages|clients|customers|workouts?|meals?|menus?|flights?|hotels?|restaurants?|gifts?|presents?|commits?|queries|scripts|tests|documents?|presentations?|slides|summaries|translations|posts|newsletters?|invoices|homework|maths?|exercises|shopping lists?|plans) (?:in|as|with|without|under) [\w' ,-]{{2,40}}\b(?:please|always|every time|each time|from now)\b|"
        rf"^my preferred \w+ (?:is|are)\b|^(?:nothing|no \w+|not) (?:after|before|between|past) (?:\d|noon|midnight|six|seven|eight|nine|ten|eleven).{{0,30}}|^(?:tone|style|format|length|language|name|pronouns|my pronouns)(?::| is| are)\b"
    ),
    address=(
        r"\bcall me (?!(?:but|though|anymore|any|back|later|tomorrow|tonight|today|now|asap|when|if|at|on|in|after|before|until|again|once|"
        r"anytime|any time|soon|crazy|old|stupid|mad|weird|lazy|a |an |every|right|whenever|maybe|monday|tuesday|"
        r"wednesday|thursday|friday|saturday|sunday|this|next|please|sometime|first thing|up|during|and|or|$)\b)[^\W\d]|"
        r"\b(?:address|refer to) me (?:as|by|with)\b|\bi(?:'d| would)? (?:prefer|like|want|go by|rather be|hate|prefer "
        r"it)(?: to be)?(?: when| if)?(?: people| you)?(?: not)? ?(?:being )?(?:called|addressed|call me)\b|\bi go by\b|"
        r"\bus(?:e|ing) my (?:first|last|full|real|nick|sur|middle|maiden)(?:[ -]?name)\b|\buse (?:they|she|he)/\w+\b|\bmy pronouns\b|"
        r"\b(?:don't|never|do not|stop) (?:call|calling|address|addressing) me (?!(?:back|later|tomorrow|tonight|"
        r"before|after|at|on|until|when|if|between|during|in|so|that (?:early|late)))[^\W\d]"
    ),
    not_address=r"\b(?:they|people|he|she|friends|kids|everyone|everybody|colleagues|mum|mom|dad)(?: all| always)? calls? me\b",
    condition=(
        r"(?:^|[,;] ?|\b(?:and|but|so|please|also) )(?:when(?:ever)?|if|every time|each time|any ?time|as soon as|once|"
        r"while|before|after) (?:you|i|we|it comes to|writing|i'm|you're|i've|working|coding|cooking|the|my|a|an|"
        r"there|something|planning|doing|it's|talking|suggesting|giving|making|explaining|drafting|booking)\b|"
        r"(?:^|[,;] ?)(?:for|in|with|on|regarding|about|as for|concerning) (?!(?:now|the future|future|general|me\b|"
        r"instance|example|short|case|all (?:your|my)|every|your (?:answers|replies|responses|messages)|our|addition|"
        rf"any case|the end|{_LANGUAGES}))[\w' -]{{2,40}}|"
        r"\b(?:when|whenever|if) (?:i|you|we|it|writing|there|my|the|your|a|an)\b|"
        r"\b(?:in|for|with|about|to|of) (?:my |all |any |the |your |our |every )?(?:\w+ )?(?:sql|python|java|javascript|"
        r"typescript|go|rust|code|coding|programming|emails?|mails?|letters|recipes?|cooking|commit messages?|commits|"
        r"reports?|essays|workouts?|training|running plans?|travel|trips|flights|hotels|restaurants|movies|films|books|"
        r"spreadsheets?|tables|slides|presentations|invoices|contracts|documentation|docs|tests|queries|functions|"
        r"variables|infrastructure|maths?|homework|medical|legal|financial|finance|investments?|news|weather|music|"
        r"gardening|plants|customers?|clients|meetings|calendar|shopping|groceries|diet|health|gifts|presents|"
        r"questions|projects?|plans|translations?|texts|posts|tweets|captions|scripts|shell|bash|css|html|regex(?:es)?|"
        r"git|docker|terraform|kubernetes|api|logs?|budgets?|expenses|rents?|apartments|flats|jobs?|applications|"
        r"cover letters|exercise[s]?|lessons|quizzes|vocabulary|grammar|stories|poems|games|wine|coffee|food)\b|"
        r"\b(?:sql|python|java|javascript|typescript|golang|rust|go) (?:code|in|queries|scripts)\b|\bsql\b|"
        r"\bcommit messages\b|\brecipes\b"
    ),
    agentive=(
        rf"\bbefore you (?:{_WORK}) (?:me )?(?:an?|any|anything|something)\b|"
        r"\b(?:when(?:ever)?|if|every time|each time|any ?time|as soon as|once) (?:i (?:ask|want|need|paste|send|mention|share|"
        r"say|talk|tell|show|post|write|upload|complain|get|bring up|forget|make|start|use|quote|type|request|ever ask)|you "
        r"(?:write|suggest|give|help|draft|make|list|recommend|plan|explain|answer|reply|translate|summari[sz]e|show|use|quote|"
        r"create|propose|code|generate|review|cite|mention|describe|calculate|send|book|order|don't know|do not know|are not "
        r"sure|aren't sure|are unsure|can't|cannot|edit|correct|prepare|compare|format|name|post|schedule|refer|"
        r"pick|change|delete|run|disagree|talk (?:about|to me|with me)|speak (?:about|to me))|we (?:talk|speak|discuss|chat|work|do|plan|play|practi[sc]e)|"
        r"\w+ing|it comes to|it's about)\b"
    ),
    clause=(
        r", (?:please |then |always |just |never |don't )*(?!(?:i|i'\w+|you|you'\w+|we|we'\w+|it|it's|he|she|they|that|that's|this|there|the|a|an|my|his|her|our|their|"
        r"your|what|who|how|why|nobody|everyone|everything|people|all|some|most|is|are|was|would|could|should|can|will|do|does|did|have|has|had|and|but|or|so|"
        r"because|not|no|yes|ok|in|on|at|for|with|of|to|from|by|as|if|when|even|especially|like|which|where|thanks|cheers|maybe|perhaps|sometimes|mostly|often)\b)"
        r"[a-z]+(?<!ed)(?<!ing)(?<!ly)(?<!s) (?:the|a|an|me|my|all|every|each|any|with|in|to|it|them|out|up|down|as|for|at|on|one|two|three|both|only|from|by|off)\b"
    ),
    normative=(
        r"^(?!(?:the|my|his|her|our) \w+'s\b)(?!(?:make|write|give|show|list|create|draft|send|find|get|tell|add|put|do|read|check|i|we|he|she|they|it)\b)"
        r"(?:(?:all|any|every|my|your|our|the) )?(?:[\w'-]+ ){0,4}?(?:messages?|mails?|emails?|letters?|reports?|ideas|tips|recipes?|code|tables?|titles?|commits?|functions?|summar(?:y|ies)|texts?|suggestions|recommendations|plans?|names|answers?|repl(?:y|ies)|queries|sql|python|css|html|javascript|lists?|examples?|explanations?|translations?|posts?|captions?|drafts?|notes?|minutes|slides?|workouts?|dates|prices|amounts|quantities|options|quotes|sources|links|comments|tests?|variables|subject lines?|invoices?|itinerar(?:y|ies)|menus?|scripts?|shopping lists?|reminders|tone|estimates|calculations|results|numbers|measurements|temperatures)(?: (?:to|for|from|of|in|about) (?:[\w'-]+ ?){1,4})? "
        r"?(?:should|must|have to|has to|need to|needs to|needs?|are to|shouldn't|mustn't|can't|ought to|(?:always|never)(?! (?:go|rise|fall|change|come|get|seem|arrive|look)\b))\b"
    ),
    acting=r"\b(?:i|we|he|she|they|it|a|an|the|is|are|was|were|is not|isn't|my|his|her|their|our|who|that|which|to|people|you|i'll|we'll|can|will|could|should|would|must|ll|did|does|'d)(?: (?:always|never|also|"
    r"usually|often|just|really|only))? $",
    for_me=r"\b(?:me|mine|i|you)\b",
    others=(
        r"^(?:i|i'm|i'll|i've|we|we're|we'll|he|she|they|it|it's|there|people|everyone|everybody|nobody|someone|my (?!answers|"
        r"replies|pronouns|summar)\w+|the (?:\w+ )?(?:bus|train|weather|kids|dog|cat|neighbou?rs?|city|company|boss|team)|that|"
        r"this|from now on,? (?:i|we|he|she|they|my)|in (?:the )?future,? (?:i|we|he|she|they|my))\b"
    ),
    subjects=any_of(_TASKS),
    proposing=any_of(
        "suggest|recommend|propose|offer|book|order|buy|deploy|commit|merge|push|schedule|bring up|bring \\w+ up|plan|find"
    ),
    usual=(
        r"\b(?:when(?:ever)?|if|every time|each time|any ?time) you (?:mention|give|show|quote|write|use|list|name|tell|state|put|need|convert|calculate)(?: me)?(?: an?| any| the| out| down)* "
        r"(?:times?|prices?|numbers?|dates?|distances?|temperatures?|weights?|amounts?|sums?|figures?|measurements?|hours?|names?|quantit\w+|"
        r"percentages?|sizes?|links?|sources?|claims?|examples?|options|lists?|answers?|steps|opinions?|commands?|address(?:es)?|places?|person|people|words?|terms?|acronyms?|compan(?:y|ies))\b|\b(?:for|in|with|on) (?:anything|everything|all|"
        r"whatever|every \w+|each \w+|any \w+)(?: that)? you \w+(?: (?:for|to) (?:me|us))?(?=[,.!]|$)|"
        r"\b(?:when|whenever|if|every time|each time|any ?time|before|while) (?:i|you|we)(?:'re| are|'m| am)?"
        r"(?: \w+)? ?(?:ask(?:ing)?(?: you)?(?: (?:something|anything|questions?|a question|for (?:help|advice)))?|"
        r"answer(?:ing)?|reply(?:ing)?|respond(?:ing)?|explain(?:ing)?(?: (?:something|things|stuff|anything))?|talk(?:ing)?"
        r"(?: to (?:me|you))?|chat(?:ting)?|speak(?:ing)?|write to (?:me|you)|message|not sure|unsure|don't know|do not "
        r"know|aren't sure|are not sure|delete|send|buy|do|make|change|start|get|are done|can't|can|need|have|"
        r"quote|mention (?:a )?(?:price|number|date)|give (?:me )?(?:an? )?(?:answers?|advice|examples?|lists?|number)|write (?:to|about) me|repeat|call|use|"
        r"apologi[sz]e|say|tell|disagree|make a mistake|am wrong|'re wrong|are wrong|possible)\b|\b(?:when|if|whenever|"
        r"where) (?:possible|in doubt|necessary|needed|it makes sense|you can)\b|\bif there(?:'s| is) anything\b|\bif (?:something|anything) (?:is|isn't|seems)\b|\bas if (?:you|i) (?:were|are|was|am)\b|\b(?:when(?:ever)?|if) (?:i'm|i am|you're|you are) (?:not )?\w+|\bif you (?:must|can|could|like|want|didn't|don't|would|answered|kept|used|stopped)\b|\bfor (?:me|instance|example|everything|"
        r"all|good|now|any|the sake|clarity)\b|\bin (?:your|our|all|every|each) (?:\w+ )?(?:answers?|repl(?:y|ies)|"
        r"responses?|messages?|chats?|conversations?|explanations?|summaries|texts?|code)\b|\bwhen you (?:answer|explain|"
        r"talk|reply|write to me)\b|\bevery message\b|\bwith me\b"
    ),
    outputs=any_of(_OUTPUTS),
    undoing=(
        r"\byou (?:can|may|needn't|don't (?:need|have) to)\b|\bskip\b|\bstop\b|\bno more\b|\bwelcome\b|\bneeded\b|\bgo back\b|\benough\b|\bdispense with\b|\bcut out\b|"
        r"\bagain\b|\bany ?more\b|\bany longer\b|\bno longer\b(?! than)|\bforget (?:what|about|the|that|my)\b|\bignore (?:what|my|"
        r"the)\b|\bnever mind (?:what|the|my)\b|\binstead\b|\bafter all\b|\bback to\b|\bswitch\b|\bactually\b|"
        r"\bchanged my mind\b|\bscratch\b|\brather\b|\bas before\b|\blike before\b|\bno need\b|\bdon't have to\b|"
        r"\bdrop\b|\bnot .* but\b|\bwithdraw\b|\bcancel\b|\bundo\b|(?<!from )(?<!as of )(?<!starting )\bnow\b"
    ),
    meaning=(
        r"^(?:when(?:ever)?|if) i (?:say|write|type|mention|talk about|speak of) .{1,60}?,? (?:i|it|that)(?:'m| always| am| only)* "
        r"(?:mean|means|talking about|refer\w*)\b|^by .{1,40}\bi (?:always |only )?mean\b|\b(?:always )?(?:stands for|means) .{2,40} (?:to|for|with) me\b"
    ),
    telling=(
        r"\b(?:be|go|stay) (?:\w+ly|slow|easy|gentle|patient|firm|strict|honest|open|straight|blunt|frank) (?:with|on) me\b|"
        r"\b(?:tone|dial) (?:it|things) (?:down|back)\b|"
        rf"^(?:in )?(?:{_LANGUAGES})(?: (?:or|and) (?:{_LANGUAGES}))? (?:is|are) (?:fine|ok|okay|best|better|easier)\b|\b(?:when|if) (?:in doubt|unsure|you(?:'re| are) (?:in doubt|unsure|not sure|stuck)|you can't (?:find|tell|work))\b|"
        r"\bi (?:don't|do not|never) (?:want|like|need) (?:to be|being) (?:\w+ )?(?:praised|lectured|thanked|flattered|patroni[sz]ed|called|addressed|interrupted|reminded|quizzed|told)\b|"
        rf"^(?:please )?(?:describe|explain|mark|label|define|translate|cite|flag|number|spell out|name|bold|link|source|read out|convert|write out|date)(?: me)? (?:any|every|each|all)(?: the)? (?:\w+ ){{1,3}}you (?:{_WORK})\b|"
        rf"\b(?:one|a|two|three|a single|just the)[ -](?:\w+[ -])?(?:{_OUTPUTS}|line|word|sentence|option|paragraph|suggestion|answer)s?\b.{{0,10}}\b(?:is|are|will) (?:plenty|enough|fine|do)\b.*\b(?:for me|as a rule|usually|generally|from now on|always)\b|"
        r"\b(?:assume|take it(?: as read| for granted)?|presume)(?: that)? (?:i|i'm|i've|my)\b|\b(?:treat|consider|see|"
        r"regard) me (?:like|as|an?)\b|\b(?:act|behave)(?: as| like) (?:my|if)\b|\b(?:talk|speak|chat|write|explain things)(?: to| with) me (?:"
        r"like|as|in|with|without)\b|"
        rf"\bi(?:'d)? (?:\w+ )?(?:find|understand|learn|work|follow|cope|manage|read|take|get|remember|concentrate)\b.{{0,25}}\b(?:better|easier|"
        rf"best|hard|harder|quicker|faster|more easily|clearer|useful|helpful|confusing|annoying)\b.{{0,20}}\b(?:if|when) you (?:\w+ ){{0,2}}?(?:{_WORKED})\b|"
        rf"\b(?:it|that|what) (?:really |always |only )?(?:helps|works|suits|bothers|annoys|irritates|bugs|confuses|stresses|drives|throws|puts|"
        rf"upsets|distracts|grates|gets|makes)\b.{{0,40}}\b(?:when|if) you (?:\w+ ){{0,2}}?(?:{_WORKED})\b|"
        rf"\bi(?:'d| would) (?:much |far |really )?(?:rather|prefer|like|love|appreciate)(?: it)?(?: if| that)? you(?:'d)? (?:\w+ ){{0,2}}?(?:{_WORKED})\b|"
        rf"\beveryone calls me \w+, so\b|\b(?:hold|spare me|save me|lose|ditch|can|cut|drop|skip|enough with) the (?:[\w-]+ ){{0,4}}?(?:{_OUTPUTS}|talk|act|accent|voice|persona|character|style|"
        rf"speak|routine|attitude|drama)\b(?! (?:of|in|on|for) (?:the|this|that|a|my|slide|page)\b)|\blet me (?:\w+ ){{1,3}}before you\b|"
        rf"\b(?:no need (?:for you )?to|needn't|need not|don't (?:have|need) to|don't bother(?: to)?|not necessary to) (?:\w+ )?(?:{_WORKED}|greet|introduce|thank|"
        rf"summari[sz]e)\b.*\b(?:every|each|always|whenever|all the time|any ?more|ever)\b|"
        r"\b(?:no need to|needn't|don't (?:have|need) to|don't bother to) (?:tell|remind|explain to|warn|reassure) me (?:that |how |what )?(?:you|your|i|things|stuff|everything)\b"
    ),
    verbless=(
        r"^(?:anything|everything) (?:for|to|about) .{2,40}\b(?:should|must|has to|needs to|goes|stays|is to)\b|^(?:rather|better) .{3,60} than .{3,60}\b(?:please|always)\b|"
        rf"^(?:for|in|with|on) (?:my |our |any |all |your )?(?:[\w'+#-]+ )?(?:\w+s|code|sql|python|css|bash|homework|maths?|travel)(?<=[a-z])(?<!always),? (?:please |always |do |don't )*(?:{_WORK}|sign|keep|"
        r"start|add|include|avoid|skip|leave out|stick|end|begin|name|spell|check|mark|be|stay|prefer) (?:me |us )?(?:the|an?|all|every|any|only|to|in|with|as|out|no|me|up|on|it|them|both)\b(?<!this)|"
        r"\b(?:never|don't|do not|nothing|no \w+)\b.{1,60}\bwithout (?:\w+ ){0,2}?(?:asking|telling|checking|consulting|warning|letting me|my \w+)\b|"
        rf"^in (?:[\w'+#-]+ ){{0,2}}?(?:{_TASKS})\b.{{0,60}}\b(?:on|in|for|with) (?:every|each|all)\b|"
        rf"^(?:from now on,? |please,? |and |just |so )*(?:one|a single|two) (?:[\w-]+ )?at a time\b(?! (?:i|we|he|she|they|when|the)\b)|"
        rf"(?:^|[,;:–—-] ?|\bso )(?:please |and |so )?(?:no|nothing in|nothing but|zero|never any|just|only) (?:[\w'-]+ ){{0,3}}?(?:{_OUTPUTS}),? "
        rf"(?:ever|please|at all|any ?more|with me|for me|from you)\b|^nothing (?:in|with|but) (?:[\w'-]+ )?(?:{_OUTPUTS})\b|"
        rf"^no more (?:[\w'-]+ ){{0,3}}?(?:{_OUTPUTS})\b|"
        rf"^(?:just |only |all )?(?:the )?(?:[\w'-]+ ){{0,3}}?(?:{_OUTPUTS})(?:,? (?:please|for me|with me|from you))*,? (?:only\b|always\b|every time\b|with me\b|(?:for|in) "
        rf"(?:every|each|all|everything|anything))|"
        rf"^(?:numbers|figures|prices|dates|times|hours|temperatures|distances|weights|amounts|lengths|sums|money|phone numbers|names|"
        rf"(?:[\w-]+[- ]){{1,3}}?(?:format|time|notation|clock))(?:,? (?:always|only|please|never|for me|with me))*,? (?:in|as|with|without|to|like|net|gross|rounded|for(?= every))\b.{{0,40}}(?:\b(?:always|never|only|please|every|with me|for me|when you)\b|(?<=never))|"
        rf"^(?:[\w'+#-]+ ){{0,3}}?(?:{_TASKS})(?: for (?:me|us|the \w+))?: ?.{{0,120}}\b(?:{_STANDS}|no|don't|nothing|please)\b|"
        rf"^(?:for|in|with|on|about|when it comes to) (?:[\w'+#-]+ ){{0,3}}?(?:{_TASKS})(?: (?!(?:you|i|we|he|she|they|it|there|people|one|is|are|was|were|had|has|says|said)\b)[\w'\"+#-]+){{0,6}}?,? (?:{_STANDS}|no|don't|nothing|stick|avoid|please)\b|"
        rf"^(?:in|for|with) (?:terraform|docker|ansible|[\w+#.-]*(?:script|lang|sql|\+\+|\.js))\b.{{0,40}}\b(?:always|never|only)\b|"
        rf"^(?:in |for |with |on )?(?:any|every|all|everything|anything|whatever|no|never|only|each)\b(?:.{{0,50}}?\b)?(?:that |which )?you(?:'ll| ever| might)? "
        rf"(?:{_WORK})\b(?!.{{0,30}}\b(?:tastes?|looks?|sounds?|will be|was|were|is (?:great|fine|lovely|so|good|wrong))\b)|"
        rf"^(?:[\w'-]+ ){{0,3}}?(?:{_STYLE})(?: \w+)? (?:is|are) (?:fine|enough|plenty)(?: for me)? from (?:now|here) on\b"
    ),
    released=(
        r"\b(?:fine|ok|okay|allowed|welcome) again (?:in|for|with)\b|"
        rf"\b(?:{_OUTPUTS}|prices|dates|times|steps|commands|recipes|meat|fish)\b.{{0,30}}\b(?:is|are|'s|isn't|aren't|not|no longer|don't|doesn't)\b.{{0,15}}"
        r"\b(?:fine|ok|okay|good|back|enough)\b.{0,25}\b(?:again|any ?more|any longer|from now on|after all|with me)\b|"
        rf"\b(?:{_OUTPUTS}|prices|dates|times|steps|commands|recipes|meat|fish)\b.{{0,30}}\b(?:is|are|'s|isn't|aren't|not|no longer|don't|doesn't)\b.{{0,15}}"
        r"\b(?:welcome|allowed|need\w*|necessary|required)\b(?:.{0,25}\b(?:again|now|any ?more|any longer|from now on|after all|"
        r"with me)|[.!]?$)|\bnow\b,? so .{0,40}\b(?:fine|ok|okay|allowed)\b|^(?:normal|regular|proper|ordinary|usual) (?:\w+ ){1,3}again\b|"
        rf"^(?:(?:go|switch|change|let's go) )?back to (?:[\w-]+ ){{0,2}}?(?:{_OUTPUTS}|{_LANGUAGES}|{_STYLE}|normal|usual|how it was)\b|\b(?:start|resume|bring back|put back|go back to) (?:\w+ ){{0,3}}?(?:{_OUTPUTS})\b"
    ),
    even=r"\b(?:even (?:if|when|though|where)|no matter (?:what|how|which|if)|regardless of|whatever|also when) .*$",
    topics={
        "tax": any_of(r"tax(?:es)?|vat|gst|net|gross|tax-free"),
        "signature": r"\bsign(?:ed|ing)?(?: off)?\b.{0,40}(?:\b(?:as|with|off)\b|[\"“«])|\bsignatures?\b",
        "images": any_of("images?|pictures?|photos?|screenshots?|diagrams?|text only"),
        "case": r"\b(?:lower|upper)[- ]?case\b|\bcapital(?:s|i[sz]\w+| letters)?\b|\ball caps\b",
        "numbering": r"\bnumber(?:ed|ing)? (?:your|the|my|every|each|all|steps|points)\b|\bnumbered\b",
        "quiz": any_of(r"quiz(?:zes|zing)?|test me"),
        "summary": any_of(r"summar(?:y|ies)|recaps?|tl;?dr"),
        "zone": r"\b(?:use|in|give|show|to)\b(?: \w+){0,4} (?!(?:any|every|some|this|that|last|first|next|same|real|hour|long|one|all|of|the|a|my|your|no|each|good|free|more|less|at)\b)[a-z]+ time(?:[.,!]|$| (?:for|in|with|please|from|always|again)\b)|\btime ?zones?\b",
        "diet": any_of(
            r"vegan|vegetarian|meat|fish|pork|beef|chicken|gluten(?:-free)?|dairy|lactose|nuts?|peanuts?|halal|kosher|sugar(?![ -]?coat)"
        ),
        "pace": r"\bat a time\b|\bline by line\b|\bword by word\b",
        "persona": r"\b(?:like|as) (?:an? |my |if you were )\w+|\b\w+ talk\b|\bpretend\b",
        "language": any_of(_LANGUAGES) + r"(?! (?:spelling|food|wine|cuisine|movies|films|books))",
        "spelling": any_of(r"(?:british|american|us|uk|oxford) (?:english|spelling)|spelling|oxford comma"),
        "emoji": any_of("emojis?|emoticons?|smileys?|smilies"),
        "narrator": any_of("(?:first|second|third)[- ]person"),
        "address": any_of(
            r"call(?:ing|ed)? me|address(?:ing|ed)? me|addressed|my name|nicknames?|first[- ]name|last[- ]name|surname|"
            r"by name|sir|ma'am|they/them|she/her|he/him|mister|pronouns|be called|being called|go by|refer to me"
        ),
        "times": (
            r"\b(?:message|messages|call|text|write|contact|remind|reminders?|notify|notifications?|ping|disturb|e?mail|"
            r"wake|bother|schedule|book|meetings?|send)\b.{0,40}\b(?:before|after|until|between|past|during|later than|"
            r"earlier than|on|at|in the|over the|outside)\b.{0,14}\b(?:\d{1,2}|noon|midnight|morning|evening|night|"
            r"nights|weekends?|\w+days?|six|seven|eight|nine|ten|eleven|twelve|hours|lunch|dinner|work)\b|\bquiet hours\b"
            r"|\bdo not disturb\b|\bnot (?:on|at|during) (?:the )?(?:weekends?|night|\w+days)\b|\bweekends\b"
        ),
        "units": any_of(
            r"metric|imperial|celsius|fahrenheit|kelvin|grams?|kilograms?|kg|kilos|pounds|ounces|oz|cups|kilomet(?:er|re)s"
            r"?|km|miles|feet|inches|centimet(?:er|re)s|cm|lit(?:er|re)s|gallons|units|units of measurement"
        ),
        "currency": any_of(r"euros?|dollars?|pounds sterling|francs|yen|currency|currencies|eur|usd|gbp|chf"),
        "dates": (
            r"\bdates? (?:as|in|like|format|written|out|with)\b|\bam (?:and|or) pm\b|\b(?:24|12)[- ]?h(?:our|ours)?\b|\bam/pm\b|\bdates? (?:as|in|like|format)\b|\biso (?:dates?|format|8601)\b|"
            r"\byyyy\b|\bday\.month\b|\btime ?zones?\b|\bclock\b|\bwrite (?:all |my |the )?dates\b|\butc\b"
        ),
        "confirmation": (
            r"\b(?:ask|check with|confirm with|consult|tell|warn|run (?:it|things|that) by|wait for|get) (?:me|my)\b"
            r".{0,20}\b(?:first|before|permission|ok|okay|approval|confirmation|go-ahead)\b|\bwithout (?:asking|my |me (?:saying|agreeing|knowing)|"
            r"checking|confirm)|\bask first\b|\bask(?:ing)?(?: me)?(?: first| for permission)? before\b|\bcheck with me\b|\bconfirm\b|\bask (?:me )?for (?:my )?(?:permission|"
            r"confirmation)\b|\b(?:ask|check with) me\b.*\bbefore\b|\bbefore (?:you |any )?(?:delet|send|buy|book|order|"
            r"push|chang|mak|do|execut|run|post|deploy|commit)\w*|\basking (?:me )?(?:first|for permission|every time)\b"
        ),
        "order": (
            r"\b(?:answer|result|conclusion|summary|solution|gist|bottom line|point|tl;?dr|short version|reasons?|code)\b"
            r".{0,14}\b(?:first|upfront|up front|at the (?:top|start|end)|last|later|on top)\b|\bstart with the (?:answer|"
            r"result|conclusion|point|summary)\b|\blead with\b"
        ),
        "questions": (
            r"\bfollow-?up questions?\b|\bend(?:ing)?\b.{0,30}\bquestions?\b|\bcounter-?questions?\b|\bquestions? back\b|"
            r"\bclarifying questions?\b|\bone question at a time\b|\bask (?:me )?(?:so many |more |fewer |too many )?"
            r"questions\b|\bask if i\b|\banything else\b"
        ),
        "repetition": r"\brepeat\w*\b|\brestat\w+\b|\brephras\w+ my\b|\bsay(?:ing)? (?:the same|\"|'great)",
        "apologies": any_of("apolog\\w+|sorry"),
        "disclaimers": any_of(
            r"disclaimers?|caveats?|warnings?|as an ai|hedg\w+|lectur\w+|morali[sz]\w+|safety (?:notes?|notices?)|"
            r"consult a (?:doctor|lawyer|professional)|see a doctor"
        ),
        "smalltalk": any_of(
            r"small ?talk|chit-?chat|fluff|filler|introductions?|intros?|preambles?|pleasantries|thank(?:ing)? me|"
            r"greet\w*|great question|good question|certainly|of course!?|get to the point|to the point|hope this helps|"
            r"sign-?offs?|closing (?:lines?|remarks?)|waffl\w+|rambl\w+|beat(?:ing)? around the bush"
        ),
        "praise": any_of("flatter\\w*|compliments?|prais\\w+|cheerleading|validation|agree with me"),
        "level": any_of(
            r"jargon|buzzwords|simple (?:words|terms|language)|simply|plain (?:language|english|words)|layman\w*|eli5|"
            r"like i(?:'m| am)|as if i|technical(?: terms)?|basics|experts?|beginners?|dumb(?: it)? down|twelve|"
            r"five[- ]year[- ]old|abbreviations|acronyms|overexplain|over-explain|too complicated|understandable"
        ),
        "options": any_of(r"options?|choices|alternatives|ideas at once"),
        "examples": any_of("examples?|analog(?:y|ies)|metaphors?"),
        "sources": any_of("cite|citing|sources?|references|citations?|links?|footnotes"),
        "honesty": (
            r"\bcheck twice\b|\blie to me\b|\bmak(?:e|ing) (?:things|stuff|facts|it|anything|something) up\b|\bguess(?:ing)?\b|\b(?:don't|do not) know\b|"
            r"\b(?:not|aren't|'re not|are not) (?:\w+ )?(?:sure|certain)\b|\bunsure\b|\bhallucinat\w+|\bdouble-?check\w*|"
            r"\bcheck your\b|\binvent(?:ing)?\b|\buncertain\b|\bverify\b|\bhow (?:sure|certain|confident)\b|\bmade[- ]up\b"
        ),
        "criticism": any_of(
            r"sugar-?coat\w*|blunt\w*|direct(?:ly)?|brutal\w*|honest(?:ly)?|frank|critical|criticism|push back|disagree|"
            r"devil's advocate|straight(?:forward)?|straight to|truth|upfront|gentle[r]?|gently|harsh\w*|kinder|softer|tactful"
        ),
        "humour": any_of("humou?r|jok(?:e|es|ing)|funny|sarcas\\w+|puns?|witty|irony|serious"),
        "swearing": any_of("swear\\w*|curs(?:e|ing)|profanity|bad words"),
        "tone": any_of(
            r"like (?:you're|you are|we're|we are)|as though|cheeky|playful|loosen up|stern|strict|laid-back|chilled|relaxed|matey|bubbly|dry|cheerful|"
            r"(?:speak|talk|answer|reply|respond|write|explain)(?: to me)? (?:\w+ly|less|slower|louder|softer)|slang|formal\w*|informal\w*|casual\w*|polite|friendly|friendlier|friend|tone|professional|warm(?:er|th|ly)?|robot\w*|"
            r"enthusias\w+|exclamation (?:marks?|points?)|slang|colloquial|chatty|corporate|gentle|kind|patient|calm|"
            r"neutral|encouraging|respectful|buddy|manual|salesy|personal"
        ),
        "layout": any_of(r"bullet\w*|lists?|numbered|prose|paragraphs?|step[- ]by[- ]step|walls? of text|one per line"),
        "portions": r"\b(?:for|portions for) (?:one|two|three|four|five|six|\d{1,2})(?: people| persons|$|[.,!])|\b(?:portions|servings)\b",
        "format": any_of(
            r"bullet\w*|lists?|tables?|markdown|headings?|headers?|bold|plain text|numbered|code blocks?|format\w*|"
            r"latex|prose|step[- ]by[- ]step|steps|paragraphs|line breaks|walls? of text|italics|em[- ]dashes|dashes|"
            r"asterisks|hashtags|titles|one per line|json|csv|html"
        ),
        "length": any_of(
            r"short\w*|brief\w*|concise\w*|succinct\w*|terse|crisp|compact|long(?:er)?(?= (?:answers?|repl\w+|resp\w+|expl\w+|messages?|texts?|sentences|essays|introductions?|versions?|form|ones?|please)|,|\.|!|$)|lengthy|details?|detailed|in[- ]"
            r"depth|thorough\w*|verbose|sentences?|words|one-liners?|tl;?dr|wordy|essays?|elaborate|explanations?|lines|characters|"
            r"keep things|half a page|a page|extensive\w*|comprehensive\w*|gist"
        ),
        "indentation": any_of(r"indent\w*|tabs|(?:two|four|\d) spaces"),
        "code": any_of(
            r"code|comments?|type hints?|types|indent\w*|tabs|spaces|snake_case|snake case|camel ?case|semicolons?|"
            r"functions|variables|keywords|upper[- ]?case|lower[- ]?case|docstrings?|sql|type annotations?|unit tests?|"
            r"tests|snippets|f-strings|linter|imports"
        ),
        "privacy": (
            r"\b(?:share|store|save|reveal|pass on|disclose|publish|post|give out|log|record)\b.{0,30}\b(?:my|our|personal"
            r"|private|data|information|anyone|others|name|number|address)\b|\bprivacy\b|\bpersonal data\b"
        ),
        "reminders": any_of("remind(?:ers?|ing)?(?: me)?"),
    },
)

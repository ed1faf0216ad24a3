"""English."""

from libravdb.core.gate.languages.vocabulary import GateVocabulary, Script

_I = r"(?:i|we)(?:'m|'ve|'d|'ll|'re)?"
_OWN = r"(?:my|our|mine|ours)"
_WORLD = (
    r"(?:servers?|machines?|box|cluster|pods?|nodes?|gateway|load balancer|databases?|db|schema|tables?|index|indexes"
    r"|cache|queue|api|apis|endpoints?|service|services|backend|frontend|app|client|clients|library|codebase|repo"
    r"|repository|monolith|module|modules|pipeline|ci|builds?|deploys?|deployments?|release|releases|launch|rollout"
    r"|migrations?|backups?|tests?|suite|logs?|logic|parser|worker|workers|job|jobs|container|containers|config"
    r"|settings?|flags?|tokens?|keys?|passwords?|certificates?|domain|port|network|printer|router|office|team|board"
    r"|company|project|product|customers?|contract|budget|deadline|sprint|meeting|review|ticket|tickets|bugs?"
    r"|crash|outage|leak|error|errors|issue|issues|kids|children|baby|dog|cat|staging|login|import|export|timestamps?|components?|hooks?|house|flat|apartment|car|garage|garden|wedding|appointment)"
)

ENGLISH = GateVocabulary(
    name="english",
    script=Script.LATIN,
    common=frozenset(
        "a about after all also am an and any are as at be because been before but by can could did do does don for from"
        " had has have he her here him his how i if in into is isn it its just like ll m me more most my no not now of"
        " off on one only or our out over re s she should so some still such t than that the their them then there these"
        " they this those to too up us ve very was wasn we were what when where which while who why will with would you"
        " your again ok okay please really well yes yeah thing things something anything everything today lot bit".split()
    ),
    person=(
        r"i|me|my|mine|myself|we|us|our|ours|he|she|him|her|his|hers",
        r"(?:step|grand|god)?(?:mother|father|son|daughter|child|children|parents?)(?:-in-law)?",
        r"mum|mom|dad|mummy|daddy|grandma|grandpa|granny|kids?|baby|toddler|brothers?|sisters?|siblings?|twins?",
        r"husband|wife|spouse|partner|fiancée?|girlfriend|boyfriend|ex|aunt|uncle|cousins?|niece|nephew|family",
        r"friends?|neighbou?rs?|flatmate|roommate|colleagues?|coworkers?|co-worker|boss|manager|landlord|landlady",
        r"doctor|dentist|cardiologist|therapist|accountant|lawyer|teacher|coach|nurse|customers?|client|people|team",
        r"(?:mr|mrs|ms|dr|prof)\.? (?=[A-Z])",
        r"(?:named|called|name is|with|tell|ask|met|meet|meeting|and) (?-i:[A-Z][a-z]+)(?= and\b| for\b| on\b| at\b|,|\.|:|$)",
        r"(?-i:[A-Z][a-z]{2,}) (?:said|says|wants|likes|loves|lives|works|thinks|told|asked|married|prefers|hates|approved|owns)",
        r"(?-i:[A-Z][a-z]{2,})'s (?:birthday|wedding|name|house|place|phone|email|address|team|mother|father|job)",
    ),
    preference=(
        r"prefer(?:s|red|ence|ences)?|favou?rites?|rather (?:not )?(?:than|have|take|use|go|stay|do|work|be|see|eat)",
        r"(?:i|we|he|she|they|kids|who)(?: \w+)?(?: \w+)? (?:like|likes|love|loves|loved|enjoy|enjoys|hate|hates|dislike|dislikes|adore|adores|despise)",
        r"(?:don't|doesn't|do not|does not|never) (?:really |even )?(?:like|want|eat|drink|enjoy|use|care for|do|watch|smoke)",
        r"can't stand|cannot stand|can't eat|cannot eat|fan of|fond of|into (?:\w+ing)|obsessed with|allergic|allergy|allergies|intolerant",
        r"vegetarian|vegan|pescatarian|halal|kosher|coeliac|celiac|gluten|lactose|lefty|left-handed|diabetic|diabetes|afraid of|scared of",
        r"decided|decide|decision|chose|chosen|choose|opted|picked|pick|settled on|agreed(?: that| to| with| on)?|approved|voted",
        r"(?:go|going|went) with|going forward|final call|off the table|changed my mind|change my mind|let's (?:keep|use|standardi[sz]e|stick|go with|drop)",
        r"(?:is|are)(?: not| never| always| now| all| only)? \w{2,}ed(?: and \w{2,}ed)? (?:with|by|to|in|on|at|before|after|from|for|via|through|into|per|every|automatically)|makes? me \w+|vetoed|rejected|scrap(?:ped)?|ruled out|signed (?:up|off)|cancelled|opted|\w+, not \w+|not \w+ but|i only \w+|(?:bores?|scares?|annoys?|bothers?|excites?|relaxes) me|more than|instead of|rather than|over \w+ because|\w+ over \w+ (?:for|any)|any day|more of a|in favou?r of|switch(?:ed|ing)? (?:from|to)|replac(?:e|ed|ing) \w+ (?:with|by)",
        r"we (?:will not|won't|drop|dropped|keep|stay|stick)|(?:are|is|'re) replacing|want to|wants to|would like to|hope to|dream of",
        r"(?:is|are|was|were|being) (?:written in|stored in|hosted (?:on|at|in)|built (?:on|with|in)|deployed (?:to|on))|(?:runs?|running) on(?! time)|uses?(?= [A-Za-z])|we are using|written in|(?:i|we|who|he|she) (?:also )?(?:play|plays|collect|collects|knit|paint|sing|hike|cycle)",
        r"usually|at the latest|only,|no (?:sugar|milk|meat|alcohol)|vote for",
    ),
    fact=(
        _I
        + r" (?!(?:think|guess|see|know(?= (?:that|what|how|it|right|you|why|this)\b|$|[.,!?])|mean|understand|wonder|suppose|believe|appreciate|thought|hope|get it|got it|agree|sure|sorry|was wondering)\b)(?:\w+ )?\w+",
        r"(?:had to|lost|got|bought|sold|finished|started|quit|moved|broke|met|passed|born|merged|released|tagged|shipped|deployed|bumped|renamed|upgraded|found) \w+",
        _OWN + r" (?:\w+'?s? ){1,4}(?:is|are|was|were|has|have|had|\w+s|\w+ed|can't|cannot|wants|will|got|just)",
        _OWN + r" (?:\w+)",
        r"(?:the|this|our|every|all|these) (?:[\w-]+ ){0,3}" + _WORLD,
        _WORLD + r"(?=:)",
        _WORLD
        + r" (?:\w+ ){0,3}(?:is|are|was|were|go|goes|runs?|lives?|uses?|has|have|takes?|needs?|gets?|came|comes|fails?|failed|breaks?|crashes|hangs|still)",
        r"(?:uses?|using|runs? on|written in|hosted (?:on|at|in)|lives? in|based in|stored in|located|deployed to|kept for|called|named|spelled|maintained by)",
        r"(?:he|she|they)(?:'s|'re)? (?:is|are|was|has|will|lives?|works?|teaches|moved|got|goes|plays|coming|based)",
        r"(?-i:[A-Z][a-z]+) (?:is|was) (?:the one who|our|my|in charge|responsible)",
        r"(?:not )?a (?:big |huge |real )?fan of|not for me",
        r"(?:birthday|anniversary|appointment|interview|exam|flight|surgery) (?:is|are|on|at|with)",
    ),
    rule=(
        r"(?:if|when) (?:i|you|a|an|the|someone|anyone) .{1,60}, (?:please )?(?:answer|reply|respond|use|ask|tell|look|check|write|offer|do|call|stop|assume)|always|never(?! mind| know| knows| thought| heard| seen)|from (?:now|here) on|going forward|in (?:the )?future|every time|whenever|each time",
        r"(?<!can't )(?<!cannot )(?<!don't )(?<!you )(?<!i )remember(?! when| how| what| who| where| the time)(?: that|:| to)?|(?:you can )?assume (?:that )?i|skip the \w+|be (?:blunt|brief|concise|direct|formal|honest) with|no \w+ in (?:the|my|our|your)|address my|note to self|keep in mind|don't forget|make sure|ensure|be sure to|for the record|fyi",
        r"(?:please |^)?(?:don't|do not) (?!know|think|worry|understand|see|care|mind|get|believe|have|remember)\w+(?= )",
        r"must(?: not|n't)?(?! be (?:kidding|joking|so|very|really|a|an|nice|great|hard|fun|proud|tired|excited|amazing|tough|rewarding|wrong)\b| have\b|'ve)|you (?:should|need to|have to|may not|shouldn't)(?! (?:be|see|know|try|have)\b)|call me|stop (?:using|calling|asking|adding)|avoid|no more",
        r"^(?:please )?(?:use|keep|prefer|stick to|refer to|address me|answer|reply|respond|speak|write) (?:\S+ ){0,6}(?:in everything|everywhere|by default|for me|at all times|under \d+|short|from \w+ on|only in)",
        r"^(?:please )?(?:keep|use|format|answer|reply|respond|speak|quote|stick to|refer to) (?:\S+ ){0,3}?(?:all|every|everything|your|my|only|metric|imperial|british|american|formal|informal)",
    ),
    date=(
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
        r"january|february|march(?= \d|$|[,.])|(?:in|last|next|this|since|until|by|of) (?:march|may)|april|june|july|august|september|october|november|december|may \d+|\d+ may|of may",
        r"\d{1,2}(?:st|nd|rd|th)(?: of)?|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:in|since|until|by|from|of) (?:19|20)\d\d|q[1-4]",
        r"yesterday|tomorrow|tonight|today|this (?:morning|afternoon|evening|week|month|year|summer|winter|spring|autumn|fall)",
        r"(?:last|next|past|every|each|second|first) (?:\w+ )?(?:week|month|year|summer|winter|spring|autumn|fall|night|weekend|quarter|morning|day|time|sprint|release)s?",
        r"(?:\d+|two|three|four|five|six|ten|a few|several|a|an|couple of) (?:day|week|month|year|hour|minute|decade)s? (?:ago|from now|later)|within \w+ (?:days|weeks|months|years)",
        r"\d{1,2}(?::\d{2})? ?(?:am|pm)|\d{1,2}:\d{2}|noon|midnight|christmas|easter|new year|thanksgiving|(?:over|after|during|before) the (?:holidays|summer|weekend)",
        r"weekends?|weekdays?|(?:the )?(?:end|start|beginning|middle) of (?:the |this |next |last )?(?:week|month|quarter|year|day|sprint|summer)|formerly|previously|used to|at night|by night|late at night|now|currently|these days|at the moment|any ?more|(?:mon|tues|wednes|thurs|fri|satur|sun)days|often|sometimes|every (?:day|night|morning|evening)|until \w+|once a \w+|since (?:\w+ ){0,3}\w+|from (?:now|here) on|going forward|nightly|weekly|monthly|yearly|annually|daily|night shifts?|in the (?:morning|evening|afternoon)|at night|deadline|anniversary|birthday",
    ),
    quantity=(
        r"[\d.,]{0,12}\d ?(?:%|percent|km|kg|g|lbs?|miles?|metres?|meters?|cm|mm|m|ft|feet|inch(?:es)?|gb|mb|kb|tb|gi|mi|ms|s|min|minutes?|hours?|h|days?|weeks?|months?|years?|euros?|dollars?|pounds?|€|\$|£|people|users|requests|times|x)(?!\w)",
        r"[$€£] ?\d[\d.,]{0,12}k?",
        r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|half a|couple of|several) (?!of them|options)[a-z]+",
        r"(?<![\w.:/#-])\d[\d,.]{0,12}(?![\w:/-])",
        r"\w+ (?:years|months|weeks|days|hours|minutes|seconds) (?:old|ago|long)|once|twice|(?:all|both|no|most|many|only|half|every) (?!right|good|problem|worries|idea|longer|in all)[a-z]+|turn(?:ing|ed) (?:\w+teen|twenty|thirty|forty|fifty|sixty|\d+)|part-time|full-time|fourteen",
    ),
    decision=(
        r"decided|decision|chose|choose|opted for|picked|settled on|agreed (?:that|to|on)|(?:go|going|went) with|standardi[sz]e on",
        r"instead of|rather than|in favou?r of|migrat(?:e|ed|ing) (?:to|from)|switch(?:ed|ing)? (?:to|from)|replac(?:e|ed|ing) \w+ (?:with|by)|moved? (?:from|to)",
        r"architecture|(?:we|repo|project|service|app|team) (?:will )?(?:use|uses|are using)|written in|runs on|relies on|talks to|forwards? to|(?:is|are) (?:stored|kept|hosted) in|(?:goes|go) (?:to|through|in|into)|lives? in",
        r"drop(?:ped|ping)? support|deprecat(?:e|ed|ing)|all \w+ (?:are|must be|go)|never \w+",
    ),
    fix=(
        r"fix(?:ed|es|ing)?|solved|resolved|resolves|patched|repaired|workaround|work around|root cause|turned out|turns out|caused by|came from|was due to",
        r"the reason .{1,60} was|figured (?:it )?out|(?:it )?recovered|the (?:bug|leak|crash|problem|issue|error|cause) (?:was|is|came)|found the (?:bug|cause|problem)|because of|revert(?:ed)?|mitigated|happens (?:only )?when|(?:crashes|fails|breaks) when",
    ),
    release=(
        r"releas(?:e|ed|es|ing)|merged?|shipped|deploy(?:ed|s|ment)?|rolled (?:it )?out|rollout|tagged|published|launch(?:ed)?|went live|cut v?\d",
    ),
    configuration=(
        r"(?:set|changed|bumped|raised|lowered|increased|decreased|pinned|renamed|enabled|disabled|moved|added|removed|upgraded|downgraded|configured) (?:\S+ ){0,5}?(?:to|in|from|on|for)",
        r"pinning|upgrading|configured|configuration|env(?:ironment)? variable|setting|(?:is|are) now|feature flag|port \d+|limit (?:is|to)|ttl|timeout",
    ),
    negation=(
        r"not|no|never|none|nobody|nothing|without|\w+n't|cannot|neither|nor|no longer|anymore|any more|against|stopped|quit",
    ),
    remember=(
        r"(?:(?:ok(?:ay)?|so|hey|also|and|oh|btw|please|pls|just|now|one more thing|for later)[,:]? )*(?:remember(?:(?: that| this| to|:|,)|(?= (?:my|our|i|i'm|we|we're|the|he|she|they|it's|for)\\b(?! time| day| good)))|(?:make a |take a |take )?note(?: down)?(?: that|:| this| of)|make a note|memori[sz]e|save (?:this|that|the following|it)|store (?:this|that)|keep in mind|bear in mind|don't forget(?: that|:|,| i\\b| my\\b| our\\b| we\\b| the\\b| about\\b)|never forget (?:that|my)|for the record|add (?:this |that )?to (?:your|my) memory|write (?:this|that|it) down|jot (?:this|that|it) down|put (?:it|this|that) (?:in|into|on) (?:your|my) (?:notes|memory|list))",
        r"(?:(?:ok(?:ay)?|so|hey|also|and|please)[,:]? )*(?:can|could|would|will) (?:you|u) (?:please |pls |also |just |maybe )*(?:remember|note|memori[sz]e|save|store|keep in mind|write down|make a note|jot down|take note)(?: down| somewhere)?(?: for (?:me|later|next time))?(?: that| this|:|,| of|(?= (?:my|our|i|i'm|we|we're|he|she|they)\\b))",
        r"(?:would|do) you mind (?:remembering|noting|keeping in mind)",
        r"i (?:want|need|would like|'d like) you to (?:remember|know|note|keep in mind)",
    ),
    change=(
        r"now|no longer|any ?more|moved (?:to|from|back)|switch(?:ed|ing)? (?:from|to|over)|changed (?:to|from|my|the|our)|instead(?: of)?|replac(?:e|ed|ing)|migrat(?:e|ed|ing)|stopped|quit|used to",
        r"as of|from now on|since (?:yesterday|today|last|this)|has been (?:moved|changed|renamed)|was (?:moved|changed|renamed)|renamed|became|actually|correction|update|updated|new(?!s)|not .{1,30} but|left|got (?:promoted|married|divorced)|raised|lowered|bumped|postponed|rescheduled|cancelled|canceled|broke up|ended",
    ),
    chatter=(
        r"hi(?: there)?|hello|hey(?: you| there)?|howdy|good (?:morning|afternoon|evening|night|day)|morning|bye(?: for now)?|goodbye|see (?:you|ya)(?: \w+)?|(?:talk|speak) (?:to you|soon|later|tomorrow|then)(?: \w+)?|have a (?:\w+ )?(?:day|night|evening|weekend|week|one|time|trip|holiday)|take care|welcome(?: back)?|happy (?:\w+day|weekend|new year)",
        r"how are you(?: doing)?(?: today)?|how's it going|what's up|nice to (?:meet|see) you|hope (?:you|your|this|that|it)(?: \w+){1,5}|back again|long time no see",
        r"thanks?(?: you)?(?: so much| very much| a lot| a ton| again| for .{1,40})?|thx|ty|cheers|much appreciated|i (?:really |truly )?appreciate (?:it|that|you|this|(?:your|the|all) (?:\w+ )?\w+)(?: with (?:this|that|it))?|you saved (?:my|me) \w+|you're (?:the best|a lifesaver|awesome|great|amazing|welcome|right|funny)|lifesaver|mate|buddy|dude",
        r"(?:very |super |really |so )?(?:helpful|useful|great|good|nice|perfect|awesome|cool|excellent|amazing|brilliant|fantastic|wonderful|lovely|sweet|impressive|interesting|funny|hilarious|neat|correct|exactly|right|wrong|fine|true|fair enough|deal|sounds good|looks good|look good|makes sense|works for me|all good|tough one)(?: (?:job|work|answer|explanation|reply|one|idea|point|question))?",
        r"ok(?:ay)?|k|alright|all right|sure(?: thing)?|yes|yep|yup|yeah|yea|no|nope|nah|got it|i see(?: what you mean)?|understood|roger|agreed(?! (?:that|to|with|on))|absolutely|definitely|of course|no (?:worries|problem)|never ?mind|exactly what i (?:needed|wanted)|to me",
        r"i (?:think|guess|suppose|hope|believe) so(?: too)?|(?:i'm )?not (?:so )?sure(?: about (?:that|it|this))?|i (?:don't|do not) know|i have no idea|i can't believe (?:it|that)|i never thought (?:about|of) (?:it|that)(?: that way| like that)?|me too|same here|i (?:get|got) (?:it|that|you)|i (?:understand|agree|see|mean)(?: (?:it|that|you|with you))?(?=[,.!?…]|$)|(?:that|this) answers (?:my|the) question|i need (?:a |some )?(?:coffee|break|drink|nap|sleep|minute|moment)|(?:i'm|i am) (?:going to|gonna) (?:test|try|run|check|do|look|see|read) (?:this|that|it|them)(?: now| out| again)?|fine by me|why not|doesn't matter|go for (?:it|the \w+ (?:one|option))|tysm|nothing happened|same error(?: as before)?|not quite|close|can't complain|how about you|that reminds me(?: of .{1,30})?|the weather is \w+|(?:nice|lovely|bad|terrible|awful|great|beautiful|gorgeous) (?:weather|day)(?: .{1,20})?|you know(?: how it is)?|you never know|that way",
        r"ha(?:ha)+|he(?:he)+|lol|lmao|rofl|wow|oh|ah|aha|oops|ouch|ugh|hm+|huh|um+|well|omg|yay|woo?hoo|phew|damn|gosh|typical|whatever|anyway|my bad|you must be kidding|nothing much|just chilling|it is what it is|i can't stop laughing|many|ta|did the trick|my pleasure|no way|seriously|indeed|for sure",
        r"(?:i'm feeling|i am feeling|i'm|i am|i feel|feeling) (?:so |really |very |a bit |just |kind of )?(?:tired|bored|lazy|nervous|annoyed|frustrated|overwhelmed|relaxed|weird|meh|hungry|thirsty|happy|cracking up|laughing|chilling|glad|sad|sleepy|exhausted|excited|confused|lost|stuck|curious|sorry|fine|good|ok|okay|great|ready|back|here|done|busy|impressed|surprised|stressed|in|on it|listening|all ears)",
        r"(?:just )?(?:one|a|1) (?:sec|second|moment|min|minute)|hang on|hold on|wait(?:ing)?|brb|afk|bear with me|give me a (?:sec|second|minute|moment)|real quick|where were we|let's (?:see|go|go on|continue|move on|proceed|start|begin|do (?:it|this|that)|try|get (?:started|going))(?: .{1,30})?|go (?:ahead|on)|next(?: step| one| topic)?|continue|carry on|proceed|keep going|do it|please|back|done|(?:still )?(?:the )?same",
        r"let me (?:check|see|look|try|think|know|test|have a look|get back)(?: .{1,30})?|i(?:'ll| will) (?:check|see|look|try|test|have a look|take a look|get back|let you know|be back|be right back|do that|think)(?: (?:it|that|this|them|into it|about it|it out|to you|with you|again|later|soon|now|and let you know)){0,2}(?=[,.!?…;]|$| and\b)|let you know|(?:i'm|i am) (?:running|checking|testing|looking|trying|waiting|thinking|working on)(?: (?:it|that|this|them|at it|into it|about it|for it|on it))?(?: (?:now|again|already|right now))?(?=[,.!?…;]|$)|trying (?:it |that )?now|still (?:waiting|running|working|loading|building)(?: (?:for|on) (?:the )?\w+(?: to \w+)?)?|(?:the )?(?:tests?|build|job|server|deploy|install|download|script) (?:is|are) (?:still |now )?(?:running|building|loading|starting|done|finished|green|passing)|i (?:just )?(?:pasted|tried|ran|did|checked|clicked|restarted|copied|opened|closed|typed|saved|reloaded) (?:it|that|this|them|again)(?: (?:in|now|again|too|twice))?|give me a \w+ to \w+(?: .{1,20})?|back in \d+|grabbing .{1,20}|just restarted (?:it|the \w+)",
        r"(?:it|that|this) (?:works|worked|helps|helped|did it|does it|fails|failed|is done)(?: (?:now|too|again|fine|well|perfectly))?|(?:the )?(?:first|second|third|last|other|former|latter)(?: one| option)|option \w|both|either|neither|(?:what a|such a) .{1,30}|time flies|doesn't it|isn't it|don't you think|right\?",
    ),
    request=(
        r"(?:please |now |then |and |also |just |ok |so |hey ){0,4}(?:can|could|would|will) (?:you|u)",
        r"(?:please |now |then |also |just |first |again ){0,4}(?:write|explain|show|translate|summari[sz]e|give|tell|list|compare|draft|generate|create|fix|add|remove|delete|run|rerun|try|retry|check|find|describe|rewrite|rephrase|refactor|convert|calculate|compute|suggest|recommend|help|build|implement|edit|shorten|expand|analy[sz]e|debug|walk me|teach me|define|pick|choose|continue|repeat|redo|undo|rename|insert|restart|install|outline|brainstorm|imagine|pretend|draw|sing|say|reply|send|print|read|open)(?! \w+ (?:is|are|was|were|has|have|ends?|goes|runs?|lives?|fails?|takes?)\b)",
        r"(?:please |now |then |also |just |first |again ){0,4}(?:make|test|review|plan|name|answer|start|set|play|act|change|update|sort|count|format|paste|copy|move|stop|turn|look|search|put|replace|do|take|go|think|use) (?:the|a|an|me|us|it|them|this|that|these|those|all|again|for|at|up|as|on|in|out|through|over|back|your|some|ten|\d+|with|please|both|another|more|like)(?! of)",
        r"(?:i|we)(?: want| would like|'d like|'d love) to (?:know|ask|hear)|(?:i|we)(?: was| were|'m| am)? (?:wondering|wonder)|(?:i|we) (?:want|need|would like) you to|i'd like you to|help me|can i (?:have|get|see)|(?:i|we)(?: need| want| would like|'d like|'m looking for| am looking for)(?: \w+){0,3} (?:recipe|ideas?|list|examples?|names?|suggestions?|help|advice|explanation|summary|translation|script|function|regex|query|poem|essay|template|image|picture)|(?:please )?proofread|eli5|more examples|let's (?:write|try|look|see|do|talk)",
        r"(?:any|some) (?:ideas|suggestions|tips|thoughts|advice)|as before|(?:shorter|longer|simpler|again),? please",
    ),
    question=(
        r"what(?:'s|s)?|who(?:'s|m|se)?|where(?:'s)?|why|how(?:'s)?|which|when (?:is|are|was|did|do|does|will|should|can)",
        r"(?:is|are|am|was|were|do|does|did|have|has|can|could|would|will|should|shall|may|might|isn't|aren't|don't you|doesn't|didn't|won't|wouldn't|couldn't|can't) (?:i|you|we|he|she|it|they|there|this|that|these|those|the|a|an|my|your|any|anyone|someone)",
        r"any (?:ideas|tips|thoughts|suggestions|chance|way)",
    ),
    deictic=(
        r"(?:that|this|it|these|those|there|you|they|both|all|everything|what|here|life|things|time)(?:'s|'re|'ll|'d|'ve)?",
    ),
)

"""English."""

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

# Verbs in their base form that instructions begin with and that are hardly ever nouns at the head of a sentence.
_VERBS = words("""
abide abstain accelerate accept accommodate accompany accumulate achieve acknowledge acquire act activate adapt add
address adhere adjust administer admit adopt advertise advise affirm aggregate agree aim align allocate allow
alphabetise alphabetize alter amend amplify analyse analyze annotate announce anonymise anonymize answer anticipate
apologise apologize append applaud apply appoint approach approve archive arrange ascertain ask aspire assemble
assert assess assign assist assume assure attach attempt attend attribute authenticate authorise authorize automate
avoid await back-up backup bake balance base batch be bear become beg begin behave betray beware bind bisect blend
blink block boil book bookmark boost borrow bounce brace brag brainstorm breach breathe bribe bring broadcast browse
brush bully bump bundle burn bury buy calculate calibrate call calm cancel capitalise capitalize capture care carry
carve categorise categorize cater celebrate centralise centralize certify challenge change chat cheat cherish
cherry-pick chew choose chop circulate circumvent cite claim clap clarify classify clean clear click cling clone
close coach coerce collaborate collect color colour combine come comfort commence commend communicate commute
compare compensate compete compile complain complement complete compliment comply compose comprehend compress
compute conceal concede concentrate conclude condemn condense condone conduct confess confide configure confirm
conform confront confuse congratulate connect consent conserve consider consolidate construct consult consume
contact contain continue contradict contribute converse convert convey convince cook cool cooperate coordinate cope
copy correct count counter cover cram crawl create credit criticise criticize cross-check cultivate customise
customize deactivate deal debounce debug deceive decide declare decline decompose decouple decrease decrypt dedicate
deduct dedupe deduplicate default defend defer define defy delegate delete deliver delve demonstrate demote deny
depend depict deploy deprecate deprive derive descend describe deserialise deserialize destroy detach detect
deteriorate determine develop deviate devise dictate differentiate dig digest diminish direct disable disagree
disappoint discard disclaim disclose disconnect discourage discriminate discuss disguise dismiss dispatch disperse
dispose dispute disregard disrupt dissolve distinguish distort distract distribute disturb dive diversify divide do
document dominate donate double-check double-click download draft drag drain drink drive drop duplicate dwell earn
eat echo edit eject elaborate elect elevate elicit eliminate email embed embrace emit emphasise emphasize employ
empower emulate enable enact encapsulate enclose encode encourage encrypt end endanger endeavor endeavour endorse
enforce engage enhance enjoy enlist enrich ensure enter entertain entrust enumerate equip erase err escalate escape
establish estimate evade evaluate evoke exaggerate examine exceed exchange exclude execute exempt exercise exert
exhaust exhibit exit expand expect expedite expire explain explode exploit explore export expose express extend
extinguish extract fabricate facilitate fail fake fall favor favour feed fetch fight fill filter finalise finalize
find fine-tune finish fix flag flatter flip float flush focus fold follow force forgive forgo format formulate
forward foster freeze fry fulfil fulfill gamble gaslight gather generate get give glance glorify gloss go gossip
govern grab grant grasp greet grill grind group grow guarantee guard guide halt handle hang harden harm hash hasten
haul have heed help hesitate hide highlight hoard hoist hold honor honour humiliate hunt hurry identify ignore
illustrate imitate implement imply import impose impress improve incite include incorporate increase indent indicate
indulge infer inflate influence inform infringe inherit inhibit initialise initialize initiate inject inline
innovate inquire insert insist inspect inspire install instruct instrument insult insure integrate intercept
interfere interpret interrupt intervene intimidate introduce invade invalidate invent invest investigate invite
invoke involve isolate itemise itemize iterate jeopardise jeopardize join jot judge jump justify keep kill kiss
kneel knit knock label laugh launch lay lead lean learn leave lecture lend let leverage lie lift lighten linearise
linger lint listen load lobby localise localize locate lock look lower maintain make manage manipulate map mark
marry mask match maximise maximize measure mediate meditate meet melt memoise memoize memorise memorize mend mention
mentor merge migrate mimic mind minimise minimize mirror misinterpret mislead misrepresent misuse mitigate mix mock
moderate modernise modernize modify monitor motivate mount mourn move multiply mute nag narrate navigate neglect
negotiate nest nod nominate normalise normalize notify nudge number nurture obey obscure observe obsess obtain
offend offer offload omit open operate oppose optimise optimize orchestrate order organise organize originate
outline output outsource overcomplicate overdo overestimate overexplain overfit overlook overpromise overreact
override oversimplify overthink overuse overwrite own pack paint pair parametrise parametrize paraphrase parrot
parse participate partition pass paste patch patronise patronize pause pay peel penalise penalize perform permit
persist persuade phrase pick pin ping pipe plagiarise plagiarize plan play plead point poke polish pollute ponder
portray possess post postpone pour practice practise praise pray preach precede predict prefer prefix preheat
prejudge prepare prepend prescribe present preserve press presume pretend prevent print prioritise prioritize probe
process proclaim procrastinate produce profile prolong promote prompt pronounce proofread propagate propose protect
prove provide prune publicise publicize publish pull punish purge pursue push put quantify quarantine query question
quote raise ramble randomise randomize reach react read reason reassure rebase rebuild recap recite reclaim
recommend reconcile reconsider reconstruct record recover recreate recruit rectify recycle redact redeem redesign
redirect redo reduce reevaluate refactor refer refine reflect reformat refrain refresh refuse regard regenerate
register rehearse reimplement reinstall reiterate reject relax relay release relinquish reload rely remain remember
remind remove rename render renew reopen reorder repair repay repeat repel rephrase replace reply report represent
reprimand reproduce request require rerun research resend reset resign resist resize resolve resort respect respond
restart restate restore restrain restrict resume retain retaliate rethink retire retract retrieve retry return reuse
reveal reverse revert review revise revisit revoke reward rewrite ridicule rinse roast rob roll romanticise rotate
round route rub ruin run sabotage sacrifice safeguard salute sample sanitise sanitize satisfy save say scale scare
schedule scold scope scrape scratch scream screen scroll scrub seal search secure seed seek seize select self-review
sell send separate serialise serialize serve set settle sew shake shape shard share shave shelter shield ship
shorten shout show shrink shuffle shut sidestep sign signal silence simmer simplify simulate sing sit sketch skim
skip slander sleep slice slow smile smooth smuggle snapshot snooze socialise soften solicit solve soothe sort spam
spare speak specify speculate spell spend spin split spoil sponsor sprinkle squash squeeze stabilise stabilize stage
standardise standardize stare start stash state stay steal steer step stereotype stick stimulate stir stop store
stream strengthen stress stretch strip strive structure stub study stumble style submit subscribe substitute
subtract succeed sue suffix suggest sum summarise summarize summon supervise supplement supply support suppress
surface surrender survive suspect suspend sustain swallow swap swear sweep swim switch sympathise sync synchronise
synchronize tackle tag tailor take talk tamper tap target teach tease tell tempt tend terminate test think thread
threaten thrive throttle throw tidy tie tighten time timestamp toggle tolerate toss touch trace track train
transform translate tread treat trick trigger trim trust try tune turn tweak twist type uncover underline undermine
understand undertake undo unify uninstall unload unlock unpack unplug unset unsubscribe unwrap unzip update upgrade
uphold upload urge use utilise utilize utter vacate vacuum validate value vanish vary vendor venture verify version
vet view visit voice volunteer wait waive wake walk wander warm warn wash waste watch water waver weaken wear weave
weigh welcome whine whisper whitelist widen win wink wipe wire withdraw withhold work wrap wreck write yell yield
zero zip
""")

# Verbs that are nouns just as often: at the head of a sentence their neighbours decide ("Test results are in").
_NOUN_VERBS = words("""
act address aim answer approach balance base batch benchmark blend block book boost bounce branch breach bribe
broadcast brush build bully bump bundle burn cache call cap care chain challenge change charge chat check claim
clean clear click clone color colour comment commit complete compliment contact copy correct count counter cover
credit cut deal debug default deploy design direct dispute document double download draft drink drop duplicate edit
email end escape estimate exchange exercise exit exploit export fail fake fall fight figure filter fix flag flip
focus force fork format forward freeze grasp ground group guarantee guard guide halt harm help highlight honor
import increase influence inline insult invest kiss knock label laugh launch lead lecture lie lift limit link list
load lobby lock log look map mark mask match measure melt merge mirror mock moderate mount move name note number
offer open order output override pack paint pair park paste patch pause pay peel phrase pick pin ping pipe place
plan play plot plug point post practice praise prefix present press print process produce profile prompt pull push
query question quote rank read reason record recruit release repair reply report request research reset restart
retire retry return reuse reverse review reward roll round route ruin rule run sacrifice sample scale scan schedule
scope scratch scream screen scroll seal search secure sell separate set shake shape share shelter ship shout show
sign signal slice sort sound spoil sponsor spot squeeze stage start state step stick stop store stream stress
stretch strip structure stub study style suffix supply support surface suspect sweep swim switch sync tag take talk
tap target tease test thread throw tie time timestamp toss touch trace track train trick trigger trust try tune turn
tweak twist type update upgrade upload urge use value vendor venture version view visit wait wake walk warm wash
waste watch water wear welcome win wink work wrap yell yield zip
alias anchor archive audit bill buffer chunk crop diff dump fuzz gate gzip grant hook host index mail outline package
pad pool portion proxy queue rob sandbox script seed segment shadow shard size snapshot source space stack subclass
cook split sue symlink text template title date tunnel weight
""")

# Nouns that command now and then: "Price everything in cents", "Model states as enums".
_MOSTLY_NOUNS = words("""
access alert bottle box brand brief bucket budget caption center centre channel chart clip contract control cycle
date delay detail display dock dose dust feature fence file film frame fund gate grade heat host iron issue journal
lease line mail market message model page paint pattern phone photograph picture plant plate position power price
program project promise range rate reference refund reserve ring risk salt seat sequence shift source space stack
stamp stock table tape text theme tip title total trade transfer tunnel veto voice vote weight word
""")

_PEOPLE = words("""
admin administrator administrators admins agent agents anybody anyone assistant assistants author authors bot bots
child children collaborators colleague colleagues committer committers contributor contributors customer customers
dev developer developers devs employee employees engineer engineers everybody everyone guest guests intern interns
kid kids maintainer maintainers manager managers member members moderator moderators newcomers operator operators
owner owners parents participant participants patient patients people player players reviewer reviewers staff
student students subagent subagents teacher teachers team teams tenant tenants tester testers user users visitor
visitors volunteer volunteers
""")


def _third_person(verbs: frozenset[str]) -> frozenset[str]:
    """ "fix" as "fixes", "carry" as "carries"."""
    forms = set()
    for verb in verbs:
        if verb.endswith(("s", "x", "ch", "sh", "o", "z")):
            forms.add(verb + "es")
        elif verb.endswith("y") and verb[-2] not in "aeiou":
            forms.add(verb[:-1] + "ies")
        else:
            forms.add(verb + "s")
    return frozenset(forms)


# What people do without deciding to: nobody is bound by it.
_NO_DEEDS = words("""
act agree appreciate be become begin believe care come deserve do enjoy expect fail feel find get go guess have hear
know learn lie like live look love mean mind miss need own remember see seem suffer suspect think try understand value
want win work
""")

_NOT_ASKED = "i|we|he|she|they|it|this|that|these|those|you|there|the|my|our|his|her|their|its|some|many|most|an?"
_WEEKDAYS = "mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|holidays"
_DONE = r"\w+(?:ed|en|wn|pt|lt|ught|nt|ld|ut|et|de)"

ENGLISH = DeonticLanguage(
    code="en",
    common=words("""
    a about after all also always an and any are as at be been before but by can can't cannot could did do does
    don't each every for from had has have he her his how i i'm if in into is isn't it it's its just may me might
    must my never no not of on only or our out please shall she should so some than that the their them then there
    these they this those to under up us use was we were what when where which while who why will with without would
    you you're your
    """),
    contractions={
        "cannot": "can not",
        "can't": "can not",
        "won't": "will not",
        "shan't": "shall not",
        "let's": "let us",
        "it's": "it is",
        "that's": "that is",
        "there's": "there is",
        "he's": "he is",
        "she's": "she is",
        "what's": "what is",
        "who's": "who is",
        "dont": "do not",
        "cant": "can not",
        "doesnt": "does not",
        "didnt": "did not",
        "shouldnt": "should not",
        "mustnt": "must not",
        "youre": "you are",
        "im": "i am",
        "wanna": "want to",
        "gotta": "got to",
        "pls": "please",
        "plz": "please",
        "everyone's": "everyone is",
    },
    endings={"n't": "not", "'ll": "will", "'re": "are", "'ve": "have", "'d": "would", "'m": "am"},
    speaker=words("i me myself"),
    addressee=words("you thou"),
    group=words("we"),
    others=words("he she him her"),
    things=words("it this that there they these those everything something"),
    whoever=phrases("""
    whoever | anyone who | anybody who | everyone who | everybody who | the person who | the last person to
    the last one to | the first person to
    """),
    norm_verbs=_third_person((_VERBS | _NOUN_VERBS) - _NO_DEEDS),
    asking=phrases("could you | can you | would you | will you | would you mind"),
    unfailing=words("always never"),
    styled=phrases("""
    indentation | indent | line length | line width | line endings | quote style | trailing commas
    brace style | braces | spelling | max line length | maximum line length
    """),
    placed=words("belong go live sit stay"),
    belonging=words("belong go"),
    qualities=words("open closed complete clear direct duplicate separate"),
    sorted_by=words("by from per"),
    people=_PEOPLE,
    relatives=words("""
    aunt baby boss boyfriend brother brothers colleague colleagues cousin cousins dad daddy daughter doctor father
    flatmate flatmates friend friends girlfriend grandfather grandma grandmother grandpa grandparents husband kid
    landlord mom mother mum neighbor neighbors neighbour neighbours nephew niece parents partner roommate roommates
    sister sisters son teacher therapist uncle wife
    """),
    owning=words("my"),
    nobody=words("no nobody none nothing neither"),
    question_words=words("why how who whom whose what where which when"),
    inverters=words("should can could would do does did is are will may must am have has shall was were"),
    inverted=words("i we he she they you"),
    reporting=words("""
    according advised advises announced argued argues asked asks believed believes claimed claims demanded demands
    explained explains heard insisted insists mentioned mentions promised puts recommended recommends replied
    replies reported reports said say says shouted stated states suggested suggests tells thinks thought told warned
    warns writes wrote yelled
    """),
    hedges=phrases("""
    apparently | i am sure | i believe | i bet | i doubt | i feel | i guess | i hope | i suppose | i think
    i thought | i wish | i wonder | i wondered | it seems | maybe | might be | not sure | perhaps | probably
    """),
    small_talk=phrases("""
    do not hold your breath | say no more | knock yourself | write soon | wait for me
    save the date | shut up | give it a rest | say cheese | hold my | drop by
    do not be a stranger | do not even | stay warm | stay dry | stay cool | stay healthy
    stay positive | stay hydrated | stay curious | stay hungry | stay golden | stay classy | stay well
    call me maybe | tell me about
    be careful what you | be my guest | be right back | believe me | break a leg | bring it on | call me back
    call me crazy | call me later | call me when | check 'em | check it out | check out how | check out my
    check out some | check out these | check out this | check this out | check you later | cheers | come along
    come join | come on | come over | come see | come visit | count me in | count on me | do i | do not be afraid
    do not be sad | do not be scared | do not be shy | do not be silly | do not be sorry | do not be too hard
    do not care | do not get me wrong | do not know | do not let me keep you | do not lose hope | do not mention it
    do not miss | do not recall | do not remember | do not sweat it | do not tell me you | do not tell me it
    do not tell me he | do not tell me she | do not tell me they | look at you | do not think so
    do not understand | do not worry | do they | do we | do you | enjoy the | enjoy your | excuse me
    feel free to ask | feel free to contact | feel free to drop | feel free to let | feel free to message
    feel free to ping | feel free to reach | feel free to share your | feel free to write | fingers crossed
    get some rest | get well | give me a break | give me a minute | give me a sec | give me a second | go for it
    go team | good luck | good morning | good night | guess so | guess what | hang on | have a | have faith
    have fun | have had | have just | have to go | have to run | have you | help me out here | help yourself
    hold on | how about | it is essential for | it is important for | it is important to me | keep at it
    keep calm and | keep in touch | keep it going | keep me posted | keep on | keep up the | keep you posted
    keep your chin | keep your head | let me be | let me check | let me get | let me guess | let me know
    let me see | let me tell | let me think | let us | let us not forget | listen up | long time no see
    look forward | look how | look what | look who | make my day | make yourself | many thanks | mark my words
    must be fun | must be nice | must have been | never been | never ever again | never heard | never knew
    never give up | never mind | never say never | never seen | nevermind | no big deal | no biggie | no clue
    no doubt | no doubts
    no hurry | no idea | no kidding | no luck | no need to apologise | no need to apologize | no need to thank
    no need to worry | no offence | no offense | no one knows | no pressure | no prob | no problem | no problems
    no rush | no thank you | no thanks | no way | no wonder | no worries | no worry | pardon me | play it again
    pull the other | remember how | remember last | remember me | remember that time | remember the time
    remember when | rest in peace | say hello | say hi | see ya | see you | should be fine | should be ok
    should work | sound fun | sound good | sound great | speak of | speak soon | speak to you | stay safe
    stay strong | stay tuned | stop kidding | such a | take a look at this | take care | take it easy
    take it or leave it | take your time | talk soon | talk to you | tell me about it | tell me more | thank you
    thanks | thx | trust me | wait a | wait what | welcome aboard | welcome back | welcome home | welcome to
    what a | what if | work in progress | you are absolutely | you are correct | you are joking | you are kidding
    you are really | you are right | you are so | you are the best | you are too | you are totally | you are very
    you are welcome | you are wrong | you can say that again | you have got to be | you have no idea
    you have to admit | you have to hand it | you have to laugh | you have to love | you have to see
    you can not have it all | you can not win | you must have the wrong | turn that frown
    you never know | you should have | you should know | you should see
    """),
    exclamations=phrases("""
    be right there | be there | be well | care to | chat soon | do not ask | do not bother | do not give up
    do not quit | do tell | enjoy | forget about it | forget it | get lost | go ahead | go figure | go on | good job
    hang on | have been | have fun | help | keep at it | keep going | keep it up | keep on | keep that
    look at that | look at this | make sense | makes sense | must say | never again | never better
    no hard feelings | no matter | shut up | stop it | try me | wait | watch out | you do not say
    """),
    status_labels=words("""
    actual answer assertionerror conclusion date debug error errors exception exit expected fail failed failure
    fatal fixed found from info keyerror ok output panic plan progress q question result results runtimeerror score
    status stderr stdout subject succeeded summary syntaxerror title total trace traceback typeerror update
    valueerror verdict
    """),
    past=words("yesterday ago earlier previously already recently formerly last"),
    past_forms=words("""
    broken rebuilt rewrote
    arose ate awoke bent blew bled bred clung crept dealt drank drunk dug dwelt fed fled flung forgave froze
    frozen hid
    hung laid lay lent lit overslept rang rode sank shook shot shrank slid sold sought spun sprang stank stole stuck
    stung
    struck swam swept swore swung taught tore understood wept withdrew wound
    became been began bought broke brought built came caught chose chosen did done drew driven drove eaten fallen
    fell felt flew forgot forgotten fought found gave given gone got gotten grew grown had heard held hidden kept
    knew known led left lost made meant met paid ran ridden risen rose said sang sat saw seen sent shown slept spent
    spoke spoken stolen stood taken thought threw told took torn was went were woke won wore worn written wrote
    """),
    past_endings=("ed",),
    not_past=words("hundred indeed naked sacred speed"),
    momentary=words("anymore lately sometime tonight tomorrow later soon today now someday weekend"),
    leads=phrases("""
    above all | absolutely | actively | actually | additionally | again | alright | also | and | as a general rule
    as a rule
    as a rule of thumb | as always | as i said | as usual | at all times | at least | at minimum | at the very least
    automatically | basically | best | better | briefly | btw | but | by default | carefully | clearly
    consistently | conversely | cool | directly | each day | each time | ever | every day | every evening
    every morning | every time | every week | explicitly | finally | first | firstly | for now | for the record
    from now on | furthermore | generally | gently | going forward | great | haha | hence | hereby | hey | hm | hmm
    honestly | however | ideally | if possible | immediately | important | in all cases | in any case | in future
    in general | in short | in summary | in the future | instead | just | kind of | kindly | last but not least
    like i said | likewise | lol | manually | more importantly | most importantly | next | next time | nice
    no matter what | nor | normally | note that | note to self | now | of course | oh | oh and | ok | okay
    once again | or | or else | otherwise | overall | perfect | periodically | please | plus | politely | pro tip
    proactively | quickly | quietly | rather | regularly | remember too | reminder | right | second | secondly
    seriously | silently | similarly | simply | so | sorry | still | strictly | sure | then | therefore | third
    this time | thoroughly | thus | tip | to be clear | to begin | to start | too | typically
    under all circumstances | usually | well | when possible | whenever possible | where possible | yeah | yep | yes
    yo
    """),
    greetings=words("hi hello hey dear thanks thank sorry great cool ok okay yo morning perfect nice awesome"),
    markers=words("please never always avoid ensure"),
    subordinators=words("""
    after although as because before even how if once since that though till unless until what whatever when
    whenever where wherever whether which while who whose why
    """),
    conditions=words("if once when whenever"),
    openers=words("""
    about above across against along amid among around at behind below beside besides between beyond by concerning
    depending despite during except for from given in including inside instead into like near off on onto outside
    over per plus prior rather regarding than through throughout to toward towards under unlike upon versus via with
    within without
    """),
    relative=words("that which who whose"),
    auxiliaries=words("do does will would might definitely probably"),
    conjunctions=words("and or"),
    opposing=words("but"),
    concluding=words("so course"),
    future=words("will would might"),
    forecasts=phrases("expected to | supposed to"),
    polite=words("please kindly"),
    partitive=words("of"),
    indefinite=words("a an one no"),
    universal=words("all any each every"),
    recurring=words("again by"),
    partial=words("some many most few several"),
    grants=words("if when whenever without any anytime unless until instead as"),
    customs=words("use follow prefer adhere require squash rebase enforce target favor favour write name track"),
    reckoned=phrases("out of date | out of sync | by now | at least | at most | no more than"),
    conditional=phrases("should you | had you | were you"),
    gerunds=("ing",),
    lacking=words("without"),
    adverbial=words("after before if unless until when whenever"),
    particles=words("up out down off away back over twice again"),
    plural_nouns=words("""
    attempts backups bookmarks digests hashes indexes interrupts mentions monitors outlines permits
    probes purges recaps redirects refunds relays rewrites rollbacks shards sketches snapshots stashes substitutes swaps
    transforms volunteers votes deletes embeds fetches inserts installs joins renders selects writes"""),
    third_persons=words("arrives begins closes comes ends goes leaves lives opens starts takes works"),
    told_when=phrases(
        "this morning | this afternoon | last night | the other day | on my way | as a kid | as a child | as a student"
    ),
    prefixes=words("auto co cross dry force hard lazy pre rate re soft"),
    adverb_endings=("ly",),
    third_person=("es", "s"),
    not_base=("s", "ed", "ing", "ly"),
    loose=words("one some no this that his her only both"),
    determiners=words("""
    a all an any both each every her his its my no one only our some the their these this those your
    """),
    adverbs=words("""
    absolutely actually again all also always at both certainly currently definitely either even ever explicitly
    first generally half ideally immediately just longer never no normally not now only preferably probably quite
    rather really simply so still strictly such then therefore too typically usually very
    """),
    finite=words("""
    are became came can contains could did does fails gave gives got had has have is lives looks makes may might
    must needs passes remains runs seems should shows stays takes took was went were will works would
    """),
    formulas=by_modality(
        obligation="""
        we expect you to | we expect everyone | we expect everybody | we ask you to | we ask everyone | we ask everybody
        we need you to | we want you to
        always be | be aware | be careful | be mindful | be sure that | be sure to | be sure you | bear in mind
        do not fail to | do not forget | do not neglect | i ask you to | i expect all | i expect every
        i expect you to | i need you to | i prefer that you | i want all | i want every | i want you to
        i want your | i would appreciate it if you | i would like you to | i would prefer if you
        i would prefer it if you | i would prefer that you | i would prefer you to | if in doubt | it is best to
        it is critical | it is crucial | it is essential | it is imperative | it is important | it is necessary
        it is vital | it is your job | it is your responsibility | keep in mind | let us always | let us stick
        look out for | our convention is | our policy is | our rule is | the convention is | the policy is
        make certain | make sure | never forget | note i | note that i | note that my | note that we
        remember | see to it | strive to | take care that | take care to | the rule is | watch out for
        when in doubt | you are here to | you are in charge of | you are responsible for | you are supposed to
        you are to | you had better | your first priority is | your goal is | your job is | your mission is
        your name is | your priority is | your purpose is | your responsibility is | your role is | your task is
        your top priority is
        """,
        prohibition="""
        never without | not without |
        our policy is to never | our policy is never | our policy is not to | the policy is to never
        nobody is to | no one is to | at no point | at no time | be careful not to | be sure not to | by no means
        hands off | i do not want any
        i do not want to see | i do not want you to | i forbid | i need you to stop | i never want
        i want you not to | i want you to avoid | i want you to never | i want you to stop | i would like you not to
        i would prefer if you did not | i would prefer that you not | i would prefer you did not
        i would prefer you not to | i would rather you did not | in no case | it is best not to
        it is never acceptable | it is never ok to | it is never okay to | it is not ok to | it is not okay to
        keep away from | keep out of | let us avoid | let us never | let us not | make sure never to
        make sure not to | make sure to never | make sure you do not | make sure you never | nobody is allowed
        on no account | refrain from | remember never to | remember not to | remember to never | say no to
        stay away from | stay out of | steer clear of | take care not to | try not to | under no circumstances
        you are never to | you are not supposed to | you are not to | you had better not | zero tolerance
        """,
        permission="""
        do not feel obligated | do not feel obliged | do not hesitate to | feel free to | it is acceptable to
        it is all right to | it is alright to | it is fine if | it is fine to | it is not necessary | it is ok if
        it is ok to | it is okay if | it is okay not to | it is okay to | it is perfectly fine to
        it is totally fine to | no need for | no need to | there is no need to | you are welcome to
        """,
    ),
    modals=(
        Modal(phrase="must", affirmed=OBLIGATION, denied=PROHIBITION),
        Modal(phrase="shall", affirmed=OBLIGATION, denied=PROHIBITION),
        Modal(phrase="are to be", affirmed=OBLIGATION, denied=PROHIBITION),
        Modal(phrase="are to", affirmed=OBLIGATION, denied=PROHIBITION, weight="duty"),
        Modal(phrase="are not to", affirmed=PROHIBITION, denied=PROHIBITION, weight="duty"),
        Modal(phrase="is to be", affirmed=OBLIGATION, denied=PROHIBITION),
        Modal(phrase="are not to be", affirmed=PROHIBITION, denied=PROHIBITION),
        Modal(phrase="is not to be", affirmed=PROHIBITION, denied=PROHIBITION),
        Modal(phrase="are never to be", affirmed=PROHIBITION, denied=PROHIBITION),
        Modal(phrase="is never to be", affirmed=PROHIBITION, denied=PROHIBITION),
        Modal(phrase="has got to", affirmed=OBLIGATION, denied=PERMISSION, weight="weak"),
        Modal(phrase="have got to", affirmed=OBLIGATION, denied=PERMISSION, weight="weak"),
        Modal(phrase="should", affirmed=OBLIGATION, denied=PROHIBITION, weight="weak"),
        Modal(phrase="ought to", affirmed=OBLIGATION, denied=PROHIBITION, weight="weak"),
        Modal(phrase="have to", affirmed=OBLIGATION, denied=PERMISSION, weight="weak"),
        Modal(phrase="has to", affirmed=OBLIGATION, denied=PERMISSION, weight="weak"),
        Modal(phrase="need to", affirmed=OBLIGATION, denied=PERMISSION, weight="weak"),
        Modal(phrase="needs to", affirmed=OBLIGATION, denied=PERMISSION, weight="weak"),
        Modal(phrase="will need to", affirmed=OBLIGATION, denied=PERMISSION, weight="notice"),
        Modal(phrase="will have to", affirmed=OBLIGATION, denied=PERMISSION, weight="notice"),
        Modal(phrase="need not", affirmed=PERMISSION, denied=PERMISSION, weight="weak"),
        Modal(phrase="may", affirmed=PERMISSION, denied=PROHIBITION, weight="leave"),
        Modal(phrase="can", affirmed=PERMISSION, denied=PROHIBITION, weight="ability"),
        Modal(phrase="will", affirmed=OBLIGATION, denied=PROHIBITION, weight="decree"),
    ),
    copulas=words("is are be"),
    predicates={
        "required": (OBLIGATION, PERMISSION),
        "mandatory": (OBLIGATION, PERMISSION),
        "compulsory": (OBLIGATION, PERMISSION),
        "obligatory": (OBLIGATION, PERMISSION),
        "expected to": (OBLIGATION, PROHIBITION),
        "obliged to": (OBLIGATION, PERMISSION),
        "obligated to": (OBLIGATION, PERMISSION),
        "supposed to": (OBLIGATION, PROHIBITION),
        "non-negotiable": (OBLIGATION, PERMISSION),
        "a must": (OBLIGATION, PERMISSION),
        "forbidden": (PROHIBITION, PERMISSION),
        "prohibited": (PROHIBITION, PERMISSION),
        "banned": (PROHIBITION, PERMISSION),
        "disallowed": (PROHIBITION, PERMISSION),
        "off-limits": (PROHIBITION, PERMISSION),
        "off limits": (PROHIBITION, PERMISSION),
        "unacceptable": (PROHIBITION, PERMISSION),
        "discouraged": (PROHIBITION, PERMISSION),
        "to be avoided": (PROHIBITION, PERMISSION),
        "taboo": (PROHIBITION, PERMISSION),
        "out of bounds": (PROHIBITION, PERMISSION),
        "a no-go": (PROHIBITION, PERMISSION),
        "allowed": (PERMISSION, PROHIBITION),
        "permitted": (PERMISSION, PROHIBITION),
        "acceptable": (PERMISSION, PROHIBITION),
        "optional": (PERMISSION, OBLIGATION),
        "authorized to": (PERMISSION, PROHIBITION),
        "authorised to": (PERMISSION, PROHIBITION),
        "free to": (PERMISSION, PROHIBITION),
        "welcome to": (PERMISSION, PROHIBITION),
        "tolerated": (PERMISSION, PROHIBITION),
        "up to you": (PERMISSION, PROHIBITION),
        "encouraged to": (PERMISSION, PROHIBITION),
        "an option": (PERMISSION, PROHIBITION),
    },
    frames=(
        # Habits of a whole kind: "Secrets are never logged", "All dates are always shown in UTC".
        Construction(
            pattern=re.compile(
                r"^(?:(?:all|any|our|your|new|user|public|private|production) )*[a-z-]{3,}s (?:are|get) "
                r"never (?:ever )?\w+(?:ed|en|wn|pt|lt|ught|nt|ld|ut|et|de)\b"
            ),
            modality=PROHIBITION,
        ),
        Construction(
            pattern=re.compile(
                r"^(?:(?:all|any|our|your|new|user|public|private|production) )*[a-z-]{3,}s (?:are|get) "
                r"always \w+(?:ed|en|wn|pt|lt|ught|nt|ld|ut|et|de)\b"
            ),
            modality=OBLIGATION,
        ),
        # "Two approvals required for changes under `infra/`", "No ticket required for typos".
        Construction(
            pattern=re.compile(
                r"^no (?:[\w-]+ ){1,5}(?:required|needed) (?:for|before|on|to|when|in)\b"
                r"(?!.* (?:is|are|was|were|has|have|had|will|can|did)\b)"
            ),
            modality=PERMISSION,
            cue="ed ",
        ),
        Construction(
            pattern=re.compile(
                rf"^(?!(?:{_NOT_ASKED}|no|not|if|when|as|where)\b)"
                r"(?:(?!(?:is|are|was|were|be|been|has|have|had|not|that|which|as|if)\b)\S+ ){1,8}"
                r"(?:required|needed) (?:for|before|on|from|when|whenever|to|in)\b(?!.* (?:is|are|was"
                r"|were|has|have|had|will|did)\b)"
            ),
            modality=OBLIGATION,
            cue="ed ",
        ),
        # "We expect all interns to hand in a report"
        Construction(
            pattern=re.compile(
                rf"^we (?:expect|ask|require) (?:all|every|each|our) (?:\w+ )?(?:{'|'.join(sorted(_PEOPLE))}) to "
            ),
            modality=OBLIGATION,
            cue="we ",
        ),
        # "Nobody deploys after 4 pm": with what says when or how; "nobody reads the docs" complains.
        Construction(
            pattern=re.compile(
                r"^(?:nobody|no one|no-one) (?!(?:knows|cares|comes|likes|wants|has|is|was|needs|seems"
                r"|shows|lives|believes"
                r"|understands|reads|goes|works|watches|listens|thinks|sees|says|looks|loves|uses|gets|remembers|talks|notices|expects|feels|cares|dies)\b)"
                r"[a-z-]+s\b(?!.*\b(?:me|us|anymore|any more|yet|really|my|here lately)\b).*"
                r" (?:after|before|without|unless|until|on|during|with|from|into|alone)\b"
            ),
            modality=PROHIBITION,
            cue="no",
        ),
        # "Customer names stay out of public channels".
        Construction(
            pattern=re.compile(r"^(?!(?:i|we|he|she|they|it|you|who|some|many)\b)(?:\S+ ){1,5}stays? out of "),
            modality=PROHIBITION,
            cue=" out of ",
        ),
        # "Vendored code is not edited by hand", "Deployments are not made on Fridays".
        Construction(
            pattern=re.compile(
                rf"^(?!(?:{_NOT_ASKED})\b)(?:[\w-]+ ){{1,5}}(?:is|are) (?:not|never) {_DONE}"
                rf" .*\b(?:by hand|manually|directly|on (?:{_WEEKDAYS}))\b"
            ),
            modality=PROHIBITION,
        ),
        # "Commit messages are written in the imperative", "Receipts are handed in within thirty days".
        Construction(
            pattern=re.compile(
                rf"^(?!(?:{_NOT_ASKED})\b)(?:[\w-]+ ){{0,4}}[\w-]{{2,}}s are (?:written|named|spelled|spelt|formatted) "
                r"in (?:the )?(?:imperative|present|past|lower|upper|snake|kebab|camel|title|sentence"
                r"|english|german|french"
                r"|spanish|chinese|lowercase|uppercase|singular|plural|active)\b(?!.* by )"
            ),
            modality=OBLIGATION,
            cue=" in ",
        ),
        Construction(
            pattern=re.compile(
                rf"^(?!(?:{_NOT_ASKED})\b)(?:[\w-]+ ){{0,4}}[\w-]{{2,}}s are (?:handed in|turned in"
                rf"|submitted|filed|returned"
                r"|reported|reviewed|answered|paid|closed|booked|requested|approved|signed|registered|rotated|renewed)"
                r" (?:within|by the|by (?:noon|monday|tuesday|wednesday|thursday|friday)|before each"
                r"|before every|every) "
            ),
            modality=OBLIGATION,
            cue=" are ",
        ),
        # What is spared: "Refactorings don't require a ticket".
        Construction(
            pattern=re.compile(r"^(?!(?:i|we|he|she|they|it|this|that)\b).*\bdo not (?:require|need) (?!to\b)"),
            modality=PERMISSION,
        ),
        Construction(
            pattern=re.compile(
                r"^(?:(?!(?:that|which|who|an?|the|this|it|i|we|he|she|they|you)\b)[a-z-]+ ){1,4}"
                r"(?:requires?|needs?) no (?!one\b)"
            ),
            modality=PERMISSION,
        ),
        # What the speaker wants of the reader: "I prefer bullet points when you reply".
        Construction(
            pattern=re.compile(
                r"^i (?:want|prefer|need|expect|would like|would prefer) .*"
                r"\b(?:when(?:ever)? you|in your|from you|each time|every time)\b"
            ),
            modality=OBLIGATION,
        ),
        # What everything of a kind needs: "Any new dependency requires approval".
        Construction(
            pattern=re.compile(r"^(?:any|every|each|all|new) .*\b(?:requires?|needs?) (?!to\b)"), modality=OBLIGATION
        ),
        # What comes first: "Failing tests take priority over new features".
        Construction(
            pattern=re.compile(r"^[a-z -]+ (?:takes?|has|have) (?:priority|precedence) over "), modality=OBLIGATION
        ),
        Construction(
            pattern=re.compile(
                r"^(?!(?:some|many|most|my|our|these|those|i|we|you|they|the|kids|children|people|humans|dogs|cats|plants"
                r"|babies|adults|friends)\b)[a-z -]+s (?:need|require) (?:at least|at most|one|two|three|\d+|approval"
                r"|review|sign-off|an? (?!(?:lot|bit|little|few|while|break|rest|walk|hug|day|moment|minute|home)\b)) ?"
            ),
            modality=OBLIGATION,
        ),
        # Where things belong: "New helpers go in lib/", "Secrets belong in the vault".
        Construction(
            pattern=re.compile(r"^(?:[a-z-]+ ){0,3}[a-z-]{3,}s (?:go|belong) (?:in|into|under|at) `"),
            modality=OBLIGATION,
        ),
        Construction(
            pattern=re.compile(r"^(?:[a-z-]+ )?[a-z-]{3,}s belong (?:in|into|under|at) "), modality=OBLIGATION
        ),
        Construction(
            pattern=re.compile(
                r"^(?!(?:i|we|he|she|they|you)\b).* do(?:es)? not (?:belong|go) (?:in|into|under|at|to) "
            ),
            modality=PROHIBITION,
        ),
        # "Nothing gets deployed on Fridays".
        Construction(
            pattern=re.compile(r"^(?:nothing|no [a-z-]+) (?:gets|ships|lands|goes (?:in|into|to|live|out)) "),
            modality=PROHIBITION,
        ),
    ),
    negations=words("not never"),
    denials=phrases("do not | do not ever | do not you | do not you dare"),
    never=words("never"),
    always=words("always only exclusively"),
    none_of=phrases("no more | no"),
    verbs=_VERBS | _NOUN_VERBS | _MOSTLY_NOUNS,
    noun_verbs=_NOUN_VERBS | _MOSTLY_NOUNS,
    mostly_nouns=_MOSTLY_NOUNS,
    compounds=words("""
    accident account airport alarm alert apartment appointment area army article artist attack aunt baby bag bank bar
    base basket bath battle beach bed bell bicycle bike birthday block boat body border boss bottle box boy branch
    breakfast
    bridge brother building bus business button cabin cable cake call camera camp campaign car cat ceremony chain chair
    channel chapter check child choice church cinema city client clock cloud coach coat college column comment committee
    community company competition computer concert conference contest contract corner country couple course court cousin
    crash crew crisis cup customer cycle dance daughter deal debate decision default degree department design desk
    dialog dialogue dinner director disk doctor dog door dream dress drive driver drop duty editor effect election
    element email employee entry estimate evening exam exercise experience expert eye factor factory family farm father
    feature fee field figure film fix flag flat flight floor flow folder frame friend function garden gate gift girl
    goal guest guideline half hall handler header hobby holiday home hook horse hospital hotel hour house husband idea
    image incident industry interface interview island job joke journey judge jump kid king kitchen lady lake language
    leader league lesson library life light limit link load location lock loop lunch magazine manual map mark market
    match mate meal medal member menu mile minute mirror mistake mode model module moment month morning mother motor
    movie museum neighbor neighbour network newspaper night node note nurse offer office officer overflow package
    parameter parent park part partner pattern person pet phrase picture piece pilot pipeline place plane planet player
    playlist pocket poem pot practice president pressure prize product professor profile program programme project
    proposal protocol purchase race radio rank reader receipt recipe redesign region release reminder reply
    restaurant retreat return review ride river road role roof round route row sale scale scene school screen season
    seat seller sequence shape share ship signal sister skill sky slice solution son song sort sound space spot spring
    square star start startup street student studio subject sum sweep switch syntax tag tale talk target tax teacher
    television tenant term terminal test threshold throughput tip topic tour tower town track trade trail train
    transaction transfer tree trend trial trigger trip truck uncle unit update upgrade village visit visitor voice vote
    walk wall waiter warning wedding weekend wife winner winter woman word worker workshop world writer year
    address advice agenda algorithm average bill board book budget bug candidate case cases center centre chart
    checklist class clause
    club code codes collision collisions command commands complexity condition configuration conflict conflicts
    contention conventions count coverage data date day days deadline details digit document documents engine
    environment error errors event examples exception failed failure failures file files form front game graph group
    guide guidelines history hit hits id ids index instructions issue issues item items key keys layer level levels line
    list log logs machine manager meeting message messages meter method miss name names notes number numbers object
    operator option options order output overview owner page pages party passed path phase plan plans point points
    policy pool price prices problem problems process queue question questions range rate rates ratio receipts record
    reference repair report request requests requirements result results room rule rules schedule score script scripts
    section series server session set setup shop text letter card photo phone sign site size slot stack stage state
    statement station status step
    steps store story strategy string structure style suite suites summary system table task tasks team template theory
    thread ticket tickets time timeout times tips title token tool total trace type types user value values variable
    version view week window workflow zone
    """),
    compounds_of_verbs=words("case cases by"),
    mostly_verbs=words("""
    aim contact copy correct duplicate edit export fix highlight import limit load merge move
    override pick pin print produce pull push reply return retry reuse run separate set ship show sign sort start state
    stick stop store summarise switch tag take throw try update upgrade upload use visit wait wash wear wrap yield
    """)
    - words("load merge start state stop store return sort switch wash"),
    noun_openings=phrases("""
    build time | build times | run time | run times | running time | open source | write access | read access
    read replica | read replicas | write throughput | write latency | read latency
    read throughput | commit message | commit messages | cover letter | design decision | design decisions
    log file | log files | log level | log levels | log message | log messages | merge conflict | merge conflicts
    pull request | pull requests | push notification | push notifications | query plan | query plans | release note
    release notes | search result | search results | test result | test results | type error | type errors
    set list | set of | set point | set theory | group by clause | group by query | group by statement | answer to
    call from | call with | change in | change to | chat with | check in at | claim for | comment by
    comment from | comment on | deal for | deal with the devil | design for | drop in | email from | end of | exit from
    fall in | increase in | influence on | interest in | invite from | issue with | lead in | link between | look into
    measure for | name for | name of | need for | note asking | note for | note from | note to | note with
    notes from | number of | offer for | offer from | order for
    order from | pay for the month | plan for | play by | post about | post by | post from | praise for | present for
    present from | price of | question about | question for | question from | reason for | reason to | record for
    reply from | report about | report by | report for | report from | report on | request for | request from
    research into | research on | review by | review from | ride to | sign of | support for | support from
    talk about | talk at | talk by | talk with | time for | time to | train to | trip to | try to | update for
    update from | update on | use by | use for the | view from | view of | visit from | visit to | wait for the results
    walk in | walk through | walk to | walk with | work at | work for | work from | work on the
    """)
    - phrases("""
    check in at | deal with the devil | pay for the month | wait for the results | try to | time to | look into
    use for the
    """),
    attributive=words("for of from at about regarding per vs and"),
    mass=words("code data input output traffic access state text content feedback everything anything nothing"),
    names=words("mark rob sue grant bill pat grace chase frank jack nick josh lance wade bob don gene ray rose"),
    happening=words("""
    appear apply arrive become begin belong break cause change come contain cost count depend differ do exist fail feel
    go grow happen have help hold include increase live look make matter mean need occur pass remain require run seem
    show stay struggle suck suffer take tend vary work
    """),
    happened=words("""
    appeared arrived broke climbed collapsed completed continued crashed decreased died disappeared dropped doubled
    ended
    exited booked failed
    finished happened improved increased landed moved occurred passed returned slowed started stopped
    succeeded tripled vanished worked
    """),
    lying=words("available due missing overdue pending ready unavailable"),
    placing=words("in on with near under between vs"),
    enjoyed=words("come eat hear listen meet read see taste try visit watch"),
    plurals=("s",),
    not_plurals=("ss", "us", "is"),
    has_title_case=True,
    phrasal_verbs=phrases("""
    back up | back out | factor out | gate behind | opt in | opt out | phase out | rule out | sand down | space out
    spin up | weed out | zero out | error out | side with | star out | fence off | code against
    """),
    simple_past=words("""
    arose ate awoke became began blew broke came chose crept did drank drew drove fell fled flew forgave
    forgot fought froze gave got grew had hid knew met overslept ran rang rewrote rode said sang sank sat saw
    shook shrank slept sold spoke sprang stole stood swam swore thought threw told took tore was went were withdrew
    woke wore wrote
    """),
    past_alike=words("read put set cut let hit shut cost spread quit split hurt bet cast beat come become run"),
    avoiding=words("avoid refrain avoided prevent forbid"),
    stopping=words("stop quit cease"),
    elided=words("know think remember care understand recall mind feel believe like want see need hear"),
    moods=words("""
    adore appreciate bet doubt excited glad grateful guess happy hate hope love miss proud regret sad sorry stoked
    sure thankful wish
    """),
    standing_leads=words("future forward every each next default rule times on general"),
    errands=words("""
    balance compute correct name redo rework scale shorten
    analyse analyze answer brainstorm bring build calculate compare compose continue convert create describe develop
    discuss draft edit expand explain find finish generate get give hand help improve let list make outline
    paraphrase present provide read recommend rephrase rewrite send show sing solve suggest summarise summarize tell
    translate write
    """),
    momentary_objects=words("""
    a an another five four me more my one seven six some ten these this three two us
    """),
    exhorting=words("keep stay take come go have get make give hang check look let live spread share dream follow be"),
    worn=words("bring grab take wear"),
    wishing=words("""
    breathe cheer dream drive eat enjoy feel fly get hang heal hug kiss lighten love miss party recover relax rest
    sit sleep
    smile stay travel wish
    """),
    showing=words("hear imagine listen look picture see smell taste watch"),
    shown=words("this that these those"),
    daily=words("drink eat leave relax rest sleep smoke swim travel wake work"),
    recurrent=words("after always any anytime before each every if never per unless until when whenever"),
    offering=phrases("""
    if you like | if you want | if you wish | if you feel like | if you care | if you fancy | if you are interested
    if you dare | if you can make it | if you would like
    """),
    once=phrases(
        "this time | from me | this once | just once | just this once | for this one | some time | sometime"
        " | one more time"
    ),
    every_time=phrases(
        "every time | each time | from now on | in all our | every single time | in every | at all times"
    ),
    turned_to=words("ask bring give hand remind send show tell thank"),
    pointing=words("it that these this those"),
    counted=words("limit return throw use"),
    months=words("""
    january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep
    sept oct nov dec
    """),
    keywords=words("distinct from into set table values view where"),
    dated=words("today tomorrow tonight"),
    lasting=words("existing remaining pending incoming outgoing logging testing typing naming"),
    for_speaker=words("me us"),
    standing=words("""
    after all always any anytime as at before between both brief during each every first honest if in instead later
    least long most must never new no not only per rather short should than unless until when whenever while without
    your
    """),
    takes_new_verbs=True,
    perfect=words("have"),
    being=words("be"),
    states=words("""
    able about almost alright amazing around awesome awful back because better broken busy chilly cloudy cold confused
    crazy foggy rainy stormy sunny windy
    delicious difficult down dreaming easier enough evident excited exhausted familiar fine freezing fun good great
    green happy hard here home hot hungry insane interesting joke joking kidding late lost lovely mad mistaken
    nearly new nice nuts obvious ok okay over possible proud ready real right sad serious sick somebody someone
    something somewhere starving sure terrible there thirsty thrilled tired tough true warm worried wrong
    """),
    guessed=words("""
    cost feel hurt know like look love mean rain realise realize seem smell snow sound suck taste think wonder
    """),
    outcomes=words("improve reduce work help suffice arrive happen appear"),
    intensifiers=words("so quite such really pretty totally"),
    guessed_nouns=words("""
    bug catch coincidence condition experience explanation feeling fluke glitch issue joke leak misconfiguration mistake
    misunderstanding outage problem race reason regression relief surprise typo way
    """),
    advised=words("""
    celebrate check come drink eat get go hear join listen meet play see sing sleep spend taste travel try visit
    watch
    """),
    perceived=words("""
    be believe bet discover encounter expect experience feel find get guess have hear imagine know learn look need
    notice recognise recognize see tell think understand view want
    """),
    involuntary=words("""
    become break cause change contain decrease drop end exist fail happen have help include increase lead match need
    remain require return run start stop vary want work
    """),
    offered=words("""
    access bring browse buy call come contact count do download follow go help make meet reach read say take try
    visit watch
    """),
    frame_phrases=phrases("by hand | stay out of | stays out of | written in | named in | no one"),
    frame_words=words(
        "nobody needed handed submitted filed renewed rotated manually fridays sundays weekends"
        " belong expect gets go lands nothing ships precedence prefer want priority requires require needs need"
    ),
    identity=phrases("you are | you are not | you are never | you are not just | you are not only"),
    articles=words("a an the my our"),
    praise=words("""
    amazing angel awesome beast best bit blessing champ coolest darling exciting fantastic fighter first fool friend
    funny gem genius god good great greatest hero idiot incredible inspiration joker joy keeper kindest legend liar
    lifesaver little lovely magical man mess model monster moron natural nicest one only pro real reason rewarding
    rockstar saint same smartest special star superstar sweetheart talent treasure winner wizard wonderful worst
    """),
    traits=words("""
    autonomous blunt calm careful cautious concise curious direct discreet empathetic formal friendly helpful honest
    humble informal kind methodical meticulous neutral opinionated patient playful polite pragmatic precise
    proactive professional resourceful respectful rigorous sceptical skeptical terse thorough warm witty
    """),
    conduct=words("""
    act adhere always analyse analyze answer ask assist avoid classify ensure explain follow generate help never
    only output prefer prioritise prioritize produce protect provide receive refuse reply respect respond return
    review speak summarise summarize translate treat use value write
    """),
    not_banned=words("""
    allergies answer better big chance change changes choice clue comment comments difference doubt electricity
    error errors evidence excuse fun further good hard harm he i idea internet issue issues it joke kidding kids
    longer luck ma'am match matches matter money need never news no not offense one output plans power preference
    preferences pressure problem problems reason record regrets reply response restrictions result results rush
    shame she shit sign signal signs sir sleep sooner surprise thank thanks they thing time trace update updates
    wait way we wonder worries worry you
    """),
    contrasts=words("not"),
    over=words("over"),
    per=words("per"),
    attributing=words("as"),
    only=words("only"),
    filler=words("""
    a all allowed also always an and any are avoid be but can cannot circumstances do does don each ensure ever
    every feel fine forbidden free from has have i if is it just kindly like make may must my need needs never no
    not now of ok okay on only ought our permitted please prohibited really remember required shall should simply so
    sure that the them then there these they this those to under use used uses using very want we will would you
    your
    """),
    vague=words("""
    accordingly adequate adequately anything apply appropriate appropriately as at be beautiful beautifully best
    best-in-class better careful carefully clean code common correct correctly decent do effective effectively
    efficient efficiently elegant ensure everything excellent follow good great handle high high-level high-quality
    in industry it job keep make manner modern much nice nicely optimal optimally possible practice practices
    professional proper properly quality reasonable reasonably responsible responsibly right robust sense sensible
    sensibly smart something sound standard standards state-of-the-art stuff them thing things way ways well with
    work works world-class write
    """),
    open_ended=phrases("""
    and so on | as applicable | as appropriate | as necessary | as needed | as you see fit | if appropriate
    if it makes sense | if necessary | if needed | or similar | or something | or whatever | when appropriate
    when it makes sense | when necessary | when needed | where applicable | where appropriate | where it makes sense
    where necessary
    """),
)

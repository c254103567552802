"""The vocabulary of delegation, as plain tables. Everything is lower case; contractions come taken apart."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Who ------------------------------------------------------------------------------------------------------

NAMES = ("claude", "codex")
VENDORS = {"anthropic": "claude", "openai": "codex"}
# Ordinary words one slip away from a name. They are never taken for one.
NOT_NAMES = word_set(
    "clause clauses cloud clouds clade laude code codes coded coder codec codecs coden index codify"
)
PRODUCT_WORDS = word_set("cli agent assistant coder side app opus sonnet haiku")
# What "the other …" may be called to mean the other coding agent.
AGENT_NOUNS = word_set(
    "agent assistant ai model coder tool side one party cli llm bot provider guy developer dev engineer "
    "implementer builder half fellow program system"
)
AGENT_ADJECTIVES = word_set("coding ai code cli llm external available")
COUNTERPARTS = word_set("counterpart peer partner rival")

# Verbs ----------------------------------------------------------------------------------------------------

# base: other forms (third person, past, participle, gerund); regular ones are derived.
IRREGULAR = {
    "build": "builds built built building",
    "write": "writes wrote written writing",
    "rewrite": "rewrites rewrote rewritten rewriting",
    "make": "makes made made making",
    "do": "does did done doing",
    "take": "takes took taken taking",
    "get": "gets got gotten getting",
    "own": "owns owned owned owning",
    "run": "runs ran run running",
    "have": "has had had having",
    "let": "lets let let letting",
    "put": "puts put put putting",
    "set": "sets set set setting",
    "send": "sends sent sent sending",
    "give": "gives gave given giving",
    "leave": "leaves left left leaving",
    "go": "goes went gone going",
    "fall": "falls fell fallen falling",
    "think": "thinks thought thought thinking",
    "see": "sees saw seen seeing",
    "tell": "tells told told telling",
    "bring": "brings brought brought bringing",
    "choose": "chooses chose chosen choosing",
    "keep": "keeps kept kept keeping",
    "throw": "throws threw thrown throwing",
    "begin": "begins began begun beginning",
    "read": "reads read read reading",
    "say": "says said said saying",
    "carry": "carries carried carried carrying",
    "code": "codes coded coded coding",
    "program": "programs programmed programmed programming",
    "ship": "ships shipped shipped shipping",
    "plan": "plans planned planned planning",
    "stop": "stops stopped stopped stopping",
    "pass": "passes passed passed passing",
    "spin": "spins spun spun spinning",
    "refer": "refers referred referred referring",
    "swap": "swaps swapped swapped swapping",
    "wrap": "wraps wrapped wrapped wrapping",
    "debug": "debugs debugged debugged debugging",
}

IMPLEMENTING = word_set("implement code develop program")
# Work on code when their object is no document; alone they say too little.
BUILDING = word_set(
    "build write create construct add fix refactor rewrite migrate port update change ship deliver "
    "convert extend replace remove upgrade patch wire integrate make produce generate author finish "
    "complete redo type rework"
)
# They say nothing without "the coding", "this", "the ticket".
WORKING = word_set(
    "do handle take perform execute own run manage tackle cover drive get have carry knock pick work "
    "crank start"
)
ADVISING = word_set(
    "review plan advise check verify audit test critique comment look read think design spec draft "
    "document explain summarise summarize suggest propose research investigate analyse analyze brainstorm "
    "approve validate inspect discuss answer describe compare estimate assess evaluate proofread "
    "coordinate orchestrate supervise oversee outline architect recommend watch monitor judge say tell "
    "guide help assist translate guard"
)

CAUSING = word_set(
    "have let get ask tell make want need like love prefer rather expect instruct direct allow permit "
    "trust request"
)
WANTING = word_set("want need like love prefer rather expect trust request choose pick vote")
USING = word_set(
    "use try pick choose select employ bring call invoke launch start spin fire involve enlist switch "
    "stick rely count go loop put keep set appoint designate nominate name make hire engage tap prefer "
    "get run want assign"
)
BARE_USING = word_set("use go switch stick")  # "use Codex" alone is enough
PUTTING = word_set("make name appoint designate nominate put keep")  # "make Codex the implementer"
TRANSFERRING = word_set(
    "hand pass send give relay delegate outsource farm offload assign leave route entrust turn kick punt "
    "toss throw shift move push forward dispatch defer ship bounce task charge trust"
)
# These speak of work by themselves, so their object may be anything that is not a document or data.
DELEGATING = word_set("delegate outsource farm offload assign entrust relay task charge")
GOING = word_set("go fall belong move pass")
RESTING = word_set("rest lie stay sit remain")

PARTICLES = word_set("off over on along out up away across down back in")
STARTING = word_set("start begin continue keep try finish")

# Nouns ----------------------------------------------------------------------------------------------------

IMPLEMENTATION = word_set(
    "implementation coding build code development programming implementing building construction "
    "engineering 2a"
)
WORK_NOUNS = word_set(
    "work part phase side task tasks job step stage half portion duty duties round leg bit piece stuff "
    "effort role end thing"
)
THIS = word_set("this it that these those them everything all")
THIS_NOUNS = word_set(
    "this it one ticket task tasks work job story issue feature features item piece change changes "
    "project request assignment thing rest specs spec'd lifting legwork typing edits slice epic"
)
IMPLEMENTERS = word_set(
    "implementer implementor builder coder developer programmer engineer implementers implementator executor"
)
DOCUMENTS = word_set(
    "review reviews plan plans planning spec specs specification specifications design designs docs doc "
    "documentation notes note changelog readme proposal email emails summary report reports comments "
    "comment blog post announcement copy description message messages rfc adr advice feedback opinion "
    "question questions audit checklist outline brief names name draft reviewer planner advisor gates "
    "gate check checks analysis research approval architecture requirements tickets entry planning "
    "reviewing checking verification validation prose article text wording strategy backlog roadmap qa "
    "proofreading oversight"
)
DATA = word_set(
    "log logs error errors output token tokens request requests event events response responses prompt "
    "prompts data payload file files id ids result results user users customer customers string input "
    "stdin json value values key keys question questions credentials secret secrets request's history "
    "transcript"
)
PIECES = word_set(
    "feature page endpoint api ui parser importer exporter module component function class service script "
    "migration bug bugs fix test tests form button view screen dashboard widget command handler client "
    "server backend frontend adapter integration schema query library package plugin extension middleware "
    "hook route controller layer pipeline worker queue cache patch refactor refactoring login search "
    "export import upgrade app application cli sdk site website backends fixes portal limiter flow logic"
)

# Function words ---------------------------------------------------------------------------------------------

DETERMINERS = word_set(
    "the a an this that these those my our your their its his her some any each every all both whole "
    "entire actual same full"
)
PREPOSITIONS = word_set(
    "for on as to in at with from by via after before of into through without about over under during "
    "until since per against between within upon across behind beside besides except like than off onto "
    "using out"
)
CONJUNCTIONS = word_set(
    "and but then so or while whereas plus yet though although & nor because if unless once when where "
    "whenever"
)
PRONOUNS = word_set(
    "i we you they he she it this that these those them us me him her yourself myself itself everything "
    "anything nothing"
)
MODALS = word_set("should will can must shall may ought could might would needs need has gets")
BE = word_set("be is are am being been was were 's")
ADVERBS = word_set(
    "please now instead today again only alone completely entirely directly first too also just then here "
    "there later afterwards finally simply quickly carefully properly together tomorrow next still really "
    "actually please pls plz always already never not fully ok okay once merely solely purely exclusively "
    "mostly mainly primarily personally nicely kindly either both anyway end-to-end immediately right "
    "straight ahead better faster even sure time"
)
HABITS = word_set(
    "already usually often sometimes typically normally never generally currently previously recently"
)
EMBEDDERS = word_set(
    "that which who whom whose where when how what whether if why because unless until whenever wherever as"
)
CLAUSE_WORDS = word_set("and but then so or while whereas plus yet though although &")
QUESTION_WORDS = word_set("how why who whom what which whose where when")
INVERTING = word_set(
    "is are was were does did do has have had should would could can will shall may might am"
)
SUBJECTS = word_set("i we you they he she it this that the there these those your our my any anyone anybody")
MAKERS = word_set(
    "button command script tool function method option way endpoint hook skill workflow bot action "
    "ability flag mode setting api page feature queue link item menu shortcut form test support service "
    "job"
)
PAST_MARKERS = word_set("was were been had got did")

# Openers --------------------------------------------------------------------------------------------------
# What may stand before a directive, and what it does to it. Longest first wins.
# "" nothing · hedge · fix (a correction) · neg · gerund (the verb is an -ing form) · wish (it may be past)

_OPENERS = {
    "": """
        please | pls | plz | ok | okay | so | now | then | also | next | first | firstly | finally |
        lastly | second | secondly | alright | right | yes | yeah | yep | sure | well | just | and |
        but | kindly | simply | afterwards | today | again | additionally | hey | hi | hello |
        ideally | basically | great | good | fine | cool | thanks | thank you | plus | while |
        whereas | this time | for now | from now on | from here on | as discussed | if possible |
        if you can | after that | in this case | as always | going forward | & | though | although |
        yet | once more | always | only | to be clear | all right | i think | i guess | i believe |
        i suggest | i propose | i recommend | i would say | i would suggest | i would recommend |
        i would propose | i insist | i have decided | i decided | i feel | i vote | we agreed |
        we decided | we have decided | my preference is | the plan is for | the plan is that |
        the plan is to | the plan is | the idea is for | the idea is that | the idea is to |
        it is time for | it is time to | what i want is for | what i want is | my plan is to |
        my plan is for | i want you to | i need you to | i would like you to | i expect you to |
        i would love you to | i would prefer you to | i want to | i would like to | i need to |
        i would prefer to | i would love to | i am going to | we are going to | i would prefer that |
        i would prefer it if | i prefer that | i prefer to | i would | i will | we will | we would |
        we would like to | we want to | we need to | we should | we can | we could | we must |
        we shall | we may | you should | you can | you could | you must | you may | you will |
        you need to | you have to | you ought to | you might want to | you are to | let us | lets |
        make sure that | make sure to | make sure you | make sure | be sure to | remember to |
        do not forget to | do not hesitate to | feel free to | go ahead and | go and | ensure that |
        ensure | see to it that | please ensure that | can you | could you | would you | will you |
        can we | could we | would you please | can you please | could you please | will you please |
        why do not you | why do not we | why not | it is | it should be | it must be | it will be |
        it has to be | that is | do | i am happy for | i am fine with | happy for | fine with |
        let it be known that | in that case | here | better | time to | time for | try to |
        you know what | as for the rest | your job is to | your task is to | do please |
        just go ahead and | i have to ask you to | i must ask you to | i am asking you to |
        i ask that | i request that | i want | i need | that said
    """,
    "hedge": """
        maybe | perhaps | possibly | or maybe | or perhaps | or possibly | or | probably | or else |
        or rather maybe | or no
    """,
    "fix": """
        actually | instead | rather | sorry | wait | no | no wait | scratch that | strike that |
        on second thought | on second thoughts | i mean | i meant | make that | make it | correction |
        change of plan | change of plans | never mind | hmm | hm | hold on | better yet | or rather |
        nope | nah | forget that | forget it | well actually | oops
    """,
    "neg": """
        do not | never | not | please never | must not | you must not | you should not |
        we should not | you shall not | no need to | i do not want you to | i do not want to |
        i do not want | i do not need | we do not want | we do not need | i would rather not |
        i would rather you did not | let us not | lets not | rather not | under no circumstances |
        at no point | in no case | you do not need to | you need not | you do not have to |
        you are not to | i would not | i would prefer not to | i would prefer you did not |
        i prefer not to | please not | you can not | you may not | do not ever | do not you dare |
        we do not | by no means | on no account | i would like you not to | i want you not to |
        you will not | we will not | can you not | could you not
    """,
    "neg gerund": """
        avoid | stop | refrain from | no | quit | i do not want you | i am not
    """,
    "gerund": """
        would you mind | i suggest | i recommend | i propose | i would suggest | i would recommend |
        try | how about | start by | do you mind | i am
    """,
    "wish": """
        it would be great if | it would be nice if | it would be good if | it would be best if |
        it would be better if | it would be lovely if | i would appreciate it if | i would love it if |
        i would like it if | i would prefer if | i would prefer it if | i would rather |
        i would be happy if | i would be glad if | it would be ideal if | it would help if |
        would be great if | would be nice if
    """,
}
OPENERS: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _effect, _text in _OPENERS.items():
    for _words in _text.split("|"):
        _tuple = tuple(_words.split())
        OPENERS.setdefault(_tuple[0], []).append((_tuple, _effect))
for _list in OPENERS.values():
    _list.sort(key=lambda entry: -len(entry[0]))


def _forms() -> dict[str, list[tuple[str, str]]]:
    table: dict[str, list[tuple[str, str]]] = {}
    for base in (
        IMPLEMENTING
        | BUILDING
        | WORKING
        | ADVISING
        | CAUSING
        | USING
        | TRANSFERRING
        | GOING
        | RESTING
        | STARTING
    ):
        third, past, participle, gerund = (IRREGULAR.get(base) or _regular(base)).split()
        for form, word in zip(
            ("base", "third", "past", "participle", "gerund"), (base, third, past, participle, gerund)
        ):
            table.setdefault(word, []).append((base, form))
    return table


def _regular(base: str) -> str:
    stem = base[:-1] if base.endswith("e") else base
    third = base + ("es" if base.endswith(("ch", "sh", "ss", "x", "o")) else "s")
    past = stem + "ed"
    if base.endswith("y") and base[-2] not in "aeiou":
        third, past = base[:-1] + "ies", base[:-1] + "ied"
    return f"{third} {past} {past} {stem}ing"


# word -> [(base, form)] for every verb above.
VERBS = _forms()

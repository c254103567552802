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
    "implementer builder fellow program system"
)
AGENT_ADJECTIVES = word_set("coding ai code cli llm external available")
COUNTERPARTS = word_set("counterpart peer partner rival")

# Verbs ----------------------------------------------------------------------------------------------------


PARTICLES = word_set("off over on along out up away across down back in")


# Nouns ----------------------------------------------------------------------------------------------------

IMPLEMENTATION = word_set(
    "implementation coding build code development programming implementing building construction "
    "engineering 2a impl"
)
WORK_NOUNS = word_set(
    "work part phase side task tasks job step stage half portion duty duties round leg bit piece stuff "
    "effort role end thing parts phases steps"
)
THIS = word_set("this it that these those them everything all nothing none")
THIS_NOUNS = word_set(
    "this it one ticket task tasks work job story issue feature features item piece change changes "
    "project request assignment thing rest run case round iteration session specs spec'd lifting legwork "
    "typing edits slice epic"
)
NUMBERS = word_set("one two three four")
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
    "proofreading oversight look eyes scrutiny"
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
    "export import upgrade update rewrite rework overhaul cleanup rollout port app application cli sdk "
    "site website backends fixes portal limiter flow logic"
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
    "straight ahead better faster even sure time below above"
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
DUTIES = word_set("job turn task responsibility duty call")
PAST_MARKERS = word_set("was were been had got did")


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


IMPLEMENTING = word_set("implement impl code develop program")


# Work on code when their object is no document; alone they say too little.
BUILDING = word_set(
    "build write create construct add fix refactor rewrite migrate port update change ship deliver "
    "convert extend replace remove upgrade patch wire integrate make produce generate author finish "
    "complete redo type rework"
)


# They say nothing without "the coding", "this", "the ticket".
WORKING = word_set(
    "split share divide do handle take perform execute own run manage tackle cover drive get have carry "
    "knock pick work crank start proceed begin pair collaborate cooperate team"
)


DOING = IMPLEMENTING | BUILDING | WORKING

ADVISING = word_set(
    "review plan advise check verify audit test critique comment look read think design spec draft "
    "document explain summarise summarize suggest propose research investigate analyse analyze brainstorm "
    "approve validate inspect discuss answer describe compare estimate assess evaluate proofread "
    "coordinate orchestrate supervise oversee outline architect recommend watch monitor judge say tell "
    "guide help assist translate guard"
)


# What follows their colon is subject matter.
WRITING = word_set("document explain describe draft outline summarise summarize compare test check verify")

CAUSING = word_set(
    "have let get ask tell make want need like love prefer rather expect instruct direct allow permit "
    "trust request"
)


WANTING = word_set("want need like love prefer rather expect trust request choose pick vote go")


USING = word_set(
    "use try vote pick choose select employ bring call invoke launch start spin fire involve enlist "
    "switch stick rely count go loop put keep set appoint designate nominate name make hire engage tap "
    "trigger recruit prefer get run want assign commission bother"
)


BARE_USING = word_set("use go switch stick")  # "use Codex" alone is enough


PUTTING = word_set("make name appoint designate nominate put keep")  # "make Codex the implementer"


TRANSFERRING = word_set(
    "hand pass send give relay delegate outsource farm offload assign leave route entrust turn kick punt "
    "toss throw shift move push forward dispatch defer ship bounce task charge trust put get split divide "
    "share"
)


# These speak of work by themselves, so their object may be anything that is not a document or data.
DELEGATING = word_set("delegate outsource farm offload assign entrust relay task charge")


GOING = word_set("go fall belong move pass")


RESTING = word_set("rest lie stay sit remain")


STARTING = word_set("start begin continue keep try finish")


_FORMS = ("base", "third", "past", "participle", "gerund")


def _table() -> dict[str, list[tuple[str, str]]]:
    table: dict[str, list[tuple[str, str]]] = {}
    known = DOING | ADVISING | CAUSING | USING | TRANSFERRING | GOING | RESTING | STARTING
    for base in sorted(known):  # sorted, for a set's order differs from run to run
        irregular = IRREGULAR.get(base)
        others = irregular.split() if irregular else _regular(base)
        for form, word in zip(_FORMS, (base, *others)):
            table.setdefault(word, []).append((base, form))
    return table


def _regular(base: str) -> tuple[str, str, str, str]:
    if base[-1] == "e":
        return base + "s", base + "d", base + "d", base[:-1] + "ing"
    if base[-1] == "y" and base[-2] not in "aeiou":
        return base[:-1] + "ies", base[:-1] + "ied", base[:-1] + "ied", base + "ing"
    third = base + ("es" if base.endswith(("ch", "sh", "ss", "x", "o")) else "s")
    return third, base + "ed", base + "ed", base + "ing"


# word -> [(base, form)] for every verb above.
VERBS = _table()


def forms_of(word: str) -> list[tuple[str, str]]:
    return VERBS.get(word, [])


def base_in(word: str, form: str) -> str | None:
    """The verb that `word` is this form of."""
    return next((base for base, found in forms_of(word) if found == form), None)

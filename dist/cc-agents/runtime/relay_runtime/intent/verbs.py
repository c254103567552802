"""The verbs of delegation by what they mean, and their forms."""

from __future__ import annotations

from relay_runtime.intent.words import word_set

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
    "split share divide do handle take perform execute own run manage tackle cover drive get have carry "
    "knock pick work crank start"
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
    "trigger recruit prefer get run want assign"
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

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
    "engineering 2a"
)
WORK_NOUNS = word_set(
    "work part phase side task tasks job step stage half portion duty duties round leg bit piece stuff "
    "effort role end thing"
)
THIS = word_set("this it that these those them everything all nothing none")
THIS_NOUNS = word_set(
    "this it one ticket task tasks work job story issue feature features item piece change changes "
    "project request assignment thing rest run case round iteration session specs spec'd lifting legwork "
    "typing edits slice epic"
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
DUTIES = word_set("job turn task responsibility duty call")
PAST_MARKERS = word_set("was were been had got did")

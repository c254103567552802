"""What may stand before a directive and what it does to it; and which sentences are questions."""

from __future__ import annotations

from typing import NamedTuple

from relay_runtime.intent import words
from relay_runtime.intent.cursor import agent_at, phrase_at, word_at
from relay_runtime.intent.tokens import MARK, Tokens
from relay_runtime.intent.words import base_in

_OPENERS = {
    "": """
        please | pls | plz | ok | okay | so | now | then | also | next | first | firstly | finally |
        lastly | second | secondly | alright | right | yes | yeah | yep | sure | well | just | and |
        but | kindly | simply | afterwards | today | again | additionally | hey | hi | hello |
        ideally | basically | great | good | fine | cool | thanks | thank you | plus | while |
        whereas | this time | for now | from now on | from here on | as discussed | if possible |
        if you can | after that | in this case | as always | as usual | going forward | & | though |
        although |
        yet | once more | always | only | to be clear | all right | i think | i guess | i believe |
        i suggest | i propose | i recommend | i would say | i would suggest | i would recommend |
        i would propose | i insist | i have decided | i decided | i feel | we agreed | we decided |
        we have decided | my preference is | my preference is for | my preference would be for |
        my preference would be that | the plan is for | the plan is that | the plan is to |
        the plan is | the idea is for | the idea is that | the idea is to | it is time for |
        it is time to | what i want is for | what i want is | my plan is to | my plan is for |
        i want you to | i need you to | i would like you to | i expect you to | i would love you to |
        i would prefer you to | i want to | i would like to | i need to | i would prefer to |
        i would love to | i am going to | we are going to | i would prefer that |
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
        i ask that | i suggest you | i suggest that you | i said | as i said | i would suggest you |
        i would suggest that you | i recommend you | i recommend that you | i would recommend you |
        i would recommend that you | would it be ok to | would it be okay to | would it be fine to |
        would it be possible to | i request that | i | we | would | can | could | that said
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
        we should not | you shall not | no need to | there is no need to | i do not want you to |
        i do not want to | i would rather not | i would rather you did not | let us not | lets not |
        rather not | under no circumstances | at no point | in no case | you do not need to |
        you need not | you do not have to | you are not to | i would not | i would prefer not to |
        i would prefer you did not | i would prefer you do not | i would prefer that you do not |
        i would prefer if you did not | i would prefer it if you did not | i prefer not to |
        please not | you can not | you may not | do not ever | do not you dare | we do not | i do not |
        by no means | on no account | i would like you not to | i want you not to | you will not |
        we will not | can you not | could you not
    """,
    "neg gerund": """
        avoid | stop | refrain from | no | quit | i do not want you | i am not
    """,
    "gerund": """
        would you mind | i suggest | i recommend | i propose | i would suggest | i would recommend |
        try | how about | start by | do you mind | i am | we are
    """,
    "wish": """
        would it be ok if | would it be okay if | would it be fine if | it would be great if |
        it is best if | it is better if | it is easiest if | it is fine if | it would be nice if |
        it would be good if | it would be best if | it would be better if | it would be lovely if |
        i would appreciate it if | i would love it if | i would like it if | i would prefer if |
        i would prefer it if | i would rather | i would be happy if | i would be glad if |
        it would be ideal if | it would help if | would be great if | would be nice if |
        i would feel better if | i would feel safer if | it would be cool if | it would be perfect if |
        it would be awesome if | it would be easier if | it would be wonderful if
    """,
}


def _table() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for effect, text in _OPENERS.items():
        for opener in text.split("|"):
            entry = tuple(opener.split())
            table.setdefault(entry[0], []).append((entry, effect))
    for entries in table.values():
        entries.sort(key=lambda found: -len(found[0]))
    return table


# first word -> [(whole opener, effect)], longest first.
OPENERS = _table()


class Opening(NamedTuple):
    at: int
    negated: bool = False
    gerund: bool = False
    wish: bool = False
    hedged: bool = False
    corrects: bool = False


def open_clause(tokens: Tokens, start: int) -> Opening:
    """Skip what may stand before a directive, and gather what it does to it."""
    at = start
    effects: list[str] = []
    while True:
        if (
            at > start
            and at < len(tokens)
            and tokens[at].kind == MARK
            and tokens[at].word in (",", "\u2014", ":")
        ):
            at += 1
            continue
        found = next(
            (
                (entry, effect)
                for entry, effect in OPENERS.get(word_at(tokens, at), ())
                if phrase_at(tokens, at, entry) and _is_opener(tokens, at, entry, effect)
            ),
            None,
        )
        if found is not None:
            at += len(found[0])
            effects.append(found[1])
        elif at > start and _introduces(tokens, at, effects[-1]):
            at += 1
        else:
            break
    negated = sum(effect.startswith("neg") for effect in effects) % 2 == 1
    return Opening(
        at,
        negated=negated,
        gerund=any("gerund" in effect for effect in effects),
        wish="wish" in effects,
        hedged="hedge" in effects,
        corrects="fix" in effects,
    )


def _introduces(tokens: Tokens, at: int, effect: str) -> bool:
    """`we agreed that Codex …`, `it would be great if you let …`."""
    word = word_at(tokens, at)
    return (word == "that" and bool(agent_at(tokens, at + 1))) or (effect == "wish" and word in ("you", "we"))


_SPEAKERS = (("i",), ("we",), ("would",))


def _is_opener(tokens: Tokens, at: int, entry: tuple[str, ...], effect: str) -> bool:
    """Some openers are ordinary words elsewhere."""
    after = at + len(entry)
    if entry == ("no",) and effect == "fix":
        return after < len(tokens) and tokens[after].kind == MARK
    if entry == ("no",):
        return base_in(word_at(tokens, after), "gerund") is not None
    if entry in (("i", "do", "not"), ("we", "do", "not")):
        return base_in(word_at(tokens, after), "base") in words.WANTING
    if entry[0] == "it" and entry[-1] in ("is", "be"):
        return bool(agent_at(tokens, after)) or word_at(tokens, after) == "up"
    if entry == ("that", "is"):
        return word_at(tokens, after + 1) != "'s"  # "that is Codex's job"
    if entry in (("can",), ("could",)):
        return word_at(tokens, after) in words.THIS and any(
            token.word == "please" for token in tokens[after:]
        )
    if entry in _SPEAKERS:
        return base_in(word_at(tokens, after), "base") in words.WANTING
    if entry == ("do",):
        return base_in(word_at(tokens, after), "base") is not None
    if entry == ("let", "us") or entry == ("lets",):
        return not agent_at(tokens, after)
    if entry in (("rather",), ("try",), ("stop",), ("avoid",)):
        return base_in(word_at(tokens, after), "gerund") is not None or entry == ("rather",)
    if entry in (("i", "am"), ("we", "are")):
        return base_in(word_at(tokens, after), "gerund") in words.CAUSING | words.USING | words.TRANSFERRING
    return True


def is_question(tokens: Tokens, end: str) -> bool:
    """A question, and not a request in the form of one."""
    if end == "?" and [token.word for token in tokens[-2:]] == ["or", "not"]:
        return True
    first = 0
    while word_at(tokens, first) in (
        "so",
        "and",
        "but",
        "ok",
        "okay",
        "well",
        "hey",
        "also",
        "then",
        "please",
    ) or (first and first < len(tokens) and tokens[first].kind == MARK):
        first += 1
    word, second = word_at(tokens, first), word_at(tokens, first + 1)
    agent_first = first + 1
    if word in ("can", "could", "would", "will") and (
        second in ("you", "we") or agent_at(tokens, agent_first)
    ):
        if second == "you" or (second == "we" and word in ("can", "could")):
            return False
        return not any(token.word == "please" for token in tokens)
    if word == "would" and second == "it" and word_at(tokens, first + 2) == "be":
        return False
    if word in words.QUESTION_WORDS:
        if (
            word == "why"
            and second in ("not", "do")
            and word_at(tokens, first + 2) in ("not", "have", "let", "use")
        ):
            return False
        if word == "how" and second == "about":
            return False
        if word in ("when", "where", "what", "who", "which", "whose"):
            return end == "?" or not any(token.kind == MARK for token in tokens)
        return True
    if (
        word in words.INVERTING
        and (second in words.SUBJECTS or agent_at(tokens, agent_first))
        and word not in ("can", "could")
    ):
        if word in ("do", "have") and second in ("this", "it", "that", "these", "the", "those", "your", "my"):
            return end == "?"
        if word == "have" and agent_at(tokens, agent_first):
            return end == "?" and not _has_tag(tokens)
        return not (word == "do" and second == "not")
    if word in ("can", "could") and second in words.SUBJECTS:
        return not any(token.word == "please" for token in tokens)
    return end == "?" and not _has_tag(tokens) and not any(token.word == "mind" for token in tokens[:4])


_TAGS = frozenset(("ok", "okay", "please", "alright", "pls"))


def _has_tag(tokens: Tokens) -> bool:
    last = [token.word for token in tokens[-4:]]
    return bool(last) and (
        last[-1] in _TAGS
        or last[-2:] in (["will", "you"], ["would", "you"], ["can", "you"], ["could", "you"])
        or "please" in [t.word for t in tokens]
    )

"""From the sentences of a request to its claims."""

from __future__ import annotations

from relay_runtime.intent.agents import find_agents, may_mention, mended
from relay_runtime.intent.asides import lift_contrasts, lift_parentheses, split_afterthought
from relay_runtime.intent.claims import Claim
from relay_runtime.intent.clauses import Walk
from relay_runtime.intent.cursor import word_at
from relay_runtime.intent.roles import Role, VerbPhrase
from relay_runtime.intent.scene import Scene
from relay_runtime.intent.tokens import Sentence, Token
from relay_runtime.intent.words import word_set

# A sentence without an agent and without one of these cannot say who implements.
_NATIVE_HINTS = word_set(
    "yourself native natively relay relaying delegate delegating delegation outsource handoff hand session "
    "offload own"
)


class Reader:
    """Reads the sentences of one request in order; what one says may lean on the one before."""

    def __init__(self) -> None:
        self.antecedent: tuple[str, ...] = ()
        self.labels = False
        self.last_role: VerbPhrase | None = None

    def read(self, sentence: Sentence, host: str) -> list[Claim]:
        """The claims of one sentence."""
        words_here = {token.word for token in sentence.tokens}
        if not (may_mention(sentence.tokens) or words_here & _NATIVE_HINTS):
            return []
        tokens = find_agents(mended(sentence.tokens))
        if not (words_here & _NATIVE_HINTS or any(token.names for token in tokens)):
            return []
        claims: list[Claim] = []
        outer, inner = lift_parentheses(tokens)
        for part in (*split_afterthought(outer, sentence.end), *((part, "") for part in inner)):
            claims += self._part(*part, host)
        return claims

    def _part(self, tokens: list[Token], end: str, host: str) -> list[Claim]:
        alone = len(tokens) < 6 and word_at(tokens, 0) == "not"  # "Not Codex this time."
        tokens, contrasts = lift_contrasts(tokens)
        scene = Scene(antecedent=self.antecedent, labels=self.labels, role=self.last_role)
        walk = Walk(tokens, end, scene, host, said_before=self.last_role is not None)
        claims = walk.run()
        self.antecedent = scene.antecedent
        self.labels = scene.labels
        self.last_role = scene.role
        own = any(claim.role is Role.IMPLEMENT for claim in claims) or walk.is_directive
        return claims + [claim for claim in contrasts if own or alone or not tokens]

"""The model protocols that the scripted server speaks."""

from knowzcode_relay.rehearsal.dialects import anthropic, chat, responses
from knowzcode_relay.rehearsal.dialects.base import Dialect

DIALECTS: tuple[Dialect, ...] = (anthropic, responses, chat)

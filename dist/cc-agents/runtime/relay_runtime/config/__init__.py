"""The project's relay settings: reading them from Markdown, their ladders, limits and refusals."""

from relay_runtime.config.conflicts import announce_conflicts as announce_conflicts
from relay_runtime.config.document import Document as Document
from relay_runtime.config.document import load as load
from relay_runtime.config.document import missing as missing
from relay_runtime.config.keys import SELECTORS as SELECTORS
from relay_runtime.config.settings import Flags as Flags
from relay_runtime.config.settings import Settings as Settings
from relay_runtime.config.settings import effective as effective
from relay_runtime.config.settings import selector as selector

"""What Ctrl-C and its like do while a rehearsal runs, and while it cleans up."""

import contextlib
import signal
import threading
from collections.abc import Callable, Generator
from types import FrameType


@contextlib.contextmanager
def interruptible() -> Generator[None]:
    """SIGTERM and SIGHUP end a rehearsal as Ctrl-C does: with everything that it started."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise KeyboardInterrupt

    with _handling(interrupt, "SIGTERM", "SIGHUP"):
        yield


@contextlib.contextmanager
def deaf() -> Generator[None]:
    """Nothing interrupts: what was started is being ended."""
    with _handling(signal.SIG_IGN, "SIGINT", "SIGTERM", "SIGHUP"):
        yield


@contextlib.contextmanager
def _handling(
    handler: Callable[[int, FrameType | None], None] | signal.Handlers, *names: str
) -> Generator[None]:
    """Handle these signals so for a while, where signals can be handled at all."""
    before: dict[int, object] = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)  # pyright: ignore[reportArgumentType]  what signal gave back

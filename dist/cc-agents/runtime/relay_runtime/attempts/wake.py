"""Sleep until a child ends, a signal comes, or the time is over."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from types import FrameType
from typing import Protocol

_ENDING = ("SIGTERM", "SIGINT", "SIGHUP")


class Wake(Protocol):
    """What a supervisor waits with."""

    signalled: int  # the last signal that asked us to end, 0 before

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or at once when a child ended or a signal came since the last wait."""
        ...


class SignalWake:
    """Inside `with`, the ending signals are noted instead of obeyed. Only for the main thread."""

    def __init__(self) -> None:
        self.signalled = 0
        self._before: dict[int, object] = {}
        self._pipe = (-1, -1)
        self._old_descriptor = -1

    def __enter__(self) -> SignalWake:
        self._pipe = os.pipe()
        for end in self._pipe:
            os.set_blocking(end, False)
        for name in _ENDING:
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, self._note)
        if hasattr(signal, "SIGCHLD"):
            # Without a handler of Python's own the signal is dropped and wakes nobody.
            self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _nothing)
        self._old_descriptor = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self._old_descriptor)
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  what signal.signal gave us
        for end in self._pipe:
            os.close(end)

    def wait(self, seconds: float) -> None:
        ready, _, _ = select.select([self._pipe[0]], [], [], seconds)
        if ready:
            with contextlib.suppress(BlockingIOError):
                while os.read(self._pipe[0], 512):
                    pass

    def _note(self, number: int, frame: FrameType | None) -> None:
        del frame
        self.signalled = number


def _nothing(number: int, frame: FrameType | None) -> None:
    del number, frame

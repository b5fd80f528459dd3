"""Kills every studio that the program starts."""

import os
import signal
import threading
from contextlib import suppress

from tests.end_to_end.evening import Terminal

POLL_SECONDS = 0.02


class Killer:
    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._kill, daemon=True)

    def __enter__(self) -> "Killer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _kill(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            if studio := self._terminal.studio:
                with suppress(ProcessLookupError):
                    os.kill(studio, signal.SIGKILL)

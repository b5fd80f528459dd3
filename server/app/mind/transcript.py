"""Writes the transcript of a bot that asks a language model: a line of JSON for each question and its answer."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec
from msgspec import Struct

from server.app.mind.model import Message


class Exchange(Struct):
    """One question to the model, and its outcome."""

    hand: int
    street: str
    at: str = msgspec.field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    question: Sequence[Message] = ()
    answer: str = ""
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    became: str = ""
    """The action, or a sentence that says why the answer led to no action."""


class MindTranscript:
    """A file to which each exchange is added. If the path is None, there is no file."""

    def __init__(self, path: Path | None, hide: Callable[[str], str]) -> None:
        """`hide` removes the API key from a text. Raises OSError if the file cannot be written."""
        self._file = path.open("a", encoding="utf-8") if path else None
        self._hide = hide

    def write(self, exchange: Exchange) -> None:
        """Adds an exchange to the file."""
        if self._file:
            self._file.write(self._hide(msgspec.json.encode(exchange).decode()) + "\n")
            self._file.flush()

    def __enter__(self) -> "MindTranscript":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()

"""A bot in a container that plays over standard input and output, as pipes: the Engine has both in one stream."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import IO

from docker import APIClient

from server.bots.sandbox.docker.box import DockerProcess
from server.bots.sandbox.docker.stream import framed
from server.bots.sandbox.output_log import OutputLog
from server.bots.sandbox.process import Ends
from server.bots.sandbox.runner import Limits

_READ_BYTES = 1 << 16
_OUTPUT = 1
_SLOW_SECONDS = 0.05


def attached(engine: APIClient, container: str) -> socket.socket:
    """A socket with the standard streams of a container that has not started yet. Raises ENGINE_FAULTS."""
    query = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
    answer = engine.attach_socket(container, params=query)
    # Duplicated, since the library closes its socket with the response, or never.
    with contextlib.closing(getattr(answer, "_sock", answer)) as theirs, contextlib.closing(answer):
        stream = socket.socket(fileno=os.dup(theirs.fileno()))
        getattr(answer, "_response", answer).close()
    stream.settimeout(None)
    return stream


class DockerPipedBox(DockerProcess):
    """A running bot; the caller owns `stdin` and `stdout`, our ends of its pipes."""

    def __init__(
        self, engine: APIClient, container: str, stream: socket.socket, ends: Ends, *, limits: Limits, log: OutputLog
    ) -> None:
        self.stdin, self.stdout = ends.ours
        self._stream = stream
        self._input, self._output = (os.dup(end) for end in ends.theirs)
        super().__init__(engine, container, limits=limits, log=log, box="docker, strict")
        threading.Thread(target=self._feed, daemon=True).start()

    def _feed(self) -> None:
        """Copies what is written to `stdin` to the bot, then closes its input."""
        with contextlib.suppress(OSError):
            while piece := os.read(self._input, _READ_BYTES):
                self._stream.sendall(piece)
            self._stream.shutdown(socket.SHUT_WR)
        os.close(self._input)

    def _follow_log(self) -> bool:
        """Copies the bot's standard output to `stdout` and its standard error to the log, to the end of both."""
        try:
            with self._stream.makefile("rb") as output:
                self._carry(output)
        finally:
            os.close(self._output)
        return True

    def _carry(self, output: IO[bytes]) -> None:
        connected, logged = True, 0
        for kind, piece in framed(output):
            if kind == _OUTPUT:
                connected = connected and self._passed_on(piece)
                continue
            self._log.write(piece)
            logged += len(piece)
            # Slows down a bot that floods its standard error: its answers come in the same stream.
            if self._log.full and logged > _READ_BYTES:
                self._over.wait(_SLOW_SECONDS)
                logged = 0

    def _passed_on(self, piece: bytes) -> bool:
        """Whether somebody still reads what the bot prints."""
        with contextlib.suppress(OSError):
            for part in _parts(piece):
                os.write(self._output, part)
            return True
        return False

    def _clear(self) -> None:
        super()._clear()
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)
        self._stream.close()


def _parts(piece: bytes) -> Iterator[bytes]:
    """Pieces that a pipe takes at one go."""
    return (piece[at : at + 4096] for at in range(0, len(piece), 4096))

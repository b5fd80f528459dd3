"""The connection to an agent (a bot that plays by MCP): one end of a pair of sockets.

The other end belongs to the part of this program that speaks MCP with the agent.
"""

import socket

from server.bots.transports.clock import Clock
from server.bots.transports.connection import FileConnection


class PairConnection(FileConnection):
    """One end of the pair. The other end reads line by line, so messages need no pause between them."""

    END_REASON = "left the table"

    def __init__(self, end: socket.socket, clock: Clock) -> None:
        end.setblocking(False)
        super().__init__(end.fileno(), end.fileno(), clock)
        self._end = end

    def close(self) -> None:
        self._on_lost = None
        self._close_now()

    def _close_as_lost(self, reason: str) -> None:
        self._close_now()
        if self._on_lost:
            self._on_lost(reason)

    def _loss_reason(self, error: OSError) -> str:
        return self.END_REASON

    def _close_files(self) -> None:
        self._end.close()

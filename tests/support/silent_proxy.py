"""A TCP proxy that can fall silent, like broken Wi-Fi. A silent proxy drops bytes, but closes no connection."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.support.background import BackgroundService
from tests.support.tcp_server import HOST, serve_connections


class SilentProxy(BackgroundService):
    """Connects clients of `address` to `port` of this machine. Delays all bytes both ways by `delay` seconds."""

    def __init__(self, port: int, delay: float = 0.0) -> None:
        super().__init__()
        self.address = ""
        self._port = port
        self._delay = delay
        self._muted: set[str] = set()
        """Who receives nothing over new connections: "page", "server", both, or nobody."""
        self._connections: list[set[str]] = []
        """For each connection so far, who receives nothing over it."""

    def fall_silent(self, *, to_server: bool) -> None:
        """Drops all bytes to pages and, with `to_server`, all bytes to the server, too."""
        self._muted = {"page", "server"} if to_server else {"page"}
        for muted in self._connections:
            muted.update(self._muted)

    def heal(self) -> None:
        """Forwards new connections again. Connections that fell silent stay silent forever."""
        self._muted = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with serve_connections(self._forward) as port:
            self.address = f"http://{HOST}:{port}"
            yield

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(HOST, self._port)
        muted = {*self._muted}
        self._connections.append(muted)
        try:
            to_page = self._copy(server_reader, writer, "page", muted)
            await asyncio.gather(self._copy(reader, server_writer, "server", muted), to_page)
        finally:
            writer.transport.abort()
            server_writer.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, to: str, muted: set[str]) -> None:
        """Copies all bytes, and then closes `writer`. While `to` is in `muted`, drops all bytes and closes nothing."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(ConnectionError):
            while piece := await reader.read(1 << 16):
                if to not in muted:
                    loop.call_later(self._delay, writer.write, piece) if self._delay else writer.write(piece)
            await asyncio.sleep(self._delay)
        if to not in muted:
            writer.close()

"""A TCP proxy that can fall silent, like broken Wi-Fi: it accepts bytes but forwards none, and closes nothing.

It can also be slow, like a satellite link.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.support.served_aside import ServedAside

_PIECE = 1 << 16


class SilentProxy(ServedAside):
    """Forwards connections to `port` of this machine, with a delay of `delay` seconds.

    `address` is where it listens, without "/" at the end.
    """

    def __init__(self, port: int, delay: float = 0.0) -> None:
        super().__init__()
        self.address = ""
        self._port = port
        self._delay = delay
        self._mute: set[str] = set()
        """Which ends of new connections receive nothing: "page", "server", or both."""
        self._open: dict[asyncio.StreamWriter, set[str]] = {}
        """Which ends of each open connection receive nothing.

        Each connection is stored twice, under both of its writers.
        """
        self._tasks: set[asyncio.Task[None]] = set()

    def fall_silent(self, *, to_server: bool) -> None:
        """Stops forwarding to pages and, with `to_server`, to the server, over old and new connections."""
        self._mute = {"page", "server"} if to_server else {"page"}
        for mute in self._open.values():
            mute.update(self._mute)

    def heal(self) -> None:
        """Forwards new connections again; old ones stay silent forever."""
        self._mute = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listens at `address`."""
        server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            self._tasks.add(task)
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        mute = self._open[writer] = self._open[server_writer] = {*self._mute}
        try:
            await asyncio.gather(
                _copy(reader, server_writer, "server", mute, self._delay),
                _copy(server_reader, writer, "page", mute, self._delay),
            )
        finally:
            writer.transport.abort()
            server_writer.transport.abort()


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, to: str, mute: set[str], delay: float
) -> None:
    """Copies all bytes, then closes `writer`. While `to` is in `mute`, drops the bytes and closes nothing."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(_PIECE):
            if to not in mute:
                loop.call_later(delay, writer.write, piece) if delay else writer.write(piece)
        await asyncio.sleep(delay)
    if to not in mute:
        writer.close()

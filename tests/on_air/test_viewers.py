"""On real connections to the show's WebSocket, viewers who keep up miss nothing, and slow viewers disturb nobody."""

import asyncio
import gc
import json
import socket
import time
from array import array
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import websockets
from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from websockets import ClientConnection
from websockets.exceptions import ConnectionClosed

from broadcast.app import Studio
from broadcast.on_air import viewers
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.viewers import MAX_PENDING_BYTES, Fanout, ShowSocket
from broadcast.web.connections.batch_send import BatchSender
from broadcast.web.serve import serving
from server.game.events import ChatSent
from server.process import collect_and_freeze, unfreeze
from tests.web.stranger_connections import SECONDS, call, handshake
from tests.web.test_requests import sender

__all__ = ["sender"]


@pytest.fixture
def two_viewers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the server write to two viewers at a time, and let other tasks run after each pair."""
    monkeypatch.setattr(viewers, "MAX_BATCH", 2)
    monkeypatch.setattr(viewers, "TURN_SECONDS", -1.0)


@asynccontextmanager
async def serve_channel(folder: Path, sender: BatchSender | None = None) -> AsyncIterator[tuple[AirLog, str]]:
    studio = Studio(folder, time.monotonic, sender=sender)
    air = studio.open_channel("main", 1)
    async with serving(studio.app, "127.0.0.1", 0) as base:
        yield air, base.replace("http", "ws") + "/ws/show"


def put_chats(air: AirLog, count: int, size: int = 10) -> None:
    for _ in range(count):
        air.put(ChatSent(1, "x" * size), 0, 0)


connect = partial(websockets.connect, open_timeout=SECONDS)


async def read_message(socket: ClientConnection) -> dict[str, Any]:
    return dict(json.loads(await asyncio.wait_for(socket.recv(decode=True), SECONDS)))


async def read_entry(socket: ClientConnection) -> dict[str, Any]:
    """Returns the next message that is not a heartbeat."""
    while (message := await read_message(socket))["type"] == "heartbeat":
        pass
    return message


async def test_welcome_and_heartbeats_have_the_number_of_the_last_entry(sender: BatchSender, tmp_path: Path) -> None:
    async with serve_channel(tmp_path, sender) as (air, address):
        put_chats(air, 3)
        async with connect(address) as socket:
            welcome = await read_entry(socket)
            assert (welcome["type"], welcome["seq"], welcome["epoch"]) == ("welcome", 3, air.epoch)
            assert [(await read_entry(socket))["seq"] for _ in range(3)] == [1, 2, 3]
            heartbeat = await read_message(socket)
            assert (heartbeat["type"], heartbeat["seq"]) == ("heartbeat", 3)
            put_chats(air, 1)
            assert (await read_entry(socket))["seq"] == 4


async def test_reconnecting_viewer_gets_every_entry_once(sender: BatchSender, tmp_path: Path) -> None:
    async with serve_channel(tmp_path, sender) as (air, address):
        last = 0
        for visit in range(30):
            put_chats(air, 7)
            async with connect(f"{address}?after={last}&epoch={air.epoch}", max_queue=None) as socket:
                assert (await read_entry(socket))["type"] == "welcome"
                for _ in range(min(air.last_seq - last, 1 + visit % 9)):
                    seq = (await read_entry(socket))["seq"]
                    assert seq == last + 1
                    last = seq
    assert air.catch_up(air.last_seq, air.epoch) == [], "a page that missed nothing must get no old entry"


@pytest.mark.usefixtures("two_viewers_at_once")
async def test_viewer_joining_during_a_broadcast_gets_every_entry_once(sender: BatchSender, tmp_path: Path) -> None:
    async with serve_channel(tmp_path, sender) as (air, address), AsyncExitStack() as closing:
        has_ended = asyncio.Event()

        async def broadcast() -> None:
            while not has_ended.is_set():
                put_chats(air, 3)
                await asyncio.sleep(0)

        async def join(delay: int) -> ClientConnection:
            for _ in range(delay):
                await asyncio.sleep(0)
            return await closing.enter_async_context(connect(address, max_queue=None))

        early_viewers = [await join(0) for _ in range(9)]
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(broadcast())
            late_viewers = await asyncio.gather(*(join(delay) for delay in range(10)))
            has_ended.set()
        for viewer in (early_viewers[0], early_viewers[-1], *late_viewers):
            assert (await read_entry(viewer))["type"] == "welcome"
            last = 0
            while last < air.last_seq:
                message = await read_entry(viewer)
                assert message["type"] == "snapshot" or message["seq"] == last + 1
                last = message["seq"]


@pytest.mark.parametrize("query", ["?after=-1", "?after=abc", "?after=", "?epoch=%00", "?after=99999999999"])
async def test_nonsense_in_the_address_is_treated_as_a_new_page(query: str, tmp_path: Path) -> None:
    async with serve_channel(tmp_path) as (air, address):
        put_chats(air, 2)
        async with connect(address + query) as socket:
            assert [(await read_entry(socket))["type"] for _ in range(2)] == ["welcome", "chat_sent"]


@pytest.mark.parametrize("frame", [b"\x81\x82\0\0\0\0\xff\xfe", b"\x81\x82\0\0\0\0hi", b"\x82\x82\0\0\0\0hi"])
async def test_messages_of_viewers_are_dropped(frame: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with serve_channel(tmp_path) as (air, address), connect(address) as socket:
        assert (await read_entry(socket))["type"] == "welcome"
        for seq in range(1, 4):
            socket.transport.write(frame)
            put_chats(air, 1)
            assert (await read_entry(socket))["seq"] == seq
    assert not caplog.records


async def test_request_for_an_unknown_channel_is_closed_with_a_code(tmp_path: Path) -> None:
    async with serve_channel(tmp_path) as (_, address):
        with pytest.raises(ConnectionClosed, match="4404"):
            async with connect(address + "?channel=nothing") as socket:
                await socket.recv()


async def test_stalled_viewer_delays_nobody_and_recovers_without_gaps(sender: BatchSender, tmp_path: Path) -> None:
    async with (
        serve_channel(tmp_path, sender) as (air, address),
        connect(address, max_queue=1) as stalled_viewer,
        connect(address) as lively_viewer,
    ):
        assert (await read_entry(stalled_viewer))["type"] == (await read_entry(lively_viewer))["type"] == "welcome"
        pongs = []
        for seq in range(1, 1001):
            put_chats(air, 1, size=20_000)
            assert (await read_entry(lively_viewer))["seq"] == seq
            if seq % 100 == 0:  # the server's pongs must not split a message
                pongs.append(await stalled_viewer.ping())
        message_types, last = [], 0
        while last < air.last_seq:
            message = await read_entry(stalled_viewer)
            message_types.append(message["type"])
            assert message["type"] == "snapshot" or message["seq"] == last + 1, "only a snapshot may replace entries"
            last = message["seq"]
        assert "snapshot" in message_types
        assert await asyncio.wait_for(asyncio.gather(*pongs), SECONDS)
        put_chats(air, 1)
        assert (await read_entry(stalled_viewer))["seq"] == air.last_seq


async def test_viewers_that_read_nothing_share_a_memory_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "MAX_UNSENT_BYTES", 4 * MAX_PENDING_BYTES)

    async with serve_channel(tmp_path) as (air, address), AsyncExitStack() as closing:
        lively_viewer = await closing.enter_async_context(connect(address))
        assert (await read_entry(lively_viewer))["type"] == "welcome"
        url = urlsplit(address)
        for _ in range(12):
            closing.enter_context(call(url.port or 0)).sendall(handshake(url.port or 0))
        async with httpx.AsyncClient(base_url=f"http://{url.netloc}", trust_env=False, timeout=SECONDS) as web:

            async def count_connected() -> int:
                return int((await web.get("/healthz")).json()["channels"]["main"]["viewers"])

            async with asyncio.timeout(SECONDS):
                while await count_connected() < 13:
                    pass
                put_count = 0
                while await count_connected() > 6:
                    put_chats(air, 1, size=20_000)
                    put_count += 1
                    assert (await read_entry(lively_viewer))["seq"] == put_count
                assert await count_connected() > 1, "viewers within the budget must stay connected"


@pytest.mark.usefixtures("two_viewers_at_once")
async def test_frames_for_a_departed_viewer_reach_nobody_else(sender: BatchSender, tmp_path: Path) -> None:
    """Viewers leave while the server sends to them. Their file descriptors are then reused for other clients."""
    async with serve_channel(tmp_path, sender) as (air, address), AsyncExitStack() as closing:
        url = urlsplit(address)
        for _ in range(5):
            departing = [await connect(address, max_queue=None) for _ in range(24)]
            put_chats(air, 1)
            strangers = [closing.enter_context(socket.create_connection((url.hostname, url.port))) for _ in range(48)]
            for viewer in departing:
                viewer.transport.abort()
            for _ in range(40):
                put_chats(air, 1)
                await asyncio.sleep(0)
            loop = asyncio.get_running_loop()
            for stranger in strangers:
                stranger.setblocking(False)
                await loop.sock_sendall(stranger, f"GET /healthz HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
                answer = await asyncio.wait_for(loop.sock_recv(stranger, 65536), SECONDS)
                assert answer.startswith(b"HTTP/1.1 200 "), answer
                stranger.close()


class SlowSender(BatchSender):
    """`send` moves the clock `now` by 1 ms per viewer. It appends the number of chats in `data` to `chats_per_call`."""

    def __init__(self, now: list[float]) -> None:
        self.now, self.chats_per_call = now, list[int]()

    def send(self, sockets: "array[int]", data: bytes) -> dict[int, int]:
        self.now[0] += 0.001 * len(sockets)
        self.chats_per_call.append(data.count(b'"chat_sent"'))
        return super().send(sockets, data)


async def test_entries_put_on_air_during_a_rest_are_sent_together() -> None:
    now, rest_times, rest_ends, air = [0.0], asyncio.Queue[float](), asyncio.Queue[None](), AirLog("main", 1)
    slow_sender = SlowSender(now)

    async def rest(seconds: float) -> None:
        rest_times.put_nowait(seconds)
        await rest_ends.get()

    fanout = Fanout(air, lambda: now[0], slow_sender, rest)
    app = FastAPI()
    app.router.routes.append(WebSocketRoute("/ws/show", ShowSocket({"main": fanout}, str)))
    async with serving(app, "127.0.0.1", 0) as base, AsyncExitStack() as closing:
        address = base.replace("http", "ws") + "/ws/show"
        pages = [await closing.enter_async_context(connect(address)) for _ in range(40)]
        for page in pages:
            assert (await read_entry(page))["type"] == "welcome"
        put_chats(air, 1)
        assert await rest_times.get() == pytest.approx(0.02), "after a round of 40 ms, the server must rest for 20 ms"
        for _ in range(3):
            put_chats(air, 1)
            await asyncio.sleep(0)
        rest_ends.put_nowait(None)
        await rest_times.get()
        rest_ends.put_nowait(None)
        for page in pages:
            assert [(await read_entry(page))["seq"] for _ in range(4)] == [1, 2, 3, 4]
        assert slow_sender.chats_per_call == [1, 3]


async def test_garbage_collector_skips_viewers_until_they_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "FREEZE_BATCH", 10)
    monkeypatch.setattr(viewers, "MIN_LEFT_BEFORE_UNFREEZE", 10)
    try:
        async with serve_channel(tmp_path) as (_, url), connect(url):
            unfreeze()
            collect_and_freeze()
            before = gc.get_freeze_count()
            for _ in range(6):
                async with AsyncExitStack() as crowd:
                    for _ in range(100):
                        await crowd.enter_async_context(connect(url))
                    assert gc.get_freeze_count() > before + 100 * 20, "over 20 objects of each viewer must be frozen"
            gc.collect()
            assert gc.get_freeze_count() + len(gc.get_objects()) < before + 100 * 20
    finally:
        gc.unfreeze()

"""Each answer to strangers is made only once per state of the show, and making it does not block the event loop."""

import asyncio
import gc
import gzip
import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from starlette.types import ASGIApp, Message

from broadcast.live.channel import HANDS_PER_BLOCK
from broadcast.web.answers import MAX_CACHED, AnswerCache, compressed_answer
from server.contests.arena.rules import ARENA_FORMAT
from server.game.formats import as_series
from server.journal.journal import Entry
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import CharacterBot
from tests.support.games.recordings import aired
from tests.support.public_pages import PUBLIC, Evening
from tests.web.test_every_app import routes_of

HANDS_BEFORE = 2 * HANDS_PER_BLOCK - 6
"""How many hands are on air before answers are timed, so that an index lists almost a whole block of hands."""
MAX_TURN = 6
"""The processor time that a public answer may take in one turn of the event loop, as a multiple of `yardstick`: 2 ms
on a processor that compresses 50 MB a second."""
HANDS = 4
NOT_MADE = ("/healthz", "/favicon.ico", "/guide", "/recordings/{recording:path}.jsonl", "/api/v1/results")
"""Routes of files and short texts, which need no making, and a route that shares the answer of another route."""
KEPT_ELSEWHERE = ("/live/", "/films/", "/api/v1/hands/")
"""The beginnings of the routes of segments, which are prepared in advance."""


@pytest.fixture(scope="module")
def contest() -> Sequence[Entry]:
    return play_contest(1, 6, as_series(ARENA_FORMAT, 2), kind=CharacterBot)


@pytest.fixture
def evening(tmp_path: Path, contest: Sequence[Entry]) -> Evening:
    """Two games of the Arena that go on air."""
    return Evening(tmp_path, contest, aired(contest))


async def test_public_answer_is_made_once_per_state_whatever_its_query(evening: Evening) -> None:
    pages = {path for path, methods in routes_of(evening.studio.app.router.routes) if "GET" in methods}
    assert pages == set(PUBLIC)
    # Objects may be proxies of dead objects, on which isinstance fails.
    kept = [each for each in gc.get_objects() if type(each) is AnswerCache]
    made: dict[str, int] = {}
    evening.play(2 * HANDS_PER_BLOCK + 2)
    transport = httpx.ASGITransport(app=evening.studio.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        routes = await evening.addresses(web)
        for path in routes:
            before = sum(each.made_count for each in kept)
            for more in ("", "", "x=1", "x=2"):
                web.cookies.clear()
                answer = await web.get(f"{path}{'&' if '?' in path else '?'}{more}")
                assert answer.status_code < 400 or not routes[path], path
            made[path] = sum(each.made_count for each in kept) - before
        others = {path for path, route in routes.items() if route in ("", *NOT_MADE)}
        others |= {path for path, route in routes.items() if route.startswith(KEPT_ELSEWHERE)}
        assert made == {path: path not in others for path in routes}


class TurnTimer:
    """Measures the processor time of the longest turn of the running event loop, in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.thread_time()
        self._measure()

    def _measure(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now
        asyncio.get_running_loop().call_soon(self._measure)


async def get(app: ASGIApp, path: str) -> None:
    """Requests a page without an HTTP client, so that no client's work is measured."""
    address, is_read = urlsplit(path), False
    headers = [(b"host", b"127.0.0.1"), (b"accept-encoding", b"gzip")]
    scope: dict[str, Any] = {"type": "http", "method": "GET", "scheme": "http", "root_path": "", "headers": headers}

    async def receive() -> Message:
        nonlocal is_read
        is_read, was_read = True, is_read
        return {"type": "http.disconnect"} if was_read else {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        pass

    scope |= {"path": unquote(address.path), "query_string": address.query.encode()}
    await app(scope, receive, send)


async def test_no_public_answer_blocks_the_event_loop(evening: Evening) -> None:
    """Requests every page twice after each of a few hands. Only the fastest time counts, as the machine may be busy."""
    evening.play(HANDS_BEFORE)
    turns: dict[str, list[float]] = {}
    yardsticks = []
    transport = httpx.ASGITransport(app=evening.studio.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as web:
        paths = [*await evening.addresses(web)]
    for path in paths:  # before the measurement, makes what is made only once per process
        await get(evening.studio.app, path)
    timer = TurnTimer()
    gc.disable()
    for _ in range(HANDS):
        evening.play(1)
        await asyncio.sleep(0)  # ends this turn of the event loop, so that playing the hand is not measured
        yardsticks.append(yardstick())
        for path in paths:
            timer.longest = 0.0
            for _ in range(2):
                await asyncio.create_task(get(evening.studio.app, path))
            turns.setdefault(path, []).append(timer.longest)
    gc.enable()
    assert {path: seconds for path, seconds in turns.items() if min(seconds) > MAX_TURN * min(yardsticks)} == {}


def yardstick() -> float:
    """The processor time, in seconds, that this machine needs to compress a fixed text of 16 KB."""
    text = b"".join(hashlib.sha256(bytes([number])).hexdigest().encode() for number in range(256))
    start = time.thread_time()
    gzip.compress(text, 1)
    return time.thread_time() - start


async def test_answer_is_made_once_per_state_and_the_latest_answers_are_kept_up_to_a_limit() -> None:
    kept = AnswerCache()
    for state in (1, 2):
        answers = await asyncio.gather(
            *(kept.get("page", state, lambda: compressed_answer(b"text")) for _ in range(100))
        )
        assert len({id(answer) for answer in answers}) == 1
    assert kept.made_count == 2
    kept = AnswerCache()
    for key in (*range(MAX_CACHED), 0, MAX_CACHED, 0, 1):
        await kept.get(key, None, lambda: compressed_answer(b"text"))
    assert kept.made_count == MAX_CACHED + 2, "the oldest answer, of key 1, must have been dropped"

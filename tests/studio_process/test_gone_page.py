"""The page that the card room serves while the studio is gone: it opens with the desk's tokens; others must wait."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from websockets import InvalidStatus, Origin
from websockets.asyncio.client import connect

from broadcast.web.serve import address_of, listen, serving_on
from server.app.studio.gone import Gone, gone_app
from server.journal.link import Plan
from tests.on_air.in_loop import in_loop

CONTROL, VIEW = "control-in-tests", "looking-in-tests"
PLAN = Plan("A night", "x.jsonl", "media", (), CONTROL, VIEW)
GONE = Gone("ended with status -9", 42, started=True, unseen=False, waiting=2)
ADDRESS = "/api/desk/studio"
UNSEEN = {"answer": "unseen", "operator": "Ann"}


class Opened:
    """The page's server, and the decisions made on it."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.decisions: list[tuple[str, str]] = []
        self.refusal = ""

    def answered(self, answer: str, operator: str) -> str:
        self.decisions.append((answer, operator))
        return self.refusal

    @asynccontextmanager
    async def visitor(self, token: str = "") -> AsyncIterator[httpx.AsyncClient]:
        """A browser that has opened the page with the token, if any."""
        async with httpx.AsyncClient(base_url=self.base, headers={"Origin": self.base}, timeout=60) as web:
            if token:
                assert (await web.get("/control", params={"token": token})).status_code == 303
            yield web


@asynccontextmanager
async def opened() -> AsyncIterator[Opened]:
    listener = listen("127.0.0.1", 0)
    room = Opened(address_of(listener))
    async with serving_on(gone_app(PLAN, lambda: GONE, room.answered), listener):
        yield room


@in_loop
async def test_only_the_control_token_decides_and_strangers_learn_nothing() -> None:
    async with opened() as room:
        async with room.visitor(VIEW) as viewer, room.visitor() as stranger, room.visitor(CONTROL) as operator:
            assert (await viewer.get(ADDRESS)).json()["right"] == "view"
            assert (await viewer.post(ADDRESS, json=UNSEEN)).status_code == 403
            for path in ("/control", "/setup", ADDRESS):
                assert (await stranger.get(path)).status_code == 403
            assert (await stranger.post(ADDRESS, json=UNSEEN)).status_code == 403
            assert (await stranger.get("/control", params={"token": "x" * 20})).status_code == 403
            for foreign in ({"Origin": "http://elsewhere.example"}, {"Host": "evil.example"}):
                assert (await operator.post(ADDRESS, json=UNSEEN, headers=foreign)).status_code in (403, 421)
            for body in (b"", b"{", b"[]", b'{"answer": "cheat"}', b"\xff", b'{"answer": "wait", "x": 1}'):
                answer = await operator.post(ADDRESS, content=body, headers={"Content-Type": "application/json"})
                assert (answer.status_code, bool(answer.json()["error"])) == (400, True)
            assert room.decisions == []
            assert (await operator.get(ADDRESS)).json() == {
                "right": "control", "why": GONE.why, "seconds": 42, "started": True, "unseen": False, "waiting": 2
            }  # fmt: skip
            assert "script-src" not in (await operator.get("/control")).headers["content-security-policy"]
            assert (await operator.post(ADDRESS, json={"answer": "wait", "operator": "Ann\x1b"})).status_code == 200
            room.refusal = "the disk is full"
            assert (await operator.post(ADDRESS, json=UNSEEN)).json() == {"error": "the disk is full"}
        assert room.decisions == [("wait", "Ann"), ("unseen", "Ann")]


@in_loop
async def test_everybody_else_gets_a_waiting_page_that_reloads() -> None:
    async with opened() as room:
        async with room.visitor() as web:
            for path in ("/", "/projector", "/results", "/no/such/page"):
                page = await web.get(path)
                assert page.status_code == 503
                assert 'name="again" content="3"' in page.text
                assert "One moment: the show is away" in page.text
            overlay = await web.get("/overlay?audio=1")
            assert (overlay.status_code, 'name="again" content="3"' in overlay.text) == (503, True)
            assert overlay.text.partition("<body>")[2].split() == ["</body>", "</html>"], "OBS shows nothing"
            for file in ("css/desk/desk.css", "js/desk/studio-gone.js", "js/pages/again.js"):
                assert (await web.get(f"/static/{file}")).status_code == 200
        with pytest.raises(InvalidStatus):
            await connect(f"ws{room.base.removeprefix('http')}/ws/show", origin=Origin(room.base), open_timeout=60)

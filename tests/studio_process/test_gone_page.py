"""The page that the card room serves while the studio is gone: the desk's tokens open it, others are asked to wait."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
from websockets import InvalidStatus, Origin
from websockets.asyncio.client import connect

from broadcast.web.serve import address_of, listen, serving_on
from server.app.studio.gone import Gone, gone_app
from server.journal.link import Plan

CONTROL, VIEW = "control-in-tests", "looking-in-tests"
PLAN = Plan("A night", "x.jsonl", "media", (), CONTROL, VIEW)
GONE = Gone("ended with status -9", 42, started=True, unseen=False, waiting=2)
ADDRESS = "/api/desk/studio"
UNSEEN = {"answer": "unseen", "operator": "Ann"}


class Opened:
    """The page's server, and what was decided there."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.decided: list[tuple[str, str]] = []
        self.refusal = ""

    def answered(self, answer: str, operator: str) -> str:
        self.decided.append((answer, operator))
        return self.refusal

    @asynccontextmanager
    async def visitor(self, token: str = "") -> AsyncIterator[httpx.AsyncClient]:
        """A browser that has opened the page with a token, if any."""
        async with httpx.AsyncClient(base_url=self.base, headers={"Origin": self.base}, timeout=60) as web:
            if token:
                assert (await web.get("/control", params={"token": token})).status_code == 303
            yield web


def run_story(story: Callable[[Opened], Awaitable[None]]) -> None:
    async def whole() -> None:
        listener = listen("127.0.0.1", 0)
        there = Opened(address_of(listener))
        async with serving_on(gone_app(PLAN, lambda: GONE, there.answered), listener):
            await story(there)

    asyncio.run(whole())


def test_control_token_shows_the_situation_and_may_decide() -> None:
    async def story(there: Opened) -> None:
        async with there.visitor(CONTROL) as web:
            page = await web.get("/control")
            assert (page.status_code, "The studio is gone" in page.text) == (503, True)
            assert "script-src" not in page.headers["content-security-policy"]
            assert (await web.get(ADDRESS)).json() == {
                "right": "control", "why": GONE.why, "seconds": 42, "started": True, "unseen": False, "waiting": 2
            }  # fmt: skip
            for answer in ("unseen", "wait", "restart"):
                assert (await web.post(ADDRESS, json={"answer": answer, "operator": "Ann\x1b"})).status_code == 200
            assert there.decided == [("unseen", "Ann"), ("wait", "Ann"), ("restart", "Ann")]
            there.refusal = "the disk is full"
            assert (await web.post(ADDRESS, json=UNSEEN)).json() == {"error": "the disk is full"}

    run_story(story)


def test_view_token_decides_nothing_and_strangers_learn_nothing() -> None:
    async def story(there: Opened) -> None:
        async with there.visitor(VIEW) as looking, there.visitor() as stranger:
            assert (await looking.get(ADDRESS)).json()["right"] == "view"
            assert (await looking.post(ADDRESS, json=UNSEEN)).status_code == 403
            for path in ("/control", "/setup", ADDRESS):
                assert (await stranger.get(path)).status_code == 403
            assert (await stranger.post(ADDRESS, json=UNSEEN)).status_code == 403
            assert (await stranger.get("/control", params={"token": "x" * 20})).status_code == 403
        assert there.decided == []

    run_story(story)


@pytest.mark.parametrize("changed", [{"Origin": "http://elsewhere.example"}, {"Host": "evil.example"}])
def test_foreign_page_decides_nothing(changed: dict[str, str]) -> None:
    async def story(there: Opened) -> None:
        async with there.visitor(CONTROL) as web:
            assert (await web.post(ADDRESS, json=UNSEEN, headers=changed)).status_code in (403, 421)
        assert there.decided == []

    run_story(story)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"answer": "cheat"}', b"\xff", b'{"answer": "wait", "x": 1}'])
def test_nonsense_is_refused_with_the_reason(body: bytes) -> None:
    async def story(there: Opened) -> None:
        async with there.visitor(CONTROL) as web:
            answer = await web.post(ADDRESS, content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 400
            assert answer.json()["error"]
        assert there.decided == []

    run_story(story)


def test_everybody_else_gets_a_waiting_page_that_reloads() -> None:
    async def story(there: Opened) -> None:
        async with there.visitor() as web:
            for path in ("/", "/projector", "/results", "/no/such/page"):
                page = await web.get(path)
                assert page.status_code == 503
                assert 'name="again" content="3"' in page.text
                assert "One moment: the show is away" in page.text
            overlay = await web.get("/overlay?audio=1")
            assert overlay.status_code == 503
            assert 'name="again" content="3"' in overlay.text
            assert overlay.text.partition("<body>")[2].split() == ["</body>", "</html>"]
            for file in (
                "/static/css/desk/desk.css",
                "/static/js/desk/studio-gone.js",
                "/static/js/pages/again.js",
                "/assets/fonts/rye-latin-400-normal.woff2",
            ):
                assert (await web.get(file)).status_code == 200
        with pytest.raises(InvalidStatus):
            async with connect(
                f"ws{there.base.removeprefix('http')}/ws/show", origin=Origin(there.base), open_timeout=60
            ):
                pass

    run_story(story)

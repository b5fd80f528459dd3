"""While the studio (the process that broadcasts) is gone, the tournament's process serves a page instead."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from websockets import InvalidStatus, Origin
from websockets.asyncio.client import connect

from broadcast.api.studio_gone import Gone
from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.on_air.diary import AiredLine, Diary, last_aired_seq
from broadcast.web.serve import address_of, listen, serving_on
from server.app.studio import studio_watch
from server.app.studio.earlier_contests import EarlierContestsTeller
from server.journal.journal import Journal
from server.journal.studio_link import Plan
from tests.show.show_on_fake_clock import ShowOnFakeClock
from tests.support.games.recordings import small_contest

CONTROL_TOKEN, VIEW_TOKEN = "control-in-tests", "looking-in-tests"
# In GONE, `waiting` counts hands dealt but not shown. `unseen` says whether the table plays on without viewers.
GONE = Gone("ended with status -9", 42, started=True, unseen=False, waiting=2)
DESK_PATH = "/api/desk/studio"
PLAY_UNSEEN = {"answer": "unseen", "operator": "Ann"}


class WatchedStudio:
    """A `StudioWatch` (which tells whether the studio is gone) on a fake clock, and the diary of what was on air."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.diary = Diary(folder / "x.air")
        self.watch = studio_watch.StudioWatch(folder / "x.air", lambda: self.now)

    def fail(self, *, last_seq: int = 0) -> None:
        """Simulates a studio that starts, airs entry `last_seq`, and ends. If `last_seq` is 0, nothing is aired."""
        self.diary.record_start(0)
        self.watch.record_message()
        if last_seq:
            self.diary.append(AiredLine(last_seq, 0, 0))
        self.watch.record_end("ended with status -9")


@pytest.fixture
def studio(tmp_path: Path) -> WatchedStudio:
    return WatchedStudio(tmp_path)


def test_studio_counts_as_gone_only_after_some_time_and_as_back_at_once(studio: WatchedStudio) -> None:
    """The first start of a studio may take longer than a restart."""
    studio.now = studio_watch.FIRST_START_FACTOR * studio_watch.GONE_AFTER_SECONDS - 0.1
    assert not studio.watch.is_gone
    studio.now += 0.2
    assert studio.watch.is_gone
    studio.watch.record_message()
    assert studio.watch.is_running
    for _ in range(2):
        assert not studio.watch.is_gone
        studio.now += 100.0
    studio.watch.record_end("hangs")
    studio.now += studio_watch.GONE_AFTER_SECONDS - 0.1
    assert not studio.watch.is_gone
    studio.now += 0.2
    assert studio.watch.is_gone


def test_repeatedly_failing_studio_counts_as_gone_until_it_recovers(studio: WatchedStudio) -> None:
    for _ in range(studio_watch.MAX_FAILURES):
        assert not studio.watch.is_gone
        studio.fail()
    assert studio.watch.is_gone
    studio.watch.record_message()
    assert studio.watch.is_gone
    studio.now += studio_watch.HEALTHY_AFTER_SECONDS
    studio.watch.record_message()
    assert not studio.watch.is_gone
    for _ in range(studio_watch.MAX_FAILURES):
        studio.fail()
    assert studio.watch.is_gone
    studio.watch.forget_failures()
    assert not studio.watch.is_gone


def test_failures_without_new_entries_delay_restarts_ever_longer(studio: WatchedStudio, tmp_path: Path) -> None:
    """Entries that were on air before do not count as new, even if the tournament's process restarts."""
    for entry in range(1, 20):
        studio.fail(last_seq=entry)
        assert studio.watch.restart_pause_seconds == studio_watch.RESTART_PAUSE_SECONDS
    assert not studio.watch.is_gone
    pauses = []
    for _ in range(12):
        studio.fail(last_seq=5)
        pauses.append(studio.watch.restart_pause_seconds)
    assert all(pause >= 2 * last or pause == studio_watch.MAX_RESTART_PAUSE_SECONDS for last, pause in pairwise(pauses))
    assert pauses[-1] == studio_watch.MAX_RESTART_PAUSE_SECONDS
    restarted_watch = studio_watch.StudioWatch(tmp_path / "x.air", lambda: 0.0)
    restarted_watch.record_end("ended with status 1")
    assert restarted_watch.restart_pause_seconds > studio_watch.RESTART_PAUSE_SECONDS


def test_last_entry_on_air_is_read_from_the_end_of_a_long_diary(tmp_path: Path) -> None:
    diary = Diary(tmp_path / "x.air")
    for seq in range(1, 3000):
        diary.append(AiredLine(seq, seq * 1000, 500))
    diary.record_start(5)
    assert (last_aired_seq(tmp_path / "x.air"), last_aired_seq(tmp_path / "missing.air")) == (2999, 0)


async def test_wait_ends_once_the_studio_is_gone_or_back(tmp_path: Path) -> None:
    watch = studio_watch.StudioWatch(tmp_path / "x.air", asyncio.get_running_loop().time, 0.02)
    async with asyncio.timeout(10):
        await watch.wait_until(lambda: watch.is_gone)
        watch.record_message()
        await watch.wait_until(lambda: not watch.is_gone)


class OperatorPage:
    """The page that operators see while the studio is gone, and the decisions that they make there.

    `refusal` says why a decision cannot be carried out. If `refusal` is empty, every decision is carried out.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self.decisions: list[tuple[str, str]] = []
        self.refusal = ""

    def decide(self, answer: str, operator: str) -> str:
        self.decisions.append((answer, operator))
        return self.refusal

    @asynccontextmanager
    async def visitor(self, token: str = "") -> AsyncIterator[httpx.AsyncClient]:
        """Yields an HTTP client. If `token` is given, the client has opened the control page with this token."""
        async with httpx.AsyncClient(base_url=self.base, headers={"Origin": self.base}, timeout=60) as web:
            if token:
                assert (await web.get("/control", params={"token": token})).status_code == 303
            yield web


@asynccontextmanager
async def serve_page() -> AsyncIterator[OperatorPage]:
    listener = listen("127.0.0.1", 0)
    pages = OperatorPage(address_of(listener))
    plan = Plan("A night", "x.jsonl", "media", (), CONTROL_TOKEN, VIEW_TOKEN)  # a plan tells a studio what to show
    async with serving_on(studio_watch.gone_app(plan, lambda: GONE, pages.decide), listener):
        yield pages


async def test_decisions_need_the_control_token_and_our_own_page() -> None:
    async with serve_page() as pages:
        async with pages.visitor(VIEW_TOKEN) as viewer, pages.visitor(CONTROL_TOKEN) as operator:
            assert (await viewer.get(DESK_PATH)).json()["right"] == "view"
            assert (await viewer.post(DESK_PATH, json=PLAY_UNSEEN)).status_code == 403
            for foreign, status in (({"Origin": "http://elsewhere.example"}, 403), ({"Host": "evil.example"}, 421)):
                assert (await operator.post(DESK_PATH, json=PLAY_UNSEEN, headers=foreign)).status_code == status
            for body in (b"", b"{", b"[]", b'{"answer": "cheat"}', b"\xff", b'{"answer": "wait", "x": 1}'):
                response = await operator.post(DESK_PATH, content=body, headers={"Content-Type": "application/json"})
                assert (response.status_code, bool(response.json()["error"])) == (400, True)
            assert pages.decisions == []
            assert (await operator.get(DESK_PATH)).json() == {
                "right": "control", "why": GONE.why, "seconds": 42, "started": True, "unseen": False, "waiting": 2
            }  # fmt: skip
            assert "script-src" not in (await operator.get("/control")).headers["content-security-policy"]
            assert (await operator.post(DESK_PATH, json={"answer": "wait", "operator": "Ann\x1b"})).status_code == 200
            pages.refusal = "the disk is full"
            assert (await operator.post(DESK_PATH, json=PLAY_UNSEEN)).json() == {"error": "the disk is full"}
        assert pages.decisions == [("wait", "Ann"), ("unseen", "Ann")]


async def test_all_other_visitors_get_a_waiting_page_that_reloads() -> None:
    async with serve_page() as pages:
        async with pages.visitor() as web:
            for path in ("/", "/projector", "/results", "/no/such/page"):
                page = await web.get(path)
                assert page.status_code == 503
                assert 'name="again" content="3"' in page.text
                assert "One moment: the show is not available" in page.text
            overlay = await web.get("/overlay?audio=1")
            assert (overlay.status_code, 'name="again" content="3"' in overlay.text) == (503, True)
            assert overlay.text.partition("<body>")[2].split() == ["</body>", "</html>"], "OBS must show nothing"
            for file in ("css/desk/desk.css", "js/desk/studio-gone.js", "js/pages/again.js"):
                assert (await web.get(f"/static/{file}")).status_code == 200
        with pytest.raises(InvalidStatus):
            await connect(f"ws{pages.base.removeprefix('http')}/ws/show", origin=Origin(pages.base), open_timeout=60)


async def test_program_with_the_token_may_decide_and_others_must_wait() -> None:
    async with serve_page() as pages, httpx.AsyncClient(base_url=f"{pages.base}/api/v1", timeout=60) as program:
        viewer, operator = ({"Authorization": f"Bearer {token}"} for token in (VIEW_TOKEN, CONTROL_TOKEN))
        assert (await program.get("/desk/studio", headers=viewer)).json()["waiting"] == 2
        assert (await program.post("/desk/studio/unseen", headers=viewer)).status_code == 403
        assert (await program.post("/desk/studio/cheat", headers=operator)).status_code == 404
        assert pages.decisions == []
        assert (await program.post("/desk/studio/unseen", headers=operator)).status_code == 200
        assert pages.decisions == [("unseen", "remote")]
        for response in (await program.get("/standings"), await program.post("/desk/press/pause", headers=operator)):
            assert (response.status_code, response.json()["error"][:19]) == (503, "The studio is gone ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with recordings of four earlier contests and of tonight's contest. The first recording is damaged."""
    names = [*(f"evening-{number}" for number in range(4)), "tonight"]
    for day, name in enumerate(names, start=1):
        journal = Journal(tmp_path / f"{name}.jsonl", f"2026-11-0{day}T19:00:00.000+00:00")
        journal.append(small_contest())
        journal.close()
    damaged = tmp_path / "evening-0.jsonl"
    damaged.write_text(damaged.read_text().replace("Bot 3", "Bot 9", 1))
    return tmp_path


async def play_tonight(folder: Path, *, is_resumed: bool) -> list[str]:
    """Tells tonight's show about the earlier contests in `folder`, runs the show, and returns the captions."""
    show = ShowOnFakeClock(0)
    show.bus.load([*small_contest()])
    tonight = folder / "tonight.jsonl"
    archive = Archive(folder, folder / INDEX_FILE, is_over=lambda path: False if path == tonight else None)
    teller = EarlierContestsTeller(show.runner, archive, tonight)
    await (teller.inform_resumed_show(show.bus.entries) if is_resumed else teller.run(show.bus))
    show.bus.close()
    async with show.running_task() as running:
        await running
    return [entry["text"] for entry in show.aired if entry["type"] == "caption_spoken"]


async def test_show_knows_the_earlier_contests_in_its_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    captions = await play_tonight(folder, is_resumed=False)
    assert any("3 earlier contests here" in caption for caption in captions)
    assert await play_tonight(folder, is_resumed=True) == captions, "a resumed show must have the same captions"
    (warning,) = [line for line in capsys.readouterr().out.splitlines() if "left out" in line]
    assert "evening-0: " in warning


@pytest.mark.parametrize("is_resumed", [False, True])
async def test_show_without_an_index_starts_and_knows_only_tonight(folder: Path, is_resumed: bool) -> None:
    (folder / INDEX_FILE).mkdir()  # no index can be written, because a folder has its name
    captions = await play_tonight(folder, is_resumed=is_resumed)
    assert captions
    assert not any("earlier contests" in caption for caption in captions)

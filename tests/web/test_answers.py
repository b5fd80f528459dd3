"""Answers for all visitors are made once per state, even if many ask at the same time."""

import asyncio

import httpx
from fastapi import FastAPI

from broadcast.on_air.scenes import SceneName
from broadcast.show.status import ShowStatus
from broadcast.web.answers import MAX_KEPT, KeptAnswers, squeezed
from server.app.results.results import results
from server.app.results.shown import results_router
from server.app.studio.process import OnAir
from server.game.events import HandEnded
from server.journal.journal import Entry
from tests.support.event_loop import in_event_loop
from tests.support.recordings import small_contest


class Counted(list[Entry]):
    """The entries of a journal, and a count of how many were read."""

    read = 0

    def __getitem__(self, at: object) -> Entry:  # type: ignore[override]
        self.read += 1
        return super().__getitem__(at)  # type: ignore[call-overload, no-any-return]


def status(hands: int, scene: SceneName = "table") -> ShowStatus:
    return ShowStatus(scene, "", hands, 0, 0.0, 1.0, 1.0, "")


@in_event_loop
async def test_answer_is_made_once_per_state_and_the_latest_answers_are_kept_up_to_a_limit() -> None:
    kept = KeptAnswers()
    for state in (1, 2):
        answers = await asyncio.gather(*(kept.get("page", state, lambda: squeezed(b"text")) for _ in range(100)))
        assert len({id(answer) for answer in answers}) == 1
    assert kept.made == 2
    kept = KeptAnswers()
    for key in (*range(MAX_KEPT), 0, MAX_KEPT, 0, 1):
        await kept.get(key, None, lambda: squeezed(b"text"))
    assert kept.made == MAX_KEPT + 2, "key 1 was the oldest"


def test_results_read_each_entry_once_and_are_made_once_per_hand_on_air() -> None:
    entries = Counted(small_contest())
    hands = sum(isinstance(entry.event, HandEnded) for entry in entries)
    shown = [status(0)]
    on_air = OnAir(entries, lambda: shown[0])
    app = FastAPI()
    app.include_router(results_router(on_air.results))

    async def story() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as web:
            for hand in range(1, hands + 1):
                shown[0] = status(hand)
                on_air.follow()
                at = [at for at, entry in enumerate(entries, 1) if isinstance(entry.event, HandEnded)][hand - 1]
                assert on_air.results() == results(list(entries)[:at])
                assert len({id(on_air.results()) for _ in range(9)}) == 1
                requests = [web.get(path) for path in ("/results", "/results.json") for _ in range(20)]
                assert len({answer.text for answer in await asyncio.gather(*requests)}) == 2
            shown[0] = status(hands, "champion")
            on_air.follow()
            assert on_air.results() == results(list(entries))

    asyncio.run(story())
    assert entries.read == len(entries)

"""Working out decisions has a budget for all visitors together; who looks again spends nothing of it."""

import asyncio
from collections.abc import Sequence
from functools import partial

from server.app.decisions.decisions import Decision
from server.app.decisions.kept import KEPT, MOST_A_MINUTE, KeptDecisions, busy


def test_the_decisions_of_so_many_games_are_worked_out_in_a_minute_and_kept() -> None:
    now = [0.0]
    worked_out: list[int] = []

    def work(game: int) -> Sequence[Decision]:
        worked_out.append(game)
        return ()

    async def ask(*games: int) -> list[bool]:
        return [await decisions.of(game, partial(work, game)) is not None for game in games]

    async def story() -> None:
        assert all(await ask(*range(MOST_A_MINUTE)))
        assert await ask(1, MOST_A_MINUTE, 1) == [True, False, True]
        assert worked_out == list(range(MOST_A_MINUTE))
        now[0] = 60.0
        more = range(MOST_A_MINUTE, 2 * MOST_A_MINUTE)
        assert all(await ask(*more))
        now[0] = 120.0
        assert await ask(more[-1], 2 * MOST_A_MINUTE - KEPT - 1) == [True, True]
        assert worked_out[-1] == 2 * MOST_A_MINUTE - KEPT - 1, "of the games before the latest nothing is kept"

    decisions = KeptDecisions(lambda: now[0])
    asyncio.run(story())


def test_who_comes_too_late_is_told_when_to_come_again() -> None:
    assert (busy().status_code, busy().headers["retry-after"]) == (429, "60")

"""Whole contests of each kind: closing statistics and awards are shown once, before the champion."""

import asyncio
from collections.abc import Callable
from functools import cache

import pytest

from broadcast.on_air.events import StatisticsChanged
from server.bots.bot import Answer
from server.contests import CONTESTS
from server.game.decisions import Action, Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import Event, StageEnded, TournamentEnded
from server.game.tournament import with_most_hands
from server.game.view import View
from server.journal.journal import Entry
from tests.support.contests import DiceBot, play_contest
from tests.support.hand_events import Show

BOTS = {"quick-draw": 12, "enova": 7, "upac": 2, "arena": 6}
MAX_HANDS = 60
"""Hands in a game of the contests that continue until one bot remains."""


class CalmBot(DiceBot):
    """A bot that is never late and raises little, so that a contest lasts."""

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        await asyncio.sleep(0)
        return Answer(resolve(self._decide(view)), 1 + self._dice.randrange(100))

    def _decide(self, view: View) -> Decision:
        turn = view.hand.turn
        assert turn is not None, "it is asked only on its turn"
        if turn.blind:
            return PostBlind(turn.to_call)
        if turn.max_raise_to and self._dice.random() < 0.2:
            return RaiseTo(min(turn.max_raise_to, turn.min_raise_to + view.hand.big_blind))
        return Fold() if turn.to_call and self._dice.random() < 0.3 else Call()


@cache
def played(name: str) -> tuple[Entry, ...]:
    contest = CONTESTS[name].format
    small = contest if name == "quick-draw" else with_most_hands(contest, MAX_HANDS)
    return tuple(play_contest(5, BOTS[name], small, rating=100_000 * (name == "upac"), kind=CalmBot))


@pytest.mark.parametrize("name", BOTS)
def test_closing_statistics_come_once_right_before_the_champion(name: str) -> None:
    show, shown = Show(), list[tuple[Event, list[Event]]]()
    for entry in played(name):
        shown.append((entry.event, show.after(entry.event)))
    closing = [
        (at, added[-1])
        for at, (_, added) in enumerate(shown)
        if added and isinstance(added[-1], StatisticsChanged) and added[-1].closing
    ]
    ((at, last),) = closing
    assert isinstance(last, StatisticsChanged)
    assert isinstance(shown[at][0], StageEnded)
    assert isinstance(shown[at + 1][0], TournamentEnded)
    assert {row.bot for row in last.rows} == set(range(1, BOTS[name] + 1))
    assert {award.title for award in last.awards} >= {"Luckiest", "Unluckiest"}
    ranges = [row for row in last.rows if row.low is not None and row.high is not None]
    assert bool(ranges) == (name == "quick-draw")  # ranges need several games
    assert all((row.low or 0) <= (row.earned or 0) <= (row.high or 0) for row in ranges)

"""Bots that never came: how they are placed, and what is left to play."""

import random

import pytest

from server.game.events import BotWithdrawn, GameStarted, HandEnded, Placing, StageStarted, TournamentEnded
from server.game.prizes import place_all
from server.game.tournament import evolve, open_tournament
from tests.game.tournaments import CONTESTS, opened, started
from tests.support.random_contests import STACK, RandomContest, random_contests


def test_a_withdrawn_bot_is_not_seated_and_comes_last_the_first_to_go_at_the_bottom() -> None:
    for contest in random_contests("withdrawn", CONTESTS):
        for event in contest.events():
            if isinstance(event, StageStarted | GameStarted):
                bots = event.bots if isinstance(event, StageStarted) else event.seats
                assert not set(bots) & set(contest.absent)
            elif isinstance(event, TournamentEnded):
                last = [placing.bot for placing in reversed(event.placings)][: len(contest.absent)]
                assert last == contest.absent
                assert not [placing for placing in event.placings if placing.bot in last and placing.stack]


def test_a_bot_may_be_withdrawn_before_the_first_stage_only_and_once() -> None:
    waiting = open_tournament(opened(8))
    assert waiting.may_withdraw(3)
    assert not waiting.may_withdraw(9)
    gone = evolve(waiting, BotWithdrawn(3, "it never came"))
    assert not gone.may_withdraw(3)
    assert (gone.records[3].place, gone.records[3].stack, gone.alive()) == (8, 0, [1, 2, 4, 5, 6, 7, 8])
    assert not started(8).may_withdraw(3)
    assert evolve(started(8), BotWithdrawn(3, "too late")) == started(8)


def test_a_withdrawn_bots_player_is_paid_for_another_of_its_bots() -> None:
    placings = place_all([1, 2, 3], dict.fromkeys((1, 2, 3), 0), {1: "Ada", 2: "Bob", 3: "Ada"}, (500, 300), [1])
    assert [placing.prize_cents for placing in placings] == [0, 500, 300]


@pytest.mark.parametrize(("came", "stages"), [(8, ["The Trials", "High Noon"]), (6, ["High Noon"]), (1, ["High Noon"])])
def test_with_6_bots_or_fewer_there_are_no_trials(came: int, stages: list[str]) -> None:
    contest = RandomContest(random.Random(came), 8, absent=8 - came)
    assert [event.title for event in contest.events() if isinstance(event, StageStarted)] == stages


def test_a_single_bot_wins_without_a_hand_and_gets_its_money_back() -> None:
    contest = RandomContest(random.Random(1), 1)
    *events, ended = contest.events()
    assert not [event for event in events if isinstance(event, GameStarted | HandEnded)]
    assert isinstance(ended, TournamentEnded)
    assert ended.placings == (Placing(1, 1, STACK, 500),)


def test_where_nobody_came_nobody_is_paid() -> None:
    *_, ended = RandomContest(random.Random(1), 9, absent=9).events()
    assert isinstance(ended, TournamentEnded)
    assert not sum(placing.prize_cents for placing in ended.placings)

"""Quick Draw contests end their stages, rank their bots and pay their prizes by the rules."""

import random
from collections import Counter
from collections.abc import Sequence

from server.game import events
from server.game.events import Placing
from server.game.prizes import placings_from, standard_prizes
from server.game.tournament import Tournament, evolve, open_tournament
from tests.support.games.random_contests import STACK, RandomContest, opening, random_contests


def open_contest(bots: int) -> Tournament:
    return open_tournament(opening(tuple(events.Entrant(bot, f"Bot {bot}") for bot in range(1, bots + 1))))


def start_trials(bots: int) -> Tournament:
    stage = events.StageStarted(1, "The Trials", 15, 6, tuple(range(1, bots + 1)), (STACK,) * bots, 6)
    return evolve(open_contest(bots), stage)


def reversed_order(bots: Sequence[int], _name_of_draw: str) -> list[int]:
    return sorted(bots, reverse=True)


def test_bots_with_equal_stacks_are_ranked_by_lot() -> None:
    busted_stacks = [(4, 900), (2, 900), (5, 1000)]  # each pair: a bot that is out, and its chips before the hand
    assert start_trials(6).elimination_places(busted_stacks, lambda bots, _: list(bots)) == [(4, 6), (2, 5), (5, 4)]
    for stacks_in_any_order in (busted_stacks, busted_stacks[::-1]):
        assert start_trials(6).elimination_places(stacks_in_any_order, reversed_order) == [(2, 6), (4, 5), (5, 4)]
    assert start_trials(3).rank(lambda bots, _: list(bots)) == (1, 2, 3)
    assert start_trials(3).rank(reversed_order) == (3, 2, 1)


def test_trials_end_after_15_games_or_with_6_bots_left_or_by_the_operator() -> None:
    end_causes = Counter[str]()
    for contest in random_contests("trials", 200):
        state_before = contest.tournament
        for event in contest.events():
            if isinstance(event, events.StageEnded) and event.advancing:
                bots_left = len(state_before.remaining_bots())
                assert state_before.stage_cut or state_before.games_in_stage == 15 or bots_left <= 6
                end_causes["cut" if state_before.stage_cut else "left" if bots_left <= 6 else "games"] += 1
            state_before = contest.tournament
    assert min(end_causes["cut"], end_causes["left"], end_causes["games"]) > 10


def test_single_bot_wins_without_a_hand_and_gets_its_money_back() -> None:
    *history, end = RandomContest(random.Random(1), 1).events()
    assert not [event for event in history if isinstance(event, events.GameStarted | events.HandEnded)]
    assert isinstance(end, events.TournamentEnded)
    assert end.placings == (Placing(1, 1, STACK, 500),)


def test_bot_may_be_withdrawn_once_before_the_first_stage() -> None:
    before_start = open_contest(8)
    assert before_start.may_withdraw(3)
    after_withdrawal = evolve(before_start, events.BotWithdrawn(3, "it never came"))
    assert not after_withdrawal.may_withdraw(3)
    record = after_withdrawal.records[3]
    assert (record.place, record.stack, after_withdrawal.remaining_bots()) == (8, 0, [1, 2, 4, 5, 6, 7, 8])
    assert evolve(start_trials(8), events.BotWithdrawn(3, "too late")) == start_trials(8)


def test_pool_of_60_dollars_pays_five_prizes_and_a_small_pool_only_three() -> None:
    assert standard_prizes(12 * 500) == (2500, 1500, 1000, 500, 500)
    assert standard_prizes(2000) == (500, 300, 200, 500, 500)
    assert standard_prizes(1999) == (1001, 599, 399, 0, 0)


def test_bot_without_a_player_gets_its_own_prize() -> None:
    placings = placings_from([2, 1], {1: 0, 2: 9}, {1: "", 2: ""}, (600, 400))
    assert placings == (Placing(1, 2, 9, 600), Placing(2, 1, 0, 400))

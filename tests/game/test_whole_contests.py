"""The rules of a whole Quick Draw contest, checked on its events. The results of hands are random.

Some bots never connect, and the operator ends some stages early.
"""

import random
from collections import Counter

import pytest

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import (
    BotWithdrawn,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    Placing,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
)
from server.game.tournament import evolve, next_stage, open_tournament
from server.verify.refutation import Refuted
from tests.game.tournaments import CONTESTS, FINALS, TRIALS, opened, started, steps
from tests.support.random_contests import STACK, RandomContest, follow, random_contests


def test_15_games_of_6_hands_are_followed_by_24_hands_of_the_6_largest_pots() -> None:
    assert (TRIALS.title, TRIALS.games, TRIALS.hands, TRIALS.seats, TRIALS.advance) == ("The Trials", 15, 6, 6, 6)
    assert (FINALS.title, FINALS.games, FINALS.hands, FINALS.seats, FINALS.advance) == ("High Noon", 1, 24, 6, 0)


def test_the_final_table_has_every_bot_once_and_pays_every_cent_to_each_players_best_bot() -> None:
    for contest in random_contests("payouts", CONTESTS):
        *_, ended = contest.events()
        assert isinstance(ended, TournamentEnded)
        assert [placing.place for placing in ended.placings] == list(range(1, len(ended.placings) + 1))
        assert {placing.bot for placing in ended.placings} == set(contest.tournament.records)
        players = {entrant.bot: entrant.player for entrant in contest.opened.entrants}
        paid = [placing for placing in ended.placings if placing.prize_cents]
        somebody_played = len(contest.absent) < len(players)
        assert sum(placing.prize_cents for placing in paid) == 500 * len(players) * somebody_played
        assert len({players[placing.bot] for placing in paid}) == len(paid)
        assert not {placing.bot for placing in paid} & set(contest.absent)
        best = {
            players[placing.bot]: placing.bot
            for placing in reversed(ended.placings)
            if placing.bot not in contest.absent
        }
        assert all(best[players[placing.bot]] == placing.bot for placing in paid), "the higher placed bot is paid"


def test_the_trials_end_after_15_games_or_when_6_bots_are_left_or_when_they_are_cut() -> None:
    ends = Counter[str]()
    for contest in random_contests("trials", CONTESTS):
        for before, event, _ in steps(contest):
            if isinstance(event, StageEnded) and event.advancing:
                left = len(before.alive())
                assert before.cut or before.games_in_stage == 15 or left <= 6
                ends["cut" if before.cut else "left" if left <= 6 else "games"] += 1
    assert min(ends["cut"], ends["left"], ends["games"]) > 10


@pytest.mark.parametrize(("bots", "stages"), [(8, ["The Trials", "High Noon"]), (6, ["High Noon"]), (1, ["High Noon"])])
def test_with_6_bots_or_fewer_there_are_no_trials(bots: int, stages: list[str]) -> None:
    contest = RandomContest(random.Random(bots), 8, absent=8 - bots)
    assert [event.title for event in contest.events() if isinstance(event, StageStarted)] == stages


def test_a_single_bot_wins_without_a_hand_and_gets_its_money_back() -> None:
    *events, ended = RandomContest(random.Random(1), 1).events()
    assert not [event for event in events if isinstance(event, GameStarted | HandEnded)]
    assert isinstance(ended, TournamentEnded)
    assert ended.placings == (Placing(1, 1, STACK, 500),)


def test_a_bot_may_be_withdrawn_only_once_and_only_before_the_first_stage() -> None:
    waiting = open_tournament(opened(8))
    assert waiting.may_withdraw(3)
    assert not waiting.may_withdraw(9)
    gone = evolve(waiting, BotWithdrawn(3, "it never came"))
    assert not gone.may_withdraw(3)
    assert (gone.records[3].place, gone.records[3].stack, gone.alive()) == (8, 0, [1, 2, 4, 5, 6, 7, 8])
    assert not started(8).may_withdraw(3)
    assert evolve(started(8), BotWithdrawn(3, "too late")) == started(8)


def test_a_stage_that_is_cut_ends_after_the_hand_with_its_current_ranking() -> None:
    cuts = 0
    for contest in random_contests("cuts", CONTESTS):
        since: list[Event] | None = None
        for _, event, after in steps(contest):
            if isinstance(event, StageCut):
                since, cuts = [], cuts + 1
            elif since is not None:
                since.append(event)
            if isinstance(event, StageEnded) and since is not None:
                assert not [event for event in since[:-1] if not isinstance(event, GameEnded)]
                assert len(since) <= 2
                left = [after.records[bot].stack for bot in event.ranking]
                assert left == sorted(left, reverse=True)
                since = None
    assert cuts > CONTESTS / 10


def test_ending_a_stage_early_does_not_shorten_the_next_one() -> None:
    cut = evolve(started(8), StageCut(1))
    over = evolve(cut, StageEnded(1, tuple(range(1, 9)), (STACK,) * 8, (1, 2, 3, 4, 5, 6)))
    assert next_stage(QUICK_DRAW_FORMAT, over) == (2, FINALS)
    finals = evolve(over, StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    assert not finals.stage_over(FINALS)
    assert not finals.decided(FINALS)


def test_the_verifier_accepts_every_honest_contest() -> None:
    for contest in random_contests("verified", CONTESTS):
        assert follow(contest, contest.events()).proof.finished


def test_the_verifier_refutes_a_contest_that_hides_a_cut_or_a_withdrawal() -> None:
    hidden = 0
    for contest in random_contests("hidden", CONTESTS):
        events = list(contest.events())
        kept = [event for event in events if not isinstance(event, StageCut | BotWithdrawn)]
        if len(kept) < len(events):
            hidden += 1
            with pytest.raises(Refuted):
                follow(contest, kept)
    assert hidden > CONTESTS / 4

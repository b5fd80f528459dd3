"""The rules of a whole Quick Draw contest, from its events alone; random numbers stand in for the hands."""

from collections import Counter

import pytest

from server.game.events import (
    BotEliminated,
    BotWithdrawn,
    GameStarted,
    HandEnded,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
)
from server.game.tournament import open_tournament
from server.verify.refutation import Refuted
from tests.game.tournaments import CONTESTS, FINALS, TRIALS, opened, steps
from tests.support.random_contests import follow, random_contests


def test_the_trials_are_15_games_of_6_hands_for_6_bots_and_the_6_largest_pots_advance() -> None:
    assert (TRIALS.title, TRIALS.games, TRIALS.hands, TRIALS.seats, TRIALS.advance) == ("The Trials", 15, 6, 6, 6)


def test_high_noon_is_24_hands_among_those_that_advanced() -> None:
    assert (FINALS.title, FINALS.games, FINALS.hands, FINALS.seats, FINALS.advance) == ("High Noon", 1, 24, 6, 0)


def test_everyone_starts_the_tournament_with_5000_chips() -> None:
    assert {record.stack for record in open_tournament(opened(12)).records.values()} == {5000}


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
        assert all(best[players[placing.bot]] == placing.bot for placing in paid), "for the higher placed bot"


def test_a_contest_has_at_most_15_games_of_6_hands_and_then_24_hands() -> None:
    for contest in random_contests("schedule", CONTESTS):
        games, hands = Counter[int](), Counter[int]()
        for before, event, _ in steps(contest):
            assert before.stage is not None or not isinstance(event, GameStarted | HandEnded)
            number = before.stage.stage if before.stage else 0
            games[number] += isinstance(event, GameStarted)
            hands[number] += isinstance(event, HandEnded)
        assert games[1] <= 15
        assert hands[1] <= 90
        assert games[2] <= 1
        assert hands[2] <= 24


def test_the_trials_end_after_15_games_or_when_6_are_left_or_when_they_are_cut() -> None:
    ends = Counter[str]()
    for contest in random_contests("trials", CONTESTS):
        for before, event, _ in steps(contest):
            if isinstance(event, StageEnded) and event.advancing:
                left = len(before.alive())
                assert before.cut or before.games_in_stage == 15 or left <= 6
                ends["cut" if before.cut else "left" if left <= 6 else "games"] += 1
    assert min(ends["cut"], ends["left"], ends["games"]) > 10


def test_the_trials_are_played_whenever_more_than_6_bots_came() -> None:
    for contest in random_contests("who came", CONTESTS):
        stages = [event.stage for event in contest.events() if isinstance(event, StageStarted)]
        came = len(contest.opened.entrants) - len(contest.absent)
        assert stages == ([1, 2] if came > 6 else [2])


def test_the_6_largest_pots_advance_and_start_again_with_5000() -> None:
    for contest in random_contests("advancing", CONTESTS):
        stages = [event for event in contest.events() if isinstance(event, StageStarted | StageEnded)]
        if len(stages) < 4:
            continue
        trials, finals = stages[1:3]
        assert isinstance(trials, StageEnded)
        assert isinstance(finals, StageStarted)
        assert finals.bots == trials.advancing
        assert set(finals.stacks) == {5000}
        assert len(finals.bots) == min(6, sum(stack > 0 for stack in trials.stacks))
        assert trials.stacks == tuple(sorted(trials.stacks, reverse=True))
        assert trials.ranking[: len(trials.advancing)] == trials.advancing


def test_later_eliminations_rank_higher_and_the_rest_by_pot_size() -> None:
    for contest in random_contests("eliminations", CONTESTS):
        out: list[BotEliminated] = []
        for event in contest.events():
            if isinstance(event, BotEliminated):
                assert not out or event.place == out[-1].place - 1
                out.append(event)
            elif isinstance(event, StageEnded):
                places = [contest.tournament.records[bot].place for bot in event.ranking]
                decided_here = [place for place in places if place]
                assert decided_here == sorted(decided_here)
                assert not out or event.ranking[-len(out) :] == tuple(gone.bot for gone in reversed(out))
                out = []


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

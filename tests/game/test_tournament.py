"""Whole Quick Draw contests from the tournament's events alone; random numbers stand in for the hands."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from server.game.contests import QUICK_DRAW_CONTEST
from server.game.events import (
    BotEliminated,
    BotWithdrawn,
    Entrant,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    Placing,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.game.placings import place_all
from server.game.prizes import Share, prizes, share_out
from server.game.tournament import (
    StagePlan,
    Tournament,
    alive,
    decided,
    draw_seats,
    eliminated,
    evolve,
    game_over,
    may_withdraw,
    next_stage,
    open_tournament,
    rank,
    stage_over,
)
from server.verify.refutation import Refuted
from tests.support.random_contests import STACK, RandomContest, follow, random_contests

TRIALS, FINALS = QUICK_DRAW_CONTEST.stages
CONTESTS = 500
"""For every question asked, each time other ones."""


def opened(bots: int) -> TournamentOpened:
    contest = QUICK_DRAW_CONTEST
    entrants = tuple(Entrant(bot, f"Bot {bot}") for bot in range(1, bots + 1))
    return TournamentOpened(contest.contest, contest.title, contest.rules, STACK, entrants, "")


def steps(evening: RandomContest) -> Iterator[tuple[Tournament, Event, Tournament]]:
    """Every event after the opening, between what stood before and what stands after it."""
    before = evening.tournament
    for event in evening.events():
        yield before, event, evening.tournament
        before = evening.tournament


# -- the rules as numbers --------------------------------------------------------------------------


def test_the_trials_are_15_games_of_6_hands_for_6_bots_and_the_6_largest_pots_advance() -> None:
    assert (TRIALS.title, TRIALS.games, TRIALS.hands, TRIALS.seats, TRIALS.advance) == ("The Trials", 15, 6, 6, 6)


def test_high_noon_is_24_hands_among_those_that_advanced() -> None:
    assert (FINALS.title, FINALS.games, FINALS.hands, FINALS.seats, FINALS.advance) == ("High Noon", 1, 24, 6, 0)


def test_everyone_starts_the_tournament_with_5000_chips() -> None:
    assert {record.stack for record in open_tournament(opened(12)).records.values()} == {5000}


# -- draws -----------------------------------------------------------------------------------------


def test_seats_are_drawn_from_those_who_played_least_and_still_have_chips() -> None:
    for evening in random_contests("draws", CONTESTS):
        for before, event, _ in steps(evening):
            if isinstance(event, GameStarted):
                check_draw(before, event)


def check_draw(before: Tournament, game: GameStarted) -> None:
    pool = {bot: before.records[bot].games for bot in alive(before)}
    assert set(game.seats) <= set(pool)
    assert len(set(game.seats)) == len(game.seats) == min(6, len(pool)) >= 2
    most = max(pool[bot] for bot in game.seats)
    assert all(games >= most for bot, games in pool.items() if bot not in game.seats)
    assert game.stacks == tuple(before.records[bot].stack for bot in game.seats), "bots keep their pots between games"


@pytest.mark.parametrize("left", [7, 8])
def test_with_7_or_8_bots_left_six_of_those_who_played_least_sit_down_and_the_rest_sits_out(left: int) -> None:
    tournament, chance = started(left), random.Random(left)
    sat_out: Counter[int] = Counter()
    for _ in range(12):
        seats = draw_seats(tournament, TRIALS, lambda bots, _drawn: chance.sample(list(bots), len(bots)))
        assert len(seats) == 6
        sat_out.update(set(alive(tournament)) - set(seats))
        tournament = evolve(tournament, GameStarted(tournament.games + 1, 6, seats, (STACK,) * 6))
        tournament = evolve(tournament, GameEnded(tournament.games, (STACK,) * 6))
        games = [record.games for record in tournament.records.values()]
        assert max(games) - min(games) <= 1
    assert sum(sat_out.values()) == 12 * (left - 6)


def test_bots_of_one_player_may_sit_at_one_table() -> None:
    tables = 0
    for evening in random_contests("one player", 100):
        players = {entrant.bot: entrant.player for entrant in evening.opened.entrants}
        for event in evening.events():
            if isinstance(event, GameStarted):
                tables += len({players[bot] for bot in event.seats}) < len(event.seats)
    assert tables


def test_nobody_plays_two_games_more_than_another_while_all_have_chips() -> None:
    tournament, dice = started(20), random.Random(3)
    for _ in range(15):
        seats = draw_seats(tournament, TRIALS, lambda bots, _drawn: dice.sample(list(bots), len(bots)))
        tournament = evolve(tournament, GameStarted(tournament.games + 1, 6, seats, (STACK,) * 6))
        games = [record.games for record in tournament.records.values()]
        assert max(games) - min(games) <= 1


def test_the_draw_is_the_dices_alone() -> None:
    assert draw_seats(started(8), TRIALS, backwards) == (8, 7, 6, 5, 4, 3)


def test_where_seats_are_not_drawn_the_bots_sit_as_they_were_entered() -> None:
    plan = StagePlan("Practice", games=1, hands=6, draw=False)
    assert draw_seats(started(8), plan, backwards) == (1, 2, 3, 4, 5, 6)


def started(bots: int) -> Tournament:
    """A tournament of `bots` bots at the start of its first stage."""
    tournament = open_tournament(opened(bots))
    return evolve(tournament, StageStarted(1, "The Trials", 15, 6, tuple(tournament.records), (STACK,) * bots, 6))


# -- the evening as a whole ------------------------------------------------------------------------


def test_chips_add_up_after_every_hand_every_game_and_every_stage() -> None:
    for evening in random_contests("chips", CONTESTS):
        for before, event, after in steps(evening):
            if isinstance(event, HandEnded):
                assert before.game is not None
                assert sum(event.stacks) == sum(before.game.stacks)
                assert min(event.stacks) >= 0
            elif isinstance(event, GameEnded | StageEnded) and after.stage is not None:
                playing = after.stage.bots
                assert sum(after.records[bot].stack for bot in playing) == len(playing) * STACK


def test_every_evening_ends_with_places_1_to_n_each_once() -> None:
    for evening in random_contests("places", CONTESTS):
        *_, ended = evening.events()
        assert isinstance(ended, TournamentEnded)
        assert [placing.place for placing in ended.placings] == list(range(1, len(ended.placings) + 1))
        assert {placing.bot for placing in ended.placings} == set(evening.tournament.records)


def test_all_that_was_paid_in_is_paid_out_to_the_cent_and_no_player_twice() -> None:
    for evening in random_contests("payouts", CONTESTS):
        *_, ended = evening.events()
        assert isinstance(ended, TournamentEnded)
        players = {entrant.bot: entrant.player for entrant in evening.opened.entrants}
        paid = [placing for placing in ended.placings if placing.prize_cents]
        somebody_played = len(evening.absent) < len(players)
        assert sum(placing.prize_cents for placing in paid) == 500 * len(players) * somebody_played
        assert len({players[placing.bot] for placing in paid}) == len(paid)
        assert not {placing.bot for placing in paid} & set(evening.absent)
        best = {
            players[placing.bot]: placing.bot
            for placing in reversed(ended.placings)
            if placing.bot not in evening.absent
        }
        assert all(best[players[placing.bot]] == placing.bot for placing in paid), "for the higher placed bot"


def test_the_schedule_ends_after_15_games_of_6_hands_and_24_hands_at_the_latest() -> None:
    for evening in random_contests("schedule", CONTESTS):
        games, hands = Counter[int](), Counter[int]()
        for before, event, _ in steps(evening):
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
    for evening in random_contests("trials", CONTESTS):
        for before, event, _ in steps(evening):
            if isinstance(event, StageEnded) and event.advancing:
                left = len(alive(before))
                assert before.cut or before.games_in_stage == 15 or left <= 6
                ends["cut" if before.cut else "left" if left <= 6 else "games"] += 1
    assert min(ends["cut"], ends["left"], ends["games"]) > 10


def test_the_trials_are_played_whenever_more_than_6_bots_came() -> None:
    for evening in random_contests("who came", CONTESTS):
        stages = [event.stage for event in evening.events() if isinstance(event, StageStarted)]
        came = len(evening.opened.entrants) - len(evening.absent)
        assert stages == ([1, 2] if came > 6 else [2])


def test_the_6_largest_pots_advance_and_start_again_with_5000() -> None:
    for evening in random_contests("advancing", CONTESTS):
        stages = [event for event in evening.events() if isinstance(event, StageStarted | StageEnded)]
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
    for evening in random_contests("eliminations", CONTESTS):
        out: list[BotEliminated] = []
        for event in evening.events():
            if isinstance(event, BotEliminated):
                assert not out or event.place == out[-1].place - 1
                out.append(event)
            elif isinstance(event, StageEnded):
                places = [evening.tournament.records[bot].place for bot in event.ranking]
                decided_here = [place for place in places if place]
                assert decided_here == sorted(decided_here)
                assert not out or event.ranking[-len(out) :] == tuple(gone.bot for gone in reversed(out))
                out = []


def test_the_verifier_accepts_every_course_a_contest_can_take() -> None:
    for evening in random_contests("verified", CONTESTS):
        assert follow(evening, evening.events()).over


def test_the_verifier_refuses_every_course_that_hides_a_cut_or_a_withdrawal() -> None:
    hidden = 0
    for evening in random_contests("hidden", CONTESTS):
        events = list(evening.events())
        kept = [event for event in events if not isinstance(event, StageCut | BotWithdrawn)]
        if len(kept) < len(events):
            hidden += 1
            with pytest.raises(Refuted):
                follow(evening, kept)
    assert hidden > CONTESTS / 4


# -- bots that never came --------------------------------------------------------------------------


def test_a_withdrawn_bot_is_not_seated_and_comes_last_the_first_to_go_at_the_bottom() -> None:
    for evening in random_contests("withdrawn", CONTESTS):
        for event in evening.events():
            if isinstance(event, StageStarted | GameStarted):
                bots = event.bots if isinstance(event, StageStarted) else event.seats
                assert not set(bots) & set(evening.absent)
            elif isinstance(event, TournamentEnded):
                last = [placing.bot for placing in reversed(event.placings)][: len(evening.absent)]
                assert last == evening.absent
                assert not [placing for placing in event.placings if placing.bot in last and placing.stack]


def test_a_bot_may_be_withdrawn_before_the_first_stage_only_and_once() -> None:
    waiting = open_tournament(opened(8))
    assert may_withdraw(waiting, 3)
    assert not may_withdraw(waiting, 9)
    gone = evolve(waiting, BotWithdrawn(3, "it never came"))
    assert not may_withdraw(gone, 3)
    assert (gone.records[3].place, gone.records[3].stack, alive(gone)) == (8, 0, [1, 2, 4, 5, 6, 7, 8])
    assert not may_withdraw(started(8), 3)
    assert evolve(started(8), BotWithdrawn(3, "too late")) == started(8)


def test_a_withdrawn_bots_player_is_paid_for_another_of_its_bots() -> None:
    placings = place_all([1, 2, 3], dict.fromkeys((1, 2, 3), 0), {1: "Ada", 2: "Bob", 3: "Ada"}, (500, 300), [1])
    assert [placing.prize_cents for placing in placings] == [0, 500, 300]


@pytest.mark.parametrize(("came", "stages"), [(8, ["The Trials", "High Noon"]), (6, ["High Noon"]), (1, ["High Noon"])])
def test_with_6_bots_or_fewer_there_are_no_trials(came: int, stages: list[str]) -> None:
    evening = RandomContest(random.Random(came), 8, absent=8 - came)
    assert [event.title for event in evening.events() if isinstance(event, StageStarted)] == stages


def test_a_single_bot_wins_without_a_hand_and_gets_its_money_back() -> None:
    evening = RandomContest(random.Random(1), 1)
    *events, ended = evening.events()
    assert not [event for event in events if isinstance(event, GameStarted | HandEnded)]
    assert isinstance(ended, TournamentEnded)
    assert ended.placings == (Placing(1, 1, STACK, 500),)


def test_where_nobody_came_nobody_is_paid() -> None:
    *_, ended = RandomContest(random.Random(1), 9, absent=9).events()
    assert isinstance(ended, TournamentEnded)
    assert not sum(placing.prize_cents for placing in ended.placings)


# -- a stage the operator ends ---------------------------------------------------------------------


def test_a_stage_that_is_cut_ends_after_the_hand_with_the_ranking_as_it_stands() -> None:
    cuts = 0
    for evening in random_contests("cuts", CONTESTS):
        since: list[Event] | None = None
        for _, event, after in steps(evening):
            if isinstance(event, StageCut):
                since, cuts = [], cuts + 1
            elif since is not None:
                since.append(event)
            if isinstance(event, StageEnded) and since is not None:
                assert not [event for event in since[:-1] if not isinstance(event, GameEnded)]
                assert len(since) <= 2
                left = [(after.records[bot].stack, bot) for bot in event.ranking]
                assert [stack for stack, _ in left] == sorted((stack for stack, _ in left), reverse=True)
                since = None
    assert cuts > CONTESTS / 10


def test_no_hand_is_dealt_once_a_stage_is_cut() -> None:
    playing = evolve(started(8), GameStarted(1, 6, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    assert not game_over(playing, TRIALS, 2, (STACK,) * 6)
    assert game_over(evolve(playing, StageCut(1)), TRIALS, 2, (STACK,) * 6)
    assert stage_over(evolve(started(8), StageCut(1)), TRIALS)


def test_a_cut_of_one_stage_leaves_the_next_one_whole() -> None:
    cut = evolve(started(8), StageCut(1))
    over = evolve(cut, StageEnded(1, tuple(range(1, 9)), (STACK,) * 8, (1, 2, 3, 4, 5, 6)))
    assert next_stage(QUICK_DRAW_CONTEST, over) == (2, FINALS)
    finals = evolve(over, StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    assert not stage_over(finals, FINALS)
    assert not decided(finals, FINALS)


def as_they_come(bots: Sequence[int], _drawn: str) -> list[int]:
    return list(bots)


def backwards(bots: Sequence[int], _drawn: str) -> list[int]:
    return sorted(bots, reverse=True)


# -- single cases ----------------------------------------------------------------------------------


def test_the_second_bot_whose_pot_goes_to_0_in_the_finals_is_5th() -> None:
    finals = evolve(started(6), StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    [(first, place)] = eliminated(finals, [(3, 700)], as_they_come)
    finals = evolve(finals, BotEliminated(first, 2, place))
    assert (first, place) == (3, 6)
    assert eliminated(finals, [(1, 100)], as_they_come) == [(1, 5)]


def test_of_two_that_bust_in_one_hand_the_one_that_had_more_comes_out_ahead() -> None:
    assert eliminated(started(6), [(4, 900), (2, 800), (5, 1000)], as_they_come) == [(2, 6), (4, 5), (5, 4)]


def test_of_two_that_bust_in_one_hand_with_the_same_stack_the_lot_says_who_comes_out_ahead() -> None:
    broke = [(4, 900), (2, 900), (5, 1000)]
    assert eliminated(started(6), broke, as_they_come) == [(4, 6), (2, 5), (5, 4)]
    assert eliminated(started(6), broke, backwards) == [(2, 6), (4, 5), (5, 4)]
    assert eliminated(started(6), broke[::-1], backwards) == [(2, 6), (4, 5), (5, 4)], "no seat is favoured"


def test_equal_stacks_are_ranked_by_lot() -> None:
    assert rank(started(3), as_they_come) == (1, 2, 3)
    assert rank(started(3), backwards) == (3, 2, 1)


def test_places_rank_before_stacks_and_stacks_before_the_lot() -> None:
    game = evolve(started(4), GameStarted(1, 6, (1, 2, 3, 4), (STACK,) * 4))
    game = evolve(game, BotEliminated(2, 1, 4))
    game = evolve(game, GameEnded(1, (4000, 0, 9000, 7000)))
    assert rank(game, as_they_come) == (3, 4, 1, 2)


def test_a_bot_with_no_chips_left_is_not_seated_again() -> None:
    busted = evolve(started(8), BotEliminated(5, 0, 8))
    assert alive(busted) == [1, 2, 3, 4, 6, 7, 8]


# -- money -----------------------------------------------------------------------------------------


def test_12_bots_at_5_dollars_pay_25_15_10_5_and_5() -> None:
    assert prizes(12 * 500) == (2500, 1500, 1000, 500, 500)


@pytest.mark.parametrize("bots", range(1, 60))
def test_prizes_add_up_to_the_pool(bots: int) -> None:
    paid = prizes(500 * bots)
    assert sum(paid) == 500 * bots
    assert min(paid) >= 0
    assert paid[3:] in ((0, 0), (500, 500))


def test_prizes_of_ones_own_add_up_too_and_what_does_not_divide_goes_to_the_winner() -> None:
    assert share_out(1000, (Share(part=5000), Share(part=2500), Share(part=2500))) == (500, 250, 250)
    assert share_out(1001, (Share(part=3334), Share(part=3333), Share(part=3333))) == (335, 333, 333)
    assert share_out(1001, (Share(100), Share(200))) == (801, 200)
    with pytest.raises(ValueError, match=r"\$3.00 are promised, but the pool is \$2.50"):
        share_out(250, (Share(100), Share(200)))


@pytest.mark.parametrize("pool", [2001, 6001, 6003, 9999])
def test_cents_that_do_not_divide_go_to_the_winner(pool: int) -> None:
    first, second, third, fourth, fifth = prizes(pool)
    rest = pool - 1000
    assert (second, third, fourth, fifth) == (rest * 30 // 100, rest * 20 // 100, 500, 500)
    assert first == pool - second - third - 1000


def test_players_not_individual_bots_receive_prizes() -> None:
    players = {1: "Ada", 2: "Ada", 3: "Bob", 4: "Ada", 5: "Cy", 6: "Di", 7: "Eve"}
    placings = place_all([1, 2, 3, 4, 5, 6, 7], dict.fromkeys(players, 0), players, prizes(3500))
    assert [(placing.bot, placing.prize_cents) for placing in placings] == [
        (1, 1250), (2, 0), (3, 750), (4, 0), (5, 500), (6, 500), (7, 500),
    ]  # fmt: skip
    assert [placing.place for placing in placings] == [1, 2, 3, 4, 5, 6, 7]


def test_bots_without_a_named_player_are_each_their_own() -> None:
    placings = place_all([2, 1], {1: 0, 2: 9}, {1: "", 2: ""}, (600, 400))
    assert placings == (Placing(1, 2, 9, 600), Placing(2, 1, 0, 400))


def test_payouts_add_up_to_the_pool_whenever_five_players_are_there() -> None:
    dice = random.Random(5)
    for _ in range(5_000):
        bots = dice.sample(range(1, 31), dice.randint(5, 30))
        players = {bot: f"player {dice.randint(1, 12)}" for bot in bots}
        pool = 500 * len(bots)
        paid = [placing.prize_cents for placing in place_all(bots, dict.fromkeys(bots, 0), players, prizes(pool))]
        assert sum(paid) <= pool
        assert sum(paid) == pool or len(set(players.values())) < 5
        winners = [players[bot] for bot, cents in zip(bots, paid, strict=True) if cents]
        assert len(winners) == len(set(winners)), "nobody is paid twice"


@pytest.mark.parametrize("entered", range(2, 13))
def test_all_that_was_paid_in_is_paid_out_however_few_players_there_are(entered: int) -> None:
    ranking = range(1, entered + 1)
    players = {bot: f"Player {bot % 3}" for bot in ranking}
    table = place_all(ranking, dict.fromkeys(ranking, 0), players, prizes(500 * entered))
    assert sum(placing.prize_cents for placing in table) == 500 * entered

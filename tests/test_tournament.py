"""Whole Quick Draw contests, folded from coarse events alone; what happens at the tables is thrown with dice."""

import random
from collections.abc import Iterator, Sequence

import pytest

from server.game.events import (
    BotEliminated,
    Entrant,
    Event,
    GameEnded,
    GameStarted,
    Placing,
    StageEnded,
    StageStarted,
    TournamentOpened,
)
from server.game.tournament import (
    QUICK_DRAW_CONTEST,
    StagePlan,
    Tournament,
    alive,
    decided,
    draw_seats,
    eliminated,
    evolve,
    open_tournament,
    place_all,
    prizes,
    rank,
    stage_over,
)

TRIALS, FINALS = QUICK_DRAW_CONTEST.stages
STACK = QUICK_DRAW_CONTEST.starting_stack
CONTESTS = 500


class Evening:
    """A contest played with dice: `events` goes on as the rule book says, `tournament` folds what happened."""

    def __init__(self, dice: random.Random, bots: int) -> None:
        self.dice = dice
        self.wild = dice.random()
        self.tournament = open_tournament(opened(bots))

    def events(self) -> Iterator[Event]:
        """Every event of the evening, each of them folded before it is handed out."""
        riding = tuple(self.tournament.records)
        for number, plan in enumerate(QUICK_DRAW_CONTEST.stages, 1):
            stacks = tuple(STACK for _ in riding)
            yield self.folded(StageStarted(number, plan.title, plan.games, plan.hands, riding, stacks, plan.advance))
            while not stage_over(self.tournament, plan):
                yield from self.game(plan)
            ranking = rank(self.tournament, self.shuffle)
            left = tuple(self.tournament.records[bot].stack for bot in ranking)
            riding = tuple(bot for bot in ranking if self.tournament.records[bot].stack)[: plan.advance]
            yield self.folded(StageEnded(number, ranking, left, riding))

    def game(self, plan: StagePlan) -> Iterator[Event]:
        seats = draw_seats(self.tournament, plan, self.shuffle)
        stacks = [self.tournament.records[bot].stack for bot in seats]
        yield self.folded(GameStarted(self.tournament.games + 1, plan.hands, seats, tuple(stacks)))
        for _ in range(plan.hands):
            before, stacks = stacks, self.hand(stacks)
            busted = [(bot, had) for bot, had, has in zip(seats, before, stacks, strict=True) if had and not has]
            for bot, place in eliminated(self.tournament, busted):
                yield self.folded(BotEliminated(bot, seats.index(bot), place))
            if sum(stack > 0 for stack in stacks) < 2 or decided(self.tournament, plan):
                break
        yield self.folded(GameEnded(self.tournament.games, tuple(stacks)))

    def hand(self, stacks: list[int]) -> list[int]:
        """The stacks after some all-ins and smaller losses, all won by one seat."""
        winner = self.dice.choice([seat for seat, stack in enumerate(stacks) if stack])
        lost = [
            min(stack, stacks[winner], stack if self.dice.random() < self.wild / 3 else self.dice.randrange(300))
            for stack in stacks
        ]
        lost[winner] = 0
        after = [stack - loss for stack, loss in zip(stacks, lost, strict=True)]
        after[winner] += sum(lost)
        return after

    def shuffle(self, bots: Sequence[int], _drawn: str) -> list[int]:
        return self.dice.sample(list(bots), len(bots))

    def folded(self, event: Event) -> Event:
        self.tournament = evolve(self.tournament, event)
        return event


def opened(bots: int) -> TournamentOpened:
    contest = QUICK_DRAW_CONTEST
    entrants = tuple(Entrant(bot, f"Bot {bot}") for bot in range(1, bots + 1))
    return TournamentOpened(contest.contest, contest.title, contest.rules, STACK, entrants, "")


def evenings(about: str) -> Iterator[Evening]:
    """Evenings with 2 to 30 bots, other ones for every question asked."""
    dice = random.Random(about)
    for _ in range(CONTESTS):
        yield Evening(dice, dice.randint(2, 30))


# -- the rules as numbers --------------------------------------------------------------------------


def test_the_trials_are_15_games_of_6_hands_for_6_bots_and_the_6_largest_pots_advance() -> None:
    assert (TRIALS.title, TRIALS.games, TRIALS.hands, TRIALS.seats, TRIALS.advance) == ("The Trials", 15, 6, 6, 6)


def test_high_noon_is_24_hands_among_those_that_advanced() -> None:
    assert (FINALS.title, FINALS.games, FINALS.hands, FINALS.seats, FINALS.advance) == ("High Noon", 1, 24, 6, 0)


def test_everyone_starts_the_tournament_with_5000_chips() -> None:
    assert {record.stack for record in open_tournament(opened(12)).records.values()} == {5000}


# -- draws -----------------------------------------------------------------------------------------


def test_seats_are_drawn_from_those_who_played_least_and_still_have_chips() -> None:
    for evening in evenings("draws"):
        before = evening.tournament
        for event in evening.events():
            if isinstance(event, GameStarted):
                check_draw(before, event)
            before = evening.tournament


def check_draw(before: Tournament, game: GameStarted) -> None:
    pool = {bot: before.records[bot].games for bot in alive(before)}
    assert set(game.seats) <= set(pool)
    assert len(set(game.seats)) == len(game.seats) == min(6, len(pool))
    most = max(pool[bot] for bot in game.seats)
    assert all(games >= most for bot, games in pool.items() if bot not in game.seats)
    assert game.stacks == tuple(before.records[bot].stack for bot in game.seats), "bots keep their pots between games"


def test_nobody_plays_two_games_more_than_another_while_all_have_chips() -> None:
    tournament, dice = started(20), random.Random(3)
    for _ in range(15):
        seats = draw_seats(tournament, TRIALS, lambda bots, _drawn: dice.sample(list(bots), len(bots)))
        tournament = evolve(tournament, GameStarted(tournament.games + 1, 6, seats, (STACK,) * 6))
        games = [record.games for record in tournament.records.values()]
        assert max(games) - min(games) <= 1


def test_the_draw_is_the_dices_alone() -> None:
    backwards = draw_seats(started(8), TRIALS, lambda bots, _drawn: sorted(bots, reverse=True))
    assert backwards == (8, 7, 6, 5, 4, 3)


def test_where_seats_are_not_drawn_the_bots_sit_as_they_were_entered() -> None:
    plan = StagePlan("Practice", games=1, hands=6, draw=False)
    assert draw_seats(started(8), plan, lambda bots, _drawn: sorted(bots, reverse=True)) == (1, 2, 3, 4, 5, 6)


def started(bots: int) -> Tournament:
    """A tournament of `bots` bots at the start of its first stage."""
    tournament = open_tournament(opened(bots))
    return evolve(tournament, StageStarted(1, "The Trials", 15, 6, tuple(tournament.records), (STACK,) * bots, 6))


# -- the evening as a whole ------------------------------------------------------------------------


def test_chips_add_up_after_every_event() -> None:
    for evening in evenings("chips"):
        bots = len(evening.tournament.records)
        for event in evening.events():
            if isinstance(event, StageStarted):
                bots = len(event.bots)
            in_stage = evening.tournament.stage.bots if evening.tournament.stage else ()
            if evening.tournament.game is None:
                assert sum(evening.tournament.records[bot].stack for bot in in_stage) == bots * STACK


def test_every_evening_ends_with_places_1_to_n_and_no_ties() -> None:
    for evening in evenings("places"):
        for _ in evening.events():
            pass
        records = evening.tournament.records
        assert sorted(record.place for record in records.values()) == list(range(1, len(records) + 1))


def test_the_trials_end_after_15_games_or_when_6_are_left() -> None:
    for evening in evenings("trials"):
        games = 0
        for event in evening.events():
            games += isinstance(event, GameStarted)
            if isinstance(event, StageEnded):
                left = sum(evening.tournament.records[bot].stack > 0 for bot in event.ranking)
                assert games == 15 or left <= 6
                assert games <= 15
                break


def test_the_6_largest_pots_advance_and_start_again_with_5000() -> None:
    for evening in evenings("advancing"):
        trials, finals = [event for event in evening.events() if isinstance(event, StageStarted | StageEnded)][1:3]
        assert isinstance(trials, StageEnded)
        assert isinstance(finals, StageStarted)
        assert finals.bots == trials.advancing
        assert set(finals.stacks) == {5000}
        assert len(finals.bots) == min(6, sum(stack > 0 for stack in trials.stacks))
        assert trials.stacks == tuple(sorted(trials.stacks, reverse=True))
        assert trials.ranking[: len(trials.advancing)] == trials.advancing


def test_who_is_eliminated_later_comes_out_ahead_and_who_is_left_is_ranked_by_pot_size() -> None:
    for evening in evenings("eliminations"):
        out: list[BotEliminated] = []
        for event in evening.events():
            if isinstance(event, BotEliminated):
                assert not out or event.place == out[-1].place - 1
                out.append(event)
            elif isinstance(event, StageEnded):
                places = [evening.tournament.records[bot].place for bot in event.ranking]
                decided_here = [place for place in places if place]
                assert decided_here == sorted(decided_here)
                out = []


# -- single cases ----------------------------------------------------------------------------------


def test_the_second_bot_whose_pot_goes_to_0_in_the_finals_is_5th() -> None:
    finals = evolve(started(6), StageStarted(2, "High Noon", 1, 24, (1, 2, 3, 4, 5, 6), (STACK,) * 6))
    [(first, place)] = eliminated(finals, [(3, 700)])
    finals = evolve(finals, BotEliminated(first, 2, place))
    assert (first, place) == (3, 6)
    assert eliminated(finals, [(1, 100)]) == [(1, 5)]


def test_of_two_that_bust_in_one_hand_the_one_that_had_more_comes_out_ahead() -> None:
    assert eliminated(started(6), [(4, 900), (2, 800), (5, 1000)]) == [(2, 6), (4, 5), (5, 4)]


def test_equal_stacks_are_ranked_by_lot() -> None:
    assert rank(started(3), lambda bots, _drawn: list(bots)) == (1, 2, 3)
    assert rank(started(3), lambda bots, _drawn: sorted(bots, reverse=True)) == (3, 2, 1)


def test_places_rank_before_stacks_and_stacks_before_the_lot() -> None:
    game = evolve(started(4), GameStarted(1, 6, (1, 2, 3, 4), (STACK,) * 4))
    game = evolve(game, BotEliminated(2, 1, 4))
    game = evolve(game, GameEnded(1, (4000, 0, 9000, 7000)))
    assert rank(game, lambda bots, _drawn: list(bots)) == (3, 4, 1, 2)


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

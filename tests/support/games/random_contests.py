"""Whole Quick Draw contests without bots or clocks. The rules are real, but chance decides the results of hands."""

import random
from collections.abc import Iterable, Iterator

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.events import Entrant, Event, HandEnded, Placing, StageEnded, TournamentOpened
from server.game.formats import StagePlan
from server.game.prizes import final_placings, standard_prizes
from server.game.tournament import busted_bots, evolve, next_stage, open_tournament, start_stage
from server.journal.journal import Entry
from server.shuffle import commitment, deck_name, key_of, named_shuffler
from server.verify.contest_progress import ContestProgress
from server.verify.games import check_hand_start, record_hand_end
from server.verify.recording import CHECKED_EVENTS, check_and_apply

STACK = QUICK_DRAW_FORMAT.starting_stack


def opening(entrants: tuple[Entrant, ...], seal: str = "", prizes_cents: tuple[int, ...] = ()) -> TournamentOpened:
    """Returns a contest's first event. `seal` is the hash that commits to the seed of the cards."""
    contest = QUICK_DRAW_FORMAT
    return TournamentOpened(contest.contest, contest.title, contest.rules, STACK, entrants, seal, prizes_cents)


class RandomContest:
    """A contest that follows Quick Draw's rule book. In each hand, a random seat wins random amounts from all others.

    `absent` is the number of bots that are withdrawn before the contest starts. Before each game and hand, the operator
    ends the stage with probability `cuts`.
    """

    def __init__(self, chance: random.Random, bots: int, *, absent: int = 0, cuts: float = 0.0) -> None:
        self.chance = chance
        self.all_in_rate = chance.random() / 3
        self.seed = chance.randbytes(32)
        players, numbers = chance.randint(1, max(bots, 1)), range(1, bots + 1)
        entrants = tuple(Entrant(bot, f"Bot {bot}", f"Player {chance.randint(1, players)}") for bot in numbers)
        self.opened = opening(entrants, commitment(self.seed), standard_prizes(500 * bots))
        self.absent = chance.sample(numbers, min(absent, bots))
        self.cuts = cuts
        self.tournament = open_tournament(self.opened)
        self.stacks: list[int] = []

    def events(self) -> Iterator[Event]:
        """Yields each event of the contest after applying it."""
        yield self.opened
        for bot in self.absent:
            yield self.apply(events.BotWithdrawn(bot, "it never came"))
        while next_plan := self.next_stage():
            yield from self.stage(*next_plan)
        yield self.apply(events.TournamentEnded(self.placings(), self.seed.hex()))

    def entries(self) -> list[Entry]:
        return [Entry(number, 0, event) for number, event in enumerate(self.events(), 1)]

    def stage(self, number: int, plan: StagePlan) -> Iterator[Event]:
        yield self.apply(start_stage(QUICK_DRAW_FORMAT, self.tournament, number, plan))
        while not self.stage_over(plan):
            if self.chance.random() < self.cuts:
                yield self.apply(events.StageCut(number))
            else:
                yield from self.game(number, plan)
        yield self.apply(self.stage_end(number, plan))

    def game(self, stage: int, plan: StagePlan) -> Iterator[Event]:
        game = self.tournament.games + 1
        key = key_of(self.seed, f"game {game}")
        seats = self.seats(plan, key)
        self.stacks = [self.tournament.records[bot].stack for bot in seats]
        yield self.apply(events.GameStarted(game, plan.hands, seats, tuple(self.stacks), key.hex()))
        hands = 0
        while not self.game_over(plan, hands):
            if self.chance.random() < self.cuts:
                yield self.apply(events.StageCut(stage))
                break
            hands += 1
            stacks_before = self.stacks
            key = key_of(self.seed, deck_name(game, hands))
            yield self.hand(key)
            for bot, place in self.elimination_places(busted_bots(seats, stacks_before, self.stacks), key):
                yield self.apply(events.BotEliminated(bot, seats.index(bot), place))
        yield self.apply(events.GameEnded(game, tuple(self.stacks)))

    # -- what the rule book decides (tests break a rule by replacing one of these methods)

    def next_stage(self) -> tuple[int, StagePlan] | None:
        return next_stage(QUICK_DRAW_FORMAT, self.tournament)

    def seats(self, plan: StagePlan, key: bytes) -> tuple[int, ...]:
        return self.tournament.draw_seats(plan, named_shuffler(key))

    def game_over(self, plan: StagePlan, hands: int) -> bool:
        return self.tournament.is_game_over(plan, hands, self.stacks)

    def stage_over(self, plan: StagePlan) -> bool:
        return self.tournament.is_stage_over(plan)

    def elimination_places(self, broke: list[tuple[int, int]], key: bytes) -> list[tuple[int, int]]:
        return self.tournament.elimination_places(broke, named_shuffler(key))

    def stage_end(self, number: int, plan: StagePlan) -> StageEnded:
        key = key_of(self.seed, f"stage {number}")
        return self.tournament.end_stage(plan.advance, key.hex(), named_shuffler(key))

    def placings(self) -> tuple[Placing, ...]:
        return final_placings(self.opened, self.tournament)

    # -- what chance decides

    def hand(self, key: bytes) -> HandEnded:
        """Decides a hand by chance. Returns only the hand's last event."""
        stacks = self.stacks
        winner = self.chance.choice([seat for seat, stack in enumerate(stacks) if stack])
        lost = [
            min(stack, stacks[winner], stack if self.chance.random() < self.all_in_rate else self.chance.randrange(300))
            for stack in stacks
        ]
        lost[winner] = 0
        self.stacks = [stack - loss for stack, loss in zip(stacks, lost, strict=True)]
        self.stacks[winner] += sum(lost)
        return HandEnded(tuple(self.stacks), key.hex())

    def apply(self, event: Event) -> Event:
        self.tournament = evolve(self.tournament, event)
        return event


def random_contests(seed: str, count: int) -> Iterator[RandomContest]:
    """Yields contests of 1 to 30 bots. Bots may be absent. In a third of the contests, the operator may end stages."""
    chance = random.Random(seed)
    for _ in range(count):
        bots = chance.randint(1, 30)
        absent = chance.choice([0, 0, chance.randint(0, 3), chance.randint(0, bots)])
        yield RandomContest(random.Random(chance.random()), bots, absent=absent, cuts=chance.choice([0.0, 0.0, 0.05]))


def follow(contest: RandomContest, happened: Iterable[Event]) -> ContestProgress:
    """Verifies the events in `happened`, but trusts the results of hands. Returns the state after the last event."""
    progress = ContestProgress(contest.opened)
    for event in happened:
        if isinstance(event, HandEnded):
            check_hand_start(progress, progress.hands + 1)
            record_hand_end(progress, event.stacks, bytes.fromhex(event.deck_key))
        elif isinstance(event, CHECKED_EVENTS) and event is not contest.opened:
            check_and_apply(progress, event)
    return progress

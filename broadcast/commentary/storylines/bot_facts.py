"""The facts about one bot of an evening, with the hands that prove them. Pure."""

from collections import deque

from msgspec import Struct

KEPT_PROOF = 6
"""How many of the latest hands are kept as the proof of what many hands add up to."""


class HandNumber(Struct, frozen=True, order=True):
    """A hand: the number of its game, and its number in that game."""

    game: int
    hand: int


class Extreme(Struct, frozen=True):
    """A highest or lowest amount of chips or milliseconds, with its bot and hand."""

    amount: int
    bot: int
    hand: HandNumber


class Out(Struct, frozen=True):
    """A bot that was eliminated. `by` is the bot that won all pots of that hand; 0 if several bots won some."""

    bot: int
    place: int
    by: int
    hand: HandNumber


class DoubleUp(Struct, frozen=True):
    """A hand in which a bot was all in and at least doubled its chips."""

    before: int
    after: int
    hand: HandNumber


class LastChips(Struct, frozen=True):
    """A decision in which a bot could only stay in the hand with all its chips. `called` is false if it folded."""

    chips: int
    called: bool
    hand: HandNumber


class BotFacts:
    """The facts about one bot. Its smallest and largest stacks are those of this stage, or in a series of this game."""

    def __init__(self) -> None:
        self.stack = 0
        self.without: list[HandNumber] = []
        """The hands dealt to it since it last won chips."""
        self.winning: list[HandNumber] = []
        """The latest consecutive hands in which it won chips."""
        self.run_chance = 1.0
        """How likely its present run is, with or without chips won, if every seat is equally likely to win a hand."""
        self.longest_streak = self.longest_drought = 0
        """The lengths of its longest runs of hands with and without chips won."""
        self.caught: list[HandNumber] = []
        """Hands in which it bet last on the river, showed no pair and won nothing."""
        self.lowest: Extreme | None = None
        """Its smallest stack after any hand, except 0."""
        self.highest: Extreme | None = None
        """Its largest stack after any hand."""
        self.double_up: DoubleUp | None = None
        """The latest one."""
        self.survived: list[HandNumber] = []
        """Hands in which it was all in against others and kept chips."""
        self.tests: list[LastChips] = []
        self.knocked_out: list[HandNumber] = []
        """Hands in which it eliminated a bot from the contest, once for each bot."""
        self.won = deque[HandNumber](maxlen=KEPT_PROOF)
        """The latest hands in which it won chips."""
        self.hands_won = 0
        self.played = deque[HandNumber](maxlen=KEPT_PROOF)
        self.raised = deque[HandNumber](maxlen=KEPT_PROOF)
        self.attacked = deque[HandNumber](maxlen=KEPT_PROOF)
        """The latest hands in which it put chips in voluntarily before the flop, raised there, and bet after it."""
        self.late: list[HandNumber] = []
        """Hands in which it ran out of time, once for each time."""
        self.away_since: int | None = None
        """How many hands of the evening were over when it lost its connection; None while it is connected."""

    def record_run(self, number: HandNumber, seats: int, *, won: bool) -> None:
        """Records whether it won chips in a hand that was dealt to so many seats."""
        run, other = (self.winning, self.without) if won else (self.without, self.winning)
        if other:
            other.clear()
            self.run_chance = 1.0
        run.append(number)
        if won:
            self.won.append(number)
            self.hands_won += 1
        self.run_chance *= 1 / seats if won else 1 - 1 / seats
        self.longest_streak = max(self.longest_streak, len(self.winning))
        self.longest_drought = max(self.longest_drought, len(self.without))

    def record_stack(self, number: HandNumber, bot: int, stack: int) -> None:
        """Records its stack after a hand."""
        self.stack = stack
        if stack and (self.lowest is None or stack <= self.lowest.amount):
            self.lowest = Extreme(stack, bot, number)
        if self.highest is None or stack >= self.highest.amount:
            self.highest = Extreme(stack, bot, number)

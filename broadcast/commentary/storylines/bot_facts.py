"""The facts about one bot of an evening, and the hands that prove them. Pure."""

from collections import deque
from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.game.events import TournamentOpened

KEPT_PROOF = 6
"""If a storyline is about more hands than this, only the latest ones are named as its proof."""


class HandNumber(Struct, frozen=True, order=True):
    """Identifies a hand by the number of its game, and its number in that game."""

    game: int
    hand: int


class Extreme(Struct, frozen=True):
    """A highest or lowest amount of chips or milliseconds, with its bot and hand."""

    amount: int
    bot: int
    hand: HandNumber


class Out(Struct, frozen=True):
    """A bot that was eliminated. `by` is the bot that won all pots of the hand; 0 if several bots won pots."""

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
    """A decision in which a bot needed all its chips to stay in the hand. `called` is false if the bot folded."""

    chips: int
    called: bool
    hand: HandNumber


class Entered(Struct, frozen=True):
    """What was known about the entrants and the prizes when an evening began.

    `players` has the player of each bot whose player is known. `ratings` are in hundredths of a point; they are empty
    unless every bot has a rating. `prizes` are the prizes of the paid places, in cents. If there are fewer
    players than paid places, `prizes` is empty, because the winner also gets the prizes that nobody can win.
    """

    players: Mapping[int, str] = {}
    ratings: Mapping[int, int] = {}
    prizes: Sequence[int] = ()

    def player_of(self, bot: int) -> str:
        """Returns the player who wins the prize of `bot`; if the player is unknown, "bot 3" or the like."""
        return self.players.get(bot) or f"bot {bot}"


def entered_of(opened: TournamentOpened) -> Entered:
    entrants, prizes = opened.entrants, opened.prizes_cents
    players = {entrant.bot: entrant.player for entrant in entrants if entrant.player}
    ratings = {entrant.bot: entrant.rating for entrant in entrants if entrant.rating}
    paid = sum(cents > 0 for cents in prizes)
    is_plain = all(prizes[:paid]) and paid <= len({entrant.player or entrant.bot for entrant in entrants})
    return Entered(players, ratings if len(ratings) == len(entrants) else {}, prizes[:paid] if is_plain else ())


class BotFacts:
    """The facts about one bot. Its smallest and largest stacks are of this stage or, in a series, of this game."""

    def __init__(self) -> None:
        self.stack = 0
        self.without: list[HandNumber] = []
        """The hands dealt to the bot since it last won chips."""
        self.winning: list[HandNumber] = []
        """The bot's current winning streak: the latest hands in a row in which it won chips."""
        self.run_chance = 1.0
        """The probability, from 0 to 1, of the bot's current streak of wins or of hands without a win. It assumes that
        every seat is equally likely to win a hand.
        """
        self.longest_streak = self.longest_drought = 0
        """The bot's longest winning streak and its longest drought (hands in a row without chips won), in hands."""
        self.caught: list[HandNumber] = []
        """Hands in which the bot bet last on the river, showed no pair and won nothing."""
        self.lowest: Extreme | None = None
        """The bot's smallest stack after any hand, except 0."""
        self.highest: Extreme | None = None
        """The bot's largest stack after any hand."""
        self.double_up: DoubleUp | None = None
        """The bot's latest double-up."""
        self.survived: list[HandNumber] = []
        """Hands in which the bot was all in against others and was not eliminated."""
        self.tests: list[LastChips] = []
        """The bot's decisions in which it needed all its chips to stay in the hand."""
        self.knocked_out: list[HandNumber] = []
        """Hands in which the bot eliminated others from the contest. A hand appears once for each bot that was
        eliminated.
        """
        self.won = deque[HandNumber](maxlen=KEPT_PROOF)
        """The latest hands in which the bot won chips."""
        self.hands_won = 0
        self.played = deque[HandNumber](maxlen=KEPT_PROOF)
        self.raised = deque[HandNumber](maxlen=KEPT_PROOF)
        self.attacked = deque[HandNumber](maxlen=KEPT_PROOF)
        """The latest hands in which the bot put chips in voluntarily before the flop (`played`), raised before the flop
        (`raised`), and bet or raised after the flop (`attacked`).
        """
        self.games_won: list[HandNumber] = []
        """The last hand of each game that the bot has won in this stage, if the stage is a series."""
        self.withdrawn = False
        """Whether the bot was withdrawn. A withdrawn bot wins no prize."""
        self.late: list[HandNumber] = []
        """Hands in which the bot ran out of time. A hand appears once for each late answer."""
        self.away_since: int | None = None
        """How many hands of the evening were over when the bot lost its connection; None while it is connected."""

    def record_run(self, number: HandNumber, seats: int, *, won: bool) -> None:
        """Records whether the bot won chips in hand `number`, which was dealt to `seats` bots."""
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
        """Records the bot's stack after hand `number`. `bot` is the number of this bot."""
        self.stack = stack
        if stack and (self.lowest is None or stack <= self.lowest.amount):
            self.lowest = Extreme(stack, bot, number)
        if self.highest is None or stack >= self.highest.amount:
            self.highest = Extreme(stack, bot, number)

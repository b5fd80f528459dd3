"""The facts about one bot of an evening, and the hands that prove them. No I/O."""

from collections import deque
from collections.abc import Mapping, Sequence

from msgspec import Struct

from server.game.events import TournamentOpened

MAX_PROOF_HANDS = 6
"""As their proof, many storylines name only the latest hands, at most this many."""


class HandNumber(Struct, frozen=True, order=True):
    """Identifies a hand by the number of its game, and its number in that game."""

    game: int
    hand: int


class Extreme(Struct, frozen=True):
    """A highest or lowest amount of chips or milliseconds, with its bot and hand."""

    amount: int
    bot: int
    hand: HandNumber


class Elimination(Struct, frozen=True):
    """A bot that was eliminated. `knocked_out_by` is the bot that won all pots of the hand. It is 0 if several bots won
    pots.
    """

    bot: int
    place: int
    knocked_out_by: int
    hand: HandNumber


class DoubleUp(Struct, frozen=True):
    """A hand in which a bot was all in and at least doubled its chips."""

    before: int
    after: int
    hand: HandNumber


class AllInDecision(Struct, frozen=True):
    """A decision in which a bot needed all its chips to stay in the hand. `has_called` is false if the bot folded."""

    chips: int
    has_called: bool
    hand: HandNumber


class OpeningFacts(Struct, frozen=True):
    """What was known about the entrants and the prizes when an evening began.

    `players` has the names of the bots' players, keyed by bot. Bots whose player is unknown are left out. `ratings` are
    in hundredths of a point. If any bot has no rating, `ratings` is empty. `prizes` are the prizes of the paid places,
    in cents. If there are fewer players than paid places, `prizes` is empty.
    """

    players: Mapping[int, str] = {}
    ratings: Mapping[int, int] = {}
    prizes: Sequence[int] = ()

    def player_of(self, bot: int) -> str:
        """Returns the player who wins the prize of `bot`, or a text such as "bot 3" if the player is unknown."""
        return self.players.get(bot) or f"bot {bot}"


def opening_facts_of(opened: TournamentOpened) -> OpeningFacts:
    entrants, prizes = opened.entrants, opened.prizes_cents
    players = {entrant.bot: entrant.player for entrant in entrants if entrant.player}
    ratings = {entrant.bot: entrant.rating for entrant in entrants if entrant.rating}
    paid_places = sum(cents > 0 for cents in prizes)
    are_prizes_certain = all(prizes[:paid_places]) and paid_places <= len(
        {entrant.player or entrant.bot for entrant in entrants}
    )
    return OpeningFacts(
        players, ratings if len(ratings) == len(entrants) else {}, prizes[:paid_places] if are_prizes_certain else ()
    )


class BotFacts:
    """The facts about one bot. Its smallest and largest stacks are those of this stage. In a series, they are those of
    this game.
    """

    def __init__(self) -> None:
        self.stack = 0
        self.drought: list[HandNumber] = []
        """The hands dealt to the bot since it last won chips."""
        self.winning_streak: list[HandNumber] = []
        """The bot's current winning streak: the latest hands in a row in which it won chips."""
        self.streak_chance = 1.0
        """The probability that the bot's current streak (of wins, or of hands without a win) comes about by pure
        chance, from 0 to 1. Every seat is assumed to be equally likely to win a hand.
        """
        self.longest_streak = self.longest_drought = 0
        """The bot's longest winning streak and its longest drought, both in hands. A drought is a run of hands without
        a win.
        """
        self.bluffs_caught: list[HandNumber] = []
        """Hands in which the bot bet last on the river, showed no pair and won nothing."""
        self.lowest: Extreme | None = None
        """The bot's smallest stack after any hand, except 0."""
        self.highest: Extreme | None = None
        """The bot's largest stack after any hand."""
        self.double_up: DoubleUp | None = None
        """The bot's latest double-up."""
        self.all_ins_survived: list[HandNumber] = []
        """Hands in which the bot was all in against others and was not eliminated."""
        self.all_in_decisions: list[AllInDecision] = []
        """The bot's decisions in which it needed all its chips to stay in the hand."""
        self.knockouts: list[HandNumber] = []
        """Hands in which the bot eliminated others from the contest. A hand appears once for each bot that was
        eliminated.
        """
        self.winning_hands = deque[HandNumber](maxlen=MAX_PROOF_HANDS)
        """The latest hands in which the bot won chips."""
        self.hands_won = 0
        self.vpip_hands = deque[HandNumber](maxlen=MAX_PROOF_HANDS)
        self.pfr_hands = deque[HandNumber](maxlen=MAX_PROOF_HANDS)
        self.aggressive_hands = deque[HandNumber](maxlen=MAX_PROOF_HANDS)
        """The bot's latest hands of three kinds. In `vpip_hands`, the bot put chips in voluntarily before the flop. In
        `pfr_hands`, it raised before the flop. In `aggressive_hands`, it bet or raised after the flop.
        """
        self.games_won: list[HandNumber] = []
        """The last hand of each game that the bot has won in this stage, if the stage is a series."""
        self.is_withdrawn = False
        """Whether the bot was withdrawn. A withdrawn bot wins no prize."""
        self.timeouts: list[HandNumber] = []
        """Hands in which the bot ran out of time. A hand appears once for each late answer."""
        self.away_since: int | None = None
        """How many hands of the evening were over when the bot lost its connection. It is None while the bot is
        connected.
        """

    def record_result(self, number: HandNumber, seats: int, *, won: bool) -> None:
        """Records whether the bot won chips in hand `number`, which was dealt to `seats` bots."""
        run, other = (self.winning_streak, self.drought) if won else (self.drought, self.winning_streak)
        if other:
            other.clear()
            self.streak_chance = 1.0
        run.append(number)
        if won:
            self.winning_hands.append(number)
            self.hands_won += 1
        self.streak_chance *= 1 / seats if won else 1 - 1 / seats
        self.longest_streak = max(self.longest_streak, len(self.winning_streak))
        self.longest_drought = max(self.longest_drought, len(self.drought))

    def record_stack(self, number: HandNumber, bot: int, stack: int) -> None:
        """Records the bot's stack after hand `number`. `bot` is the number of this bot."""
        self.stack = stack
        if stack and (self.lowest is None or stack <= self.lowest.amount):
            self.lowest = Extreme(stack, bot, number)
        if self.highest is None or stack >= self.highest.amount:
            self.highest = Extreme(stack, bot, number)

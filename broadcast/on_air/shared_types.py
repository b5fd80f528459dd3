"""Defines types that are used both in the events on air and in the picture, which is everything on screen."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from server.game.cards import Card
from server.game.events import Act, Street


class Standing(Struct, frozen=True):
    """A row of the standings. `moved` is how many places the bot rose (+) or fell (-). `place` is 0 while the bot has
    chips.

    In a series of separate games, `wins` is the number of games won. In a stage of deals (several tables play the same
    cards), `stack` is what the bot has won in all deals, and `games` is the number of its deals. `per_deal` is what the
    bot wins per deal on average. With 95 % confidence, the true average is between `low` and `high`. Both limits are
    left out until enough deals have been played.
    """

    rank: int
    bot: int
    stack: int
    moved: int
    games: int
    place: int = 0
    wins: int = 0
    per_deal: int | UnsetType = UNSET
    low: int | UnsetType = UNSET
    high: int | UnsetType = UNSET


class SeatAct(Struct, frozen=True):
    """An action of a seat: the street, what the seat did, and its bet on that street afterwards."""

    street: Street
    act: Act
    bet: int


class SeatHeld(Struct, frozen=True):
    """How one bot played the seat that is compared across the tables of a deal. Contains the bot's game, its acts in
    the compared hand, and what it won in the deal.

    If bots are ranked by chips earned, `luck` is how many of the chips in `won` were luck of the board. Otherwise
    `luck` is 0. The deciding point is the first at which bots did different things after the same betting. `at` is the
    index in `acts` of this bot's act there, or -1 if the betting at its table never came to that point.
    """

    bot: int
    game: int
    acts: tuple[SeatAct, ...]
    won: int
    at: int = -1
    luck: int = 0

    @property
    def score(self) -> int:
        """The bot's score: what it has won, minus its luck."""
        return self.won - self.luck


class TableOfDeal(Struct, frozen=True):
    """A table of a deal: its game, the bots in seat order, and each bot's chips `won` and `luck` (see `SeatHeld`)."""

    game: int
    seats: tuple[int, ...]
    won: tuple[int, ...]
    luck: tuple[int, ...] = ()

    def won_by(self, bot: int) -> int:
        """Returns how many chips `bot` has won at this table."""
        return self.won[self.seats.index(bot)]


class DealComparison(Struct, frozen=True):
    """What the bots made of a deal, in which several tables play the same cards. The main table, the one on air, is
    first.

    The bots in `seat` are compared, in hand `hand` of the deal. `position` is what a poker player calls that seat, such
    as "under the gun" or "in the big blind". These bots have the same `cards`. At the deciding point on `street`, after
    the same betting, they did different things. Of the bots that acted differently there, `best` and `worst` are the
    two whose scores differ most. `held` lists the bots that came to the deciding point, then the other bots in that
    seat, each group best first. If all tables played `alike`, there is nothing to compare, and the seat is -1. `board`
    is the longest board of this hand at any table.
    """

    deal: int
    tables: tuple[TableOfDeal, ...]
    alike: bool = True
    hand: int = 0
    seat: int = -1
    street: Street = "preflop"
    cards: tuple[Card, ...] = ()
    board: tuple[Card, ...] = ()
    held: tuple[SeatHeld, ...] = ()
    best: int = 0
    worst: int = 0
    position: str = ""


class PairChance(Struct, frozen=True, array_like=True):
    """The chance, in tenths of a percent, that bot `one` is better than bot `other`."""

    one: int
    other: int
    chance: int


Mark = Literal[
    "Upset", "Bad beat", "Big pot", "High hand", "All-in showdown", "Elimination", "Hero call", "Bluff"
]  # fmt: skip
"""Why a hand is worth remembering. `broadcast.commentary.drama` has the rules."""


class Checked(Struct, frozen=True):
    """A checked claim in a thought: its place in the text, whether the claim is `right`, and the truth if it is wrong.

    `start` and `end` are positions in characters (code points). `truth` is short, such as "has: one pair", or "" if the
    claim is right.

    A bot's `estimate` of its chance to win is checked, too. For an estimate, `truth` is the real chance as it is shown
    at the seat, such as "real: 35%". An estimate is `right` if it is at most 20 percentage points off. It is also
    `close` if it is at most 10 points off, or at most 2 points if the real chance is 0 or 100 %.
    """

    start: int
    end: int
    right: bool
    truth: str = ""
    estimate: bool | UnsetType = UNSET
    close: bool | UnsetType = UNSET


class Calibration(Struct, frozen=True, array_like=True):
    """Estimates of winning of about the same size, such as 60 % to 70 %. The means are from 0 to 1.

    `said` is the mean of the estimates. `real` is the mean of the real chances, computed from all bots' cards.
    """

    estimates: int
    said: float
    real: float


class ReadingScores(Struct, frozen=True, omit_defaults=True):
    """How true a bot's thoughts were: its claims about what it could know, and its estimates of its chance to win.

    `brier` is the mean Brier score of its estimates against the real chances, or null without estimates. A lower score
    is better. A bot that always says 50 % gets about 0.25. `calibration` has a line for each range of ten percentage
    points, 0-10 % first.

    The bot reports that it has used `tokens` tokens in all, and has spent `cost_millionths` millionths of a dollar.
    Nobody can check these numbers. A number that the bot does not report is null.
    """

    thoughts: int = 0
    claims: int = 0
    false_claims: int = 0
    estimates: int = 0
    brier: float | None = None
    calibration: tuple[Calibration, ...] = ()
    hands: int = 0
    """The number of hands dealt to the bot."""
    answers: int = 0
    """The number of decisions that the bot made itself."""
    think_ms: int = 0
    """The total thinking time of all answers."""
    tokens: int | None = None
    cost_millionths: int | None = None


class BotStatistics(Struct, frozen=True, omit_defaults=True):
    """How a bot has played so far on air, in numbers of hands, chips and milliseconds.

    Some counts come with the number of chances, such as `three_bets` with `three_bet_chances`. The glossary defines all
    counts.
    """

    bot: int
    hands: int = 0
    vpip: int = 0
    """Hands in which the bot put chips in voluntarily before the flop."""
    pfr: int = 0
    """Hands in which the bot raised before the flop."""
    bets: int = 0
    """Bets and raises, on every street."""
    calls: int = 0
    showdowns: int = 0
    """Hands in which the bot stayed in to the end against others. Its cards need not have been shown."""
    showdowns_won: int = 0
    all_ins: int = 0
    """Hands in which the board was run out after an all-in, so that luck decided."""
    luck: int = 0
    """The chips that the bot won by luck of the board."""
    biggest_pot: int = 0
    """The most chips that the bot won in one hand."""
    biggest_with: str = ""
    answers: int = 0
    think_ms: int = 0
    """The total thinking time of all answers."""
    faults: int = 0
    vpip_chances: int = 0
    pfr_chances: int = 0
    three_bets: int = 0
    three_bet_chances: int = 0
    three_bet_folds: int = 0
    """Hands in which the bot made the first raise and folded to the second."""
    three_bet_fold_chances: int = 0
    c_bets: int = 0
    c_bet_chances: int = 0
    c_bet_folds: int = 0
    """Hands in which the bot folded to another bot's continuation bet."""
    c_bet_fold_chances: int = 0
    flops: int = 0
    """Hands in which the bot saw the flop, so that it could go to the showdown."""
    aggressive: int = 0
    """Bets and raises after the flop."""
    aggressive_chances: int = 0
    """All actions after the flop except checks."""
    won: int = 0
    """The chips won minus the chips lost, in all games."""
    earned: int | None = None
    """`won` minus `luck`, or null if that depends on unknown cards."""
    low: int | None = None
    """With 95 % confidence, a bot that plays like this earns on average between `low` and `high` chips in as many games
    as were played here. Both are null if unknown, and until the tournament is over.
    """
    high: int | None = None
    words: int = 0
    """The number of words in the bot's chat and notes."""
    reading: ReadingScores | None = None
    """How true the bot's thoughts were, or null without thoughts."""


class Taken(Struct, frozen=True, array_like=True):
    """The chips that bot `by` has won from bot `of` in all hands, minus the chips that `by` has lost to `of`."""

    by: int
    of: int
    chips: int


class Notice(Struct, frozen=True):
    """A text about something that stands out in the statistics: "Loosest", "Calamity Bayes, 61 % of hands"."""

    title: str
    bot: int
    text: str


class Outcome(Struct, frozen=True, omit_defaults=True):
    """The outcome of a decision in one case, such as "2nd, 1,300 behind".

    `rival` is the bot that is ahead, or 0. `title` is the chance to win the title in this case, in tenths of a percent.
    `title` is None if chips do not decide the title.
    """

    case: Literal["wins", "loses", "shares", "folds"]
    text: str
    rival: int = 0
    title: int | None = None

"""What both events and the picture are made of."""

from typing import Literal

from msgspec import Struct


class Standing(Struct, frozen=True):
    """A row of the standings. `moved` is places gained (+) or lost (-); `place` is 0 while it still has chips.

    In a series `wins` are the games it has won.
    """

    rank: int
    bot: int
    stack: int
    moved: int
    games: int
    place: int = 0
    wins: int = 0


Mark = Literal[
    "Upset", "Bad beat", "Big pot", "High hand", "All-in showdown", "Elimination", "Hero call", "Bluff"
]  # fmt: skip
"""What a hand may be remembered for; `broadcast.commentary.drama` has the rules."""


class BotStatistics(Struct, frozen=True, omit_defaults=True):
    """How a bot has played in this tournament, as far as it was on air. Counts of hands, chips, milliseconds.

    Each count of what it did has one of how often it could: three_bets of three_bet_chances. The glossary defines them.
    """

    bot: int
    hands: int = 0
    vpip: int = 0
    """Hands in which it put chips in before the flop of its free will."""
    pfr: int = 0
    """Hands in which it raised before the flop."""
    bets: int = 0
    """Bets and raises, on every street."""
    calls: int = 0
    showdowns: int = 0
    """Hands in which it was in to the end with others, shown or not."""
    showdowns_won: int = 0
    all_ins: int = 0
    """Hands that were run out with all chips in, so that luck decided."""
    luck: int = 0
    """Chips that the cards of the board gave it, beyond what it could expect before they were dealt."""
    biggest_pot: int = 0
    """The most it won in one hand."""
    biggest_with: str = ""
    answers: int = 0
    think_ms: int = 0
    """All its answers together."""
    faults: int = 0
    vpip_chances: int = 0
    pfr_chances: int = 0
    three_bets: int = 0
    three_bet_chances: int = 0
    three_bet_folds: int = 0
    """Hands in which it raised first, was raised again, and folded to that."""
    three_bet_fold_chances: int = 0
    c_bets: int = 0
    c_bet_chances: int = 0
    c_bet_folds: int = 0
    """Hands in which it folded to a continuation bet of another bot."""
    c_bet_fold_chances: int = 0
    flops: int = 0
    """Hands in which it was in when the flop came: so often it could go to the showdown."""
    aggressive: int = 0
    """Bets and raises after the flop."""
    aggressive_chances: int = 0
    """All it did after the flop but checking."""
    won: int = 0
    """Chips by which its stack has grown in all games."""
    earned: int | None = None
    """`won` without `luck`; null where that depends on cards that nobody knows."""
    low: int | None = None
    """From here to `high` lies what it earns so often in the long run, with 95 %; null where that cannot be told, and
    until all is over.
    """
    high: int | None = None
    words: int = 0
    """Words it has said."""


class Taken(Struct, frozen=True, array_like=True):
    """What the bot `by` has won from the bot `of` in all hands, in chips, less what it has lost to it."""

    by: int
    of: int
    chips: int


class Notice(Struct, frozen=True):
    """What stands out in the statistics, in words: "Loosest", "Calamity Bayes, 61 % of hands"."""

    title: str
    bot: int
    text: str


class Outcome(Struct, frozen=True, omit_defaults=True):
    """What comes of a decision in one case: "2nd, 1,300 behind", and who stands there as `rival`, a bot; 0: nobody.

    `title` is the chance to win the title then, in tenths of a percent; None where the chips do not tell it.
    """

    case: Literal["wins", "loses", "shares", "folds"]
    text: str
    rival: int = 0
    title: int | None = None

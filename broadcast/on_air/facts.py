"""Types that both events and the picture use."""

from typing import Literal

from msgspec import Struct


class Standing(Struct, frozen=True):
    """A row of the standings. `moved` is places gained (+) or lost (-); `place` is 0 while it still has chips.

    In a series, `wins` counts the games it has won.
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
    """How a bot has played in this tournament, as far as it was on air: counts of hands, chips, milliseconds.

    Each count of what it did comes with how often it could: three_bets of three_bet_chances. The glossary defines them.
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
    """Hands in which it stayed to the end against others, whether its cards were shown or not."""
    showdowns_won: int = 0
    all_ins: int = 0
    """Hands that were run out with all chips in, so that luck decided."""
    luck: int = 0
    """Chips that the board gave it beyond what it could expect before it was dealt."""
    biggest_pot: int = 0
    """The most it won in one hand."""
    biggest_with: str = ""
    answers: int = 0
    think_ms: int = 0
    """Of all its answers together."""
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
    """Hands in which it saw the flop, and so could go to the showdown."""
    aggressive: int = 0
    """Bets and raises after the flop."""
    aggressive_chances: int = 0
    """All its actions after the flop but checks."""
    won: int = 0
    """Chips by which its stack has grown in all games."""
    earned: int | None = None
    """`won` less `luck`; null where that depends on unknown cards."""
    low: int | None = None
    """With 95 % confidence its long-run earnings lie between this and `high`; null where that is unknown, and until the
    tournament is over.
    """
    high: int | None = None
    words: int = 0
    """Words it has said in chat and notes."""


class Taken(Struct, frozen=True, array_like=True):
    """The chips that bot `by` has won from bot `of` in all hands, less what it has lost to it."""

    by: int
    of: int
    chips: int


class Notice(Struct, frozen=True):
    """What stands out in the statistics, in words: "Loosest", "Calamity Bayes, 61 % of hands"."""

    title: str
    bot: int
    text: str


class Outcome(Struct, frozen=True, omit_defaults=True):
    """The outcome of a decision in one case: "2nd, 1,300 behind", with the bot it is measured against as `rival`, or 0.

    `title` is the chance to win the title then, in tenths of a percent; None where the chips do not decide it.
    """

    case: Literal["wins", "loses", "shares", "folds"]
    text: str
    rival: int = 0
    title: int | None = None

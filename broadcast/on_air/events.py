"""The events that only the show adds to those of the log, and how an entry on air is written as JSON."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from server.game.events import Event


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


class StandingsChanged(Event, frozen=True):
    """The table of the stage, best first. The first `advance` go on to the next stage; 0: no line is drawn."""

    rows: tuple[Standing, ...]
    advance: int = 0


class CaptionSpoken(Event, frozen=True):
    """What just happened, in words."""

    text: str


class LineSpoken(Event, frozen=True, omit_defaults=True):
    """The caption of this moment, spoken: `sound` is a file of `ms` milliseconds in /media.

    One to `describe` the picture is for pages with `?voice=describe` alone.
    """

    sound: str
    ms: int
    describe: bool = False


class HandNamed(Event, frozen=True):
    """What the hand that a seat has just shown is called beside the others: with the kicker that decides, if one does.

    It replaces the name that the log gave it.
    """

    seat: int
    ranking: str


class HandTold(Event, frozen=True):
    """What a hand came to, in words: its pots one by one, who won them, and with what."""

    text: str


class Chance(Struct, frozen=True):
    """How the hand of a seat stands with the board as it lies: to win and to tie, in tenths of a percent."""

    seat: int
    win: int
    tie: int


class EquitiesChanged(Event, frozen=True):
    """The chances of every hand that is still in, by seat. Empty once only one is left."""

    chances: tuple[Chance, ...]


Mark = Literal[
    "Upset", "Bad beat", "Big pot", "High hand", "All-in showdown", "Elimination", "Hero call", "Bluff"
]  # fmt: skip
"""What a hand may be remembered for; `broadcast.commentary.drama` has the rules."""


class HighlightMarked(Event, frozen=True):
    """A hand that was on air is worth a mark: who earned it, and how much of a story the hand was, 0 to 100."""

    mark: Mark
    hand: int
    seats: tuple[int, ...]
    score: int


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


class StatisticsChanged(Event, frozen=True, omit_defaults=True):
    """How all bots have played in `hands` hands, and what stands out.

    `crosstable` has the pairs of which one has taken chips from the other; what a bot took from all others, less what
    they took from it, is what it has `won`. With the last of the tournament come `awards`, and as that is `closing` the
    picture shows all of it.
    """

    rows: tuple[BotStatistics, ...]
    notices: tuple[Notice, ...] = ()
    hands: int = 0
    crosstable: tuple[Taken, ...] = ()
    awards: tuple[Notice, ...] = ()
    closing: bool = False


class Outcome(Struct, frozen=True, omit_defaults=True):
    """What comes of a decision in one case: "2nd, 1,300 behind", and who stands there as `rival`, a bot; 0: nobody.

    `title` is the chance to win the title then, in tenths of a percent; None where the chips do not tell it.
    """

    case: Literal["wins", "loses", "shares", "folds"]
    text: str
    rival: int = 0
    title: int | None = None


class StakesShown(Event, frozen=True):
    """What the decision that this seat has to take means, case by case: if it calls and wins, or loses, or folds."""

    seat: int
    outcomes: tuple[Outcome, ...]


class TitleChance(Struct, frozen=True):
    """A bot's chance to win the title, in tenths of a percent."""

    bot: int
    chance: int


class TitleOddsChanged(Event, frozen=True):
    """How likely each bot of the stage is to win the title, as far as the chips tell it."""

    chances: tuple[TitleChance, ...]


class PaceChanged(Event, frozen=True):
    """The show goes on at this speed: at 1 the hold times are as in their table, at 2 half as long."""

    speed: float


class ReplayStarted(Event, frozen=True):
    """The events from here to `ReplayEnded` show a hand again; after it the picture is as it was before.

    `picture` is the one in which the hand began, or that of a later street from which it is shown; `told` is the
    caption that introduces it. Another replay may follow at once.
    """

    hand: int
    picture: dict[str, Any]
    told: str = ""


class ReplayEnded(Event, frozen=True):
    """The replay is over: the picture is again as it was before it."""


class TroubleShown(Event, frozen=True):
    """Why everybody waits, in words; "" once it is over."""

    text: str


class StorylineShown(Event, frozen=True):
    """What the commentators have put on the lower third, in place of the caption; "" once its time is over."""

    text: str


class OnAirEntry(Struct, frozen=True):
    """An event on air: its gapless number, its moment since the show began, and how long it holds the screen."""

    seq: int
    at_ms: int
    hold_ms: int
    event: Event

    def text(self) -> bytes:
        """One JSON object: `{"seq":…,"at_ms":…,"hold_ms":…,"type":…, …}`."""
        return b'{"seq":%d,"at_ms":%d,%s' % (self.seq, self.at_ms, self.rest())

    def rest(self) -> bytes:
        """The same without the number and the moment: `"hold_ms":…,"type":…, …}`."""
        return b'"hold_ms":%d,%s' % (self.hold_ms, msgspec.json.encode(self.event)[1:])

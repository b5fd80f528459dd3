"""The events that only the show adds to those of the log, and how an entry on air is written as JSON."""

import msgspec
from msgspec import Struct

from broadcast.on_air.facts import BotStatistics, Mark, Notice, Outcome, Standing, Taken
from broadcast.on_air.picture_state import State
from broadcast.on_air.scenes import SceneName
from server.game.events import Event, HouseEvent


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


class HighlightMarked(Event, frozen=True):
    """A hand that was on air is worth a mark: who earned it, and how much of a story the hand was, 0 to 100."""

    mark: Mark
    hand: int
    seats: tuple[int, ...]
    score: int


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


class SceneShown(Event, frozen=True):
    """A scene interrupts the table; the next event of the hand ends it."""

    scene: SceneName


class ReplayStarted(Event, frozen=True):
    """The events from here to `ReplayEnded` show a hand again; after it the picture is as it was before.

    `picture` is the one in which the hand began, or that of a later street from which it is shown; `told` is the
    caption that introduces it. Another replay may follow at once.
    """

    hand: int
    picture: State
    told: str = ""


class ReplayEnded(Event, frozen=True):
    """The replay is over: the picture is again as it was before it."""


class TroubleShown(Event, frozen=True):
    """Why everybody waits, in words; "" once it is over."""

    text: str


class StorylineShown(Event, frozen=True):
    """What the commentators have put on the lower third, in place of the caption; "" once its time is over."""

    text: str


OnFilm = HouseEvent | (
    CaptionSpoken | EquitiesChanged | HandNamed | HandTold | HighlightMarked | LineSpoken | PaceChanged
    | SceneShown | StakesShown | StandingsChanged | StatisticsChanged | TitleOddsChanged
)  # fmt: skip
"""The events that a film may hold."""


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

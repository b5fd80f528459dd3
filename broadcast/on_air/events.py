"""The events that the show adds to those of the log, and an entry on air as JSON."""

import msgspec
from msgspec import Struct

from broadcast.on_air.facts import BotStatistics, Mark, Notice, Outcome, Standing, Taken
from broadcast.on_air.picture_state import State
from broadcast.on_air.scenes import SceneName
from server.game.events import Event, HouseEvent


class StandingsChanged(Event, frozen=True):
    """The standings of the stage, best first. The first `advance` go on to the next stage; 0: no line is drawn."""

    rows: tuple[Standing, ...]
    advance: int = 0


class CaptionSpoken(Event, frozen=True):
    """What just happened, in words."""

    text: str


class LineSpoken(Event, frozen=True, omit_defaults=True):
    """The caption of this moment, spoken: `sound` is a file of `ms` milliseconds in /media.

    Lines that `describe` the picture are only for pages with `?voice=describe`.
    """

    sound: str
    ms: int
    describe: bool = False


class HandNamed(Event, frozen=True):
    """The name of a hand just shown, compared with the others: with the deciding kicker, if there is one.

    It replaces the name from the log.
    """

    seat: int
    ranking: str


class HandTold(Event, frozen=True):
    """How a hand ended, in words: each pot, who won it, and with what."""

    text: str


class Chance(Struct, frozen=True):
    """The chances of a seat on the present board, to win and to tie, in tenths of a percent."""

    seat: int
    win: int
    tie: int


class EquitiesChanged(Event, frozen=True):
    """The chances of every hand still in, by seat. Empty once only one is left."""

    chances: tuple[Chance, ...]


class HighlightMarked(Event, frozen=True):
    """A hand that was on air earned a mark: which seats earned it, and how dramatic it was, 0 to 100."""

    mark: Mark
    hand: int
    seats: tuple[int, ...]
    score: int


class StatisticsChanged(Event, frozen=True, omit_defaults=True):
    """How all bots have played in `hands` hands, and what stands out.

    `crosstable` has the pairs in which one bot has taken chips from the other; what a bot took from all others, less
    what they took from it, is what it has `won`. The last statistics of a tournament are `closing`: they have `awards`,
    and the picture shows all of them.
    """

    rows: tuple[BotStatistics, ...]
    notices: tuple[Notice, ...] = ()
    hands: int = 0
    crosstable: tuple[Taken, ...] = ()
    awards: tuple[Notice, ...] = ()
    closing: bool = False


class StakesShown(Event, frozen=True):
    """What this seat's decision means, case by case: if it calls and wins, or loses, or folds."""

    seat: int
    outcomes: tuple[Outcome, ...]


class TitleChance(Struct, frozen=True):
    """A bot's chance to win the title, in tenths of a percent."""

    bot: int
    chance: int


class TitleOddsChanged(Event, frozen=True):
    """How likely each bot of the stage is to win the title, judging by the chips."""

    chances: tuple[TitleChance, ...]


class PaceChanged(Event, frozen=True):
    """The show goes on at this speed: at 1 the hold times are those of their table, at 2 half as long."""

    speed: float


class SceneShown(Event, frozen=True):
    """A scene interrupts the table; the next event of the hand ends it."""

    scene: SceneName


class ReplayStarted(Event, frozen=True):
    """The events from here to `ReplayEnded` show a hand again; then the picture returns to what it was.

    `picture` is the one in which the hand began, or a later street from which it is shown; `told` is the caption that
    introduces it. Another replay may follow at once.
    """

    hand: int
    picture: State
    told: str = ""


class ReplayEnded(Event, frozen=True):
    """The replay is over: the picture is again what it was before."""


class TroubleShown(Event, frozen=True):
    """Why everybody waits, in words; "" once it is over."""

    text: str


class StorylineShown(Event, frozen=True):
    """What the commentators have put on the lower third instead of the caption; "" once its time is over."""

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

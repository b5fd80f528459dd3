"""Defines the events that the show adds to the recorded events, and the entries that go on air as JSON."""

import msgspec
from msgspec import Struct

from broadcast.on_air.picture_state import Role, State, ZoomLevel
from broadcast.on_air.scenes import SceneName
from broadcast.on_air.shared_types import (
    BotStatistics,
    Checked,
    DealComparison,
    Mark,
    Notice,
    Outcome,
    PairChance,
    Standing,
    Taken,
)
from server.game.events import Event, JournalEvent


class StandingsChanged(Event, frozen=True):
    """The standings of the stage, best first. The first `advance` bots advance to the next stage.

    If `advance` is 0, the page draws no line between bots that advance and other bots.
    """

    rows: tuple[Standing, ...]
    advance: int = 0


class CaptionSpoken(Event, frozen=True):
    """A caption about what has just happened."""

    text: str


class LineSpoken(Event, frozen=True, omit_defaults=True):
    """The caption of this moment is spoken. `sound` is the name of a file in /media that lasts `ms` milliseconds.

    Lines that `describe` the picture are only for pages with `?voice=describe`. If `bot` is set, the sound is not the
    caption, but this bot's thought, which is on screen. The sound of a thought begins after the spoken caption, and
    ends when the thought leaves the screen.
    """

    sound: str
    ms: int
    describe: bool = False
    bot: int = 0


class HandNamed(Event, frozen=True):
    """The name of a hand that was just shown. The name includes the kicker if the kicker decides who wins.

    This name replaces the name in the recording.
    """

    seat: int
    ranking: str


class HandTold(Event, frozen=True):
    """A text about how a hand ended: each pot, who won it, and with which cards."""

    text: str


class Chance(Struct, frozen=True):
    """A seat's chances to win and to tie on the current board, in tenths of a percent."""

    seat: int
    win: int
    tie: int


class EquitiesChanged(Event, frozen=True):
    """The chances to win and to tie of all hands that have not folded. The list is empty once only one hand is left."""

    chances: tuple[Chance, ...]


class HighlightMarked(Event, frozen=True):
    """The hand on air has earned a mark, such as "Bluff". `seats` are the seats that earned the mark. `score` is the
    hand's drama, from 0 to 100.
    """

    mark: Mark
    hand: int
    seats: tuple[int, ...]
    score: int


class StatisticsChanged(Event, frozen=True, omit_defaults=True):
    """How all bots have played in `hands` hands, and what stands out.

    `crosstable` says for each pair of bots which one has won chips from the other, and how many. In `rows`, a bot's
    `won` is how many chips the bot took from others, minus the chips that others took from it. The last statistics of a
    tournament are `closing`, and have the `awards` that the picture shows.
    """

    rows: tuple[BotStatistics, ...]
    notices: tuple[Notice, ...] = ()
    hands: int = 0
    crosstable: tuple[Taken, ...] = ()
    awards: tuple[Notice, ...] = ()
    closing: bool = False


class StakesShown(Event, frozen=True):
    """What is at stake in this seat's decision. Says how the bot would stand if it calls and wins, calls and loses, or
    folds.
    """

    seat: int
    outcomes: tuple[Outcome, ...]


class FocusChanged(Event, frozen=True):
    """How far the picture is zoomed in from now on, which seat has the viewers' attention, and why (`role`). A zoomed
    picture shows only `seats`. The focus ends when the next hand starts.

    At a `silent` moment, bots' words wait, and the caption is spoken only for people who cannot see the picture.
    """

    near: ZoomLevel
    seats: tuple[int, ...]
    seat: int | None
    role: Role
    silent: bool


class TitleChance(Struct, frozen=True):
    """A bot's chance to win the title, in tenths of a percent."""

    bot: int
    chance: int


class TitleOddsChanged(Event, frozen=True):
    """How likely each bot of the stage is to win the title, computed from the chips or from the results of deals."""

    chances: tuple[TitleChance, ...]


class DealCompared(Event, frozen=True):
    """The comparison of a deal: what the bots made of the same cards. All tables of the deal have been played, and the
    main table has been on air.
    """

    deal: DealComparison


class PairsCompared(Event, frozen=True):
    """How likely each bot of the stage is to be better than each other bot. Each pair occurs once."""

    chances: tuple[PairChance, ...]


class PaceChanged(Event, frozen=True):
    """The show runs at this speed from now on. At 2, each event stays on screen for half its usual time."""

    speed: float


class SceneShown(Event, frozen=True):
    """A scene interrupts the table until the next event of the hand."""

    scene: SceneName


class ReplayStarted(Event, frozen=True):
    """The events from here to `ReplayEnded` show a hand again.

    `picture` is the picture with which the replay starts, at the start of the hand or of a later street. `told` is the
    caption that introduces the replay. After the replay, the picture becomes what it was before. Another replay may
    follow at once.
    """

    hand: int
    picture: State
    told: str = ""


class ReplayEnded(Event, frozen=True):
    """The replay is over: the picture becomes what it was before."""


class TroubleShown(Event, frozen=True):
    """A text that says why the show has to wait, or "" once the wait is over."""

    text: str


class StorylineTold(Event, frozen=True):
    """The caption of this moment is a storyline (a fact worth telling) about `bot`. The caption is shown beside the
    bot's face, like the bot's own words.
    """

    bot: int
    text: str


class ThoughtShown(Event, frozen=True):
    """`bot`'s thought about the action of this moment is shown beside the bot's face, like the bot's chat. `text` is
    the part of the bot's note that says what the bot has, believes and does. Dots stand for what is left out.

    `checked` are the checked claims and the estimates of winning in `text`. Up to and including this thought, the bot
    has made `claims` claims, of which `false_claims` were false.
    """

    bot: int
    text: str
    checked: tuple[Checked, ...] = ()
    claims: int = 0
    false_claims: int = 0


class ThoughtChecked(Event, frozen=True):
    """The checked claims and estimates of the note that `bot` has just given. The note is about action number `action`
    of the hand, counted from 1.
    """

    bot: int
    action: int
    checked: tuple[Checked, ...]


class StorylineShown(Event, frozen=True):
    """The human commentators' text on the lower third, instead of the caption. The text is "" once its time is over."""

    text: str


FilmEvent = JournalEvent | (
    CaptionSpoken | DealCompared | EquitiesChanged | FocusChanged | HandNamed | HandTold | HighlightMarked | LineSpoken
    | PaceChanged | PairsCompared | SceneShown | StakesShown | StandingsChanged | StatisticsChanged | StorylineTold
    | ThoughtChecked | ThoughtShown | TitleOddsChanged
)  # fmt: skip
"""The events that a film, a recorded show, may contain."""


class OnAirEntry(Struct, frozen=True):
    """An event on air: its number (without gaps), its time since the show began, and how long it stays on screen."""

    seq: int
    at_ms: int
    hold_ms: int
    event: Event

    def to_json(self) -> bytes:
        """Returns a JSON object: `{"seq":…,"at_ms":…,"hold_ms":…,"type":…, …}`."""
        return b'{"seq":%d,"at_ms":%d,%s' % (self.seq, self.at_ms, self.json_tail())

    def json_tail(self) -> bytes:
        """Returns the JSON object from `hold_ms` on, without the number and the time before it: `"hold_ms":…,"type":…,
        …}`.
        """
        return b'"hold_ms":%d,%s' % (self.hold_ms, msgspec.json.encode(self.event)[1:])

"""Defines the answers of the API. Other people's programs rely on these types. Fields may be added, but not removed or
changed.
"""

from collections.abc import Sequence

from msgspec import Struct

from broadcast.archive.queries import BotRow, HandRow, RecordingRow
from broadcast.film.outline import FilmHand
from broadcast.live.channel import Condition
from broadcast.live.schedule import Schedule
from broadcast.on_air.picture_state import Bot, State, Statistics
from broadcast.on_air.scenes import SceneName
from broadcast.on_air.shared_types import BotStatistics


class ChannelOnAir(Struct, frozen=True):
    """A show. `epoch` changes when the show's program restarts. `last` is the number of the last entry on air."""

    channel: str
    title: str
    contest: str
    epoch: str
    last: int
    state: Condition
    scene: SceneName


class ChannelList(Struct, frozen=True):
    """All shows, the newest first. A tournament has one show, called `main`. Every practice game has its own show."""

    channels: Sequence[ChannelOnAir]


class NowOnAir(Struct, frozen=True):
    """What viewers see now. `pace` is the speed of the show. At 2, everything takes half its usual time."""

    channel: str
    epoch: str
    state: Condition
    pace: float
    picture: State


class StandingRow(Struct, frozen=True):
    """A bot in the standings. `chips` is the bot's stack before the current hand. In a stage of deals (several tables
    play the same cards), `chips` is what the bot has won in all deals.

    In a series of separate games, `wins` is the number of games won.
    """

    rank: int
    bot: int
    name: str
    player: str
    chips: int
    wins: int
    out: bool
    """Whether the bot is out of the contest. If so, `rank` is its final place."""


class CurrentStandings(Struct, frozen=True):
    """The standings of the stage on air, best first. The first `advance` bots advance to the next stage. `advance` is 0
    if no bot advances, or if the number is unknown.
    """

    channel: str
    stage: str
    advance: int
    rows: Sequence[StandingRow]


class CurrentSchedule(Struct, frozen=True):
    """The schedule of a show, as computed at `at_utc_ms`: what was played, what is being played and what follows."""

    channel: str
    at_utc_ms: int
    schedule: Schedule


class BotList(Struct, frozen=True):
    """The bots of a show."""

    channel: str
    bots: Sequence[Bot]


class OneBot(Struct, frozen=True):
    """A bot of a show, and how it has played. `statistics` is null until statistics have been on air."""

    channel: str
    bot: Bot
    statistics: BotStatistics | None


class NumberedHand(Struct, frozen=True):
    """A hand of a show. Hands are numbered from 1. Number 0 is everything before the first hand."""

    number: int
    hand: FilmHand


class HandList(Struct, frozen=True):
    """Hands that have been on air, from a given number on.

    If `more` is true, request further hands with the number after this list's last hand.
    """

    channel: str
    epoch: str
    more: bool
    hands: Sequence[NumberedHand]


class CurrentStatistics(Struct, frozen=True):
    """How all bots have played, as last shown on air. `names` maps the number of each bot to its name."""

    channel: str
    names: dict[str, str]
    statistics: Statistics


class LuckRow(Struct, frozen=True):
    """How many chips a bot won, and how many of these were luck of the cards. The glossary defines the terms.

    `earned` is `won` minus `luck`, or null if that depends on unknown cards. `low` and `high` are the limits of the
    95 % confidence interval for what the bot would earn on average in as many games. Both are null if unknown, and
    until the contest is over.
    """

    bot: int
    name: str
    hands: int
    won: int
    luck: int
    earned: int | None
    low: int | None
    high: int | None


class CurrentLuck(Struct, frozen=True):
    """Luck and skill of all bots, as last shown on air."""

    channel: str
    hands: int
    rows: Sequence[LuckRow]


class RecordingList(Struct, frozen=True):
    """A page of the recordings, the newest first. `reading` lists new recordings that are still being read."""

    page: int
    more: bool
    recordings: Sequence[RecordingRow]
    reading: Sequence[str]


class HandsFound(Struct, frozen=True):
    """A page of the hands that match a search in all recordings."""

    page: int
    more: bool
    hands: Sequence[HandRow]


class OneRecording(Struct, frozen=True):
    """A recording with its bots, best first, and a page of its hands."""

    recording: RecordingRow
    bots: Sequence[BotRow]
    page: int
    pages: int
    hands: Sequence[HandRow]

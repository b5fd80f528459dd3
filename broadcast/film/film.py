"""The film of a recording: every on-air entry with its time, made by the showrunner as in a show, but without waiting.

It is cut into pieces of whole hands, each with the picture it begins with: any moment is a few hundred entries away.
No files and no web pages here.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from broadcast.odds.worker import OddsWorker
from broadcast.on_air.diary import Aired, of_the_desk
from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.log import AirLog
from broadcast.on_air.picture_state import State
from broadcast.show.showrunner import Showrunner
from server.game.events import (
    BotEliminated,
    BotRated,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandStarted,
    PotAwarded,
    StageCut,
    StageEnded,
    StageStarted,
    TournamentEnded,
    TournamentOpened,
)
from server.journal.journal import Entry

PIECE_ENTRIES = 250
"""A piece ends with the hand in which it gets longer than this."""
BEYOND = (BotRated, GameEnded, StageCut, StageEnded, TournamentEnded)
"""Events that come after a hand and do not belong to it."""


class FilmHand(Struct):
    """One hand of a film with all that follows up to the next hand; number 0 is what comes before the first hand.

    `seq` is its first entry and `at_ms` its time in the film. The hand itself ends with entry `last_seq` at `until_ms`:
    the end of its win, or of the last duel that was lost in it. `piece` is the number of its piece. `won` is who took
    chips: bot, chips, ranking ("" where nobody had to show), the most first. `out` is who was eliminated: bot, entry.
    `stacks` are the chips of all bots after the hand, by the bot's number.
    """

    seq: int
    at_ms: int
    last_seq: int = 0
    until_ms: int = 0
    piece: int = 0
    stage: str = ""
    game: int = 0
    hand: int = 0
    pot: int = 0
    score: int = 0
    marks: list[str] = msgspec.field(default_factory=list)
    won: list[tuple[int, int, str]] = msgspec.field(default_factory=list)
    out: list[tuple[int, int]] = msgspec.field(default_factory=list)
    stacks: dict[str, int] = msgspec.field(default_factory=dict)


class FilmBot(Struct, frozen=True):
    """A bot of the film: its number, name and prepared picture ("" for the default)."""

    bot: int
    name: str
    avatar: str = ""


class Outline(Struct):
    """What a page needs of the whole film before it shows any moment of it. Times are milliseconds at speed 1."""

    title: str = ""
    begun: str = ""
    contest: str = ""
    entries: int = 0
    length_ms: int = 0
    finished: bool = False
    """Whether the contest came to its end."""
    bots: tuple[FilmBot, ...] = ()
    pieces: list[int] = msgspec.field(default_factory=list)
    """The number of the first entry of each piece."""
    hands: list[FilmHand] = msgspec.field(default_factory=list)
    """Number 0 holds what comes before the first hand."""


class Film(Struct, frozen=True):
    """A whole film: the outline, and every piece as JSON: `{"number": 0, "first": 1, "state": …, "entries": […]}`.

    `first` is the number of its first entry, `state` the picture before that.
    """

    outline: Outline
    pieces: tuple[bytes, ...]


class _Piece:
    def __init__(self, number: int, picture: State) -> None:
        self._number = number
        self._picture = picture
        self.texts: list[bytes] = []

    def text(self) -> bytes:
        """The piece as JSON."""
        picture, first = msgspec.json.encode(self._picture), self._picture["seq"] + 1
        entries = b",".join(self.texts)
        return b'{"number":%d,"first":%d,"state":%s,"entries":[%s]}' % (self._number, first, picture, entries)


class _FilmLog(AirLog):
    """An on-air log that keeps every entry, in pieces, and notes the outline."""

    def __init__(self) -> None:
        super().__init__("film", 1.0)
        self.outline = Outline(hands=[FilmHand(1, 0)], pieces=[1])
        self.pieces = [_Piece(0, self.picture)]
        self._stage = ""
        self._game = 0
        self._in_hand = False

    def recall(self, event: Event, at_ms: int, hold_ms: int) -> bytes:
        """Adds `event` as the next entry, on air at `at_ms` for `hold_ms`; the entry as JSON."""
        if isinstance(event, HandStarted):
            self._cut(event, at_ms)
        text = super().recall(event, at_ms, hold_ms)
        self.pieces[-1].texts.append(text)
        self._note(event)
        self._stretch(event, at_ms + hold_ms)
        self.outline.entries = self.last
        self.outline.length_ms = max(self.outline.length_ms, at_ms + hold_ms)
        return text

    def _cut(self, event: HandStarted, at_ms: int) -> None:
        if len(self.pieces[-1].texts) > PIECE_ENTRIES:
            self.pieces.append(_Piece(len(self.pieces), self.picture))
            self.outline.pieces.append(self.last + 1)
        piece = len(self.pieces) - 1
        begun = FilmHand(self.last + 1, at_ms, piece=piece, stage=self._stage, game=self._game, hand=event.hand)
        self.outline.hands.append(begun)

    def _note(self, event: Event) -> None:
        now = self.outline.hands[-1]
        match event:
            case TournamentOpened(title=title, contest=contest, entrants=entrants):
                self.outline.title, self.outline.contest = title, contest
                self.outline.bots = tuple(FilmBot(each.bot, each.name, each.avatar) for each in entrants)
            case StageStarted(title=title):
                self._stage = title
            case GameStarted(game=game):
                self._game = game
            case PotAwarded(amount=amount):
                now.pot += amount
            case HighlightMarked(mark=mark, score=score):
                now.marks.append(mark)
                now.score = score
            case BotEliminated(bot=bot):
                now.out.append((bot, self.last))
            case HandEnded():
                now.stacks = {bot: each["stack"] for bot, each in self.picture["bots"].items()}
                won = [(each["bot"], each["won"], each["ranking"]) for each in self.picture["seats"] if each["won"]]
                now.won = sorted(won, key=lambda each: -each[1])
            case TournamentEnded():
                self.outline.finished = True
            case _:
                pass

    def _stretch(self, event: Event, until_ms: int) -> None:
        """Lets the hand last until this `event` ends, unless the hand was over before."""
        self._in_hand = isinstance(event, HandStarted) or (self._in_hand and not isinstance(event, BEYOND))
        if self._in_hand:
            now = self.outline.hands[-1]
            now.last_seq, now.until_ms = self.last, max(now.until_ms, until_ms)


def film_of(entries: Sequence[Entry], begun: str = "") -> Film:
    """The film of a recording's `entries`, begun at `begun` (ISO 8601), without what was done at the desk.

    Runs an event loop of its own. Entries that do not follow from one another raise whatever they break.
    """
    log = _FilmLog()
    asyncio.run(run_show(log, [entry for entry in entries if not of_the_desk(entry.event)]))
    log.outline.begun = begun
    return Film(log.outline, tuple(piece.text() for piece in log.pieces))


def film_as_it_ran(entries: Sequence[Entry], past: Sequence[Aired], begun: str = "") -> Film:
    """The film of a recording's show with the times at which it was on air, breaks included, from its diary `past`.

    While hands were shown again the picture stands still. Runs an event loop of its own. Entries that do not follow
    from one another raise whatever they break.
    """
    log = _FilmLog()
    last = max((line.seq for line in past), default=0)
    asyncio.run(run_show(log, entries[:last], past))
    log.outline.begun = begun
    return Film(log.outline, tuple(piece.text() for piece in log.pieces))


async def run_show(air: AirLog, entries: Sequence[Entry], past: Sequence[Aired] = ()) -> None:
    """Puts all of `entries` on `air` without waiting, at the times of the diary `past` as far as it goes."""
    odds = OddsWorker()
    now = 0.0

    async def pass_by(seconds: float) -> None:
        nonlocal now
        await odds.done()  # a show would do without what is not ready: here it always is
        now += seconds

    show = Showrunner(air, clock=lambda: now, sleep=pass_by, past=past, odds=odds)
    await show.run(_each(entries))


async def _each(entries: Sequence[Entry]) -> AsyncIterator[Entry]:
    for entry in entries:
        yield entry


def read_piece(text: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The picture a piece begins with, and its entries; `text` is a piece as `Film` holds it, JSON of our own."""
    piece = msgspec.json.decode(text)
    return piece["state"], piece["entries"]

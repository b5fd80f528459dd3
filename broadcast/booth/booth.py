"""The commentators' booth: its web routes, the requests of its pages, and the message to these pages.

Commentators read facts on the pages, and put storylines, such as a bot's comeback, on air. Everybody with the
operator's view-only token may use the booth, because it accepts only true storylines. The message to the pages contains
only what has been on air.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import UNSET, Struct
from msgspec.structs import replace

from broadcast.booth.live_hands import live_hands
from broadcast.booth.notebook import Notebook
from broadcast.booth.standings_if_wins import standings_if_wins
from broadcast.commentary.storylines.storyline import Storyline, TalkingPoints
from broadcast.desk.desk import INVALID_REQUEST, Said
from broadcast.desk.operators import DeskSocket, DeskUser, fit_name
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import OnAirEntry, ThoughtChecked
from broadcast.on_air.picture_state import Bot, State
from broadcast.on_air.shared_types import Checked
from broadcast.show.showrunner import Showrunner
from broadcast.web.access import REQUIRES_OWN_PAGE
from broadcast.web.routes import Json, JsonBody, JsonError, Route
from server.game.events import ChatSent, ControlSet, NoteGiven, TournamentOpened
from server.journal.studio_link import BotReport, ShowItem
from server.token_bucket import TokenBucket


class _AnnounceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/booth/tell: puts the storyline `key` on air. The key "" removes the current storyline. A
    `pinned` storyline stays until somebody removes it.
    """

    key: str
    pinned: bool = False


class _NoteRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/booth/note: writes a note."""

    text: str
    by: str = ""


class _EraseRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/booth/erase: removes note `number`."""

    number: int


class _TickRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of /api/booth/tick: marks an item of the programme, counted from 0, as done or not done."""

    item: int
    done: bool


_AnnounceBody = Annotated[_AnnounceRequest, Depends(JsonBody(_AnnounceRequest, INVALID_REQUEST))]
_NoteBody = Annotated[_NoteRequest, Depends(JsonBody(_NoteRequest, INVALID_REQUEST))]
_EraseBody = Annotated[_EraseRequest, Depends(JsonBody(_EraseRequest, INVALID_REQUEST))]
_TickBody = Annotated[_TickRequest, Depends(JsonBody(_TickRequest, INVALID_REQUEST))]


class _BotLine(Struct, frozen=True):
    """A bot's words in a hand. If `note` is true, they are a note on the bot's own play, and `checked` has the claims
    in the note. Otherwise they are chat.
    """

    game: int
    hand: int
    text: str
    note: bool
    checked: tuple[Checked, ...] = ()


UNSIGNED_AUTHOR = "commentator"
"""The author of unsigned notes."""
MAX_PER_MINUTE = 120
"""All pages together may make at most this many changes per minute, because most changes are written to disk."""
MAX_BOT_LINES, MAX_STORYLINES, MAX_STORYLINE_HANDS = 5, 24, 6
"""A message contains at most MAX_BOT_LINES notes and chat lines of each bot, MAX_STORYLINES storylines, and
MAX_STORYLINE_HANDS hands of each storyline.
"""


class Booth:
    """The commentators' booth for the show in the on-air log `air`."""

    def __init__(
        self,
        air: AirLog,
        show: Callable[[], Showrunner | None],
        *,
        notebook: Path | None = None,
        bots: Sequence[BotReport] = (),
        run_of_show: Sequence[ShowItem] = (),
    ) -> None:
        """`show` returns the current show or None. `notebook` is the file of the commentators' notes. If `notebook` is
        None, the notes are kept in memory.

        `bots` has the organiser's facts about the bots, and `run_of_show` is the organiser's programme.
        """
        self._show = show
        self._run_of_show = run_of_show
        self._air = air
        self._reports = {each.bot: each for each in bots}
        self._notebook = Notebook(notebook)
        self._change_limit = TokenBucket(MAX_PER_MINUTE, MAX_PER_MINUTE / 60, time.time)
        self._change_count = 0
        self._socket = DeskSocket(self._message)
        self._bot_lines: dict[int, list[_BotLine]] = {}
        """The latest words of each bot, the newest last, keyed by the bot's number."""
        self._shared_message: tuple[object, bytes] = (None, b"")
        """The state of the show, and the part of the message that all pages get in this state."""
        air.recorders.add(self._collect_bot_lines)

    def router(self, templates: Jinja2Templates) -> APIRouter:
        router = APIRouter(route_class=Route)
        router.add_api_websocket_route("/ws/booth", self._socket)
        changes = APIRouter(route_class=Route, dependencies=REQUIRES_OWN_PAGE)
        changes.add_api_route("/api/booth/tell", self.announce, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/booth/note", self.write_note, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/booth/erase", self.erase, methods=["POST"], response_model=Said)
        changes.add_api_route("/api/booth/tick", self.tick, methods=["POST"], response_model=Said)
        router.include_router(changes)

        @router.get("/booth")
        async def booth(request: Request) -> Response:
            return templates.TemplateResponse(request, "desk/booth.html")

        return router

    async def announce(self, request: _AnnounceBody) -> Json:
        """Puts a storyline on the lower third, or removes the current one."""
        self._check_change_rate()
        show = self._show()
        if show is None:
            raise JsonError(409, "no show is on air")
        if not request.key:
            show.storyline.end()
            return self._reply("the caption is back")
        line = next((each for each in show.talking_points.lines if each.key == request.key), None)
        if line is None:
            raise JsonError(409, "this storyline is no longer true")
        show.announce(line, pinned=request.pinned)
        return self._reply("the storyline is on air")

    async def write_note(self, request: _NoteBody) -> Json:
        """Writes a note."""
        self._check_change_rate()
        try:
            self._notebook.write(request.text, fit_name(request.by) or UNSIGNED_AUTHOR, int(time.time()))
        except ValueError as error:
            raise JsonError(400, str(error)) from None
        return self._reply("note written")

    async def erase(self, request: _EraseBody) -> Json:
        """Removes a note."""
        self._check_change_rate()
        try:
            self._notebook.erase(request.number)
        except ValueError as error:
            raise JsonError(409, str(error)) from None
        return self._reply("note erased")

    async def tick(self, request: _TickBody) -> Json:
        """Marks an item of the run of the show."""
        self._check_change_rate()
        if not 0 <= request.item < len(self._run_of_show):
            raise JsonError(400, f"the run of the show has {len(self._run_of_show)} items; there is no {request.item}")
        self._notebook.tick(request.item, done=request.done)
        return self._reply("done" if request.done else "not done")

    def _check_change_rate(self) -> None:
        """Counts a change. Raises JsonError if there were too many changes in a short time."""
        if not self._change_limit.spend(1):
            raise JsonError(429, f"the booth accepts {MAX_PER_MINUTE} changes a minute; wait a moment")
        self._change_count += 1

    def _reply(self, words: str) -> Json:
        return Json(Said(words, self._change_count))

    def _collect_bot_lines(self, entry: OnAirEntry, _before: State, picture: State) -> None:
        """Collects a bot's words in an entry on air, except in replays. `picture` is the picture after the entry."""
        event = entry.event
        if isinstance(event, TournamentOpened):
            self._bot_lines = {}
        elif isinstance(event, ControlSet) and event.control == "chat":
            self._bot_lines.pop(event.bot, None)
        elif isinstance(event, ControlSet) and event.control == "thoughts":
            self._bot_lines = {bot: [each for each in words if not each.note] for bot, words in self._bot_lines.items()}
        elif isinstance(event, ThoughtChecked) and not picture.replay and (words := self._bot_lines.get(event.bot)):
            words[-1] = replace(words[-1], checked=event.checked)
        elif isinstance(event, ChatSent | NoteGiven) and not picture.replay:
            game, hand = picture.game, picture.hand
            is_note = isinstance(event, NoteGiven)
            text = event.thought if isinstance(event, NoteGiven) and event.thought is not UNSET else event.text
            said = _BotLine(game.game if game else 0, hand.hand if hand else 0, text, is_note)
            self._bot_lines[event.bot] = [*self._bot_lines.get(event.bot, ()), said][-MAX_BOT_LINES:]

    def _message(self, user: DeskUser) -> bytes:
        """Returns the message for the page of `user` as a JSON object. The part that is the same for all pages is
        encoded once per change.
        """
        show = self._show()
        shown_state = (
            id(show),
            self._air.last_seq,
            self._notebook.content,
            show and (show.storyline.text, show.storyline.pinned),
        )
        if self._shared_message[0] != shown_state:
            self._shared_message = shown_state, msgspec.json.encode(self._shared_part(show))
        return b'{"name":%s,%s' % (msgspec.json.encode(user.name), self._shared_message[1][1:])

    def _shared_part(self, show: Showrunner | None) -> dict[str, Any]:
        picture, notebook = self._air.picture, self._notebook.content
        talk = show.talking_points if show else TalkingPoints()
        items = enumerate(self._run_of_show)
        # `tempo` is "short" or "long" if the hand on air will take an unusual time, and otherwise "".
        return {
            "board": picture.board,
            "hands": live_hands(picture),
            "if_wins": standings_if_wins(picture),
            "after": {"game": talk.last_hand.game, "hand": talk.last_hand.hand, "hands": talk.hands},
            "tempo": show.tempo.hand_length if show and picture.hand and not picture.replay else "",
            "statistics": talk.statistics,
            "lines": [_storyline_facts(each) for each in talk.lines[:MAX_STORYLINES]],
            "on_air": {"text": show.storyline.text, "pinned": show.storyline.pinned} if show else None,
            "bots": {number: self._bot_facts(bot, talk) for number, bot in picture.bots.items()},
            "run_of_show": [{"what": item.what, "at": item.at, "done": at in notebook.done} for at, item in items],
            "notes": notebook.notes,
        }

    def _bot_facts(self, bot: Bot, talk: TalkingPoints) -> dict[str, Any]:
        """Returns what the page shows about a bot. `met` has the numbers of showdowns that the bot won and lost, keyed
        by opponent.
        """
        report = self._reports.get(bot.name, BotReport(bot.name))
        met: dict[str, tuple[int, int]] = {}
        for pair, showdowns in talk.showdowns.items():
            if bot.bot in pair:
                won = sum(winner == bot.bot for winner, _ in showdowns)
                met[str(sum(pair) - bot.bot)] = won, len(showdowns) - won
        return {"say": report.say, "notes": report.notes, "met": met, "said": self._bot_lines.get(bot.bot, ())}


def _storyline_facts(line: Storyline) -> dict[str, Any]:
    return {
        "key": line.key,
        "topic": line.topic,
        "text": line.text,
        "importance": line.importance,
        "once_in": line.hands_per_storyline,  # a storyline of this kind begins once in this many hands
        "bots": line.bots,
        "hands": [(hand.game, hand.hand) for hand in line.hands[-MAX_STORYLINE_HANDS:]],
        "earlier": [(each.recording, each.hand) for each in line.earlier[-MAX_STORYLINE_HANDS:]],
        "told": line.hands_since_told,
        "ago": line.hands_ago,
    }

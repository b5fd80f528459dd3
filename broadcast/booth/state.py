"""The message to commentators' pages: what the picture itself does not tell them. Everything in it has been on air."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from broadcast.booth.hands_now import hands_now
from broadcast.booth.notebook import Notebook
from broadcast.commentary.storylines.talk import Talk, TalkLine
from broadcast.desk.operators import DeskSeat
from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.log import AirLog
from broadcast.on_air.picture_state import Bot, State
from broadcast.show.showrunner import Showrunner
from server.game.events import ChatSent, ControlSet, NoteGiven, TournamentOpened
from server.journal.link import BotNotes, ShowItem

_KEPT = 5
"""Of each bot."""


class _Said(Struct, frozen=True):
    """What a bot said in that game and hand; a `note` is about its own play, else it is chat."""

    game: int
    hand: int
    text: str
    note: bool


class _BotWords:
    """The latest words of each bot, by its number, the newest last."""

    def __init__(self) -> None:
        self.of: dict[int, list[_Said]] = {}

    def note(self, entry: OnAirEntry, _before: State, picture: State) -> None:
        """Takes in an entry on air, after which the picture is such. A hand that is shown again says nothing new."""
        event = entry.event
        if isinstance(event, TournamentOpened):
            self.of = {}
        elif isinstance(event, ControlSet) and event.control == "chat":
            self.of.pop(event.bot, None)
        elif isinstance(event, ChatSent | NoteGiven) and not picture.replay:
            game, hand = picture.game, picture.hand
            said = _Said(game.game if game else 0, hand.hand if hand else 0, event.text, isinstance(event, NoteGiven))
            self.of[event.bot] = [*self.of.get(event.bot, ()), said][-_KEPT:]


MOST_LINES, MOST_HANDS = 24, 6
"""Storylines that are sent, and the hands of each that it rests on, the latest ones."""


class BoothState:
    """Makes the messages. `show` gives the show that is on, None for none."""

    def __init__(
        self,
        air: AirLog,
        show: Callable[[], Showrunner | None],
        notebook: Notebook,
        bots: Sequence[BotNotes],
        run_of_show: Sequence[ShowItem],
    ) -> None:
        self._air = air
        self._show = show
        self._notebook = notebook
        self._notes = {each.bot: each for each in bots}
        self._run_of_show = run_of_show
        self._words = _BotWords()
        air.recorders.add(self._words.note)
        self._made: tuple[object, bytes] = (None, b"")

    def text(self, seat: DeskSeat) -> bytes:
        """The message for the page at `seat`: one JSON object."""
        return b'{"name":%s,%s' % (msgspec.json.encode(seat.name), self._common()[1:])

    def _common(self) -> bytes:
        """What all pages are sent, made anew only when something has changed."""
        show = self._show()
        now = (id(show), self._air.last, self._notebook.pages, show and (show.storyline.text, show.storyline.pinned))
        if self._made[0] != now:
            self._made = now, msgspec.json.encode(self._all(show))
        return self._made[1]

    def _all(self, show: Showrunner | None) -> dict[str, Any]:
        picture, pages = self._air.picture, self._notebook.pages
        talk = show.talk if show else Talk()
        items = enumerate(self._run_of_show)
        return {
            "board": picture.board,
            "hands": hands_now(picture),
            "tempo": show.tempo.now if show and picture.hand and not picture.replay else "",
            "statistics": talk.statistics,
            "lines": [_line(each) for each in talk.lines[:MOST_LINES]],
            "on_air": {"text": show.storyline.text, "pinned": show.storyline.pinned} if show else None,
            "bots": {number: self._bot(bot, talk) for number, bot in picture.bots.items()},
            "run_of_show": [{"what": item.what, "at": item.at, "done": at in pages.done} for at, item in items],
            "notes": pages.notes,
        }

    def _bot(self, bot: Bot, talk: Talk) -> dict[str, Any]:
        """What the page tells of a bot; `met` has how many showdowns it won and lost, by the number of the other."""
        notes = self._notes.get(bot.name, BotNotes(bot.name))
        won, lost = Counter[int](), Counter[int]()
        for pair, met in talk.showdowns.items():
            if bot.bot in pair:
                other = sum(pair) - bot.bot
                won[other] = sum(winner == bot.bot for winner, _ in met)
                lost[other] = len(met) - won[other]
        met_bots = {str(other): (won[other], lost[other]) for other in won}
        return {"say": notes.say, "notes": notes.notes, "met": met_bots, "said": self._words.of.get(bot.bot, ())}


def _line(each: TalkLine) -> dict[str, Any]:
    line = each.line
    return {
        "key": each.key,
        "text": line.text,
        "importance": line.importance,
        "once_in": line.once_in,
        "bots": line.bots,
        "hands": [(hand.game, hand.hand) for hand in line.hands[-MOST_HANDS:]],
        "earlier": [(each.recording, each.hand) for each in line.earlier[-MOST_HANDS:]],
        "told": each.told,
    }


def line_of(talk: Talk, key: str) -> TalkLine | None:
    """The storyline of that key, as it is now; None once it is true no longer."""
    return next((each for each in talk.lines if each.key == key), None)

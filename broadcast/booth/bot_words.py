"""What bots have said of themselves lately on air: chat, and their notes to answers. Pure."""

from msgspec import Struct

from broadcast.on_air.events import OnAirEntry
from broadcast.on_air.picture_state import State
from server.game.events import ChatSent, ControlSet, NoteGiven, TournamentOpened

KEPT = 5
"""Of each bot."""


class Said(Struct, frozen=True):
    """What a bot said in that game and hand; a `note` is about its own play, else it is chat."""

    game: int
    hand: int
    text: str
    note: bool


class BotWords:
    """The latest words of each bot, by its number, the newest last."""

    def __init__(self) -> None:
        self.of: dict[int, list[Said]] = {}

    def note(self, entry: OnAirEntry, _before: State, picture: State) -> None:
        """Takes in an entry on air, after which the picture is such. A hand that is shown again says nothing new."""
        event = entry.event
        if isinstance(event, TournamentOpened):
            self.of = {}
        elif isinstance(event, ControlSet) and event.control == "chat":
            self.of.pop(event.bot, None)
        elif isinstance(event, ChatSent | NoteGiven) and not picture.replay:
            game, hand = picture.game, picture.hand
            said = Said(game.game if game else 0, hand.hand if hand else 0, event.text, isinstance(event, NoteGiven))
            self.of[event.bot] = [*self.of.get(event.bot, ()), said][-KEPT:]

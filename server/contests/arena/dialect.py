"""The Arena dialect: when a bot gets which call, and what its answer means. Pure: no sockets, no clock.

It remembers what was done in the present hand, because every request tells it from the first blind on.
"""

import re
from collections.abc import Mapping, Sequence

from server.bots.dialects.http_calls import Refused, Reply, Request
from server.bots.dialects.messages import Decided, Malformed
from server.contests.arena.reader import read_answer
from server.contests.arena.writer import Done, game_state
from server.game.events import ActionTaken, BlindPosted, Entrant, Event, HandStarted, Street, StreetDealt
from server.game.view import View


class Arena:
    """The dialect for one bot."""

    news: tuple[type[Event], ...] = (HandStarted, BlindPosted, ActionTaken, StreetDealt)
    """Only for the history in the next request: "your AI should be stateless"; these bots get no news of their own."""

    def __init__(self, ids: Mapping[int, str]) -> None:
        """`ids` are all bots' `player_id`s, see `player_ids`."""
        self._ids = ids
        self._street: Street = "preflop"
        self._history: list[Done] = []

    def ask(self, view: View) -> Request:
        """`POST /action` for the seat of `view`."""
        turn = view.hand.turn
        assert turn is not None, "it is asked when it is its turn"
        ids = [self._ids[entrant.bot] for entrant in view.entrants]
        return Request("POST", "/action", game_state(view, turn, self._history, ids), "application/json")

    def read(self, reply: Reply, view: View) -> Decided | Refused | Malformed:
        """What the bot decided by `reply`, or why that is refused."""
        turn = view.hand.turn
        assert turn is not None, "see `ask`"
        return read_answer(reply, turn)

    def tell(self, event: Event, view: View) -> list[Request]:
        """Remembers what the next request has to tell of the hand; there is nothing to send."""
        match event:
            case HandStarted():
                self._history, self._street = [], "preflop"
            case StreetDealt(street=street):
                self._street = street
            case BlindPosted() | ActionTaken():
                self._history.append(Done(self._street, event))
        return []


def player_ids(entrants: Sequence[Entrant]) -> dict[int, str]:
    """A `player_id` for each bot, by its number: the player it was entered for if nobody shares that, else its name."""
    owners = [entrant.player for entrant in entrants]
    if all(owners) and len(set(owners)) == len(owners):
        return {entrant.bot: entrant.player for entrant in entrants}
    found: dict[int, str] = {}
    for entrant in entrants:
        plain = "_".join(re.findall(r"[a-z0-9]+", entrant.name.lower())) or "bot"
        found[entrant.bot] = f"{plain}_{entrant.bot}" if plain in found.values() else plain
    return found

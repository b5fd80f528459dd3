"""Makes views. A view is what one seat may see of a hand. A bot gets a view with each request."""

from collections.abc import Iterable, Mapping

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import resolve
from server.game.cards import Card
from server.game.decisions import Action, Decision
from server.game.events import Entrant
from server.game.rules import Rules
from server.game.view import View, view_of
from tests.game.table import Table, deal

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jim", "Kay", "Lou")


def entrants_of(count: int, names: tuple[str, ...] = NAMES) -> tuple[Entrant, ...]:
    """Returns the entrants at seats 0, 1 and so on. Their bots have the numbers 11, 12 and so on."""
    return tuple(Entrant(bot=11 + seat, name=names[seat]) for seat in range(count))


def table_view(table: Table, seat: int | None = None, game: int = 1, names: tuple[str, ...] = NAMES) -> View:
    """Returns what `seat` may see of the hand at `table`. By default, `seat` is the seat whose turn it is."""
    viewer = table.turn.seat if seat is None else seat
    return view_of(table.hand, viewer, game, entrants_of(len(table.hand.seats), names))


def first_turn_view(rules: Rules = QUICK_DRAW, game: int = 1) -> View:
    """Returns the view of the first seat to act in a new hand. By default, the contest is Quick Draw."""
    return table_view(deal("5000 5000 5000", rules=rules), game=game)


def resolve_action(decision: Decision) -> Action:
    """Returns what `decision` means in the hand of `first_turn_view()`. Raises IllegalAction if the rules forbid it."""
    return resolve(first_turn_view().hand, decision)


def cards_of(cards: Iterable[Mapping[str, str]]) -> tuple[Card, ...]:
    """Returns the cards in a message of the contest Quick Draw or Enova, in our own notation, such as "As"."""
    return tuple(card["value"] + card["suit"].lower() for card in cards)

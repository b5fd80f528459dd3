"""Cleans the names of players in hand histories, and finds out which hands were played at one table. All functions are
pure.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from server.hand_histories.phh_reader import BadHistory, PublishedHand
from server.text.characters import clip_text
from server.text.names_and_chat import MAX_NAME_CHARACTERS, clean_chat

_TAGS = re.compile("[\U000e0020-\U000e007f]")
"""Unicode tag characters, as in the flag of Scotland. Names in recordings must not contain them."""
MAX_NAMES = 1_000
"""The maximum number of different players in a file. A file with more players is refused."""


class TableSession(Struct, frozen=True):
    """Consecutive hands at one table, with the same players in the same seats.

    `names` are in the order of the seats. `hands` has each hand with its players' seats. The seats are in the order in
    which the hand lists its players.
    """

    names: tuple[str, ...]
    hands: list[tuple[PublishedHand, tuple[int, ...]]]


def group_by_table(hands: Sequence[PublishedHand]) -> list[TableSession]:
    """Groups consecutive hands by table. Raises BadHistory for too many players."""
    tables: list[TableSession] = []
    all_names: set[str] = set()
    for hand in hands:
        names = _unique_names(hand)
        all_names |= {*names}
        if len(all_names) > MAX_NAMES:
            raise BadHistory(f"there are more than {MAX_NAMES:,} players in it: split the file")
        if tables and (seats := _find_seats(names, tables[-1].names)):
            tables[-1].hands.append((hand, seats))
        else:
            seats = _first_seats(hand)
            names_by_seat = tuple(names[seats.index(seat)] for seat in range(len(names)))
            tables.append(TableSession(names_by_seat, [(hand, seats)]))
    return tables


def _unique_names(hand: PublishedHand) -> tuple[str, ...]:
    """Returns a cleaned name for each player. No two names are equal."""
    names: dict[str, None] = {}
    for number in range(1, len(hand.stacks) + 1):
        name = (
            clip_text(clean_chat(_TAGS.sub("", hand.players[number - 1])), MAX_NAME_CHARACTERS) if hand.players else ""
        )
        name = name or f"Player {number}"
        while name in names:
            name = f"{name[: MAX_NAME_CHARACTERS - 5]} ({number})"
        names[name] = None
    return tuple(names)


def _find_seats(names: Sequence[str], table_names: Sequence[str]) -> tuple[int, ...]:
    """Returns the seats of the players `names`. Returns () if the table has other players, or another order."""
    if {*names} != {*table_names}:
        return ()
    seats = tuple(table_names.index(name) for name in names)
    return seats if _is_clockwise(seats) else ()


def _first_seats(hand: PublishedHand) -> tuple[int, ...]:
    """Returns the players' seats in the file, renumbered without gaps. If these seats are unusable, the players sit in
    the file's order.
    """
    if hand.seats and len({*hand.seats}) == len(hand.seats):
        sorted_seats = sorted(hand.seats)
        seats = tuple(sorted_seats.index(seat) for seat in hand.seats)
        if _is_clockwise(seats):
            return seats
    return tuple(range(len(hand.stacks)))


def _is_clockwise(seats: Sequence[int]) -> bool:
    return all((seat - seats[0]) % len(seats) == step for step, seat in enumerate(seats))

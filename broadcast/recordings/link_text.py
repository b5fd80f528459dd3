"""The text of a link preview: title, description, and what its picture shows. Pure.

The preview of a hand says who plays against whom and with how many chips, never how the hand ends.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from broadcast.archive.hand_reader import OneHand
from broadcast.archive.queries import BotRow, RecordingRow
from broadcast.on_air.table_state import TableState
from broadcast.web.templates import local_time
from server.game.cards import Card
from server.text.grammar import listed as listed_words
from server.text.grammar import named, so_many

ROYAL_FLUSH: tuple[Card, ...] = ("Ts", "Js", "Qs", "Ks", "As")
"""Lies on pictures that are of no hand."""


class Poster(Struct, frozen=True):
    """A bot on the picture. `avatar` is the name of a prepared file ("": the default); `of` says what its chips are."""

    name: str
    avatar: str = ""
    chips: int = 0
    of: str = ""
    cards: tuple[Card, ...] = ()


class LinkText(Struct, frozen=True):
    """The words of a link and of its picture: `head` is the largest, `line` stands below it, `where` at the foot.

    One poster hangs at the left; of two, one at each side. Between them are the bots of the first places, or cards.
    """

    title: str
    description: str
    head: str
    line: str
    where: str
    posters: tuple[Poster, ...]
    places: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()


def of_hand(hand: OneHand, begun: str) -> LinkText:
    """A hand's link, of a recording that was begun then: the two bots that put the most into the pot, by seat."""
    table = TableState()
    for event in (hand.opened, hand.game, *hand.events):
        table = table.after(event)
    dealt_in = [at for at, seat in enumerate(table.seats) if seat.dealt_in]
    rivals = sorted(sorted(dealt_in, key=lambda seat: -table.seats[seat].committed)[:2])
    names = [named(table.name(seat)) for seat in rivals]
    where = f"{hand.stage or hand.opened.title}, game {hand.game.game}, hand {table.hand.hand}"
    stakes = f"big blind {table.hand.big_blind:,}"
    stacks = [f"{name} has {table.seats[seat].start:,}" for name, seat in zip(names, rivals, strict=True)]
    shown = all(table.seats[seat].cards for seat in rivals)  # one alone may tell who had to show
    many = so_many(len(dealt_in), "bot")
    day = local_time(begun)[:10]
    return LinkText(
        title=f"{' meets '.join(names)}: {where}",
        description=f"{where} of {hand.opened.title}{day and f', {day}'}. {many} at the table, {stakes}."
        f" {listed_words(stacks)}.",
        head="Who wins?",
        line=f"{many}, {stakes}",
        where=where,
        posters=tuple(_rival(table, seat, hand, shown=shown) for seat in rivals),
    )


def of_recording(row: RecordingRow, entrants: Sequence[BotRow], avatar: str) -> LinkText:
    """A recording's link with its result, from its row and its bots in the index; `avatar` is its winner's."""
    if not row.winner:
        return of_unwatched(row)
    return replace(
        of_unwatched(row),
        title=f"{named(row.winner)} wins {row.title or row.name}",
        posters=(Poster(row.winner, avatar, row.biggest, "BIGGEST POT"),),
        places=tuple(each.name for each in entrants[:3] if each.place),
        cards=(),
    )


def of_unwatched(row: RecordingRow) -> LinkText:
    """A whole recording's link, from its row in the index, that does not say who won."""
    title = row.title or row.name
    played = f"{so_many(row.bots, 'bot')}, {so_many(row.games, 'game')}, {so_many(row.hands, 'hand')}"
    day = local_time(row.begun)[:10]
    return LinkText(
        title=title,
        description=f"{played}{f' on {day}' if day else ''}; biggest pot {row.biggest:,}. Watch each hand again.",
        head=title,
        line=played,
        where=day,
        posters=(Poster(""),),
        cards=ROYAL_FLUSH,
    )


def of_archive(count: int) -> LinkText:
    """The link of the list of all recordings, of which there are `count`."""
    line = f"{so_many(count, 'recording')} to watch again, hand by hand"
    return LinkText(
        title="High Noon: recordings",
        description=f"{line}, to search and to prove.",
        head="Recordings",
        line=line,
        where="watch, search, prove",
        posters=(Poster(""),),
        cards=ROYAL_FLUSH,
    )


def _rival(table: TableState, seat: int, hand: OneHand, *, shown: bool) -> Poster:
    bot, place = table.bots[seat], table.seats[seat]
    avatar = next((entrant.avatar for entrant in hand.opened.entrants if entrant.bot == bot), "")
    return Poster(table.name(seat), avatar, place.start, "HAS", place.cards if shown else ())

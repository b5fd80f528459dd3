"""The log of the ACPC dealer, read: each STATE line becomes a published hand. Pure.

The log does not say stacks and blinds: they are those of the game definition in its comments, else the usual ones.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

from server.contests.acpc.game_definition import MAX_BYTES, BadGame, Game, read_game
from server.contests.acpc.turns import Turns, acts_of
from server.hand_histories.phh_reader import (
    MAX_CHARACTERS,
    MAX_HAND_BYTES,
    MAX_HANDS,
    BadHistory,
    Published,
    check_lengths,
)

_STATE = re.compile("^STATE:.*", re.MULTILINE)
_COMMENT = re.compile("^[#;]", re.MULTILINE)
_GAME = re.compile(r"^[#;][ \t]*(GAMEDEF)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)
_WHOLE = re.compile(r"-?[0-9]{1,12}(\.0+)?")


def read_acpc(text: str) -> Iterator[Published | BadHistory]:
    """The hands of a log, or in place of one that cannot be shown the reason."""
    game, read = None, 0
    for found in islice(_STATE.finditer(text), MAX_HANDS + 1):
        before, read = text[read : found.start()], found.end()
        if _COMMENT.search(before):
            game = _game(before)
        line = found[0].rstrip("\r")
        try:
            yield _hand(line, game)
        except ValueError as error:
            yield BadHistory(f"the line {line[:30]!r}: {error}")


def _game(text: str) -> Game | str | None:
    """The game that the comments in `text` define, or why it cannot be played; None if they define none."""
    begins = _GAME.search(text)
    if not begins:
        return None
    lines = text[begins.start(1) :][:MAX_BYTES].splitlines()
    try:
        return read_game("\n".join(line.removeprefix("#").removeprefix(";") for line in lines))
    except BadGame as error:
        return str(error)


def _hand(line: str, game: Game | str | None) -> Published:
    """Raises ValueError in words; `game` is as `_game` returns it."""
    if isinstance(game, str):
        raise ValueError(game)
    if len(line) > MAX_HAND_BYTES:
        raise ValueError("it is too long for a hand")
    fields = line.split(":")
    if len(fields) != 6:
        raise ValueError("it is not STATE:hand:betting:cards:won:names")
    _, number, betting, cards, won, names = fields
    players, hole = tuple(name[:MAX_CHARACTERS] for name in names.split("|")), cards.split("/")[0].split("|")
    game = game or Game(len(players))
    if not len(players) == len(hole) == len(won.split("|")) == game.players:
        raise ValueError(f"its cards, what is won and its names are not of {game.players} players")
    stack, level = Decimal(game.stack), game.level
    hand = Published(
        where=f"hand {number[:20]}",
        antes=(Decimal(0),) * len(players),
        blinds=(Decimal(level.small), Decimal(level.big), *[Decimal(0)] * (len(players) - 2)),
        min_bet=Decimal(level.big),
        stacks=(stack,) * len(players),
        finishing=_finishing(stack, won.split("|")),
        actions=(*_dealt(hole), *_actions(betting, cards.split("/")[1:], game)),
        players=players,
    )
    check_lengths(hand)
    return hand


def _dealt(hole: Sequence[str]) -> Iterator[str]:
    return (f"d dh p{position} {cards or '????'}" for position, cards in enumerate(hole, 1))


def _finishing(stack: Decimal, won: Sequence[str]) -> tuple[Decimal, ...]:
    """The stacks afterwards; () where the original has split a pot into parts of a chip."""
    whole = all(_WHOLE.fullmatch(each) for each in won)
    return tuple(stack + Decimal(each) for each in won) if whole else ()


def _actions(betting: str, board: Sequence[str], game: Game) -> Iterator[str]:
    """The actions in PHH's notation, whose raises are totals of the street and not of the hand."""
    streets, turns = iter(board), Turns(game)
    for act in acts_of(betting):
        if act == "/":
            turns.next_street()
            yield f"d db {next(streets, '')}"
        else:
            earlier = turns.earlier
            at = turns.take(act) + 1
            yield f"p{at} cbr {int(act[1:]) - earlier}" if act[1:] else f"p{at} {'f' if act == 'f' else 'cc'}"

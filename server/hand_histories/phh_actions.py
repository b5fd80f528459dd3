"""The notation of PHH for what happens in a hand: "d dh p1 AsKd", "p3 cbr 300", "p2 f". Read, one at a time."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct

from server.game.cards import Card, parse_cards
from server.hand_histories.phh_reader import BadHistory, amount_of

UNKNOWN = "?"


class PhhAction(Struct, frozen=True):
    """One action. `player` counts from 0; cards that are not known are ()."""

    text: str
    kind: Literal["hole", "board", "fold", "call", "raise", "show"]
    player: int = -1
    cards: tuple[Card, ...] = ()
    amount: Decimal = Decimal(0)


def read_action(text: str, players: int) -> PhhAction | None:
    """The action in `text`, such as "p1 cbr 300"; None for a comment. Raises BadHistory."""
    words = text.partition("#")[0].split()
    shown = f"{text[:40]!r}"
    try:
        match words:
            case []:
                return None
            case ["d", "db", cards]:
                return PhhAction(shown, "board", cards=_board(cards))
            case ["d", "dh", player, cards]:
                return PhhAction(shown, "hole", _player(player, players), _hole(cards))
            case [player, "sm", *cards]:
                return PhhAction(shown, "show", _player(player, players), _hole("".join(cards).strip("-")))
            case [player, "f" | "cc" as act]:
                return PhhAction(shown, "fold" if act == "f" else "call", _player(player, players))
            case [player, "cbr", amount]:
                return PhhAction(shown, "raise", _player(player, players), amount=amount_of(amount))
    except ValueError as error:
        raise BadHistory(f"the action {shown}: {error}") from None
    raise BadHistory(f"the action {shown}: means nothing in hold'em")


def _player(word: str, players: int) -> int:
    number = word.removeprefix("p")
    if word == number or not (number.isascii() and number.isdecimal() and len(number) < 3):
        raise ValueError("names no player")
    if not 1 <= int(number) <= players:
        raise ValueError(f"names a player, but there are only {players}")
    return int(number) - 1


def _hole(text: str) -> tuple[Card, ...]:
    if len(text) not in (0, 4):
        raise ValueError("does not tell of two cards")
    return () if UNKNOWN in text or not text else parse_cards(text)


def _board(text: str) -> tuple[Card, ...]:
    if UNKNOWN in text or len(text) > 10:
        raise ValueError("does not tell which cards fell")
    return parse_cards(text)

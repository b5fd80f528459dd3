"""Reads forms with nested keys, which the server of the contest Enova sends to bots. No I/O."""

import re
from typing import Any
from urllib.parse import parse_qsl

Form = dict[str, Any]
"""A form as nested dicts. A list in a form is a dict with the keys "0", "1" and so on."""
_KEY = re.compile(r"[^\[\]]+")


def parse_nested_form(body: bytes) -> Form:
    """Reads a form with keys such as `your_hand[0][suit]` into nested dicts."""
    form: Form = {}
    for name, value in parse_qsl(body.decode(), keep_blank_values=True):
        *path, last = _KEY.findall(name)
        table = form
        for key in path:
            table = table.setdefault(key, {})
        table[last] = value
    return form


def bet_of(player: Form) -> int:
    """Returns a player's bet on this street."""
    amounts = [action["amount"] for action in player.get("actions_this_round", {}).values()]
    return max((int(amount) for amount in amounts if amount), default=0)


def cards_of(cards: Form) -> tuple[str, ...]:
    """Returns the cards in a list of a form, such as ("Td", "As")."""
    return tuple(card["value"] + card["suit"].lower() for card in cards.values())

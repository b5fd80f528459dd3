"""What the picture is made of: plain JSON values, the same in `static/js/overlay/reducer-state.js`. Pure."""

from collections.abc import Iterable
from typing import Any

import msgspec

State = dict[str, Any]
"""The picture, or a part of it: JSON values only, shared between pictures, never changed in place."""


def opening() -> State:
    """The picture before the first entry. Times are in milliseconds, chips and places are whole numbers."""
    return {
        "seq": 0,
        "at_ms": 0,
        "scene": "starting",
        "tournament": {"contest": "", "title": "", "starting_stack": 0, "prizes_cents": []},
        "bots": {},
        "stage": None,
        "game": None,
        "hand": None,
        "seats": [],
        **swept(),
        "wins": 0,
        "chat": [],
        "standings": {"rows": [], "advance": 0},
        "statistics": {"rows": [], "notices": [], "hands": 0, "crosstable": [], "awards": []},
        "marks": [],
        "history": {},
        "title_odds": {},
        "caption": "",
        "placings": [],
        "duel": None,
        "replay": None,
        "desk": {
            "card": "",
            "graphics": True,
            "sound": True,
            "chat_off": [],
            "media_off": [],
            "speed": 1.0,
            "trouble": "",
        },
    }


def swept() -> State:
    """The parts of the picture that a new hand resets."""
    empty: State = {"board": [], "pot": 0, "pots": [], "awards": [], "lit": []}
    return {**empty, "turn": None, "stakes": None, "duel": None, "win": ""}


def seat_of(bot: int, stack: int) -> State:
    """A seat at the start of a game, with `stack` chips."""
    return {
        "bot": bot,
        "stack": stack,
        "bet": 0,
        "street_bet": 0,
        "committed": 0,
        "blind": "",
        "cards": [],
        "dealt_in": False,
        "folded": False,
        "all_in": False,
        "act": "",
        "fault": "",
        "won": 0,
        "ranking": "",
        "best": [],
        "place": 0,
        "unseated": False,
        **no_chance(),
    }


def no_chance() -> State:
    """The fields of a seat whose chances are not shown."""
    return {"win": None, "tie": None}


def sitting(state: State) -> list[int]:
    """The numbers of the bots at the table, in seat order."""
    return [seat["bot"] for seat in state["seats"]]


def with_stacks(bots: State, numbers: Iterable[int], stacks: Iterable[int], **changes: int) -> State:
    """A copy of `bots` with a new stack, and `changes`, for each of `numbers`; numbers that are no bot are left out."""
    after = {**bots}
    for bot, stack in zip(map(str, numbers), stacks, strict=False):
        if bot in after:
            after[bot] = {**after[bot], "stack": stack, **changes}
    return after


def plain(fact: msgspec.Struct) -> State:
    """The fields of a struct as a dictionary."""
    return msgspec.structs.asdict(fact)

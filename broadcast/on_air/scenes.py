"""The scenes of the show, the scene of OBS for each, and when and for how long some interrupt the table. Pure.

A new one has its line here, and its drawing in `static/js/overlay/scenes`, where `scenes.js` lists it.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.game.events import Event, HandStarted

SceneName = Annotated[
    Literal["starting", "table", "standings", "finalists", "duel", "statistics", "champion", "replay", "blinds"],
    Meta(description="name of a scene"),
]


class Scene(Struct, frozen=True):
    """All about a scene but its drawing."""

    obs: str
    """The scene of OBS that shows it."""
    hold_ms: int = 0
    """How long it interrupts the table, at speed 1."""
    caption: Callable[[HandStarted, Event], str] | None = None
    """The caption if an event makes it interrupt the table, else ""; the hand is the last one that started. The next
    event of the hand ends the scene."""


def _blinds_up(before: HandStarted, event: Event) -> str:
    """For a hand with higher blinds than the last one of the same game."""
    if not isinstance(event, HandStarted) or not 0 < before.hand < event.hand or event.big_blind <= before.big_blind:
        return ""
    ante = f", and the ante is {event.ante:,}" if event.ante else ""
    return f"The blinds go up to {event.small_blind:,} and {event.big_blind:,}{ante}."


SCENES: Mapping[SceneName, Scene] = {
    "starting": Scene("Starting"),
    "table": Scene("Table"),
    "standings": Scene("Standings"),
    "finalists": Scene("Starting"),
    "duel": Scene("Table"),
    "statistics": Scene("Standings"),
    "champion": Scene("Champion"),
    "replay": Scene("Replay"),
    "blinds": Scene("Table", 4000, _blinds_up),
}

"""Defines each scene of the show: its OBS scene, when it interrupts the table, and for how long. No I/O.

To add a scene, add it to `SceneName` and `SCENES`, add its drawing to `static/js/overlay/scenes`, and list the drawing
there in `scenes.js`.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.game.events import Event, HandStarted

SceneName = Annotated[
    Literal[
        "starting",
        "table",
        "standings",
        "finalists",
        "duel",
        "statistics",
        "champion",
        "replay",
        "blinds",
        "comparison",
        "certainty",
        "matrix",
        "reading",
    ],
    Meta(description="name of a scene"),
]


class Scene(Struct, frozen=True):
    """The facts about a scene, apart from its drawing."""

    obs_scene: str
    """The OBS scene that shows this scene."""
    hold_ms: int = 0
    """For how many milliseconds the scene interrupts the table at speed 1. The value is 0 if the scene never interrupts
    the table, or if an event sets the time.
    """
    caption: Callable[[HandStarted, Event], str] | None = None
    """Gets the start of the latest hand and a new event. If the event makes the scene interrupt the table,
    returns the scene's caption. Otherwise returns "". The scene ends with the next event of the hand.
    """


def _blinds_up(before: HandStarted, event: Event) -> str:
    """Returns a caption for a hand with higher blinds than the previous hand of the same game, else ""."""
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
    "comparison": Scene("Table"),  # what bots did differently with the same cards
    "certainty": Scene("Standings", 4000),  # what each bot wins per deal, and how certain this is
    "matrix": Scene("Standings", 7000),  # how likely each bot is to be better than each other bot
    "reading": Scene("Standings", 9000),  # how true the bots' thoughts were
}

"""Finds a bot in a recording by its name."""

from collections.abc import Sequence
from pathlib import Path

from server.console import plain
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import Entrant, Event, TournamentOpened
from server.text.look_alikes import look_alike


def bot_called(path: Path, events: Sequence[Event], name: str) -> tuple[TournamentOpened, Entrant]:
    """What was opened in the recording at `path`, and its entrant of that name.

    Raises Refusal where there is none, or the recording is of none of our contests.
    """
    if not events or not isinstance(events[0], TournamentOpened) or events[0].contest not in CONTESTS:
        raise Refusal(f"{path} is no recording of a contest with bots of its own")
    found = [each for each in events[0].entrants if look_alike(each.name, name)]
    if not found:
        names = ", ".join(plain(each.name) for each in events[0].entrants)
        raise Refusal(f"nobody is called {plain(name)!r} in {path}: there are {names}")
    return events[0], found[0]

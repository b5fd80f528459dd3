"""A practice server that runs in the test's own process."""

import time
from pathlib import Path

from broadcast.app import Studio
from server.app.practice.limits import PracticeLimits
from server.app.practice.practice_server import PracticeServer
from server.bots.house.characters import CHARACTERS
from server.config.settings import PRACTICE_KEPT, Settings
from server.game.events import Entrant


def practice_server(
    folder: Path, limits: PracticeLimits | None = None, *, kept: int = PRACTICE_KEPT
) -> tuple[PracticeServer, Studio]:
    """Returns a server that keeps the latest `kept` recordings, and its web server (studio). Shows take no time."""
    settings = Settings(data=folder, speed=0.0, seed=bytes(32), practice_kept=kept)
    studio = Studio(settings.media, time.monotonic)
    characters = [Entrant(bot, character.name) for bot, character in enumerate(CHARACTERS, 1)]
    return PracticeServer(settings, studio, characters, limits, workers=2), studio

"""Who follows a show at OBS, the same for every command that is told where OBS is."""

import os
import time

from broadcast.app import Studio
from broadcast.obs.control import ObsCrew
from broadcast.obs.websocket import PASSWORD
from broadcast.on_air.log import AirLog
from server.console import say


def crew_at_obs(address: str, air: AirLog, studio: Studio, *, password: str = "") -> ObsCrew | None:
    """The crew, to be run beside the show on `air`; None without an address. It says in a line whether OBS is there.

    Where no `password` is given, that of the environment counts.
    """
    if not address:
        return None
    studio.pages.wanted = True  # a source that says nothing of itself would be taken for a blank one
    known = password or os.environ.get(PASSWORD, "")
    return ObsCrew(address, known, air, studio.pages.seen, clock=time.monotonic, tell=_tell)


def _tell(words: str) -> None:
    say(f"  OBS             {words}")

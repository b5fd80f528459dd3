"""Has OBS follow a show, for every command that takes the address of an OBS."""

import os
import time

from broadcast.app import Studio
from broadcast.obs.control import ObsControl
from broadcast.obs.websocket import PASSWORD
from broadcast.on_air.log import AirLog
from server.console import say


def obs_control(address: str, air: AirLog, studio: Studio, *, password: str = "") -> ObsControl | None:
    """What controls the OBS at `address` ("host:port"), to be run beside the show on `air`; None without an address.

    It says in the terminal when OBS comes and goes. Without a `password` that of the environment is used.
    """
    if not address:
        return None
    studio.pages.enabled = True  # a source that says nothing of itself would be taken for a blank one
    known = password or os.environ.get(PASSWORD, "")
    return ObsControl(address, known, air, studio.pages.reports, clock=time.monotonic, on_change=_tell)


def _tell(words: str) -> None:
    say(f"  OBS             {words}")

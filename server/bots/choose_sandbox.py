"""Chooses the boxes (sandboxes) for submitted bots: Docker, or bubblewrap if Docker is missing or not wanted."""

import sys
from typing import Literal

from server.bots.sandbox.docker.engine import connect_to_docker
from server.bots.sandbox.docker.runner import open_docker
from server.bots.sandbox.runner import WEAK_BOXES_WARNING, BoxEnvironment, CannotRun, Runner
from server.bots.sandbox.threads import run_in_thread
from server.system.processes import LINUX

RunnerKind = Literal["auto", "docker", "light"]
"""Which boxes to use. "light" means bubblewrap. "auto" means Docker if it answers, and bubblewrap otherwise."""


async def weak_boxes_warning() -> str:
    """Returns WEAK_BOXES_WARNING if "auto" would choose bubblewrap, and bubblewrap cannot limit all of a bot's memory.
    Otherwise returns "".
    """
    try:
        (await run_in_thread(connect_to_docker)).close()
    except CannotRun:
        return WEAK_BOXES_WARNING if _light_is_weak() else ""
    return ""


def _light_is_weak() -> bool:
    if sys.platform == "linux" and LINUX:
        from server.bots.sandbox.bubblewrap.cgroups import find_usage_control  # noqa: PLC0415 - only on Linux
        from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault  # noqa: PLC0415

        return not bubblewrap_fault() and not find_usage_control().counts_all_memory
    return False


def _open_light(box_environment: BoxEnvironment) -> Runner:
    if sys.platform == "linux" and LINUX:
        from server.bots.sandbox.bubblewrap.runner import open_bubblewrap  # noqa: PLC0415 - only on Linux

        return open_bubblewrap(box_environment)
    raise CannotRun("Boxes without Docker need Linux; on Windows, use WSL 2.")


async def choose_runner(kind: RunnerKind, box_environment: BoxEnvironment) -> Runner:
    """Returns a runner, which builds and starts bots in boxes of this kind. Raises CannotRun, with the reason and the
    remedy.
    """
    if kind == "light":
        return _open_light(box_environment)
    try:
        return await open_docker(box_environment)
    except CannotRun as no_docker:
        if kind == "docker":
            raise
        try:
            return _open_light(box_environment)
        except CannotRun as no_light:
            raise CannotRun(f"{no_docker} {no_light}") from None

"""Chooses what boxes the bots that were handed in: Docker, or bubblewrap where Docker is missing or not wanted."""

from typing import Literal

from server.bots.sandbox.bubblewrap.runner import BubblewrapRunner, open_bubblewrap
from server.bots.sandbox.docker.runner import DockerRunner, open_docker
from server.bots.sandbox.runner import CannotRun, Surroundings

RunnerKind = Literal["auto", "docker", "light"]


async def choose_runner(kind: RunnerKind, common: Surroundings) -> DockerRunner | BubblewrapRunner:
    """A runner of that kind; "auto" takes Docker where it answers. Raises CannotRun with why not and what to do."""
    if kind == "light":
        return open_bubblewrap(common)
    try:
        return await open_docker(common)
    except CannotRun as no_docker:
        if kind == "docker":
            raise
        try:
            return open_bubblewrap(common)
        except CannotRun as no_light:
            raise CannotRun(f"{no_docker} {no_light}") from None

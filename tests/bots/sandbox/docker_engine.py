"""Opens the tests' Docker Engine, and finds the containers, networks and images that a tournament has left there."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import docker

from server.bots.sandbox.docker.engine import LABEL
from tests.bots.sandbox.boxed_bots import box_environment


@contextmanager
def open_engine() -> Iterator[docker.APIClient]:
    with closing(docker.APIClient(base_url=os.environ["DOCKER_HOST"], version="auto")) as engine:
        yield engine


def find_leftovers(folder: Path) -> list[str]:
    """The ids of all containers, networks and images of the tournament of `folder`."""
    ours = {"label": f"{LABEL}={box_environment(folder).label}"}
    with open_engine() as engine:
        found = [*engine.containers(all=True, filters=ours), *engine.networks(filters=ours)]
        return [str(each["Id"]) for each in [*found, *engine.images(all=True, filters=ours)]]

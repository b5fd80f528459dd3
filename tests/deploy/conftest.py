"""Fixtures: a Docker daemon, and an image in which the program can run."""

import pytest

from tests.support.bots.boxes import docker_host
from tests.support.programs.python_image import make_python_image

__all__ = ["docker_host"]


@pytest.fixture(scope="session")
def python_image(docker_host: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of an image of Python with the packages of requirements.lock."""
    return make_python_image(docker_host, tmp_path_factory.mktemp("python"))

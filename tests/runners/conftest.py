"""Both kinds of boxes, where they can be had."""

import pytest

from server.bots.runners.box_start import bubblewrap_fault
from tests.boxes import docker_host

__all__ = ["docker_host"]


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "light"])
def kind(request: pytest.FixtureRequest) -> str:
    """The test is run with either runner, and skipped with the reason where one cannot be had."""
    if request.param == "docker":
        request.getfixturevalue("docker_host")
    elif fault := bubblewrap_fault():
        pytest.skip(fault)
    return str(request.param)

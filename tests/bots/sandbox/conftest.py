"""Fixtures: a runner of each kind, Docker and bubblewrap, where this machine has it."""

import pytest

from server.bots.sandbox.bubblewrap.cgroups import find_counting
from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from tests.support.boxes import docker_host

__all__ = ["docker_host"]


@pytest.fixture(scope="module", params=[pytest.param("docker", marks=pytest.mark.docker), "light", "uncounted"])
def kind(request: pytest.FixtureRequest) -> str:
    """The test is run with either runner, and skipped with the reason where one cannot be had.

    "uncounted" are bubblewrap boxes as machines have them that give no control groups.
    """
    if request.param == "docker":
        request.getfixturevalue("docker_host")
    elif fault := bubblewrap_fault():
        pytest.skip(fault)
    elif request.param == "uncounted" and not find_counting().counted:
        pytest.skip("this machine gives no control groups, and so bubblewrap boxes are such already")
    return str(request.param)

"""Fixtures: a runner of each kind, Docker and bubblewrap, where this machine has it."""

import pytest

from server.bots.sandbox.bubblewrap.cgroups import find_counting
from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from tests.support.boxes import docker_host

__all__ = ["docker_host"]


@pytest.fixture(scope="module", params=[pytest.param("docker", marks=pytest.mark.docker), "light", "uncounted"])
def kind(request: pytest.FixtureRequest) -> str:
    """Runs the test with each runner; skips it with the reason if this machine lacks one.

    "uncounted" are bubblewrap boxes as on machines without control groups.
    """
    if request.param == "docker":
        request.getfixturevalue("docker_host")
    elif fault := bubblewrap_fault():
        pytest.skip(fault)
    elif request.param == "uncounted" and not find_counting().counted:
        pytest.skip("this machine has no control groups, so bubblewrap boxes are uncounted anyway")
    return str(request.param)

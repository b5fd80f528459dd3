"""Fixtures: a Docker daemon, and the kinds of runners. A runner starts boxes (sandboxes) for bots."""

import pytest

from server.bots.sandbox.bubblewrap.cgroups import find_usage_control
from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault
from tests.support.bots.boxes import docker_host

__all__ = ["docker_host"]


@pytest.fixture(scope="module", params=[pytest.param("docker", marks=pytest.mark.docker), "light", "uncounted"])
def sandbox(request: pytest.FixtureRequest) -> str:
    """Each kind of runner: "docker", "light" (bubblewrap boxes) or "uncounted" (bubblewrap without control groups)."""
    if request.param == "docker":
        request.getfixturevalue("docker_host")
    elif fault := bubblewrap_fault():
        pytest.skip(fault)
    elif request.param == "uncounted" and not find_usage_control().counts_all_memory:
        pytest.skip("this machine has no control groups, so bubblewrap boxes are uncounted anyway")
    return str(request.param)

"""The fixture of a Docker daemon."""

from tests.support.bots.boxes import docker_host

__all__ = ["docker_host"]

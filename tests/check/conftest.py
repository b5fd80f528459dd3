"""Fixture: the Docker daemon in which bots are run."""

from tests.support.boxes import docker_host

__all__ = ["docker_host"]

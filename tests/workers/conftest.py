"""Fixture: a Docker daemon."""

from tests.support.boxes import docker_host

__all__ = ["docker_host"]

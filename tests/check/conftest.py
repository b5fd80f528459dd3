"""A daemon for the bots that are run."""

from tests.support.boxes import docker_host

__all__ = ["docker_host"]

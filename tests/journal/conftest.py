"""Fixture: a small disk that can be filled."""

from tests.support.disks import small_disk

__all__ = ["small_disk"]

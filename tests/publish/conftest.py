"""Fixture: a small disk."""

from tests.support.disks import small_disk

__all__ = ["small_disk"]

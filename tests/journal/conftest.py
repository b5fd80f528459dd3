"""What the tests of crashes ask for."""

from tests.support.disks import small_disk

__all__ = ["small_disk"]

"""espeak-ng, which speaks if an event file names no other program."""

import shutil

import pytest

from server.config.event_show import ESPEAK

needs_espeak = pytest.mark.skipif(
    shutil.which(ESPEAK[0]) is None, reason="espeak-ng is not installed: apt-get install espeak-ng"
)
"""Skips a test if it is not installed."""

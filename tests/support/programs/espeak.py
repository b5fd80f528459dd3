"""A mark for tests that need espeak-ng, the default speech program."""

import shutil

import pytest

from server.config.event_show import ESPEAK_COMMAND

needs_espeak = pytest.mark.skipif(
    shutil.which(ESPEAK_COMMAND[0]) is None, reason="espeak-ng is not installed: apt-get install espeak-ng"
)

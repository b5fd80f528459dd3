"""Environments for the programs we start: new for each, never a copy of ours, which may contain passwords."""

import os
from fnmatch import fnmatchcase

_EVERY_PROGRAM = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_*", "LD_LIBRARY_PATH",
)  # fmt: skip
OUR_PYTHON = ("PYTHON*", "VIRTUAL_ENV", "OPENBLAS_NUM_THREADS")
"""What this project's own programs also need."""
CLOUDS = ("AWS_*", "AZURE_*", "GOOGLE_*", "IDENTITY_*", "MSI_*", "SSL_CERT_*", "*_PROXY", "*_proxy")
"""What programs that publish need."""
SYSTEMD = ("DBUS_SESSION_BUS_ADDRESS",)
"""What programs that talk to systemd need."""
EVERYTHING = ("*",)
"""For a program that its author runs in their own terminal; never for a stranger's program."""


def environment(*also: str) -> dict[str, str]:
    """Those of our variables that every program needs, and those named in `also`, where * stands for any characters.

    Programs that run a stranger's code get none of our variables, not even these.
    """
    wanted = (*_EVERY_PROGRAM, *also)
    return {name: value for name, value in os.environ.items() if any(fnmatchcase(name, each) for each in wanted)}

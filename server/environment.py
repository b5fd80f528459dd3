"""The environments of the programs that we start: made for each, never a copy of ours, which may hold passwords."""

import os
from fnmatch import fnmatchcase

_EVERY_PROGRAM = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_*", "LD_LIBRARY_PATH",
)  # fmt: skip
OUR_PYTHON = ("PYTHON*", "VIRTUAL_ENV", "OPENBLAS_NUM_THREADS")
"""What programs of this project need besides."""
CLOUDS = ("AWS_*", "AZURE_*", "GOOGLE_*", "IDENTITY_*", "MSI_*", "SSL_CERT_*", "*_PROXY", "*_proxy")
"""What a program needs that publishes."""
SYSTEMD = ("DBUS_SESSION_BUS_ADDRESS",)
"""What a program needs that asks systemd for something."""
EVERYTHING = ("*",)
"""For a program whose author runs it from the own terminal; never for what a stranger has sent."""


def environment(*also: str) -> dict[str, str]:
    """Those of our variables that every program needs, and those named `also`, in which * stands for any letters.

    Programs in which a stranger's code runs get none of ours, not even these.
    """
    wanted = (*_EVERY_PROGRAM, *also)
    return {name: value for name, value in os.environ.items() if any(fnmatchcase(name, each) for each in wanted)}

"""Makes the environments of programs that we start: never a copy of our own, which may contain passwords."""

import os
from fnmatch import fnmatchcase

_EVERY_PROGRAM = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_*", "LD_LIBRARY_PATH",
)  # fmt: skip
OUR_PYTHON = ("PYTHON*", "VIRTUAL_ENV", "OPENBLAS_NUM_THREADS")
"""Variables that this project's own programs also need."""
CLOUDS = ("AWS_*", "AZURE_*", "GOOGLE_*", "IDENTITY_*", "MSI_*", "SSL_CERT_*", "*_PROXY", "*_proxy")
"""Variables that programs need for publishing."""
SYSTEMD = ("DBUS_SESSION_BUS_ADDRESS",)
"""Variables that programs need to talk to systemd."""
EVERYTHING = ("*",)
"""All variables: for a program that its author runs in their own terminal, never for a stranger's program."""


def environment(*also: str) -> dict[str, str]:
    """Returns our variables that every program needs, and those that match a pattern in `also`, such as "AWS_*".

    Do not use it for programs that run a stranger's code: they get none of our variables.
    """
    wanted = (*_EVERY_PROGRAM, *also)
    return {name: value for name, value in os.environ.items() if any(fnmatchcase(name, each) for each in wanted)}

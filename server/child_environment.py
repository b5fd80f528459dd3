"""Chooses the environment variables of each program that we start. Some of our own variables contain passwords."""

import os
from collections.abc import Iterable
from fnmatch import fnmatchcase

from server.system.processes import UNIX

_EVERY_PROGRAM = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_*", "LD_LIBRARY_PATH",
)  # fmt: skip
_ON_WINDOWS = (
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "APPDATA",
    "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*",
)  # fmt: skip
"""Variables that Windows needs to open sockets and to find programs and folders. Windows writes names in capitals."""
PYTHON_VARIABLES = ("PYTHON*", "VIRTUAL_ENV", "OPENBLAS_NUM_THREADS")
"""Variables that this project's own programs also need."""
CLOUD_VARIABLES = ("AWS_*", "AZURE_*", "GOOGLE_*", "IDENTITY_*", "MSI_*", "SSL_CERT_*", "*_PROXY", "*_proxy")
"""Variables that programs need to publish shows to a cloud."""
SYSTEMD_VARIABLES = ("DBUS_SESSION_BUS_ADDRESS",)
"""Variables that programs need to talk to systemd."""
ALL_VARIABLES = ("*",)
"""Matches all variables. Use it for programs that authors run in their own terminals, never for untrusted programs."""


def environment_for_child(*extra_patterns: str) -> dict[str, str]:
    """Returns the variables that every program needs, and the variables that match a pattern in `extra_patterns`, such
    as "AWS_*". Never use these variables for untrusted code, which must get none of our variables.
    """
    if UNIX:
        return _matching_variables((*_EVERY_PROGRAM, *extra_patterns))
    return {
        "PYTHONIOENCODING": "utf-8",  # we read the output as UTF-8
        **_matching_variables((*_EVERY_PROGRAM, *_ON_WINDOWS, *extra_patterns)),
    }


def minimal_environment() -> dict[str, str]:
    """Returns an environment for our own programs that read untrusted files. Their PATH is empty, so that they find no
    other programs.
    """
    return {"PATH": "", "OPENBLAS_NUM_THREADS": "1", **_matching_variables(("SYSTEMROOT",))}


def _matching_variables(patterns: Iterable[str]) -> dict[str, str]:
    return {
        name: value for name, value in os.environ.items() if any(fnmatchcase(name, pattern) for pattern in patterns)
    }

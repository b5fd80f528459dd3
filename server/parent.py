"""Processes of this program that end with the process that has started them."""

import contextlib
import ctypes
import signal

PR_SET_PDEATHSIG = 1
"""As in linux/prctl.h."""


def end_with_parent() -> None:
    """Has the kernel end this process with its parent, even if it hangs. Only Linux can; elsewhere it does nothing."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

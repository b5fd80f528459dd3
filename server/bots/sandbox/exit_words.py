"""How a bot ended, in words for an organiser. Pure."""

import signal

from server.bots.sandbox.runner import Exit, Limits

_CRASHES = {signal.SIGSEGV: "crashed (segmentation fault)", signal.SIGABRT: "crashed (it aborted)"}


def exit_of(status: int, out_of_memory: bool, limits: Limits, cause: str = "") -> Exit:
    """From the status of a shell or of Docker, where 128 and more is a signal; `cause` is why we ended it, if we did.

    137 alone is any kill there is, and the kernel's note of a lack of memory may concern a child that was not missed.
    """
    number = 128 - status if 128 < status < 128 + 65 else status
    if cause:
        return Exit(number, cause)
    if number == -signal.SIGKILL and out_of_memory:
        return Exit(number, f"used more memory than the {limits.memory_bytes >> 20} MB it may")
    return Exit(number, _words(number))


def _words(status: int) -> str:
    if status == 0:
        return "ended by itself"
    if status in (126, 127):
        return "could not be started: its command was not found or is not a program"
    if status > 0:
        return f"ended with status {status}"
    try:
        caught = signal.Signals(-status)
    except ValueError:
        return f"was ended by signal {-status}"
    return _CRASHES.get(caught, f"was ended by {caught.name}")

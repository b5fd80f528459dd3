"""The errors that end a command with a message for its user."""

from collections.abc import Collection


class Refusal(Exception):
    """The command cannot do what the user wants. The message says why, and what to do."""


class EventFaults(ValueError):
    """All faults in an event file, one sentence each."""

    def __init__(self, faults: Collection[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)

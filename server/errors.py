"""What ends a command with a sentence for whoever gave it."""


class Refusal(Exception):
    """The command cannot do what it was asked for; the text says why, and what to do."""

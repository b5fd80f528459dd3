"""The error that ends a command with a message for its user."""


class Refusal(Exception):
    """The command cannot do what the user wants; the message says why, and what to do."""

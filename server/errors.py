"""The error that ends a command with a sentence for its user."""


class Refusal(Exception):
    """The command cannot do what the user wants; the text says why, and what to do."""

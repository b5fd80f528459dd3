"""What describes the messages of a contest: for the pages and schemas of the guide, and for tests of the dialects."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, description="whole number")]
Chips = Annotated[int, Meta(ge=0, description="chips")]
"""Chips that a bot names."""
Digits = Annotated[str, Meta(pattern="^[0-9]{1,40}$", description='digits, such as `"300"`')]
Note = Annotated[str, Meta(description="text")]
"""A bot's own words on its action."""
Name = Annotated[str, Meta(min_length=1, max_length=30, description="text of at most 30 characters")]


class Message(Struct, frozen=True):
    """A kind of message. `sender` is who sends it; `type` has its fields, or is the text of a line."""

    name: str
    sender: Literal["server", "bot"]
    type: Any
    examples: tuple[str, ...]
    """As they stand on the connection."""
    then: str = ""
    """What happens next, or is expected."""


class Mistake(Struct, frozen=True):
    """A wrong message of a bot, and what comes of it."""

    sent: str
    """As it stands on the connection."""
    answered: str
    """The error's code or our words for it, as the bot's author can read them."""
    rule: str
    """Which sentence of the contest's rules it breaks."""


class Protocol(Struct, frozen=True):
    """The messages of one contest."""

    about: str
    """Markdown: how messages travel, and how much time there is."""
    messages: tuple[Message, ...]
    mistakes: tuple[Mistake, ...]
    after_a_mistake: str
    """Markdown: what happens after each of `mistakes`."""

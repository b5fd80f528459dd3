"""What a bot can have said, and what can have come of it, in words every dialect shares. Values only."""

from msgspec import Struct

from server.game.decisions import Decision


class Decided(Struct, frozen=True):
    """The bot wants to act."""

    decision: Decision


class Chatted(Struct, frozen=True):
    """The bot has something to say; the text is fit to be shown."""

    text: str


class WantsLogs(Struct, frozen=True):
    """The bot asks for its own transcript."""


class Malformed(Struct, frozen=True):
    """Not a message. `reason` is in our own words and quotes plain words at most; `code` is the dialect's."""

    reason: str
    code: str = "INVALID_INPUT"


Said = Decided | Chatted | WantsLogs | Malformed
"""Everything a bot can have said."""


class Taken(Struct, frozen=True):
    """The decision counts."""


class NotExpected(Struct, frozen=True):
    """Nobody had asked, or the answer was already given."""


class Illegal(Struct, frozen=True):
    """The rules forbid it now; the bot may try again while its time runs."""


Outcome = Taken | NotExpected | Illegal | Malformed
"""Everything that can come of what a bot said."""

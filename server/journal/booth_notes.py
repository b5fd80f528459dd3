"""What the organiser wrote for those who comment the show. The event file has it, the studio's booth shows it."""

from msgspec import Struct


class BotNotes(Struct, frozen=True):
    """What the organiser wrote of the bot of that name: how to `say` it, and `notes`; "" for nothing."""

    bot: str
    say: str = ""
    notes: str = ""


class ShowItem(Struct, frozen=True):
    """A line of the run of the show: what comes, and `at` what time of day ("19:00"; "" where it has none)."""

    what: str
    at: str = ""

"""Makes entrants of an event's entries: reads what was handed in, makes its media safe, numbers the bots.

A bot that cannot play is entered all the same: its buy-in is in the pool, its place is the last.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import UNSET, Struct
from msgspec.structs import replace

from broadcast.media.library import MediaLibrary
from server.app.event.boxed_bots import BotEntry
from server.bots.transports.http import Address
from server.config.event_file import EventPlan
from server.console import plain, say
from server.errors import Refusal
from server.game.events import Entrant, TournamentOpened
from server.journal.resume import Begun
from server.submissions.digest import DIGITS, digest_of
from server.submissions.read import read_submissions
from server.submissions.submission import Submission
from server.text.look_alikes import looks_of
from server.text.names_and_chat import name_fault


class Field(Struct, frozen=True):
    """Everybody who is entered. `entrants` and `entries` go together, numbered from 1 in the order of the event file.

    `addresses` are those of bots that were called already, by bot number.
    """

    entrants: tuple[Entrant, ...]
    entries: tuple[BotEntry, ...]
    addresses: Mapping[int, Address] = {}


class _Handed(Struct, frozen=True):
    """One bot before it has its number; `secret` and `url` as in `BotEntry`."""

    player: str
    name: str
    submission: Submission | None = None
    remote: bool = False
    secret: str = ""
    fault: str = ""
    url: str = ""
    about: str = ""
    version: str = ""


def enter_all(plan: EventPlan, work: Path) -> Field:
    """Reads and prepares all entries of `plan`; archives are unpacked below `work`. Prints a line for each bot.

    Bots with faults are entered, too. Raises OSError where a file cannot be read or written.
    """
    handed = _with_namesake_faults([bot for entry in range(len(plan.entries)) for bot in _handed(plan, entry, work)])
    library = MediaLibrary(plan.media)
    entrants = []
    for number, bot in enumerate(handed, 1):
        entrants.append(_entrant(number, bot, library))
        about = f"; {plain(bot.about)}" if bot.about else ""
        say(f"  [{number}/{len(handed)}] {plain(bot.name)} ({plain(bot.player)}): {bot.fault or 'ready'}{about}")
    entries = [
        BotEntry(
            number,
            bot.name,
            bot.submission.folder if bot.submission else None,
            bot.remote,
            bot.secret,
            bot.fault,
            bot.url,
        )
        for number, bot in enumerate(handed, 1)
    ]
    return Field(tuple(entrants), tuple(entries))


def entered_before(plan: EventPlan, begun: Begun, field: Field) -> Field:
    """The field with the entrants of the journal, if one was begun. Raises Refusal where it was begun with others."""
    if not begun.entries:
        return field
    opened = begun.entries[0].event
    assert isinstance(opened, TournamentOpened), "a journal begins with it"
    now, then = ([entrant.name for entrant in entrants] for entrants in (field.entrants, opened.entrants))
    if now != then:
        raise Refusal(
            f"{plan.journal} was begun with other bots ({', '.join(map(plain, then))}): put the entries back as they "
            "were to go on, or begin anew beside it with --again"
        )
    return replace(field, entrants=opened.entrants)


def _handed(plan: EventPlan, entry: int, work: Path) -> list[_Handed]:
    player, folder = plan.entries[entry].player, plan.entries[entry].folder
    if folder is None:
        elsewhere = plan.entries[entry]
        return [
            _Handed(
                player,
                elsewhere.bot,
                remote=elsewhere.remote,
                secret=elsewhere.secret,
                url=elsewhere.url,
                about=elsewhere.description,
                version=elsewhere.version,
            )
        ]
    found = read_submissions(folder, work / str(entry), player)
    said = plan.entries[entry].version
    return [
        _Handed(player, _name(bot, player), bot, fault=" ".join(bot.faults), version=said or _version(bot))
        for bot in found
    ]


def _version(bot: Submission) -> str:
    """What tells this version from another one; "" where it cannot play."""
    return "" if bot.faults else digest_of(bot.folder)[:DIGITS]


def _name(bot: Submission, player: str) -> str:
    """A name that can be shown, also for a submission that has none."""
    return bot.name if bot.name and not name_fault(bot.name) else f"{player[:20]}'s bot"


def _with_namesake_faults(handed: Sequence[_Handed]) -> list[_Handed]:
    taken: dict[str, str] = {}
    checked = []
    for bot in handed:
        looks = looks_of(bot.name)
        other = next((taken[look] for look in looks if look in taken), None)
        namesake = "" if other is None else f'The name "{bot.name}" is {other}\'s already.'
        taken.update(dict.fromkeys(looks, bot.player))
        checked.append(replace(bot, fault=bot.fault or namesake))
    return checked


def _entrant(number: int, bot: _Handed, library: MediaLibrary) -> Entrant:
    media = bot.submission
    if media is None:
        return Entrant(number, bot.name, bot.player, version=bot.version or UNSET)
    made = library.prepare(media.avatar, media.particle, media.sound)
    for fault in made.faults:
        say(f"       {plain(bot.name)}: {plain(fault)}; the house's own is taken")
    return Entrant(
        number,
        bot.name,
        bot.player,
        made.avatar,
        made.particle,
        made.sound,
        library.sound_ms(made.sound),
        version=bot.version or UNSET,
    )

"""Turns the entries of an evening, and the house bots, into numbered entrants with safe media.

A bot that cannot play is entered nevertheless: its buy-in is in the pool, and it finishes last.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import UNSET, Struct
from msgspec.structs import replace

from broadcast.media.library import MediaLibrary
from server.app.evening.boxed_bots import BotEntry
from server.bots.house.characters import CHARACTERS
from server.bots.transports.http import Address
from server.config.event_entries import EntryPlan
from server.config.event_file import EveningPlan
from server.config.settings import Settings
from server.console import plain, say
from server.errors import Refusal
from server.game.events import Entrant, TournamentOpened
from server.journal.reopen import Begun
from server.paths import ASSETS
from server.submissions.folder_scan import DIGITS, digest_of
from server.submissions.read import read_submissions
from server.submissions.submission import Submission
from server.text.look_alikes import looks_of
from server.text.names_and_chat import name_fault


class Field(Struct, frozen=True):
    """All entrants and their entries, numbered from 1; `addresses` are those already known, keyed by number."""

    entrants: tuple[Entrant, ...]
    entries: tuple[BotEntry, ...]
    addresses: Mapping[int, Address] = {}


class _Handed(Struct, frozen=True):
    """A bot that has no number yet; `fault` is as in `BotEntry`."""

    plan: EntryPlan
    name: str
    submission: Submission | None = None
    fault: str = ""
    version: str = ""


def enter_all(plan: EveningPlan, work: Path) -> Field:
    """Reads all entries of `plan`, unpacking archives below `work`; prints a line for each bot. Raises OSError."""
    numbered = enumerate(plan.entries)
    handed = _with_namesake_faults([bot for number, entry in numbered for bot in _handed(entry, work / str(number))])
    library = MediaLibrary(plan.media)
    entrants, entries = [], []
    for number, bot in enumerate(handed, 1):
        elsewhere, folder = bot.plan, bot.submission.folder if bot.submission else None
        entrants.append(_entrant(number, bot, library))
        entries.append(BotEntry(number, bot.name, folder, elsewhere.remote, elsewhere.secret, bot.fault, elsewhere.url))
        about = f"; {plain(elsewhere.description)}" if elsewhere.description else ""
        player = plain(elsewhere.player)
        say(f"  [{number}/{len(handed)}] {plain(bot.name)} ({player}): {bot.fault or 'ready'}{about}")
    return Field(tuple(entrants), tuple(entries))


def entered_before(plan: EveningPlan, begun: Begun, field: Field) -> Field:
    """The field with the entrants of a started journal. Raises Refusal if those are others."""
    if not begun.entries:
        return field
    opened = begun.entries[0].event
    assert isinstance(opened, TournamentOpened), "a journal begins with it"
    now, then = ([entrant.name for entrant in entrants] for entrants in (field.entrants, opened.entrants))
    if now != then:
        raise Refusal(
            f"{plan.journal} was started with other bots ({', '.join(map(plain, then))}): restore the entries "
            "to resume it, or start another recording with --again"
        )
    return replace(field, entrants=opened.entrants)


def _handed(plan: EntryPlan, work: Path) -> list[_Handed]:
    if plan.folder is None:
        return [_Handed(plan, plan.bot, version=plan.version)]
    handed = []
    for bot in read_submissions(plan.folder, work, plan.player):
        name = bot.name if bot.name and not name_fault(bot.name) else f"{plan.player[:20]}'s bot"
        version = plan.version or ("" if bot.faults else digest_of(bot.folder)[:DIGITS])
        handed.append(_Handed(plan, name, bot, " ".join(bot.faults), version))
    return handed


def _with_namesake_faults(handed: Sequence[_Handed]) -> list[_Handed]:
    owners: dict[str, str] = {}
    checked = []
    for bot in handed:
        looks = looks_of(bot.name)
        other = next((owners[look] for look in looks if look in owners), None)
        namesake = "" if other is None else f'The name "{bot.name}" is {other}\'s already.'
        owners.update(dict.fromkeys(looks, bot.plan.player))
        checked.append(replace(bot, fault=bot.fault or namesake))
    return checked


def _entrant(number: int, bot: _Handed, library: MediaLibrary) -> Entrant:
    entrant = Entrant(number, bot.name, bot.plan.player, version=bot.version or UNSET)
    media = bot.submission
    if media is None:
        return entrant
    made = library.prepare(media.avatar, media.particle, media.sound)
    for fault in made.faults:
        say(f"       {plain(bot.name)}: {plain(fault)}; the house's is used instead")
    length_ms = library.sound_ms(made.sound)
    return replace(entrant, avatar=made.avatar, particle=made.particle, sound=made.sound, sound_ms=length_ms)


def enter_characters(settings: Settings) -> list[Entrant]:
    """The house bots as entrants, each its own player, with their media in the library."""
    library = MediaLibrary(settings.media)
    entrants = []
    for bot, character in enumerate(CHARACTERS, 1):
        folder = ASSETS / "house" / character.folder
        avatar, particle = (library.keep(folder / name) for name in ("avatar.webp", "particle.webp"))
        sound = library.keep(folder / "sound.ogg")
        length_ms = library.sound_ms(sound)
        entrants.append(Entrant(bot, character.name, character.name, avatar, particle, sound, length_ms))
    return entrants

"""Enters bots in a tournament: numbers them, and prepares their pictures and sounds. The bots come from the entries of
an event file, or are the house bots (bots that come with this program).

A bot that cannot play is entered too, because its buy-in is in the pool. It finishes last.
"""

import asyncio
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
from server.console import say
from server.errors import Refusal
from server.game.events import Entrant, TournamentOpened
from server.journal.begin_journal import BegunRecording
from server.paths import ASSETS
from server.submissions.folder_rules import VERSION_DIGITS, digest_of
from server.submissions.submission import Submission
from server.submissions.submissions_reader import read_submissions
from server.text.characters import printable
from server.text.look_alikes import looks_of
from server.text.names_and_chat import name_fault


class EnteredBots(Struct, frozen=True):
    """All entrants of an evening and their entries, numbered from 1. `addresses` has the known addresses of HTTP bots,
    keyed by bot number.
    """

    entrants: tuple[Entrant, ...]
    entries: tuple[BotEntry, ...]
    addresses: Mapping[int, Address] = {}


class _UnnumberedBot(Struct, frozen=True):
    """A bot that has no number yet. `fault` says why it cannot play."""

    plan: EntryPlan
    name: str
    submission: Submission | None = None
    fault: str = ""
    version: str = ""


def enter_all(plan: EveningPlan, work_folder: Path) -> EnteredBots:
    """Reads all entries of `plan`, unpacks archives into subfolders of `work_folder`, and prints a line for each bot.
    Raises OSError.
    """
    numbered = enumerate(plan.entries)
    bots = _add_namesake_faults(
        [bot for number, entry in numbered for bot in _read_bots(entry, work_folder / str(number))]
    )
    library = MediaLibrary(plan.media)
    entrants, entries = [], []
    for number, bot in enumerate(bots, 1):
        entry, folder = bot.plan, bot.submission.folder if bot.submission else None
        entrants.append(_make_entrant(number, bot, library))
        entries.append(
            BotEntry(
                number, bot.name, folder, entry.remote, entry.secret, bot.fault, entry.url, entry.mcp, entry.command
            )
        )
        description = f"; {printable(entry.description)}" if entry.description else ""
        player = printable(entry.player)
        say(f"  [{number}/{len(bots)}] {printable(bot.name)} ({player}): {bot.fault or 'ready'}{description}")
    return EnteredBots(tuple(entrants), tuple(entries))


async def read_entered_bots(plan: EveningPlan, begun_recording: BegunRecording, work_folder: Path) -> EnteredBots:
    """Returns the bots in the event file as entrants. Unpacks archives to `work_folder`. Raises Refusal if the
    journal's entrants have other names. Raises OSError.
    """
    say("reading the submissions")
    return restore_entrants(plan, begun_recording, await asyncio.to_thread(enter_all, plan, work_folder))


def restore_entrants(plan: EveningPlan, begun_recording: BegunRecording, entered_bots: EnteredBots) -> EnteredBots:
    """Returns `entered_bots`, with the entrants from the journal if the journal has any.

    Raises Refusal if the names in the journal differ from those in `entered_bots`.
    """
    if not begun_recording.entries:
        return entered_bots
    opened = begun_recording.entries[0].event
    assert isinstance(opened, TournamentOpened), "every journal begins with TournamentOpened"
    current_names, journal_names = (
        [entrant.name for entrant in entrants] for entrants in (entered_bots.entrants, opened.entrants)
    )
    if current_names != journal_names:
        raise Refusal(
            f"{plan.journal} was started with other bots ({', '.join(map(printable, journal_names))}): restore "
            "the entries "
            "to resume it, or start another recording with --again"
        )
    return replace(entered_bots, entrants=opened.entrants)


def _read_bots(plan: EntryPlan, work_folder: Path) -> list[_UnnumberedBot]:
    if plan.folder is None:
        return [_UnnumberedBot(plan, plan.bot, version=plan.version)]
    bots = []
    for bot in read_submissions(plan.folder, work_folder, plan.player):
        name = bot.name if bot.name and not name_fault(bot.name) else f"{plan.player[:20]}'s bot"
        version = plan.version or ("" if bot.faults else digest_of(bot.folder)[:VERSION_DIGITS])
        bots.append(_UnnumberedBot(plan, name, bot, " ".join(bot.faults), version))
    return bots


def _add_namesake_faults(bots: Sequence[_UnnumberedBot]) -> list[_UnnumberedBot]:
    owners: dict[str, str] = {}
    checked = []
    for bot in bots:
        looks = looks_of(bot.name)
        other = next((owners[look] for look in looks if look in owners), None)
        namesake = "" if other is None else f'The name "{bot.name}" already belongs to {other}.'
        owners.update(dict.fromkeys(looks, bot.plan.player))
        checked.append(replace(bot, fault=bot.fault or namesake))
    return checked


def _make_entrant(number: int, bot: _UnnumberedBot, library: MediaLibrary) -> Entrant:
    entrant = Entrant(number, bot.name, bot.plan.player, version=bot.version or UNSET)
    submitted = bot.submission
    if submitted is None:
        return entrant
    media = library.prepare(submitted.avatar, submitted.particle, submitted.sound)
    for fault in media.faults:
        say(f"       {printable(bot.name)}: {printable(fault)}; the house's file is used instead")
    length_ms = library.sound_ms(media.sound)
    return replace(entrant, avatar=media.avatar, particle=media.particle, sound=media.sound, sound_ms=length_ms)


def enter_characters(settings: Settings) -> list[Entrant]:
    """Adds the house bots' media to the library. Returns an entrant for each bot, with a player of the same name."""
    library = MediaLibrary(settings.media)
    entrants = []
    for bot, character in enumerate(CHARACTERS, 1):
        folder = ASSETS / "house" / character.folder
        avatar, particle = (library.add_own_file(folder / name) for name in ("avatar.webp", "particle.webp"))
        sound = library.add_own_file(folder / "sound.ogg")
        length_ms = library.sound_ms(sound)
        entrants.append(Entrant(bot, character.name, character.name, avatar, particle, sound, length_ms))
    return entrants

"""Reads an event file's settings for the show: notes for commentators, the run of show, and the voice."""

import shutil
from datetime import date
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.config.event_keys import CHOICES
from server.config.event_reader import Reading, Table
from server.config.event_values import choice, clock_time, line, long_name, moment_on, text, title, truth, written
from server.journal.link import BotReport, ShowItem
from server.system.words import words_of

MAX_ITEMS = 40
MAX_SAY, MAX_NOTES = 60, 400
"""The maximum number of characters in a bot's pronunciation, and in the notes on a bot."""
ESPEAK: tuple[str, ...] = ("espeak-ng", "--stdin", "--stdout", "-v", "en-us", "-s", "{words}")
"""The command of Debian's speech program, which needs no network. The number of words per minute replaces "{words}"."""


def read_bots(reading: Reading, found: Table) -> tuple[BotReport, ...]:
    """Reads the notes on bots. Adds a fault for a second [[bots]] for the same bot."""
    bots: list[BotReport] = []
    for table_name, table in reading.tables(found, "bots"):
        bot = reading.require(table, table_name, "bot", long_name, "")
        if bot and bot in {earlier.bot for earlier in bots}:
            reading.fault(f"{table_name}.bot", f'"{bot}" already has a [[bots]]')
        say = reading.read(table, table_name, "say", line(MAX_SAY), "")
        bots.append(BotReport(bot, say, reading.read(table, table_name, "notes", line(MAX_NOTES), "")))
    return tuple(bots)


def read_run_of_show(reading: Reading, found: Table, day: date) -> tuple[ShowItem, ...]:
    """Reads the items of the run of show on `day`. Pages show their times in this machine's time zone."""
    items: list[ShowItem] = []
    for table_name, table in reading.tables(found, "run_of_show"):
        start = reading.read(table, table_name, "at", clock_time, None)
        at = f"{moment_on(day, start):%H:%M}" if start else ""
        items.append(ShowItem(reading.require(table, table_name, "what", title, ""), at))
    if len(items) > MAX_ITEMS:
        reading.fault("run_of_show", f"has {len(items)} lines; at most {MAX_ITEMS} are allowed")
    return tuple(items)


class VoicePlan(Struct, frozen=True):
    """A voice that speaks commentary."""

    command: tuple[str, ...]
    """A command that reads a sentence from standard input and writes a WAV file to standard output."""
    heard_by: str = "all"
    """Who hears the voice: "all" or "describe"."""
    thoughts: bool = False
    """Whether the voice also speaks the bots' thoughts that the show displays."""


def read_voice(reading: Reading, found: Table, beside: Path) -> VoicePlan | None:
    """Reads the voice. Returns None if the file has no voice. The command's program may be in the folder `beside`."""
    if "voice" not in found:
        return None
    table = reading.table(found, "voice")
    command = reading.read(table, "voice", "command", partial(_read_command, beside), ESPEAK)
    heard_by = reading.read(table, "voice", "heard_by", choice(*CHOICES["voice.heard_by"]), "all")
    thoughts = reading.read(table, "voice", "thoughts", truth, default=False)
    if thoughts and Path(command[0]).name != ESPEAK[0]:
        reading.fault("voice.thoughts", f"needs {ESPEAK[0]}, because other programs may have only one voice")
    return VoicePlan(command, heard_by, thoughts)


def _read_command(beside: Path, value: object) -> tuple[str, ...]:
    """Splits a command into words; its program may be in the folder `beside`. Raises ValueError."""
    words = _split_words(value)
    if not words or not all(word.isprintable() for word in words):
        raise ValueError('should be a command such as "espeak-ng --stdin --stdout"')
    program = (beside / words[0]).absolute()
    return (str(program) if program.is_file() else words[0], *words[1:])


def found_here(voice: VoicePlan) -> VoicePlan:
    """Returns the voice with the full path of its program.

    Raises ValueError if this machine does not have the program. The error's text continues a message that begins with
    the key.
    """
    name, *words = voice.command
    program = shutil.which(name)
    if not program:
        hint = "; apt-get install espeak-ng, or name another program" if name == ESPEAK[0] else ""
        raise ValueError(f"is not a program on this machine: {name}{hint}")
    return replace(voice, command=(program, *words))


def _split_words(value: object) -> list[str]:
    if isinstance(value, list):
        return [text(word) for word in value]
    if not isinstance(value, str):
        raise ValueError(f"should be a text or a list of texts, not {written(value)}")
    try:
        return words_of(value)
    except ValueError as error:
        raise ValueError(f"is not a command: {error}") from None

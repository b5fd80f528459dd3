"""Reads an event file's settings for the show: notes for commentators, the run of show, and the voice."""

import shutil
from datetime import date
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.config.event_keys import CHOICES
from server.config.event_reader import EventReader, Table
from server.config.event_values import (
    boolean,
    choice,
    clock_time,
    describe_value,
    long_name,
    moment_on,
    single_line,
    text,
    title,
)
from server.journal.studio_link import BotReport, ShowItem
from server.system.shell_words import words_of

MAX_ITEMS = 40
MAX_SAY_CHARACTERS, MAX_NOTES_CHARACTERS = 60, 400
"""The maximum numbers of characters in a bot's pronunciation, and in the notes on a bot."""
ESPEAK_COMMAND: tuple[str, ...] = ("espeak-ng", "--stdin", "--stdout", "-v", "en-us", "-s", "{words}")
"""The command of Debian's speech program, which needs no network. "{words}" is the number of words per minute."""


def read_bots(reader: EventReader, root: Table) -> tuple[BotReport, ...]:
    """Reads the notes on bots. Adds a fault if two tables [[bots]] are about the same bot."""
    bots: list[BotReport] = []
    for table_name, table in reader.read_tables(root, "bots"):
        bot = reader.require(table, table_name, "bot", long_name, "")
        if bot and bot in {earlier.bot for earlier in bots}:
            reader.add_fault(f"{table_name}.bot", f'"{bot}" already has a [[bots]]')
        say = reader.read(table, table_name, "say", single_line(MAX_SAY_CHARACTERS), "")
        bots.append(BotReport(bot, say, reader.read(table, table_name, "notes", single_line(MAX_NOTES_CHARACTERS), "")))
    return tuple(bots)


def read_run_of_show(reader: EventReader, root: Table, day: date) -> tuple[ShowItem, ...]:
    """Reads the items of the run of show on `day`. Their times are converted to this machine's time zone."""
    items: list[ShowItem] = []
    for table_name, table in reader.read_tables(root, "run_of_show"):
        start = reader.read(table, table_name, "at", clock_time, None)
        start_time = f"{moment_on(day, start):%H:%M}" if start else ""
        items.append(ShowItem(reader.require(table, table_name, "what", title, ""), start_time))
    if len(items) > MAX_ITEMS:
        reader.add_fault("run_of_show", f"has {len(items)} lines; at most {MAX_ITEMS} are allowed")
    return tuple(items)


class VoicePlan(Struct, frozen=True):
    """A voice that speaks commentary."""

    command: tuple[str, ...]
    """A command that reads a sentence from standard input and writes a WAV file to standard output."""
    heard_by: str = "all"
    """Who hears the voice: all viewers, or with "describe" only those who open a page with `?voice=describe`."""
    thoughts: bool = False
    """Whether the voice also speaks those thoughts of bots that the show displays."""


def read_voice(reader: EventReader, root: Table, event_folder: Path) -> VoicePlan | None:
    """Reads the voice. Returns None if the file has no voice. The command's program may be in the folder
    `event_folder`.
    """
    if "voice" not in root:
        return None
    table = reader.read_table(root, "voice")
    command = reader.read(table, "voice", "command", partial(_read_command, event_folder), ESPEAK_COMMAND)
    heard_by = reader.read(table, "voice", "heard_by", choice(*CHOICES["voice.heard_by"]), "all")
    thoughts = reader.read(table, "voice", "thoughts", boolean, default=False)
    if thoughts and Path(command[0]).name != ESPEAK_COMMAND[0]:
        reader.add_fault("voice.thoughts", f"needs {ESPEAK_COMMAND[0]}, because other programs may have only one voice")
    return VoicePlan(command, heard_by, thoughts)


def _read_command(event_folder: Path, value: object) -> tuple[str, ...]:
    """Splits a command into words. The command's program may be in the folder `event_folder`. Raises ValueError."""
    words = _split_words(value)
    if not words or not all(word.isprintable() for word in words):
        raise ValueError('should be a command such as "espeak-ng --stdin --stdout"')
    program = (event_folder / words[0]).absolute()
    return (str(program) if program.is_file() else words[0], *words[1:])


def find_voice_program(voice: VoicePlan) -> VoicePlan:
    """Returns the voice with the full path of its program.

    Raises ValueError if this machine does not have the program. The error's text continues a message that begins with
    the key `voice.command`.
    """
    name, *words = voice.command
    program = shutil.which(name)
    if not program:
        hint = "; apt-get install espeak-ng, or name another program" if name == ESPEAK_COMMAND[0] else ""
        raise ValueError(f"is not a program on this machine: {name}{hint}")
    return replace(voice, command=(program, *words))


def _split_words(value: object) -> list[str]:
    if isinstance(value, list):
        return [text(word) for word in value]
    if not isinstance(value, str):
        raise ValueError(f"should be a text or a list of texts, not {describe_value(value)}")
    try:
        return words_of(value)
    except ValueError as error:
        raise ValueError(f"is not a command: {error}") from None

"""`highnoon init FOLDER`: writes an event file for a folder of submissions, with every setting explained.

The explanations come from the example `event.toml` in the assets.
"""

import asyncio
import json
import re
import tempfile
from collections.abc import Sequence
from datetime import date, datetime
from itertools import chain, count
from pathlib import Path

from server.app.check.checker import PlayerSubmission, checker_of, contest_of
from server.bots.choose_sandbox import weak_boxes_warning
from server.console import say
from server.contests import DEFAULT
from server.contests.contest import Contest
from server.errors import Refusal
from server.hand_histories.phh_writer import toml_value
from server.paths import ASSETS
from server.system.shell_words import quoted
from server.text.characters import printable
from server.text.grammar import count_text
from server.text.look_alikes import looks_of
from server.text.names_and_chat import MAX_NAME_CHARACTERS, name_fault
from server.text.regular_file import read_regular
from server.text.strict_json import BadJson, read_object

EXAMPLE_FILE = ASSETS / "event.toml"
_SETTINGS_START = "# All mistakes in this file"
_ENTRIES_START = "# [[entries]]"
_REMOTE_START = "# Or a bot that runs elsewhere"
_COMMENT_COLUMN = 36
"""In the example, the comment on each setting begins at this column."""
SCHEMA_FILE = ASSETS / "schemas" / "event.json"
_SCHEMA_COPY_NAME = "event.schema.json"
"""The name of the schema's copy beside the event file. With this copy, text editors need no network for the schema, and
the two files can be moved together.
"""
_FILE_HEAD = """\
#:schema ./{schema}
# A tournament day for High Noon, written by highnoon init. Change what you like, rehearse it, then run it:
#
#     highnoon tournament {file} --rehearse
#     highnoon tournament {file}
#
"""


def init_event(folder: Path, out: Path) -> int:
    """Writes the event file `out` for the players whose folders and archives are in `folder`. Returns 0.

    The first line of the event file names a JSON Schema. Writes this schema beside the file. Raises OSError, or Refusal
    if `folder` contains no bot or `out` already exists.
    """
    if out.exists():
        raise Refusal(f"{out} already exists and stays as it is: name another file with --out")
    contest = contest_of(folder)
    checker = checker_of(contest)
    with tempfile.TemporaryDirectory() as work:
        paths = map(_check_path, checker.find_submissions(folder))
        submissions = [checker.read_submission(path, Path(work) / str(index)) for index, path in enumerate(paths)]
    if not any(submission.bots for submission in submissions):
        raise Refusal(f"{folder} contains no folder or zip archive with a bot: name the folder of all players")
    day = datetime.now().astimezone().date()
    text = _make_settings(day, out.name, contest) + _make_entries(submissions, out.parent)
    _copy_schema(out.parent)
    with out.open("x", encoding="utf-8", newline="\n") as file:
        file.write(f"{text}\n{_remote_example()}" if contest.evening_rules.has_remote_bots else text)
    _print_summary(submissions, folder, out)
    return 0


def _copy_schema(folder: Path) -> None:
    """Copies the schema into `folder`, and replaces an older copy. Text editors use the schema to check the event file.

    Raises OSError. Raises Refusal if the copy's name is taken by a link, or by a file that is no schema.
    """
    copy = folder / _SCHEMA_COPY_NAME
    if copy.is_symlink() or (copy.exists() and not _is_schema(copy)):
        raise Refusal(f"{copy} is not a schema of High Noon and stays as it is: rename it, or name another folder")
    copy.unlink(missing_ok=True)
    with copy.open("xb") as file:  # "x" does not follow a link that somebody may have just made at this path
        file.write(SCHEMA_FILE.read_bytes())


def _is_schema(path: Path) -> bool:
    document = read_object(read_regular(path))
    return not isinstance(document, BadJson) and document.get("title") == json.loads(SCHEMA_FILE.read_bytes())["title"]


def _check_path(path: Path) -> Path:
    """Returns the path. Raises Refusal if the name is not UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise Refusal(f"the name of {printable(path.name)} is not UTF-8: rename it") from None
    return path


def _make_settings(day: date, file: str, contest: Contest) -> str:
    """Returns the settings of the example, adapted to the date `day` and to the contest. `file` is the event file's
    name.
    """
    example = EXAMPLE_FILE.read_text(encoding="utf-8")
    text = example[example.index(_SETTINGS_START) : example.index(_ENTRIES_START)]
    text = _replace_setting(text, "name", f"name = {toml_value(f'{day:%A} at the Saloon')}")
    text = _replace_setting(text, "date", f"date = {day.isoformat()}")
    text = _replace_setting(text, "finish_trials_by", '# finish_trials_by = "20:15"')
    if contest.id != DEFAULT:
        text = _replace_setting(text, "# contest", f'contest = "{contest.id}"')
    for key in contest.evening_rules.unused_keys:
        text = re.sub(rf"^(?={key} = )", "# ", text, count=1, flags=re.MULTILINE)
    return _FILE_HEAD.format(schema=_SCHEMA_COPY_NAME, file=quoted(file)) + text


def _replace_setting(text: str, key: str, setting: str) -> str:
    """Replaces the line of `key` in `text` with `setting`. Comments stay in their column."""
    line = re.compile(rf"^{key} = (?:[^#\n\"]|\"[^\"\n]*\")*(#.*)?$", re.MULTILINE)
    return line.sub(lambda match: f"{setting:{_COMMENT_COLUMN}}{match[1] or ''}".rstrip(), text, count=1)


def _make_entries(submissions: Sequence[PlayerSubmission], event_folder: Path) -> str:
    """Returns an entry for each player. If a player has no bot, the entry is commented out, with the reason.

    Paths of bots are relative to the folder `event_folder`.
    """
    taken_skeletons: set[str] = set()
    entries = []
    for number, submission in enumerate(submissions, 1):
        player = _make_player_name(submission.stem, number, taken_skeletons)
        path = (
            submission.path.relative_to(event_folder)
            if submission.path.is_relative_to(event_folder)
            else submission.path
        )
        lines = ["[[entries]]", f"player = {toml_value(player)}", f"folder = {toml_value(path.as_posix())}"]
        if submission.bots:
            names = ", ".join(printable(bot) or "a bot without a name" for bot in submission.bots)
            heading = names + ("; highnoon check says what is wrong" if submission.faulty else "")
        else:
            heading, lines = f"left out: {printable(submission.fault_text)}", [f"# {line}" for line in lines]
        entries.append("\n".join((f"# {heading}", *lines, "")))
    return "\n".join(entries)


def _remote_example() -> str:
    example = EXAMPLE_FILE.read_text(encoding="utf-8")
    lines = example[example.index(_REMOTE_START) :].splitlines()
    return "".join(f"{line}\n" if not line or line.startswith("#") else f"# {line}\n" for line in lines)


def _make_player_name(stem: str, number: int, taken_skeletons: set[str]) -> str:
    """Makes a player's name from the folder name `stem`. If `stem` cannot be a name, makes the name from `number`.

    The new name looks like no earlier name. Names that look alike share a skeleton, in which similar letters are
    replaced by the same letter. `taken_skeletons` has the skeletons of all earlier names. Those of the new name are
    added.
    """
    short_stem = stem[:MAX_NAME_CHARACTERS].rstrip()
    bases = (short_stem[: MAX_NAME_CHARACTERS - 5], "Player")
    names = chain([short_stem], (f"{base} {suffix}" for suffix in count(number) for base in bases))
    name = next(name for name in names if not name_fault(name) and looks_of(name).isdisjoint(taken_skeletons))
    taken_skeletons |= looks_of(name)
    return name


def _print_summary(submissions: Sequence[PlayerSubmission], folder: Path, out: Path) -> None:
    with_bots = [submission for submission in submissions if submission.bots]
    bots = sum(len(submission.bots) for submission in with_bots)
    faulty = sum(submission.faulty for submission in with_bots)
    found_bots = f"{count_text(len(with_bots), 'player')}, {count_text(bots, 'bot')}"
    say(f"{out} written: {found_bots}" + (f", {faulty} of them with faults" if faulty else ""))
    for submission in submissions:
        if not submission.bots:
            say(f"  left out        {printable(submission.path.name)}: {printable(submission.fault_text)}")
    say(f"  to check them   highnoon check {quoted(str(folder))}")
    say(f"  to rehearse     highnoon tournament {quoted(str(out))} --rehearse")
    say(f"  the evening     highnoon tournament {quoted(str(out))}")
    if weak := asyncio.run(weak_boxes_warning()):
        say(f"  {weak}")

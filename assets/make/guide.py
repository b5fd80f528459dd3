"""`python -m assets.make.guide`: makes the guide's pages that are generated from the code.

The pages are committed, so that people can read them in the repository. A test fails if they are out of date.
"""

import argparse
import ast
import inspect
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import get_args

from assets.make import api, event_schema, house, page_types, protocols, public_api
from assets.make.described import field_table
from broadcast.on_air import events as onair
from broadcast.on_air import picture_state, shared_types
from server.command_line.arguments import make_command_parser
from server.game import decisions, events, rules

ROOT = Path(__file__).parents[2]
_BOT_EVENTS = ("BotConnected", "BotDisconnected", "BotWithdrawn", "FaultNoted", "ChatSent", "NoteGiven")
_COMMAND_PATTERN = re.compile(r"\bhighnoon [^;\n]+?(?=;|, (?:with|and) |\. |\.?$)", re.MULTILINE)
"""Matches a whole command within a text. Pages show commands as code, where two hyphens do not become a dash."""
_DESK_EVENTS = ("ControlSet", "CueGiven", "StageCut")


def made_files() -> dict[str, str]:
    """Returns the text of every generated file, keyed by the file's path in the clone. The files from `house` are about
    the program's folders, which a drawing shows as a house.
    """
    pages = {"api": api.page(), "commands": _commands(), "event-file": _event_file(), "events": _events()}
    pages |= {"house": house.page(), "files": house.files_page(ROOT)}
    made = {f"broadcast/guide/{name}.md": text for name, text in pages.items()}
    made |= {"assets/pictures/house.svg": house.drawing()}
    made |= event_schema.made_files() | public_api.made_files()
    return made | protocols.made_files() | page_types.made_files()


# -- the commands ------------------------------------------------------------------------------------------------------


def _commands() -> str:
    parser = make_command_parser()
    (group,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    commands = "\n".join(_command(name, command) for name, command in group.choices.items())
    return f"""# Commands

{(parser.description or "").strip()}

`highnoon --help` lists the commands. `highnoon COMMAND --help` lists the options of a command. `highnoon --version`
prints the version.

```
{(parser.epilog or "").strip()}
```

{commands}"""


def _command(name: str, command: argparse.ArgumentParser) -> str:
    actions = [action for action in command._actions if action.dest != "help"]
    words = [f"{action.metavar}" for action in actions if not action.option_strings]
    usage = " ".join(["highnoon", name, "[OPTIONS]", *words])
    rows = "\n".join(f"| {_option_text(action)} | {_help(action)} |" for action in actions)
    only = "".join(f"\n{_describe_exclusive_group(group)}\n" for group in command._mutually_exclusive_groups)
    about = _COMMAND_PATTERN.sub(r"`\g<0>`", command.description or "")
    return f"""## highnoon {name}

{about}

```
{usage}
```

| | |
|---|---|
{rows}
{only}"""


def _option_text(action: argparse.Action) -> str:
    choices = "|".join(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else action.metavar or choices or action.dest.upper()
    return "`" + " ".join([*action.option_strings[-1:], str(value)]).strip().replace("|", "\\|") + "`"


def _help(action: argparse.Action) -> str:
    return (action.help or "") % vars(action)


def _describe_exclusive_group(group: argparse._MutuallyExclusiveGroup) -> str:
    names = ", ".join(
        f"`{action.option_strings[-1] if action.option_strings else action.metavar}`" for action in group._group_actions
    )
    return f"Exactly one of these: {names}." if group.required else f"At most one of these: {names}."


# -- the event file ----------------------------------------------------------------------------------------------------


def _event_file() -> str:
    quick_draw, others = ((ROOT / "assets" / name).read_text() for name in ("event.toml", "event-contests.toml"))
    return f"""# Event files

An event file describes a tournament: its bots, prizes, pace and ports. The file is written in TOML.
`highnoon init FOLDER` writes an event file for the submissions in a folder. All mistakes in an event file are reported
at once, each with its line.

The first line names `event.schema.json`, a JSON Schema that `highnoon init` writes beside the event file. With the
schema, editors with TOML support, such as VS Code with Even Better TOML, complete keys, explain keys and mark mistakes.
The editor needs no network for this. For a file that you wrote yourself, copy `assets/schemas/event.json` to
`event.schema.json` beside it and begin the file with `#:schema ./event.schema.json`.

## Quick Draw

This is `assets/event.toml`:

```toml
{quick_draw.strip()}
```

## The other contests

This is `assets/event-contests.toml`:

```toml
{others.strip()}
```
"""


# -- the events --------------------------------------------------------------------------------------------------------


def _events() -> str:
    journal_events = {kind.__name__: kind for kind in get_args(events.JournalEvent)}
    hand_events = [kind.__name__ for kind in events.HAND_EVENTS]
    added = [name for name, kind in _kinds(onair).items() if issubclass(kind, events.Event)]
    tournament_events = [name for name in journal_events if name not in (*hand_events, *_BOT_EVENTS, *_DESK_EVENTS)]
    values = [name for name, kind in (_kinds(events) | _kinds(rules) | _kinds(shared_types) | _kinds(onair)).items()
              if not issubclass(kind, events.Event) and name != "OnAirEntry"]  # fmt: skip
    groups = {
        "The tournament": tournament_events,
        "A hand": hand_events,
        "Bots": _BOT_EVENTS,
        "The desk": _DESK_EVENTS,
        "Only on air": added,
    }
    chapters = "\n".join(f"## {title}\n\n{_describe_classes(names)}" for title, names in groups.items())
    decision_rows = "\n".join(
        f"| `{kind.__name__}` | {inspect.getdoc(kind)} |" for kind in get_args(decisions.Decision)
    )
    return f"""# Events

Everything that can happen is an event: a class named in the past tense (`server/game/events.py`). Recordings, the
network and the pages use the names of these classes in snake case. An entry is an event with its number and its time in
milliseconds:

```
{{"seq":812,"at_ms":734250,"type":"action_taken","seat":2,"act":"call","amount":100,…}}
```

Seats are counted from 0, clockwise; games, hands and stages are counted from 1. Amounts are in chips, and prizes in
cents. A field with a value under "if missing" may be left out; it then has that value.

{chapters}
## Values inside events

{_describe_classes(values)}
## The picture

The state after applying all events on air, as in a `snapshot` (`broadcast/on_air/picture_state.py`).

{_describe_classes(_kinds(picture_state))}
## Decisions

The decisions that a bot can make (`server/game/decisions.py`). Dialects turn bots' messages into these decisions.

| decision | meaning |
|---|---|
{decision_rows}
"""


def _kinds(module: ModuleType) -> dict[str, type]:
    """Returns the classes that a module defines, in source order, without the base class `Event`."""
    return {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and kind is not events.Event
    }


def _describe_classes(names: Iterable[str]) -> str:
    return "".join(f"### {name}\n\n{_describe_class(name)}" for name in names)


@cache
def _class_sources() -> Mapping[str, tuple[ast.ClassDef, ModuleType]]:
    """Returns the source and the module of every class that the pages describe, keyed by class name."""
    return {
        node.name: (node, module)
        for module in (events, rules, shared_types, onair, picture_state)
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef)
    }


def _describe_class(name: str) -> str:
    """Returns the description of a class and its fields."""
    node, module = _class_sources()[name]
    text = ast.get_docstring(node)
    if [ast.unparse(parent) for parent in node.bases] == ["Event"]:
        text = f"`{events._tag(name)}`\n\n{text or ''}".strip()
    return (f"{text}\n\n" if text else "") + field_table(node, module)


if __name__ == "__main__":
    files = made_files()
    # Ends the program if the new description of the API lacks a part that the committed description promises.
    public_api.check_promise(ROOT, files)
    for file, text in files.items():
        (ROOT / file).write_text(text, encoding="utf-8")

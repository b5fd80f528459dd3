"""Who may see whom: the rooms of the house import only what their row of the table allows."""

import ast
from collections.abc import Iterable, Iterator

from tests.house_files import Module, imports_of, modules_with_code, python_modules

# Room -> what it may import from the house. The longest name that fits a module is its row; "x." means all below x.
ROOMS: dict[str, set[str]] = {
    "server.game.": {"server.game."},  # and only downwards, see GAME_ORDER
    "server.bots.": {"server.game.", "server.bots."},
    "server.bots.absent": {"server.game.", "server.bots.bot", "server.bots.view"},
    "server.bots.bot": {
        "server.game.",
        "server.bots.owed",
        "server.bots.sparing",
        "server.bots.view",
        "server.bots.dialects.",
        "server.bots.transports.",
    },
    "server.bots.characters": set(),
    "server.bots.owed": {"server.bots.transports.flow"},
    "server.bots.sparing": {"server.bots.transports.flow"},
    "server.bots.view": {"server.game."},
    "server.bots.dialects.": {"server.game.", "server.bots.view", "server.bots.dialects."},
    "server.bots.transports.": {"server.bots.transports."},
    "server.paths": set(),
    "server.version": set(),
    "server.journal": {"server.game.events", "server.game.cards"},
    "server.shuffle": {"server.game.events", "server.game.cards"},
    "server.bus": {"server.game.events", "server.game.cards", "server.journal"},
    "server.config": {"server.shuffle"},
    "server.clerk": {"server.game.events", "server.bus", "server.journal"},
    "server.dealer": {"server.game.", "server.bots.", "server.clerk"},
    "server.director": {
        "server.game.",
        "server.bots.",
        "server.bus",
        "server.clerk",
        "server.dealer",
        "server.shuffle",
    },
    "server.journal_begun": {"server.game.events", "server.journal"},
    "server.atomic_file": {"server.journal"},
    "server.link": {"server.game.events"},
    "server.gate": {"server.game.events", "server.game.controls"},
    "server.submissions.": {"server.submissions.", "server.bots.dialects."},
    "server.event_file": {
        "server.game.prizes",
        "server.event_entries",
        "server.event_reading",
        "server.event_values",
        "server.game.contests",
        "server.game.rules",
        "server.game.tournament",
        "server.toml_lines",
    },
    "server.arena_file": {
        "server.arena_blinds",
        "server.arena_entries",
        "server.arena_reading",
        "server.event_entries",
        "server.event_file",
        "server.event_values",
        "server.game.rules",
    },
    "server.arena_entries": {
        "server.arena_reading",
        "server.bots.dialects.plain_text",
        "server.event_entries",
        "server.event_values",
    },
    "server.arena_blinds": {"server.arena_reading", "server.event_file", "server.event_values", "server.game.rules"},
    "server.arena_reading": {"server.event_file", "server.event_values"},
    "server.event_entries": {"server.event_reading", "server.event_values", "server.bots.dialects.plain_text"},
    "server.event_reading": {"server.event_values", "server.toml_lines"},
    "server.event_values": {
        "server.game.prizes",
        "server.game.rules",
        "server.shuffle",
        "server.bots.dialects.plain_text",
    },
    "server.toml_lines": set(),
    "server.bots.runners.": {"server.bots.runners.", "server.paths"},
    "server.histories.": {"server.histories.", "server.game.", "server.journal", "server.bots.dialects.plain_text"},
    "server.histories.proving": {
        "server.histories.",
        "server.game.",
        "server.journal",
        "server.verify_contest",
        "server.verify_play",
    },
    "server.verify": {
        "server.game.",
        "server.journal",
        "server.shuffle",
        "server.verify_contest",
        "server.verify_play",
    },
    "server.verify_contest": {
        "server.bots.dialects.plain_text",
        "server.game.",
        "server.shuffle",
        "server.verify_words",
    },
    "server.verify_play": {"server.game."},
    "server.verify_words": {"server.game."},
    "server.lobby": {"server.game.", "server.bots.", "server.config"},
    "server.front.": {"server.", "broadcast."},
    "server.__main__": {"server.", "broadcast."},
    "broadcast.": {
        "broadcast.",
        "server.bus",
        "server.journal",
        "server.game.events",
        "server.game.cards",
        "server.game.controls",
        "server.game.ranking",
        "server.link",
        "server.paths",
    },
}

# The quiet room: each may import what stands before it on this list, never what comes after.
GAME_ORDER = (
    "cards",
    "rules",
    "decisions",
    "ranking",
    "events",
    "controls",
    "pots",
    "hand",
    "showdown",
    "decide",
    "prizes",
    "tournament",
    "placings",
    "ratings",
    "contests",
)

# Rooms without clock, socket, file, log or dice: nothing from outside but values, types and what is added here.
VALUES = {
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "msgspec",
    "msgspec.structs",
    "operator",
    "string",
    "types",
    "typing",
}
QUIET: dict[str, set[str]] = {
    "server.game.": set(),
    "server.game.ranking": {"eval7"},
    "server.bots.dialects.": {"json", "re", "unicodedata", "urllib.parse"},
    "server.bots.view": set(),
    "server.bots.transports.": {"asyncio", "contextlib", "socket"},
    "server.bots.transports.http": {"asyncio", "httpcore", "ipaddress", "re", "socket"},
    "server.bots.transports.http_reading": {"httpcore", "ssl"},
    "server.bots.transports.stdio": {"asyncio", "contextlib", "os"},
    "server.histories.": {"datetime"},
    "server.histories.phh": {"decimal", "re", "tomllib"},
    "server.histories.actions": {"decimal"},
    "broadcast.captions": set(),
    "broadcast.ceremony": set(),
    "broadcast.chapters": set(),
    "broadcast.description": set(),
    "broadcast.drama": set(),
    "broadcast.feed": set(),
    "broadcast.felt": set(),
    "broadcast.highlights": set(),
    "broadcast.holdings": set(),
    "broadcast.onair": set(),
    "broadcast.outlook": set(),
    "broadcast.pacing": set(),
    "broadcast.phrases": set(),
    "broadcast.one_hand": set(),
    "broadcast.picture": set(),
    "broadcast.reel": set(),
    "broadcast.repeats": set(),
    "broadcast.statistics": set(),
    "broadcast.story": set(),
    "broadcast.subtitles": set(),
    "broadcast.takes": set(),
    "broadcast.timeline": set(),
    "broadcast.wording": {"unicodedata"},
}

# Packages from outside that only these rooms may know.
KEPT: dict[str, set[str]] = {
    "PIL": {"broadcast.images", "broadcast.preview_brush", "broadcast.previews"},
    "docker": {"server.bots.runners."},
    "httpcore": {"server.bots.transports.http", "server.bots.transports.http_reading"},
    "pydub": {"broadcast.sounds"},
    "soundfile": {"broadcast.sounds"},
    "eval7": {"server.game.ranking"},
    "argparse": {
        "server.__main__",
        "server.front.command_line",
        "server.front.command_parser",
        "server.front.command_values",
    },
    "jinja2": {"broadcast."},
    "markdown_it": {"broadcast.guide."},
    "fastapi": {"broadcast.", "server.lobby", "server.front."},
    "starlette": {"broadcast.", "server.lobby", "server.front."},
    "uvicorn": {"broadcast.", "server.front.", "server.__main__"},
}


def test_rooms_import_from_the_house_only_what_their_row_allows() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in modules_with_code()
        for name in imports_of(module)
        if _is_ours(name) and not _fits(name, ROOMS[_row(module.name, ROOMS)])
    ]


def test_every_room_has_a_row_in_the_table() -> None:
    assert not [f"{module.name}: no row in ROOMS" for module in modules_with_code() if not _row(module.name, ROOMS)]


def test_nobody_imports_the_front_door() -> None:
    front = {"server.__main__", "server.front."}
    assert not [
        f"{module.name} imports {name}"
        for module in modules_with_code()
        for name in imports_of(module)
        if _fits(name, front) and (name == "server.__main__" or not _fits(module.name, front))
    ]


def test_the_quiet_room_imports_only_downwards() -> None:
    names = [f"server.game.{part}" for part in GAME_ORDER]
    game = [module for module in modules_with_code() if module.name.startswith("server.game.")]
    assert not [module.name for module in game if module.name not in names]
    assert not [
        f"{module.name} imports {name}"
        for module in game
        for name in imports_of(module)
        if _is_ours(name) and name not in names[: names.index(module.name)]
    ]


def test_quiet_rooms_know_neither_clock_nor_socket_nor_file_nor_dice() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in modules_with_code()
        if (row := _row(module.name, QUIET))
        for name in imports_of(module)
        if not _is_ours(name) and name not in VALUES | QUIET[row]
    ]


def test_some_packages_are_kept_in_one_room() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in modules_with_code()
        for name in imports_of(module)
        if not _fits(module.name, KEPT.get(name.split(".")[0], {module.name}))
    ]


def test_imports_are_absolute_and_written_down() -> None:
    assert not [f"{module.name} imports {name}" for module in python_modules() for name in _hidden_imports(module)]


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in ("server", "broadcast")


def _fits(name: str, allowed: Iterable[str]) -> bool:
    return any(name == row or (row.endswith(".") and name.startswith(row)) for row in allowed)


def _row(name: str, table: dict[str, set[str]]) -> str:
    """The longest row of `table` that fits `name`; "" if none does."""
    return max((row for row in table if _fits(name, [row])), key=len, default="")


def _hidden_imports(module: Module) -> Iterator[str]:
    yield from (name for name in imports_of(module) if name.startswith((".", "importlib")))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "__import__":
            yield "__import__"

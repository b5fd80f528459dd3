"""A folder may import itself and the folders before it in FOLDERS, and has a limited number of files."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from assets.make.house import FLOORS, drawing
from tests.conftest import MODULES_THAT_START_PROGRAMS
from tests.support.source_files import Module, house_files, modules_with_code, python_modules

FOLDERS = tuple(folder for floor in FLOORS.values() for folder in floor)
"""All folders, the lowest first: a folder may import itself and those before it."""
SEEN_BY_BROADCAST = {
    *("server", "server/game", "server/equity", "server/system", "server/text", "server/journal", "server/tournament"),
    "server/contests/*",
}
"""What the broadcast may import from the server."""
ONE_ROW = re.compile(r"^(server/contests/)[^/]+")
IMPORT_BOTH = ("server/app", "server/command", "server/contests/*/venue")
DESCRIBES = re.compile(r"server\.contests\.(\w+\.)?contest")
IMPORTED_LAZILY = (
    *("server/app/check", "server/app/evening", "server/app/sparring", "server/app/venue"),
    *("server/tournament", "server/contests/*/venue"),
)
"""The folders from which a contest's description imports only when needed."""
HIDDEN = re.compile(r"importlib|__import__|(?:from|import)\s+\.")
MAX_FILES = 15
"""The largest number of source files in a folder, so that readers can take them in."""

# Pure modules, without clock, socket, file, log or randomness, may import these, and what PURE lists for them.
VALUES = {
    "bisect", "collections", "collections.abc", "dataclasses", "enum", "fractions", "functools", "itertools",
    "math", "msgspec", "msgspec.structs", "operator", "statistics", "string", "types", "typing",
}  # fmt: skip
NO_EXTRAS = (
    "server.game.", "server.game.view", "broadcast.commentary.hand_captions", "broadcast.commentary.event_captions",
    "broadcast.video.youtube", "broadcast.commentary.drama", "broadcast.show.show_queue",
    "broadcast.on_air.table_state", "broadcast.on_air.deal_tables", "broadcast.commentary.deals.",
    "broadcast.show.main_table",
    "broadcast.film.outline", "broadcast.commentary.hand_names",
    "broadcast.on_air.events", "broadcast.on_air.shared_types",
    "broadcast.show.finish_estimator", "broadcast.show.hold_times",
    "broadcast.show.attention",
    "broadcast.commentary.phrases", "broadcast.archive.hand_reader", "broadcast.on_air.picture",
    "broadcast.on_air.picture_hand", "broadcast.on_air.picture_state", "broadcast.on_air.picture_tournament",
    "broadcast.odds.earned", "server.equity.luck", "broadcast.show.replays", "broadcast.commentary.contest_state",
    "broadcast.commentary.statistics.", "broadcast.commentary.commentary", "broadcast.film.timeline",
)  # fmt: skip
PURE: dict[str, set[str]] = {
    **{name: set[str]() for name in NO_EXTRAS},
    "server.game.ranking": {"eval7"},
    "server.bots.dialects.": {"json", "re", "unicodedata", "urllib.parse"},
    "server.contests.": {"decimal", "json", "re", "unicodedata", "urllib.parse"},
    "server.bots.transports.": {"abc", "asyncio", "contextlib", "os", "socket"},
    "server.bots.transports.socket_pair": {"socket"},
    "server.bots.transports.http": {"asyncio", "httpcore2", "ipaddress", "re", "socket"},
    "server.bots.transports.http_limits": {"httpcore2"},
    "server.hand_histories.": {"datetime", "decimal", "re", "zoneinfo"},
    "server.hand_histories.phh_reader": {"contextlib", "datetime", "decimal", "re", "tomllib", "zoneinfo"},
    "server.hand_histories.ohh_reader": {"datetime", "decimal", "json", "re"},
    "broadcast.archive.hand_reader": {"re"},
    "broadcast.commentary.claims.": {"re"},
    "broadcast.film.brisk_film": {"gzip"},
    "broadcast.film.highlights": {"re"},
    "broadcast.video.subtitles": {"html"},
    "server.text.grammar": {"re", "unicodedata"},
    "server.text.characters": {"regex", "unicodedata"},
}

# Third-party packages that only these modules may import.
ONLY_IN: dict[str, set[str]] = {
    "PIL": {
        f"broadcast.{name}" for name in ("media.images", "media.svg", "recordings.drawing", "recordings.link_image")
    },
    "docker": {"server.bots.sandbox."},
    "httpcore2": {"server.bots.transports.http", "server.bots.transports.http_limits"},
    "pydub": {"broadcast.media.sound_encoding"},
    "regex": {"server.text."},
    "resvg_py": {"broadcast.media.svg"},
    "soundfile": {"broadcast.media.sound_encoding", "broadcast.voice.speech_encoding"},
    "eval7": {"server.game.ranking"},
    "obstore": {"broadcast.publish.destination"},
    "portalocker": {"server.system."},
    "psutil": {"server.system."},
    # Windows lacks these modules; the modules of the sandbox run only on Linux.
    "fcntl": {"server.bots.sandbox.namespace_program", "server.bots.sandbox.docker.relay_program"},
    "resource": {
        "server.system.processes",
        "server.bots.sandbox.namespace_program",
        "server.bots.sandbox.process_tree",
    },
    "mcp": {"server.app.mcp.serve", "server.commands.authors.mcp"},
    "mcp_types": {"server.app.mcp.serve", "server.commands.authors.mcp"},
    "argparse": {"server.command_line."},
    "httpx2": {"server.app.mind.model"},
    "jinja2": {"broadcast.", "server.app.mind.prompt"},
    "markdown_it": {"broadcast.guide."},
    "fastapi": {"broadcast.", "server.registration.register", "server.app.", "server.commands.", "server.contests."},
    "starlette": {"broadcast.", "server.registration.register", "server.app.", "server.commands."},
    "uvicorn": {"broadcast.", "server.__main__"},
}


def test_folders_import_only_earlier_ones() -> None:
    assert not [
        f"{module.name} imports {other}"
        for module, other, folder in _imports_between_folders()
        if FOLDERS.index(folder) > FOLDERS.index(_folder(module))
    ]


def test_only_applications_and_commands_import_both_server_and_broadcast() -> None:
    assert not [
        f"{module.name} imports {other}"
        for module, other, folder in _imports_between_folders()
        if not _folder(module).startswith(IMPORT_BOTH)
        and folder.split("/")[0] != module.path.parts[0]
        and folder not in SEEN_BY_BROADCAST
    ]


def test_contest_imports_no_other_contest() -> None:
    assert not [
        f"{module.name} imports {other}"
        for module, other, _ in _imports_between_folders()
        if module.path.parts[:2] == ("server", "contests")
        and len(module.path.parts) > 3
        and other.startswith("server.contests.")
        and other.count(".") > 2
        and other.split(".")[2] != module.path.parts[2]
    ]


def test_every_folder_is_listed_and_drawn_once_and_none_imports_the_entry_point() -> None:
    assert not [module.name for module in modules_with_code() if "server.__main__" in module.imports]
    assert sorted({_folder(module) for module in modules_with_code()}) == sorted(FOLDERS)
    assert sorted(re.findall(r">([a-z/*_]+)</text>", drawing())) == sorted(FOLDERS)


def test_every_module_that_is_said_to_start_programs_exists() -> None:
    assert not MODULES_THAT_START_PROGRAMS - {module.name for module in python_modules()}


def test_folder_has_at_most_fifteen_source_files() -> None:
    sources = [path for path in house_files() if path.suffix in (".py", ".js", ".css", ".html")]
    counted = Counter(path.parent.as_posix() for path in sources if path.name != "__init__.py")
    assert not {folder: count for folder, count in counted.items() if count > MAX_FILES}


def test_pure_modules_import_no_clock_socket_file_or_randomness() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in modules_with_code()
        if (row := _row(module.name, PURE)) and not _folder(module).endswith("/venue")
        for name in module.imports
        if name.split(".")[0] not in ("server", "broadcast") and name not in VALUES | PURE[row]
    ]


def test_some_packages_are_imported_only_in_listed_modules() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in modules_with_code()
        for name in module.imports
        if not _matches(module.name, ONLY_IN.get(name.split(".")[0], {module.name}))
    ]


def test_imports_are_absolute_and_explicit() -> None:
    assert not [f"{module.name} imports {name}" for module in python_modules() for name in _hidden_imports(module)]


def _imports_between_folders() -> Iterator[tuple[Module, str, str]]:
    """Every import between folders: the importing module, the imported module, and the imported module's folder."""
    folders = {module.name: _folder(module) for module in modules_with_code()}
    folders["server.contests"] = "server/contests/*"  # the list of contests
    for module in modules_with_code():
        later = IMPORTED_LAZILY if DESCRIBES.fullmatch(module.name) else ()
        if module.name != "server.__main__":
            known = (name for name in module.imports if name in folders and folders[name] not in later)
            yield from ((module, name, folders[name]) for name in known)


def _folder(module: Module) -> str:
    """The module's folder as in FOLDERS, which has one row for all contests."""
    return ONE_ROW.sub(r"\1*", module.path.parent.as_posix())


def _matches(name: str, allowed: Iterable[str]) -> bool:
    return any(name == row or (row.endswith(".") and name.startswith(row)) for row in allowed)


def _row(name: str, table: dict[str, set[str]]) -> str:
    """The longest row of `table` that matches `name`, or ""."""
    return max((row for row in table if _matches(name, [row])), key=len, default="")


def _hidden_imports(module: Module) -> Iterator[str]:
    if not HIDDEN.search(module.text):  # saves parsing most modules
        return
    yield from (name for name in module.imports if name.startswith((".", "importlib")))
    for node in module.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "__import__":
            yield "__import__"

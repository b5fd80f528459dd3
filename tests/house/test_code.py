"""The source keeps our rules on imports, on the form of modules, and on safety."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from assets.make.house import FLOORS, drawing  # FLOORS lists all folders, and `drawing` draws them.
from server.child_environment import ALL_VARIABLES, environment_for_child
from server.contests import CONTESTS
from tests.conftest import MODULES_THAT_START_PROGRAMS
from tests.support import source_files as source

FOLDERS = tuple(folder for floor in FLOORS.values() for folder in floor)
"""All folders, from the lowest to the highest. A folder may import only itself and the folders before it."""
SEEN_BY_BROADCAST = {
    *("server", "server/game", "server/equity", "server/system", "server/text", "server/journal", "server/tournament"),
    "server/contests/*",
}
"""The only folders of the server from which the broadcast may import."""
IMPORTED_LAZILY = (
    *("server/app/check", "server/app/evening", "server/app/sparring", "server/app/venue"),
    *("server/tournament", "server/contests/*/venue"),
)
"""Each `contest.py` imports these folders only in functions or for typing. So FOLDERS may list these folders after
"server/contests/*".
"""

# PURE lists pure modules. A pure module may import only our own modules, PURE_PACKAGES, and the packages that PURE
# lists for this module. PURE_PACKAGES have no clock, socket, file, log or randomness. In PURE and ONLY_IN, a name that
# ends with a dot stands for all modules whose names begin with it. If several names in PURE fit a module, the longest
# counts.
PURE_PACKAGES = {
    "bisect", "collections", "collections.abc", "dataclasses", "enum", "fractions", "functools", "itertools",
    "math", "msgspec", "msgspec.structs", "operator", "statistics", "string", "types", "typing",
}  # fmt: skip
PURE_WITHOUT_EXTRAS = (
    "server.game.", "server.game.view", "server.equity.luck", "broadcast.film.outline", "broadcast.film.timeline",
    "broadcast.odds.earned", "broadcast.on_air.deal_tables", "broadcast.on_air.events", "broadcast.on_air.picture",
    "broadcast.on_air.picture_hand", "broadcast.on_air.picture_state", "broadcast.on_air.picture_tournament",
    "broadcast.on_air.shared_types", "broadcast.on_air.table_state", "broadcast.show.attention",
    "broadcast.show.finish_estimator", "broadcast.show.hold_times", "broadcast.show.main_table",
    "broadcast.show.replays", "broadcast.show.show_queue", "broadcast.video.youtube",
)  # fmt: skip
PURE: dict[str, set[str]] = {
    **{name: set[str]() for name in PURE_WITHOUT_EXTRAS},
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
    "broadcast.commentary.": {"re"},
    "broadcast.film.reel_film": {"gzip"},
    "broadcast.film.highlights": {"re"},
    "broadcast.video.subtitles": {"html"},
    "server.text.grammar": {"re", "unicodedata"},
    "server.text.characters": {"regex", "unicodedata"},
}

# Each of these packages may be imported only by the modules that follow it.
ONLY_IN: dict[str, set[str]] = {
    "PIL": {"broadcast.media.", "broadcast.recordings."},
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
    # Windows lacks `fcntl` and `resource`. The sandbox needs them only on Linux. `server.system` works without them.
    "fcntl": {"server.bots.sandbox."},
    "resource": {"server.system.processes", "server.bots.sandbox."},
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


def test_folders_import_only_earlier_folders() -> None:
    assert not [
        f"{module.name} imports {other}"
        for module, other, folder in _imports_between_folders()
        if FOLDERS.index(folder) > FOLDERS.index(_folder(module))
    ]
    contest = re.compile(r"server\.contests\.(\w+)\.")
    assert not [
        f"{module.name} imports {other}"
        for module, other, _ in _imports_between_folders()
        if (one := contest.match(module.name)) and (two := contest.match(other)) and one[1] != two[1]
    ]


def test_only_applications_and_commands_import_both_server_and_broadcast() -> None:
    may_import_both = ("server/app", "server/command", "server/contests/*/venue")
    assert not [
        f"{module.name} imports {other}"
        for module, other, folder in _imports_between_folders()
        if not _folder(module).startswith(may_import_both)
        and folder.split("/")[0] != module.path.parts[0]
        and folder not in SEEN_BY_BROADCAST
    ]


def test_every_folder_is_listed_and_drawn_once() -> None:
    assert not [module.name for module in source.modules_with_code() if "server.__main__" in module.imports]
    assert sorted({_folder(module) for module in source.modules_with_code()}) == sorted(FOLDERS)
    assert sorted(re.findall(r">([a-z/*_]+)</text>", drawing())) == sorted(FOLDERS)
    assert not MODULES_THAT_START_PROGRAMS - {module.name for module in source.python_modules()}


def test_folder_has_at_most_fifteen_source_files() -> None:
    sources = [path for path in source.project_files() if path.suffix in (".py", ".js", ".css", ".html")]
    counted = Counter(path.parent.as_posix() for path in sources if path.name != "__init__.py")
    assert not {folder: count for folder, count in counted.items() if count > 15}


def test_pure_modules_import_no_clock_socket_file_or_randomness() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in source.modules_with_code()
        if (name_in_pure := max((each for each in PURE if _matches(module.name, [each])), key=len, default=""))
        and not _folder(module).endswith("/venue")  # A venue brings bots to tables. So it needs sockets and clocks.
        for name in module.imports
        if name.split(".")[0] not in ("server", "broadcast") and name not in PURE_PACKAGES | PURE[name_in_pure]
    ]


def test_some_packages_are_imported_only_in_listed_modules() -> None:
    assert not [
        f"{module.name} imports {name}"
        for module in source.modules_with_code()
        for name in module.imports
        if not _matches(module.name, ONLY_IN.get(name.split(".")[0], {module.name}))
    ]


def test_no_module_is_imported_by_a_computed_name() -> None:
    """The tests above cannot see imports by computed names. Nor can they see relative imports, which Ruff refuses."""
    computed = re.compile(r"^\s*(?:import|from) importlib|^[^\"'#\n]*\b__import__\(", re.MULTILINE)
    assert not [module.name for module in source.python_modules() if computed.search(module.text)]
    assert not [module.name for module in source.program_modules() if "__import__" in module.text]


def _imports_between_folders() -> Iterator[tuple[source.Module, str, str]]:
    """Yields each importing module, the module that it imports, and that module's folder. Leaves out lazy imports."""
    folders = {module.name: _folder(module) for module in source.modules_with_code()}
    folders["server.contests"] = "server/contests/*"  # This package imports all contests.
    for module in source.modules_with_code():
        lazy_folders = IMPORTED_LAZILY if re.fullmatch(r"server\.contests\.(\w+\.)?contest", module.name) else ()
        if module.name != "server.__main__":
            imported_names = (name for name in module.imports if name in folders and folders[name] not in lazy_folders)
            yield from ((module, name, folders[name]) for name in imported_names)


def _folder(module: source.Module) -> str:
    """Returns the module's folder as FOLDERS names it. All contests share one name."""
    return re.sub(r"^(server/contests/)[^/]+", r"\1*", module.path.parent.as_posix())


def _matches(name: str, allowed: Iterable[str]) -> bool:
    return any(name == row or (row.endswith(".") and name.startswith(row)) for row in allowed)


def test_every_folder_of_modules_is_a_package_that_exports_nothing() -> None:
    packages = [module for module in source.program_modules() if module.path.name == "__init__.py"]
    assert {package.path.parent for package in packages} == {module.path.parent for module in source.program_modules()}
    exporting = [package.name for package in packages if package.tree.body]
    assert exporting == ["server.contests"], "only the list of contests may export names"


def test_modules_have_no_state_and_no_meaningless_names() -> None:
    assert not [f"{module.name}:{line}" for module in source.modules_with_code() for line in _state(module)]
    meaningless = re.compile(r"\b(?:class|def|module) \w*(?:helper|util|misc)\w*", re.IGNORECASE)
    texts = [f"module {module.path.stem}\n{module.text}" for module in source.program_modules()]
    assert not [found[0] for text in texts for found in meaningless.finditer(text)]


def test_every_module_opens_with_a_docstring_of_at_most_five_lines() -> None:
    docs = {module.path: ast.get_docstring(module.tree) or "" for module in source.python_modules() if module.tree.body}
    assert not [path for path, text in docs.items() if not 1 <= sum(map(bool, text.splitlines())) <= 5]


def test_no_pattern_has_a_possessive_group() -> None:
    """Before Python 3.11.5 (Debian 12 has 3.11.2), a possessive group like `(?:ab|c)++` may match only part of `ab`."""
    possessive = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+|\(\?>")
    assert not [module.name for module in source.modules_with_code() if possessive.search(module.text)]


def test_only_one_module_finds_the_programs_files() -> None:
    """A wheel and a clone have the files in different places. Only `server.paths` deals with this."""
    own_path = re.compile(r"(?<!\.)\b__file__\b")
    assert {module.name for module in source.program_modules() if own_path.search(module.text)} == {"server.paths"}


def test_name_of_a_contest_does_not_occur_outside_its_folder() -> None:
    names = {each.name.removeprefix("The ") for each in CONTESTS.values()}
    spellings = {each.replace("-", mark) for each in CONTESTS for mark in "-_"} | names
    words = "|".join(map(re.escape, spellings | {name.replace(" ", "") for name in names}))
    spelled = re.compile(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE)
    found = {
        path.as_posix()
        for path, text in source.text_files()
        if path.parts[0] in ("server", "broadcast", "static")
        and path.suffix in (".py", ".js", ".css", ".html")
        and path.parts[:2] != ("server", "contests")
        and spelled.search(text)
    }
    seasons = {"server/season/play_game.py", "server/season/outcome.py", "server/season/bot_setup.py"}
    assert found == seasons, "files about seasons may name UPAC, because only UPAC has seasons"


_CHANGES = {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "update"}
_MUTABLE = {
    "bytearray", "defaultdict", "deque", "dict", "list", "set", "Lock", "Event", "Queue", "Semaphore", "ContextVar",
}  # fmt: skip


def _state(module: source.Module) -> Iterator[int]:
    """Yields the lines in which a module keeps state: a container that starts empty or changes, a lock, `global`."""
    assignments = [node for node in module.tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    names = [inner for node in assignments for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    constants = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    for node in assignments:
        value = node.value
        if isinstance(value, ast.Dict | ast.List) and not ast.unparse(value).strip("[]{}"):
            yield node.lineno
        if isinstance(value, ast.Call) and not value.args and ast.unparse(value.func).split(".")[-1] in _MUTABLE:
            yield node.lineno
    for inner in module.nodes:
        if isinstance(inner, ast.stmt | ast.expr) and (isinstance(inner, ast.Global) or _changed(inner) & constants):
            yield inner.lineno


def _changed(node: ast.AST) -> set[str]:
    """Returns the names of containers that `node` changes, as in `name[...] = x` or `name.append(x)`."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if attribute in _CHANGES:
            return {name}
    return set()


def test_no_file_names_the_machine_it_was_made_on() -> None:
    machine_path = re.compile(r"(?<![\w.}/-])/(work|tmp|root|home/\w+)/")
    assert not [
        f"{path}:{number}"
        for path, text in source.text_files()
        if path.parts[0] not in ("tests", ".ci")
        for number, line in enumerate(text.splitlines(), start=1)
        if machine_path.search(line)
    ]


def test_lock_files_are_complete_and_have_hashes() -> None:
    locks = [(source.ROOT / name).read_text() for name in ("requirements.lock", "requirements-dev.lock")]
    for lock in locks:
        assert "://" not in lock
        assert "--hash=sha256:" in lock
    page_lock = (source.ROOT / "static/package-lock.json").read_text()
    assert '"resolved"' not in page_lock
    assert '"integrity"' in page_lock
    run_pins, dev_pins = (set(re.findall(r"^\S+==\S+", lock, re.MULTILINE)) for lock in locks)  # such as "numpy==2.4.6"
    project = tomllib.loads((source.ROOT / "pyproject.toml").read_text())["project"]
    assert run_pins < dev_pins
    assert _names(project["dependencies"]) <= _names(run_pins)
    assert _names(project["optional-dependencies"]["dev"]) <= _names(dev_pins)


def _names(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


def test_strangers_text_never_becomes_markup() -> None:
    markup_makers = (
        r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|DOMParser|createContextualFragment)\b"
        r"|\bdocument\.write|\beval\(|\bnew Function\b|\b[a-z]+\.on[a-z]+ *= *[\"']"
    )
    scripts = [
        (path, text) for path, text in source.text_files() if path.suffix == ".js" and path.is_relative_to("static/js")
    ]
    assert len(scripts) > 100
    comment = re.compile(r"/\*.*?\*/|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)
    code = [(path, comment.sub("", text)) for path, text in scripts]
    assert not [f"{path}: {found.group()}" for path, text in code for found in re.finditer(markup_makers, text)]


def test_pages_have_no_inline_script_and_load_nothing_from_other_sites() -> None:
    inline_code = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\bstyle=|\son\w+=|javascript:|\|\s*safe\b|https?://")
    pages = [(path, text) for path, text in source.text_files() if path.is_relative_to("broadcast/templates")]
    html = [(path, text) for path, text in pages if path.suffix == ".html"]
    assert html
    assert not [f"{path}: {found.group()}" for path, text in html for found in inline_code.finditer(text)]
    other_site = re.compile(r"url\(\s*[\"']?(?:\w+:)?//")
    assert not [path for path, text in source.text_files() if path.suffix == ".css" and other_site.search(text)]


_STARTING_FUNCTIONS = re.compile(
    r"subprocess\.(Popen|run|call|check_call|check_output)|(.*\.)?(create_)?subprocess_(exec|shell)"
)
_FORBIDDEN_FUNCTIONS = re.compile(
    r"subprocess\.get\w*output|os\.(system|popen|fork\w*|exec[lv]\w*|spawn\w*|posix_spawn\w*)|pty\.\w+"
    r"|(.*\.)?(ProcessPoolExecutor|get_context|startfile)|multiprocessing\.Process"
)
"""Functions that no module may call, because most of them start a program with our whole environment."""
_READS_ENVIRONMENT = re.compile(r"os\.environb?\b(?!\.get\(|\[)|import.*\benvironb?\b")


def test_every_child_process_gets_its_own_environment() -> None:
    """Only one module reads our whole environment, and only an author's own bots get all of it."""
    assert not [where for module in source.modules_with_code() for where in _find_inheriting_calls(module)]
    readers = {module.name for module in source.modules_with_code() if _READS_ENVIRONMENT.search(module.text)}
    assert readers == {"server.child_environment"}
    users = {module.name for module in source.modules_with_code() if "ALL_VARIABLES" in module.text}
    assert users == {"server.child_environment", "server.app.sparring.bot_launcher"}


def test_environment_has_requested_variables_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "hush")
    monkeypatch.setenv("LC_PAPER", "de_DE")
    assert "AWS_REGION" not in environment_for_child()
    assert environment_for_child()["LC_PAPER"] == "de_DE"
    assert environment_for_child("AWS_*")["AWS_REGION"] == environment_for_child(*ALL_VARIABLES)["AWS_REGION"] == "hush"


def _find_inheriting_calls(module: source.Module) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "subprocess":
            yield f"{module.name}:{node.lineno} imports from subprocess"
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            env = next((keyword.value for keyword in node.keywords if keyword.arg == "env"), None)
            has_no_env = env is None or (isinstance(env, ast.Constant) and env.value is None)
            if _FORBIDDEN_FUNCTIONS.fullmatch(function) or (_STARTING_FUNCTIONS.fullmatch(function) and has_no_env):
                yield f"{module.name}:{node.lineno} starts a program with our environment"

"""Modules have a docstring, no state and plain names. A contest's name occurs only in the contest's own folder."""

import ast
import re
from collections.abc import Iterator

from server.contests import CONTESTS
from tests.support.source_files import Module, modules_with_code, program_modules, python_modules, text_files

SEASON = {"server/season/game.py", "server/season/outcome.py", "server/season/bot_setup.py"}
"""The modules that may use the rules and messages of UPAC, because no other contest has seasons."""


def test_every_folder_of_modules_is_a_package_that_exports_nothing() -> None:
    packages = [module for module in program_modules() if module.path.name == "__init__.py"]
    assert {package.path.parent for package in packages} == {module.path.parent for module in program_modules()}
    assert [package.name for package in packages if package.tree.body] == ["server.contests"], (
        "only the list of contests may export names"
    )


def test_modules_have_no_state() -> None:
    assert not [f"{module.name}:{line}" for module in modules_with_code() for line in _state(module)]


def test_every_module_opens_with_a_docstring() -> None:
    modules = [module for module in python_modules() if module.tree.body]
    assert not [f"{module.path}: no docstring" for module in modules if not ast.get_docstring(module.tree)]
    assert not [
        f"{module.path}: more than five lines"
        for module in modules
        if len([line for line in (ast.get_docstring(module.tree) or "").splitlines() if line]) > 5
    ]


def test_no_pattern_has_a_possessive_group() -> None:
    """Before Python 3.11.5 (Debian 12 has 3.11.2), such a group may match only a part of an alternative."""
    possessive = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+|\(\?>")
    assert not [f"{module.name}: {text}" for module in modules_with_code() for text in _patterns(module, possessive)]


def test_no_name_contains_a_meaningless_word() -> None:
    meaningless = re.compile(r"\b(?:class|def|module) \w*(?:helper|util|misc)\w*", re.IGNORECASE)
    texts = [f"module {module.path.stem}\n{module.text}" for module in program_modules()]
    assert not [found[0] for text in texts for found in meaningless.finditer(text)]


def test_only_one_module_finds_the_programs_files() -> None:
    """Only `server.paths` may find files: it knows that a wheel and a clone have them in different places."""
    users = {
        module.name
        for module in program_modules()
        for node in module.nodes
        if isinstance(node, ast.Name) and node.id == "__file__"
    }
    assert users == {"server.paths"}


def test_name_of_a_contest_does_not_occur_outside_its_folder() -> None:
    names = {each.name.removeprefix("The ") for each in CONTESTS.values()}
    spellings = {each.replace("-", mark) for each in CONTESTS for mark in "-_"} | names
    words = "|".join(map(re.escape, spellings | {name.replace(" ", "") for name in names}))
    spelled = re.compile(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE)
    found = {
        path.as_posix()
        for path, text in text_files()
        if path.parts[0] in ("server", "broadcast", "static")
        and path.suffix in (".py", ".js", ".css", ".html")
        and path.parts[:2] != ("server", "contests")
        and spelled.search(text)
    }
    assert found == SEASON


_CHANGES = {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "update"}
_MUTABLE = {
    "bytearray", "defaultdict", "deque", "dict", "list", "set", "Lock", "Event", "Queue", "Semaphore", "ContextVar",
}  # fmt: skip


def _state(module: Module) -> Iterator[int]:
    """The lines where a module has state: empty or changed containers, locks, `global`."""
    constants = set().union(*map(_bound, module.tree.body))
    for node in module.tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Dict | ast.List) and not ast.unparse(value).strip("[]{}"):
            yield node.lineno
        if isinstance(value, ast.Call) and not value.args and ast.unparse(value.func).split(".")[-1] in _MUTABLE:
            yield node.lineno
    for inner in module.nodes:
        if isinstance(inner, ast.stmt | ast.expr) and (isinstance(inner, ast.Global) or _changed(inner) & constants):
            yield inner.lineno


def _bound(statement: ast.stmt) -> set[str]:
    """The names that an assignment binds."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return set()
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _changed(node: ast.AST) -> set[str]:
    """The names of containers that `node` changes, as in `name[...] = x` or `name.append(x)`."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if attribute in _CHANGES:
            return {name}
    return set()


def _patterns(module: Module, wanted: re.Pattern[str]) -> Iterator[str]:
    """Arguments of calls to `re` functions, if they match `wanted`."""
    for node in module.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            yield from (text for text in map(ast.unparse, node.args) if wanted.search(text))

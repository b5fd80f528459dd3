"""The project's own files and parsed modules, for tests of the source code."""

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("server", "broadcast")
_LEFT_BY_TOOLS = re.compile(
    r"(\.git|\.venv|data|build|high_noon\.egg-info|static/node_modules|(.*/)?(__pycache__|\.hypothesis|\..*_cache))"
)
"""Matches folders that tools leave behind."""


@dataclass(frozen=True)
class Module:
    name: str  # such as "server.game.cards", or "server.game" for a package
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The file's syntax tree. Parses the file only on demand, because most tests need few of the thousand files."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> frozenset[str]:
        """Every imported module. `from server.game import events` imports the module `server.game.events`."""
        names = _names_of_program_modules()
        modules: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                modules.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = "." * node.level + (node.module or "")
                imported = {f"{source}.{alias.name}" for alias in node.names}
                modules |= (imported & names) or {source}
        return frozenset(modules)


@cache
def project_files() -> tuple[Path, ...]:
    """Returns the path of every file of the project, relative to the project's folder."""
    git = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        paths = subprocess.run(git, check=True, capture_output=True, text=True).stdout.splitlines()
    except (FileNotFoundError, subprocess.CalledProcessError):
        paths = list(_walk_files())  # Git is missing, or this is not a clone.
    return tuple(sorted(path for path in map(Path, paths) if (ROOT / path).is_file()))


def copy_clone(folder: Path) -> Path:
    """Copies every file of the project into `folder`. Returns `folder`."""
    for path in project_files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    return folder


@cache
def text_files() -> tuple[tuple[Path, str], ...]:
    return tuple((path, text) for path in project_files() if (text := _read_text(path)) is not None)


@cache
def python_modules() -> tuple[Module, ...]:
    return tuple(
        Module(".".join(path.with_suffix("").parts).removesuffix(".__init__"), path, text)
        for path, text in text_files()
        if path.suffix == ".py"
    )


@cache
def program_modules() -> tuple[Module, ...]:
    return tuple(module for module in python_modules() if module.path.parts[0] in _PACKAGES)


def modules_with_code() -> tuple[Module, ...]:
    """Returns the modules of the program, but not its `__init__.py` files, which are empty."""
    return tuple(module for module in program_modules() if module.path.name != "__init__.py")


@cache
def _names_of_program_modules() -> frozenset[str]:
    return frozenset(module.name for module in program_modules())


def _read_text(path: Path) -> str | None:
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def _walk_files() -> Iterator[str]:
    for folder, names, files in os.walk(ROOT):
        path = Path(folder).relative_to(ROOT)
        names[:] = [name for name in names if not _LEFT_BY_TOOLS.fullmatch((path / name).as_posix())]
        yield from ((path / file).as_posix() for file in files if not file.endswith(".pyc"))

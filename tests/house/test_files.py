"""No file names a machine, lock files are complete, texts do not become markup, and programs get few variables."""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator

import pytest

from server.child_environment import ALL_VARIABLES, environment_for_child
from tests.support.source_files import ROOT, Module, modules_with_code, text_files

LOCKS = ("requirements.lock", "requirements-dev.lock", "static/package-lock.json")


def test_no_file_names_the_machine_it_was_made_on() -> None:
    machine_path = re.compile(r"(?<![\w.}/-])/(work|tmp|root|home/\w+)/")
    assert not [
        f"{path}:{number}"
        for path, text in text_files()
        if path.parts[0] not in ("tests", ".ci")
        for number, line in enumerate(text.splitlines(), start=1)
        if machine_path.search(line)
    ]


def test_lock_files_have_hashes_no_addresses_and_all_dependencies() -> None:
    locks = {path.as_posix(): text for path, text in text_files() if path.as_posix() in LOCKS}
    assert set(locks) == set(LOCKS)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        assert "://" not in locks[lock]
        assert "--hash=sha256:" in locks[lock]
    assert '"resolved"' not in locks["static/package-lock.json"]
    assert '"integrity"' in locks["static/package-lock.json"]
    run, dev = _locked("requirements.lock"), _locked("requirements-dev.lock")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert run < dev
    assert _names(project["dependencies"]) <= _names(run)
    assert _names(project["optional-dependencies"]["dev"]) <= _names(dev)


def _locked(lock: str) -> set[str]:
    """The pinned packages of all systems, such as "numpy==2.4.6"."""
    return set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text(), re.MULTILINE))


def _names(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


MAKES_MARKUP = (
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|DOMParser|createContextualFragment)\b"
    r"|\bdocument\.write|\beval\(|\bnew Function\b|\b[a-z]+\.on[a-z]+ *= *[\"']"
)


def test_strangers_text_never_becomes_markup() -> None:
    scripts = [(path, text) for path, text in text_files() if path.suffix == ".js" and path.is_relative_to("static/js")]
    assert len(scripts) > 100
    assert not [
        f"{path}: {found.group()}" for path, text in scripts for found in re.finditer(MAKES_MARKUP, _code(text))
    ]


def test_pages_have_no_inline_script_and_load_nothing_from_other_sites() -> None:
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\bstyle=|\son\w+=|javascript:|\|\s*safe\b|https?://")
    pages = [(path, text) for path, text in text_files() if path.is_relative_to("broadcast/templates")]
    html = [(path, text) for path, text in pages if path.suffix == ".html"]
    assert html
    assert not [f"{path}: {found.group()}" for path, text in html for found in inline.finditer(text)]
    elsewhere = re.compile(r"url\(\s*[\"']?(?:\w+:)?//")
    assert not [path for path, text in text_files() if path.suffix == ".css" and elsewhere.search(text)]


def _code(text: str) -> str:
    """A script without its comments."""
    return re.sub(r"^\s*//.*$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), flags=re.MULTILINE)


_STARTS = re.compile(r"subprocess\.(Popen|run|call|check_call|check_output)|(.*\.)?(create_)?subprocess_(exec|shell)")
_INHERITS = re.compile(
    r"subprocess\.get\w*output|os\.(system|popen|fork\w*|exec[lv]\w*|spawn\w*|posix_spawn\w*)|pty\.\w+"
    r"|(.*\.)?(ProcessPoolExecutor|get_context|startfile)|multiprocessing\.Process"
)
"""Calls that start a program with our whole environment, because they have no `env` parameter."""
_WHOLE = re.compile(r"os\.environb?\b(?!\.get\(|\[)|import.*\benvironb?\b")


def test_every_child_process_gets_its_own_environment() -> None:
    assert not [where for module in modules_with_code() for where in _find_inheriting_calls(module)]


def test_only_one_module_reads_our_whole_environment() -> None:
    """All other modules read single variables by name."""
    assert {module.name for module in modules_with_code() if _WHOLE.search(module.text)} == {"server.child_environment"}


def test_only_an_authors_own_programs_get_our_whole_environment() -> None:
    users = {module.name for module in modules_with_code() if "ALL_VARIABLES" in module.text}
    assert users == {"server.child_environment", "server.app.sparring.bot_launcher"}


def test_environment_has_requested_variables_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "hush")
    monkeypatch.setenv("LC_PAPER", "de_DE")
    assert "AWS_REGION" not in environment_for_child()
    assert environment_for_child()["LC_PAPER"] == "de_DE"
    assert environment_for_child("AWS_*")["AWS_REGION"] == environment_for_child(*ALL_VARIABLES)["AWS_REGION"] == "hush"


def _find_inheriting_calls(module: Module) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "subprocess":
            yield f"{module.name}:{node.lineno} imports from subprocess"
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            env = next((keyword.value for keyword in node.keywords if keyword.arg == "env"), None)
            has_none = env is None or (isinstance(env, ast.Constant) and env.value is None)
            if _INHERITS.fullmatch(function) or (_STARTS.fullmatch(function) and has_none):
                yield f"{module.name}:{node.lineno} starts a program with our environment"

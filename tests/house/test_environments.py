"""Every program that we start gets a limited environment, not a copy of ours."""

import ast
import re
from collections.abc import Iterator

import pytest

from server.child_environment import EVERYTHING, environment
from tests.support.source_files import Module, modules_with_code

_STARTS = re.compile(r"subprocess\.(Popen|run|call|check_call|check_output)|(.*\.)?(create_)?subprocess_(exec|shell)")
_INHERITS = re.compile(
    r"subprocess\.get\w*output|os\.(system|popen|fork\w*|exec[lv]\w*|spawn\w*|posix_spawn\w*)|pty\.\w+"
    r"|(.*\.)?(ProcessPoolExecutor|get_context|startfile)|multiprocessing\.Process"
)
"""Calls that start a program with our environment: they have no `env` parameter, or pass it on only indirectly."""
_WHOLE = re.compile(r"os\.environb?\b(?!\.get\(|\[)|import.*\benvironb?\b")


def test_every_child_process_gets_its_own_environment() -> None:
    assert not [where for module in modules_with_code() for where in _find_inheriting_calls(module)]


def test_only_one_module_reads_our_whole_environment() -> None:
    """All other modules read single variables by name."""
    assert {module.name for module in modules_with_code() if _WHOLE.search(module.text)} == {"server.child_environment"}


def test_only_an_authors_own_programs_get_our_whole_environment() -> None:
    users = {module.name for module in modules_with_code() if "EVERYTHING" in module.text}
    assert users == {"server.child_environment", "server.app.sparring.seats"}


def test_environment_has_requested_variables_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "hush")
    monkeypatch.setenv("LC_PAPER", "de_DE")
    assert "AWS_REGION" not in environment()
    assert environment()["LC_PAPER"] == "de_DE"
    assert environment("AWS_*")["AWS_REGION"] == environment(*EVERYTHING)["AWS_REGION"] == "hush"


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

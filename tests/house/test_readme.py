"""README and guide are correct: each link, file, command, option, key and address in them exists."""

import re
import shlex
import subprocess
import sys
import tomllib
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from assets.make.api import EXAMPLE, PUBLIC_NAMES
from assets.make.guide import made_files
from broadcast.guide.pages import PAGE_NAMES, Guide
from broadcast.guide.render import anchor
from server.command_line.arguments import make_command_parser
from server.config.event_keys import KEYS
from server.paths import GUIDE
from server.version import VERSION
from tests.desk.test_routes import ROUTES
from tests.support.source_files import ROOT, text_files
from tests.web.test_every_app import STATUSES

TEXTS = {
    "README.md": (ROOT / "README.md").read_text(encoding="utf-8"),
    **{f"{name}.md": (GUIDE / f"{name}.md").read_text(encoding="utf-8") for name in PAGE_NAMES},
}
MADE_FILES = made_files()
HANDWRITTEN = {name: text for name, text in TEXTS.items() if f"broadcast/guide/{name}" not in MADE_FILES}
"""The pages that were written by hand. The others are generated from the code."""
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
FOLDERS = ("server/", "broadcast/", "static/", "assets/", "tests/", ".ci/")

for_each_handwritten_text = pytest.mark.parametrize("name", HANDWRITTEN)


def test_guide_lists_every_page_and_event() -> None:
    assert {path.stem for path in GUIDE.glob("*.md")} == set(PAGE_NAMES)
    headings = {anchor(heading) for heading in re.findall(r"^#+ (.*)$", TEXTS["events.md"], re.MULTILINE)}
    event_code = "".join((ROOT / file).read_text() for file in ("server/game/events.py", "broadcast/on_air/events.py"))
    classes = re.findall(r"^class (\w+)\((?:Event|Struct)", event_code, re.MULTILINE)
    assert {name.lower() for name in classes} - {"event", "onairentry"} <= headings
    heading_of_release = re.compile(r"^## (\d+)\.(\d+)\.(\d+), \d{1,2} [A-Z][a-z]+ \d{4}$", re.MULTILINE)
    releases = [tuple(map(int, numbers)) for numbers in heading_of_release.findall(TEXTS["changelog.md"])]
    assert releases == sorted(releases, reverse=True)
    assert ".".join(map(str, releases[0])) == VERSION


@pytest.mark.parametrize("file", MADE_FILES)
def test_generated_pages_are_up_to_date(file: str) -> None:
    assert (ROOT / file).read_text(encoding="utf-8") == MADE_FILES[file], "run: .venv/bin/python -m assets.make.guide"


def test_readme_links_to_existing_files() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", TEXTS["README.md"])
    assert linked
    assert not [path for path in linked if not any(ROOT.glob(path))]


@pytest.mark.parametrize("name", TEXTS)
def test_named_files_functions_commands_and_targets_exist(name: str) -> None:
    found = code_spans(TEXTS[name])
    files = [span.partition("::")[0].rstrip("/") for span in found if span.startswith(FOLDERS) and " " not in span]
    assert not [path for path in files if not any(ROOT.glob(path))]
    references = [span.partition("::") for span in found if "::" in span]
    assert not [f"{file}::{function}" for file, _, function in references if function not in functions_in(ROOT / file)]
    assert not [fault for line in code_lines(TEXTS[name]) for fault in find_command_faults(line)]
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    lines = "\n".join(code_lines(TEXTS[name]))
    assert set(re.findall(r"^make ([a-z]+)", lines, re.MULTILINE)) <= targets
    assert not [bench for bench in re.findall(r"BENCH=(\w+)", lines) if not any(ROOT.glob(f"tests/bench/*/{bench}.py"))]


def test_links_of_the_guide_lead_to_its_pages_sections_and_files() -> None:
    guide, broken = Guide(), list[str]()
    for name, link in [(name, link) for name, page in guide.pages.items() for link in page.links]:
        file, _, section = link.partition("#")
        linked = guide.pages.get((file or f"{name}.html").removesuffix(".html"))
        anchors = {heading.anchor for heading in linked.headings} if linked else set()
        if section not in anchors if section else guide.file(file) is None:
            broken.append(f"{name}: {link}")
    assert not broken


@for_each_handwritten_text
def test_named_options_names_and_variables_are_in_the_code(name: str) -> None:
    found = code_spans(HANDWRITTEN[name])
    known_options = {option for command in commands().values() for option in command._option_string_actions}
    named_options = [span.split()[0].partition("=")[0] for span in found if span.startswith("--")]
    assert not [option for option in named_options if option not in known_options]
    other_spans = [span for span in found if not span.startswith(FOLDERS)]
    words = {
        word for span in other_spans for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b|\b(?:[A-Z][a-z]+){2,}\b", span)
    }
    assert not [word for word in words if word not in all_code()], "these words must be fields, settings or classes"
    files = {span.partition("::")[0] for span in other_spans if re.fullmatch(r"[\w-]+\.(py|js|css)(::\w+)?", span)}
    assert not [file for file in files if not any(path.name == file for path, _ in text_files())]
    variables = {span[1:] for span in found if re.fullmatch(r"\$[A-Z_]+", span)}
    assert not [variable for variable in variables if variable not in all_code()]
    constants = {span for span in found if re.fullmatch(r"[A-Z][A-Z_]+", span)}
    assert not constants - constants_in_code()


@for_each_handwritten_text
def test_named_keys_are_keys_of_event_files(name: str) -> None:
    known_keys = {key for keys in KEYS.values() for key in keys} | {f"ports.{key}" for key in KEYS["ports"]}
    assigned = [span.partition(" = ")[0] for span in code_spans(HANDWRITTEN[name]) if " = " in span]
    assert not [key for key in assigned if key not in known_keys]
    for kind, block in FENCE.findall(HANDWRITTEN[name]):
        if kind == "toml":
            found = tomllib.loads(block)
            tables = {table: value for table, value in found.items() if isinstance(value, dict)} | {"": found}
            assert not [f"{part}.{key}" for part, keys in tables.items() for key in keys if key not in KEYS[part]]


@for_each_handwritten_text
def test_named_addresses_are_served_and_their_queries_read(name: str) -> None:
    found = code_spans(HANDWRITTEN[name])
    addresses = [span.removeprefix("POST ") for span in found if re.match(r"(POST )?/", span)]
    # Bots serve some of these addresses, and the code of the contests has them as strings.
    contest_code = "".join(text for path, text in text_files() if path.parts[:2] == ("server", "contests"))
    assert not [each for each in addresses if not is_served(each.partition("?")[0]) and f'"{each}"' not in contest_code]
    queries = [span.rpartition("?")[2] for span in found if re.search(r"^(/.*\?|)[a-z]+=", span)]
    named = {setting.partition("=")[0] for query in queries for setting in query.split("&")}
    pages = "".join(text for path, text in text_files() if path.parts[0] in ("static", "broadcast"))
    assert named <= set(re.findall(r'(?:\b(?:asked|parameters|query)(?:\.get\(|, )|: isOn\()"(\w+)"', pages))


def test_python_example_runs_and_its_interface_has_docstrings() -> None:
    run = subprocess.run([sys.executable, "-c", EXAMPLE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "TournamentEnded" in run.stdout
    modules = [each for chapter in PUBLIC_NAMES.values() for each in chapter.items()]
    assert all(getattr(module, name).__doc__ for module, names in modules for name in names)


def code_lines(text: str) -> list[str]:
    """Returns all code in the text: each line of a code block, and each code span."""
    return [line for _, block in FENCE.findall(text) for line in block.splitlines()] + code_spans(text)


def functions_in(file: Path) -> set[str]:
    """Returns the names of all functions and methods in a file of Python or JavaScript."""
    in_script = r"^(?:export (?:async )?function |  (?:async )?)(#?\w+)\(.*\{$"
    pattern = r"^ *(?:async )?def (\w+)" if file.suffix == ".py" else in_script
    return set(re.findall(pattern, file.read_text(encoding="utf-8"), re.MULTILINE))


def code_spans(text: str) -> list[str]:
    """Returns the code spans in the text, each joined into one line."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", FENCE.sub("", text))]


@cache
def commands() -> dict[str, ArgumentParser]:
    """Returns the parser of each command, keyed by the command's name."""
    (group,) = (action for action in make_command_parser()._actions if isinstance(action, _SubParsersAction))
    return dict(group.choices)


def find_command_faults(line: str) -> Iterator[str]:
    """Yields what is wrong with this program's commands in a line of code: unknown commands and unknown options."""
    for found in re.findall(r"(?:^|\s)(?:highnoon\b|-m server\b(?!\.)|make demo ARGS=\") ?([^\"#]*)", line):
        words = shlex.split(re.split(r"\s{2,}|, | \|", f"demo {found}" if "make demo" in line else found)[0])
        if not words or words[0] == "COMMAND" or words[0].startswith("-"):
            continue
        if words[0] not in commands():
            yield f"there is no highnoon {words[0]}"
            continue
        named = {word.partition("=")[0] for word in words if word.startswith("--")}
        yield from (f"{words[0]} has no {name}" for name in named - commands()[words[0]]._option_string_actions.keys())


@cache
def all_code() -> str:
    """Returns the code and settings of the program, its examples, and all tests except this file."""
    kinds = (".py", ".js", ".toml", ".json", ".yml")
    return "\n".join(text for path, text in text_files() if path.suffix in kinds and path.name != "test_readme.py")


@cache
def constants_in_code() -> set[str]:
    """Returns all words in capitals from `all_code`."""
    return set(re.findall(r"\b[A-Z][A-Z_]+\b", all_code()))


def is_served(address: str) -> bool:
    """Returns whether an application has a route for `address`, such as "/bots/NAME"."""
    routes = {*ROUTES, *(path for _, path in STATUSES if path != "/{path:path}")}
    patterns = [re.sub(r"\\\{.*?\\\}", ".*", re.escape(route)) for route in routes]
    return any(re.fullmatch(pattern, address.rstrip("/") or "/") for pattern in patterns)

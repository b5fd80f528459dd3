"""The README tells the truth: its table names every event and decision, its pictures and files are there."""

import re
from pathlib import Path
from typing import get_args

from broadcast import onair
from server.game.decisions import Decision
from server.game.events import Event, HouseEvent

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def table_row(name: str) -> set[str]:
    (row,) = (line for line in README.splitlines() if line.startswith(f"| {name} |"))
    return set(re.findall(r"`([A-Z]\w+)`", row))


def test_the_table_names_every_event_and_no_other() -> None:
    named = table_row("tournament") | table_row("hand") | table_row("bots") | table_row("desk")
    assert named == {event.__name__ for event in get_args(HouseEvent)}
    kinds = (value for value in vars(onair).values() if isinstance(value, type) and value.__module__ == onair.__name__)
    assert table_row("on air only") == {kind.__name__ for kind in kinds if issubclass(kind, Event)}


def test_the_table_names_every_decision() -> None:
    assert table_row("**decisions**") == {decision.__name__ for decision in get_args(Decision)}


def test_what_it_shows_and_links_to_is_there() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README)
    assert linked
    assert not [path for path in linked if not (ROOT / path).exists()]


def test_it_names_only_make_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets

"""On an evening of deals, of whatever contest, the program starts an instance of each bot at every table."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault
from server.contests import CONTESTS
from server.game.events import ActionTaken, DealEnded, FaultNoted, GameStarted, StageStarted
from server.verify.recording import verify
from tests.commands.test_new import PYTHON, starter
from tests.end_to_end.evening import EventFolder, tournament, write_evening
from tests.end_to_end.test_killed_evening import check_kills_change_nothing
from tests.support.bots.starters import changed_starter
from tests.support.bots.submission import HOST, write_player

NAMES = ("Ada", "Babbage", "Curry")
STRANGER = Path(__file__).parents[1] / "data" / "strangers" / "quick-draw" / "threads.py"
MOMENTS: Sequence[tuple[str, int]] = (
    ("stage_started", 1), ("deal_ended", 1), ("game_started", 2), ("deal_ended", 3), ("hand_ended", 4),
    ("street_dealt", 2), ("game_ended", 5), ("deal_ended", 2),
)  # fmt: skip
"""The moments of the kills: as soon as the journal has this many more events of this kind."""


def write_deals(folder: Path, contest: str, commands: Sequence[str], form: str) -> EventFolder:
    """Writes the event file of an evening of deals. `form` has more keys for the table `format`."""
    evening = write_evening(folder, {}, lines=f'contest = "{contest}"\nstart = "bots"\nbuy_in = 0')
    entries = "".join(
        f"\n[[entries]]\nplayer = '{name} Senior'\nbot = '{name}'\ncommand = '{command}'\n"
        for name, command in zip(NAMES, commands, strict=False)
    )
    evening.file.write_text(f"{evening.file.read_text()}\n[format]\nsame_cards = true\n{form}\n{entries}")
    return evening


@pytest.mark.parametrize("contest", CONTESTS)
def test_starters_of_every_contest_play_deals(contest: str, tmp_path: Path) -> None:
    bots = 2 if CONTESTS[contest].is_duel else 3
    folder = write_deals(tmp_path, contest, [starter(contest)] * bots, "deals = 4")
    with tournament(folder) as terminal:
        assert terminal.ended() == 0, terminal.text
    assert f"starting {bots} bots at {bots} tables" in terminal.text
    assert "for 4 deals (measured by a trial deal of " in terminal.text
    assert "4 deals: the same cards at every table, every bot once in every seat" in terminal.text
    tables = [event.seats for event in folder.events if isinstance(event, GameStarted)]
    assert len(tables) == 4 * bots
    assert all(len(set(tables[deal * bots : (deal + 1) * bots])) == bots for deal in range(4))
    results = [event for event in folder.events if isinstance(event, DealEnded)]
    assert [set(result.won) for result in results] == [{0}] * 4, "a program plays the same cards alike at each table"
    assert not [event for event in folder.events if isinstance(event, FaultNoted)]
    assert not [event for event in folder.events if isinstance(event, ActionTaken) and event.fault]


def test_trial_deal_says_before_the_start_how_long_the_bots_take_and_is_in_no_recording(tmp_path: Path) -> None:
    notes = tmp_path / "asked.txt"
    noting = f"import os\nwith open({str(notes)!r}, 'a') as notes:\n    print(os.getpid(), file=notes)"
    commands = [
        changed_starter(tmp_path / "ada", f"{noting}\nimport time\ntime.sleep(0.5)"),
        changed_starter(tmp_path / "babbage", "import time\ntime.sleep(1000)"),
    ]
    folder = write_deals(tmp_path / "evening", "quick-draw", commands, "deals = 2")
    with tournament(folder) as terminal:
        assert terminal.ended() == 0, terminal.text
    measured = re.search(
        r"about ([\d.]+) s for 2 deals \(measured by a trial deal of ([\d.]+) s\), at most about \d+ s if every bot",
        terminal.text,
    )
    assert measured, terminal.text
    assert float(measured[1]) > float(measured[2]) >= 0.5
    assert "  Babbage: no valid answer to " in terminal.text
    assert "in the trial deal: timeout; no answer within 3 s, and nothing at all before" in terminal.text
    assert re.search(r"The Final, deal 2 of 2, about [\d.]+ s left", terminal.text)
    asked = [int(line) for line in notes.read_text().splitlines()]
    games, recorded = list[GameStarted](), 0
    for event in folder.events:
        if isinstance(event, GameStarted):
            games.append(event)
        recorded += isinstance(event, ActionTaken) and games[-1].seats[event.seat] == 1
    assert len(games) == 4
    evening = list(dict.fromkeys(asked))[-2:]
    assert sum(asked.count(instance) for instance in evening) == recorded
    assert len(asked) > recorded, "the trial deal must have instances of its own"
    logs = folder.data / "recordings" / "2026-11-21-a-night-in-tests-bots"
    assert sorted(path.name for path in logs.iterdir()) == ["table-1", "table-2"]


def test_evening_of_deals_killed_at_eight_moments_has_the_same_result(tmp_path: Path) -> None:
    commands = [starter("quick-draw"), f"{PYTHON} {STRANGER} {{server}}", starter("quick-draw")]
    folder, uninterrupted = (
        write_deals(tmp_path / name, "quick-draw", commands, "deals = 60") for name in ("killed", "uninterrupted")
    )
    check_kills_change_nothing(folder, uninterrupted, MOMENTS)
    proof = verify(folder.entries)
    assert (proof.deals, proof.luck_tables) == (60, 60 * len(commands)), "luck must be proved, as earnings decide"
    results = [event for event in folder.events if isinstance(event, DealEnded)]
    assert any(any(result.won) for result in results), "these programs must not win equally"


def test_submissions_are_built_once_and_play_in_a_box_at_each_table(tmp_path: Path) -> None:
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    players = {name: write_player(tmp_path / name, name) for name in NAMES}
    lines = f'start = "bots"\nrunner = "light"\nbot_addresses = ["{HOST}"]'
    folder = write_evening(tmp_path / "evening", {}, players, lines=lines)
    folder.file.write_text(f"{folder.file.read_text()}\n[format]\nsame_cards = true\ndeals = 5\n")
    with tournament(folder) as terminal:
        assert terminal.ended() == 0, terminal.text
    assert "instances of a bot can signal each other" in terminal.text, "light boxes must come with a warning"
    assert "9 programs in boxes of at most 100 MB each may take 900 MB" in terminal.text
    (stage,) = (event for event in folder.events if isinstance(event, StageStarted))
    assert (stage.deals, len(stage.bots)) == (5, 3)
    assert verify(folder.entries).deals == 5
    logs = folder.data / "recordings" / "2026-11-21-a-night-in-tests-bots"
    assert sorted(path.name for path in logs.iterdir()) == ["table-1", "table-2", "table-3"]

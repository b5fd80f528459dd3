"""An uploaded bot is built in its box and plays a test game against itself; the starters pass."""

import asyncio
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from server.game.events import ActionTaken, Entrant
from server.journal.journal import read_journal
from server.season.bot_setup import Prepared, contender_of, prepare
from server.season.game import play_game
from server.season.outcome import GameOutcome
from server.submissions.commands import read_commands
from server.submissions.submission import Submission
from server.verify.recording import verify
from tests.bots.sandbox.boxed_bots import opened
from tests.support.boxes import NEEDS_BUBBLEWRAP
from tests.support.source_files import ROOT

pytestmark = NEEDS_BUBBLEWRAP
STARTERS = ROOT / "assets" / "starters" / "upac"
PATIENT_MS = 60_000


def zipped(folder: Path, bot: Path) -> Submission:
    """A bot as its author uploads it: the zipped folder `bot`."""
    archive = folder / f"{bot.parent.name}.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(bot.rglob("*")):
            file.write(path, path.relative_to(bot.parent))
    return read_commands(archive, folder / f"work-{bot.parent.name}")


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_starters_pass_their_test_games_and_play_each_other(tmp_path: Path) -> None:
    python, javascript = (zipped(tmp_path, STARTERS / language / "bot") for language in ("python", "javascript"))
    assert (python.faults, javascript.faults, python.notes) == ((), (), ())

    async def story() -> tuple[list[Prepared], GameOutcome]:
        async with opened("light", tmp_path) as runner:
            ready = await asyncio.gather(
                *(
                    prepare(bot, runner, tmp_path / f"{bot.name}.jsonl", print, think_ms=PATIENT_MS)
                    for bot in (python, javascript)
                )
            )
            contenders = [
                contender_of(Entrant(number, bot.name, rating=1000_00), runner, each.built)
                for number, (bot, each) in enumerate(zip((python, javascript), ready, strict=True), 1)
            ]
            journal = tmp_path / "game.jsonl"
            return ready, await play_game(*contenders, seed=bytes(32), journal=journal, rounds=30, think_ms=PATIENT_MS)

    ready, outcome = asyncio.run(story())
    assert [each.faults for each in ready] == [(), ()]
    assert outcome.forfeited == ""
    entries = read_journal(outcome.files.journal).entries
    assert verify(entries).finished
    acts = {(event.seat, event.act) for event in (entry.event for entry in entries) if isinstance(event, ActionTaken)}
    assert acts >= {(seat, act) for seat in (0, 1) for act in ("fold", "check", "call", "bet", "raise")}
    assert "to call" in outcome.files.defender.read_text()
    assert "to call" in outcome.files.challenger.read_text()


def test_faults_are_reported_before_a_bot_can_be_activated(tmp_path: Path) -> None:
    def submission(name: str, build: str, run: str) -> Submission:
        folder = tmp_path / name / "bot"
        folder.mkdir(parents=True)
        (folder / "bot.json").write_text(json.dumps({"name": name, "build": build, "run": run}))
        return zipped(tmp_path, folder)

    bots = [
        submission("unbuilt", "echo no compiler; exit 1", "./bot"),
        submission("unmade", "", "./bot"),
        submission("wrong", "echo 'while read l; do echo R1.0; done' > bot.sh", "sh bot.sh"),
        submission("greedy", "", "exec python3 -c 'x = bytearray(300 << 20); input(); input(); input()'"),
        submission("unreadable", "", ""),
    ]

    async def story() -> list[Prepared]:
        async with opened("light", tmp_path) as runner:
            return [
                await prepare(bot, runner, tmp_path / f"{bot.name}.jsonl", print, think_ms=PATIENT_MS) for bot in bots
            ]

    unbuilt, unmade, wrong, greedy, unreadable = asyncio.run(story())
    assert "no compiler" in unbuilt.faults[0]
    assert unmade.faults == (
        "It did not pass its test game: could not be started: its command was not found or is not a program.",
    )
    assert unmade.test
    assert "not found" in unmade.test.files.defender.read_text()
    assert wrong.faults[0].startswith("It did not pass its test game: an invalid action: an action is F, C or R")
    assert wrong.faults[0].endswith(
        "not 'R1.0'. The rule: An action is F, C or R with a whole number behind it, on a line "
        "of its own. A line that is none loses the game."
    )
    assert greedy.faults == ("It did not pass its test game: used more memory than the 100 MB it may.",)
    assert unreadable == Prepared(faults=('"run" is empty. Write something between the quotes.',))

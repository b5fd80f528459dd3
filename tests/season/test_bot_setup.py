"""Faults of an uploaded bot are found before it plays: by its build in its box, or by a test game against itself."""

import asyncio
import json
from pathlib import Path

from server.season.bot_setup import Prepared, prepare
from server.submissions.commands import read_commands
from server.submissions.submission import Submission
from tests.bots.sandbox.boxed_bots import opened
from tests.season.season_server import zipped
from tests.support.boxes import NEEDS_BUBBLEWRAP

pytestmark = NEEDS_BUBBLEWRAP
PATIENT_MS = 60_000


def test_faults_are_reported_before_a_bot_can_be_activated(tmp_path: Path) -> None:
    def submission(name: str, build: str, run: str) -> Submission:
        """A bot as its author uploads it."""
        archive = tmp_path / f"{name}.zip"
        archive.write_bytes(zipped({"bot/bot.json": json.dumps({"name": name, "build": build, "run": run})}))
        return read_commands(archive, tmp_path / f"work-{name}")

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

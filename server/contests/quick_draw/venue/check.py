"""Checks submissions to the contest Quick Draw. Reads each submission, prepares its media, builds it, and lets it play
a game.
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from server.app.check.check_results import Checked
from server.app.check.checker import Checker
from server.bots.sandbox.runner import Runner, Say
from server.contests.quick_draw.venue.trial_game import run_trial_game
from server.submissions.submissions_reader import list_submissions


class QuickDrawChecker(Checker):
    def find_submissions(self, path: Path) -> Sequence[Path]:
        return list_submissions(path)

    async def run_trial(self, checked: Checked, work_folder: Path, runner: Runner, say: Say) -> Checked:
        trial = await run_trial_game(checked.submission, runner, work_folder, say)
        remarks = {"faults": tuple(trial.faults), "warnings": tuple(trial.warnings), "notes": tuple(trial.notes)}
        return replace(checked, trial=trial.to_trial(), **remarks)

"""The check of submissions for Quick Draw: each is read, its media are prepared, it is built and plays a game."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from broadcast.report.report import Trial
from server.app.check.checker import Checker
from server.app.check.words import Checked, lines_of
from server.app.sparring.programs import BoxRunner
from server.bots.sandbox.runner import Limits, Say
from server.config.settings import Settings
from server.contests.quick_draw.contest import CONTEST
from server.contests.quick_draw.venue.trial_game import try_out
from server.submissions.read import handed_in


class QuickDrawChecker(Checker):
    """See `Checker`."""

    contest = CONTEST.id

    def handed_in(self, path: Path) -> Sequence[Path]:
        return handed_in(path)

    async def tried(self, checked: Checked, settings: Settings, work: Path, runner: BoxRunner, say: Say) -> Checked:
        trial = await try_out(checked.submission, runner, settings, work, say)
        lines, used = lines_of(trial, Limits()), trial.usage
        seen = Trial(lines, tuple(trial.answers_ms), trial.printed, used.peak_memory_bytes, used.cpu_seconds)
        remarks = {"faults": tuple(trial.faults), "mends": tuple(trial.mends), "notes": tuple(trial.notes)}
        return replace(checked, trial=seen, **remarks)

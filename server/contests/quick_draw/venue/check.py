"""The check of submissions for Quick Draw: each is read, its media are prepared, it is built and plays a game."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import structs

from broadcast.media.library import MediaLibrary
from broadcast.report import Trial
from server.app.check.checker import Checker, Handed
from server.app.check.media import prepare_media
from server.app.check.result import lines_of
from server.app.check.words import PUT_OFF, Checked, block
from server.bots.sandbox.runner import Limits, Runner
from server.config.settings import Settings
from server.console import ProgressLine, plain, say
from server.submissions.read import handed_in, read_submissions
from server.submissions.submission import Submission


class QuickDrawChecker(Checker):
    """See `Checker`."""

    def handed_in(self, path: Path) -> Sequence[Path]:
        return handed_in(path)

    def read(self, path: Path, work: Path) -> Handed:
        found = read_submissions(path, work, path.stem)
        bots = [bot for bot in found if bot.name or bot.own_bytes]
        why = " ".join(fault for bot in found for fault in bot.faults)
        return Handed(path, tuple(bot.name for bot in bots), sum(bool(bot.faults) for bot in bots), why)

    async def check(self, path: Path, settings: Settings, work: Path, runner: Runner | None) -> list[Checked]:
        submissions = await asyncio.to_thread(read_submissions, path, work / "unpacked")
        checking = _Checking(settings, work, runner, len(submissions))
        return [await checking.check(submission) for submission in submissions]


class _Checking:
    """Checks submissions one after the other; `of` is how many there are."""

    def __init__(self, settings: Settings, work: Path, runner: Runner | None, of: int) -> None:
        self._settings = settings
        self._work = work
        self._runner = runner
        self._library = MediaLibrary(work / "media")
        self._of = of
        self._begun = 0
        self._line = ProgressLine()

    async def check(self, submission: Submission) -> Checked:
        """Checks one submission and prints the result. Raises OSError."""
        self._begun += 1
        self._show(submission, "pictures and sound")
        prepared, media = await asyncio.to_thread(prepare_media, submission, self._library)
        checked = Checked(prepared, media)
        if self._runner:
            checked = (
                await self._played(checked, self._runner)
                if prepared.name and not prepared.faults
                else structs.replace(checked, notes=(PUT_OFF,))
            )
        say(block(checked))
        return checked

    async def _played(self, checked: Checked, runner: Runner) -> Checked:
        from server.contests.quick_draw.venue.trial_game import try_out  # noqa: PLC0415  brings the web server, for games only

        folder = self._work / "trials" / str(self._begun)
        bot = checked.submission
        trial = await try_out(bot, runner, self._settings, folder, partial(self._show, bot))
        lines, used = lines_of(trial, Limits()), trial.usage
        seen = Trial(lines, tuple(trial.answers_ms), trial.printed, used.peak_memory_bytes, used.cpu_seconds)
        return Checked(bot, checked.media, seen, tuple(trial.faults), tuple(trial.mends), tuple(trial.notes))

    def _show(self, bot: Submission, doing: str) -> None:
        self._line.show(f"{self._begun} of {self._of}: {plain(bot.label)}", f", {plain(doing)}")

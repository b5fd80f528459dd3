"""The check of submissions for UPAC: each is read, built in its box, and plays a test game against itself."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from broadcast.report import Trial
from server.app.check.checker import Checker, Handed
from server.app.check.in_situations import seen_in_situations
from server.app.check.result import used_lines
from server.app.check.words import PUT_OFF, Checked, block
from server.app.sparring.folders import Boxes
from server.app.sparring.sides import Side
from server.bots.sandbox.built_once import BuiltOnce
from server.bots.sandbox.output_log import printed_in
from server.bots.sandbox.runner import Limits, Runner
from server.config.settings import Settings
from server.console import ProgressLine, plain, say
from server.game.events import ActionTaken
from server.journal.journal import read_journal
from server.season.bot_setup import Prepared, prepare
from server.season.game import TRIAL_ROUNDS
from server.season.outcome import GameOutcome
from server.submissions.commands import FOLDER, CommandSubmission, commands_in, read_commands
from server.submissions.submission import Submission, shown


class UpacChecker(Checker):
    """See `Checker`."""

    def handed_in(self, path: Path) -> Sequence[Path]:
        return commands_in(path)

    def read(self, path: Path, work: Path) -> Handed:
        bot = read_commands(path, work)
        return Handed(path, (bot.name,) if bot.name else (), bool(bot.faults), " ".join(bot.faults))

    async def check(self, path: Path, settings: Settings, work: Path, runner: Runner | None) -> list[Checked]:
        paths = await asyncio.to_thread(commands_in, path)
        checking, all_checked = _Checking(paths, work, runner), list[Checked]()
        for at in range(len(paths)):
            all_checked.append(await checking.check(at))
            say(block(all_checked[-1]))
        return all_checked


class _Checking:
    """Checks the submissions at `paths`; without a `runner` they are only read. Files go into the folder `work`."""

    def __init__(self, paths: Sequence[Path], work: Path, runner: Runner | None) -> None:
        self._paths = paths
        self._work = work
        self._runner = runner
        self._line = ProgressLine()

    async def check(self, at: int) -> Checked:
        """Checks the submission number `at`, counted from 0. Raises OSError where a file cannot be read or written."""
        path = self._paths[at]
        label = _label(path.resolve())
        bot = read_commands(path, self._work / f"unpacked-{at}")
        submission = Submission(label, bot.folder, bot.name, faults=bot.faults, notes=bot.notes, label=label)
        checked = Checked(submission, adorned=False)
        if self._runner:
            if bot.faults:
                return Checked(submission, notes=(PUT_OFF,), adorned=False)
            show = partial(self._show, f"{at + 1} of {len(self._paths)}: {plain(bot.name)}")
            checked = await self._played(submission, bot, self._runner, show, self._work / f"trial-{at}" / "game.jsonl")
        return checked

    async def _played(
        self,
        submission: Submission,
        bot: CommandSubmission,
        runner: Runner,
        show: "partial[None]",
        journal: Path,
    ) -> Checked:
        show("builds and plays against itself")
        journal.parent.mkdir(parents=True)
        prepared = await prepare(bot, runner, journal, show)
        faults = tuple(" / ".join(map(str.strip, fault.splitlines())) for fault in prepared.faults)
        trial = _trial(prepared, runner.kind)
        if faults:
            return Checked(submission, trial=trial, faults=faults, adorned=False)
        side = Side("folder", str(bot.folder), bot.name)
        seen = await seen_in_situations(side, "upac", journal.parent / "situations", Boxes(runner, BuiltOnce()), show)
        return Checked(submission, trial=trial, faults=seen.faults, mends=seen.mends, notes=seen.notes, adorned=False)

    def _show(self, milestone: str, doing: str) -> None:
        self._line.show(milestone, f", {plain(doing)}")


def _label(path: Path) -> str:
    """A submission's name in reports: its folder's, or that above where the folder has the name all of them have."""
    named = path.parent if path.name == FOLDER else path
    return shown(named.stem if named.is_file() else named.name)


def _trial(prepared: Prepared, box: str) -> Trial | None:
    """What the test game showed; None where it was not played."""
    game = prepared.test
    if game is None:
        return None
    answers = [event.think_ms for event in _events(game) if isinstance(event, ActionTaken) and not event.fault]
    broke = game.rounds < TRIAL_ROUNDS and not game.forfeited
    early = ": one of the two had lost all its chips" if broke else ""
    lines = [("Box", box), ("Rounds played", f"{game.rounds} of {TRIAL_ROUNDS}, against itself{early}")]
    if answers:
        half = f"half within {median(answers):.0f} ms, slowest {max(answers)} ms"
        lines.append(("Answers", f"{len(answers)}; {half}"))
    lines += [(what, much) for what, much in used_lines(prepared.usage, Limits()) if much]
    log = game.files.challenger if game.forfeited == "challenger" else game.files.defender
    return Trial(
        tuple(lines), tuple(answers), printed_in(log), prepared.usage.peak_memory_bytes, prepared.usage.cpu_seconds
    )


def _events(game: GameOutcome) -> list[object]:
    return [entry.event for entry in read_journal(game.files.journal).entries]

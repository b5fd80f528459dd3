"""Checks submitted bots before a tournament: reads their files, prepares their pictures and sounds, and plays a trial
game with each bot.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from broadcast.media.library import MediaLibrary
from server.app.check.check_results import TRIAL_POSTPONED, Checked, Media, TrialRemarks, terminal_text
from server.app.probe.probing import probe_bot, read_last_output
from server.app.probe.trial import Check, Trial
from server.app.sparring.sides import Side
from server.bots.sandbox.runner import Runner, Say
from server.bots.sandbox.shared_runner import SharedRunner
from server.console import ProgressLine, say
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import Contest
from server.shuffle import fresh_seed
from server.submissions.submission import Submission
from server.submissions.submissions_reader import list_submissions, read_submissions
from server.text.characters import printable

_REMEDIES = {
    "avatar": "Until you replace it, the house's face is shown. Use a PNG, JPEG, GIF or WebP of at most 10 MB and "
    "16 megapixels (110 for a JPEG).",
    "particle": "Until you replace it, the house's particles are shown. Use a PNG, JPEG, GIF or WebP of at most "
    "16 megapixels.",
    "sound": "Until you replace it, the house's sound is played. Use an audible WAV or MP3 of at most 5 seconds.",
}


class PlayerSubmission(Struct, frozen=True):
    """One player's submission. `bots` has the names of the player's bots. `faulty` is how many bots have faults.
    `fault_text` describes the faults.
    """

    path: Path
    bots: tuple[str, ...] = ()
    faulty: int = 0
    fault_text: str = ""

    @property
    def stem(self) -> str:
        """The name of the folder, or of the archive without its suffix."""
        return self.path.name if self.path.is_dir() else self.path.stem


class Checker:
    """Checks bots that have a Dockerfile. A trial game puts each bot in typical situations.

    Contests whose submissions have no Dockerfile override the methods of this class.
    """

    has_media = True
    """Whether bots of this contest have pictures and a sound."""

    def __init__(self, contest_id: str) -> None:
        self.contest = CONTESTS[contest_id]

    def find_submissions(self, path: Path) -> Sequence[Path]:
        """Finds the submissions for this contest at `path`: one bot, or the bots in a folder. Raises OSError."""
        folders = [path, *(list_submissions(path) if path.is_dir() else ())]
        return [folder for folder in folders if (folder / self.contest.marker_file).is_file()]

    def read_bots(self, path: Path, work_folder: Path, player: str = "") -> list[Submission]:
        """Reads all bots at `path`. If `player` is given, all bots belong to this player. Unpacks archives to
        `work_folder`. Raises OSError.
        """
        return read_submissions(path, work_folder, player)

    async def run_trial(self, checked: Checked, work_folder: Path, runner: Runner, say: Say) -> Checked:
        """Plays a trial game with a bot that has no known faults. Returns `checked` with the findings of the game.
        Files go into `work_folder`. Raises OSError.
        """
        bot = checked.submission
        side, shared_runner = Side("folder", str(bot.folder), bot.name), SharedRunner(runner)
        trial_remarks = await play_situations(side, self.contest.id, work_folder, shared_runner, say)
        return replace(
            checked,
            faults=tuple(trial_remarks.faults),
            warnings=tuple(trial_remarks.warnings),
            notes=tuple(trial_remarks.notes),
        )

    def read_submission(self, path: Path, work_folder: Path) -> PlayerSubmission:
        """Reads the submission of one player at `path`. Unpacks archives to `work_folder`. Leaves out each bot that has
        neither a name nor any files besides its weights. Raises OSError.
        """
        submissions = self.read_bots(path, work_folder, path.stem)
        bots = [bot for bot in submissions if bot.name or bot.own_bytes]
        fault_text = " ".join(fault for bot in submissions for fault in bot.faults)
        names, faulty = tuple(bot.name for bot in bots), sum(bool(bot.faults) for bot in bots)
        return PlayerSubmission(path, names, faulty, fault_text)

    async def check(self, path: Path, work_folder: Path, runner: Runner | None) -> list[Checked]:
        """Checks all submissions at `path` and prints each result. If `runner` is None, starts no bot. Files go into
        `work_folder`. Raises OSError.
        """
        bots = await asyncio.to_thread(self.read_bots, path, work_folder / "unpacked")
        library, line, all_checked = MediaLibrary(work_folder / "media"), ProgressLine(), list[Checked]()
        for number, bot in enumerate(bots, 1):
            milestone = f"{number} of {len(bots)}: {printable(bot.label)}"

            def show(doing: str, milestone: str = milestone) -> None:
                line.show(milestone, f", {printable(doing)}")

            checked = Checked(bot, has_media=False)
            if self.has_media:
                show("pictures and sound")
                checked = Checked(*await asyncio.to_thread(prepare_media, bot, library))
            if runner and (checked.submission.faults or not bot.name):
                checked = replace(checked, notes=(TRIAL_POSTPONED,))
            elif runner:
                checked = await self.run_trial(checked, work_folder / "trials" / str(number), runner, show)
            say(terminal_text(checked))
            all_checked.append(checked)
        return all_checked


def prepare_media(submission: Submission, library: MediaLibrary) -> tuple[Submission, Media]:
    """Prepares a submission's pictures and sound. Viewers get defaults instead of bad files. Can take several seconds.

    Returns the submission, with the findings about these files, and the media as viewers get them.
    """
    prepared, picture, sound = library.examine(submission.avatar, submission.particle, submission.sound)
    mends = (f"The {fault}. {_REMEDIES[fault.partition(':')[0]]}" for fault in prepared.faults)
    notes = (f"The {note}." for note in prepared.notes)
    checked = replace(submission, warnings=(*submission.warnings, *mends), notes=(*submission.notes, *notes))
    files = {medium: library.folder / name if (name := getattr(prepared, medium)) else None for medium in _REMEDIES}
    return checked, Media(files["avatar"], files["particle"], files["sound"], picture, sound)


def contest_of(path: Path) -> Contest:
    """Returns the contest that accepts the files at `path`, or the default contest if none does. Raises OSError."""
    others = (contest for contest in CONTESTS.values() if contest.id != DEFAULT and contest.checker)
    return next((contest for contest in others if checker_of(contest).find_submissions(path)), CONTESTS[DEFAULT])


def checker_of(contest: Contest) -> Checker:
    """Returns the checker of `contest`, which must accept submissions."""
    assert contest.checker, f"{contest.name} accepts no submissions"
    return contest.checker()


async def play_situations(
    side: Side, contest_id: str, work_folder: Path, shared_runner: SharedRunner, say: Say
) -> TrialRemarks:
    """Lets a bot play in its box (a sandbox) until the bot has acted on every street. The bot also meets a raise, an
    all-in, a check and a showdown. Every deal has new cards. Files go into `work_folder`. If the bot disconnects,
    `printed` in the result has the bot's last output. Raises OSError.
    """
    await asyncio.to_thread(work_folder.mkdir, parents=True, exist_ok=True)
    say("faces a raise, an all-in, a check and a showdown")
    trial = Trial(contest_id, side.name, CONTESTS[contest_id].essentials(), fresh_seed())
    checks = await probe_bot(side, contest_id, work_folder, shared_runner, trial)
    failed = [check for check in checks if not check.ok and check.tried]
    has_left = any(not check.tried for check in checks) or any(check.said.startswith("it left") for check in failed)
    failures = list(map(_describe_failure, failed))
    notes = [f"{check.said[:1].upper()}{check.said[1:]}." for check in checks if check.ok and check.expected]
    if has_left:
        return TrialRemarks(faults=failures, notes=notes, printed=read_last_output(work_folder))
    return TrialRemarks(warnings=failures, notes=notes)


def _describe_failure(check: Check) -> str:
    observation = printable(check.said).rstrip(".")
    return f"When it {check.name}: {observation}. Expected: {check.expected}. The rule: {check.rule}"

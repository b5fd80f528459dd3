"""The check of submissions for the ACPC: each is read, its media are prepared, it is built and tried in its box."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from broadcast.media.library import MediaLibrary
from server.app.check.checker import Checker, Handed
from server.app.check.in_situations import seen_in_situations
from server.app.check.media import prepare_media
from server.app.check.words import PUT_OFF, Checked, block
from server.app.sparring.folders import Boxes
from server.app.sparring.sides import Side
from server.bots.sandbox.built_once import BuiltOnce
from server.bots.sandbox.runner import Runner, Say
from server.config.settings import Settings
from server.console import ProgressLine, plain, say
from server.contests.acpc.contest import CONTEST
from server.submissions.read import handed_in, read_submissions


class AcpcChecker(Checker):
    """See `Checker`. A bot is a folder with a Dockerfile, a bot_config.json and a startme.sh."""

    def handed_in(self, path: Path) -> Sequence[Path]:
        folders = [path, *(handed_in(path) if path.is_dir() else ())]
        return [folder for folder in folders if (folder / CONTEST.handed_in).is_file()]

    def read(self, path: Path, work: Path) -> Handed:
        found = read_submissions(path, work, path.stem)
        why = " ".join(fault for bot in found for fault in bot.faults)
        return Handed(path, tuple(bot.name for bot in found), sum(bool(bot.faults) for bot in found), why)

    async def check(self, path: Path, settings: Settings, work: Path, runner: Runner | None) -> list[Checked]:
        found = await asyncio.to_thread(read_submissions, path, work / "unpacked")
        library, line, all_checked = MediaLibrary(work / "media"), ProgressLine(), list[Checked]()
        for at, submission in enumerate(found, 1):
            prepared, media = await asyncio.to_thread(prepare_media, submission, library)
            checked = Checked(prepared, media)
            if runner and prepared.faults:
                checked = replace(checked, notes=(PUT_OFF,))
            elif runner:
                show = partial(_show, line, f"{at} of {len(found)}: {plain(submission.label)}")
                checked = await _tried(checked, Boxes(runner, BuiltOnce()), work / f"trial-{at}", show)
            say(block(checked))
            all_checked.append(checked)
        return all_checked


def _show(line: ProgressLine, milestone: str, doing: str) -> None:
    line.show(milestone, f", {plain(doing)}")


async def _tried(checked: Checked, boxes: Boxes, work: Path, show: Say) -> Checked:
    """The check with what the bot does in its box where it must act on every street, raise and be all-in."""
    bot = checked.submission
    side = Side("folder", str(bot.folder), bot.name)
    seen = await seen_in_situations(side, CONTEST.id, work, boxes, show)
    return replace(checked, faults=seen.faults, mends=seen.mends, notes=seen.notes)

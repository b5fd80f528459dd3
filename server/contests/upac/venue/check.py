"""Checks submissions to the contest UPAC. Reads each submission, builds it in its box (sandbox), and lets it play a
test game against itself.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from broadcast.report import Trial
from server.app.check.check_results import Checked, TrialRemarks
from server.app.check.checker import Checker
from server.bots.sandbox.output_log import end_of_log
from server.bots.sandbox.runner import Runner, Say
from server.game.events import ActionTaken
from server.journal.journal import read_journal
from server.season.bot_setup import PreparedBot, prepare_bot
from server.season.play_game import TEST_ROUNDS
from server.submissions.command_bots import BOT_FOLDER_NAME, find_command_bots, read_command_bot
from server.submissions.submission import Submission, shortened


class UpacChecker(Checker):
    has_media = False

    def find_submissions(self, path: Path) -> Sequence[Path]:
        return find_command_bots(path)

    def read_bots(self, path: Path, work_folder: Path, player: str = "") -> list[Submission]:
        paths = [path] if player else find_command_bots(path)
        return [_submission(bot_path, work_folder / str(number)) for number, bot_path in enumerate(paths)]

    async def run_trial(self, checked: Checked, work_folder: Path, runner: Runner, say: Say) -> Checked:
        say("builds and plays against itself")
        await asyncio.to_thread(work_folder.mkdir, parents=True)
        prepared = await prepare_bot(checked.submission, runner, work_folder / "game.jsonl", say)
        faults = tuple(" / ".join(map(str.strip, fault.splitlines())) for fault in prepared.faults)
        checked = replace(checked, trial=_trial(prepared, runner.kind), faults=faults)
        return checked if faults else await super().run_trial(checked, work_folder / "situations", runner, say)


def _submission(path: Path, work_folder: Path) -> Submission:
    label = _label(path.resolve())
    return replace(read_command_bot(path, work_folder), player=label, label=label)


def _label(path: Path) -> str:
    """Returns a submission's name for reports: the name of its folder. If the folder is named `bot`, returns the name
    of the folder above.
    """
    label_path = path.parent if path.name == BOT_FOLDER_NAME else path
    return shortened(label_path.stem if label_path.is_file() else label_path.name)


def _trial(prepared: PreparedBot, box: str) -> Trial | None:
    game = prepared.test_outcome
    if game is None:
        return None
    events = [entry.event for entry in read_journal(game.files.journal).entries]
    answers = [event.think_ms for event in events if isinstance(event, ActionTaken) and not event.fault]
    is_bust = game.rounds < TEST_ROUNDS and not game.forfeited
    end_reason = ": one of the two had lost all its chips" if is_bust else ""
    log = game.files.challenger_log if game.forfeited == "challenger" else game.files.defender_log
    rounds = f"{game.rounds} of {TEST_ROUNDS}, against itself{end_reason}"
    remarks = TrialRemarks(box, rounds=rounds, usage=prepared.usage, answers_ms=answers, printed=end_of_log(log))
    return remarks.to_trial()

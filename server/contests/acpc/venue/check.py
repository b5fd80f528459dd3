"""The check of submissions for the ACPC: each is read, its media are prepared, it is built and tried in its box."""

from collections.abc import Sequence
from pathlib import Path

from server.app.check.checker import Checker
from server.contests.acpc.contest import CONTEST
from server.submissions.read import handed_in


class AcpcChecker(Checker):
    """See `Checker`. A bot is a folder with a Dockerfile, a bot_config.json and a startme.sh."""

    contest = CONTEST.id

    def handed_in(self, path: Path) -> Sequence[Path]:
        folders = [path, *(handed_in(path) if path.is_dir() else ())]
        return [folder for folder in folders if (folder / CONTEST.handed_in).is_file()]

"""Plays a contest of all submissions without an operator, and adds the contest to a site.

Run `python3 play.py SUBMISSIONS DATA SITE`. After an interruption, the same command continues the contest. During the
contest, its bots, event file and recording are in the folder DATA. A file contest.toml beside SUBMISSIONS may add
settings to the event file. Needs `highnoon` on the path. If `highnoon` fails, the program exits with the same status.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path


def main(submissions: Path, data: Path, site: Path) -> int:
    """Begins or continues the contest, then publishes it. Returns the exit status."""
    data.mkdir(parents=True, exist_ok=True)
    event = data / "event.toml"
    if not event.exists() and (status := begin(submissions, data, event)):
        return status
    if status := run("highnoon", "tournament", event):
        return status
    shutil.rmtree(site / ".high-noon-half", ignore_errors=True)  # left by a publication that was killed
    if status := run("highnoon", "publish", data / "data" / "recordings", "--to", site):
        return status
    event.unlink()  # the next run begins the next contest
    return 0


def begin(submissions: Path, data: Path, event: Path) -> int:
    """Copies the bots, then writes the event file. The event file comes last, because a contest with an event file
    counts as begun.
    """
    settings_file = submissions.parent / "contest.toml"
    settings = settings_file.read_text(encoding="utf-8") if settings_file.exists() else ""
    try:
        own_settings = tomllib.loads(settings)
    except tomllib.TOMLDecodeError as error:
        sys.exit(f"{settings_file} is not valid TOML: {error}")
    bots, written = data / "submissions", data / "new.toml"
    shutil.rmtree(bots, ignore_errors=True)
    written.unlink(missing_ok=True)
    shutil.copytree(submissions, bots, symlinks=True)
    if status := run("highnoon", "init", bots, "--out", written):
        return status
    init = written.read_text(encoding="utf-8")
    entries = init[init.index("\n[[entries]]\n") :]
    written.write_text(f"{defaults(own_settings, init)}\n{settings}{entries}", encoding="utf-8")
    written.rename(event)
    return 0


def defaults(own_settings: Mapping[str, object], init: str) -> str:
    """Returns lines with the settings of a contest at full speed and without an operator. Leaves out the keys of
    `own_settings`.

    `init` is the text of the event file that `highnoon init` wrote. The text says which contest the bots play.
    """
    now = datetime.now(UTC)
    default_settings = {
        "name": f'"Contest of {now:%d %B %Y, %H.%M}"',
        "date": f"{now:%Y-%m-%d}",
        "start": '"bots"',
        "pace": "0",
    }
    contest = re.search(r"^contest = (\S+)", init, re.MULTILINE)
    if contest:
        default_settings["contest"] = contest[1]
    return "\n".join(f"{key} = {value}" for key, value in default_settings.items() if key not in own_settings)


def run(*words: str | Path) -> int:
    """Prints and runs a command. Returns its exit status."""
    print("+", *words, flush=True)
    return subprocess.run([str(word) for word in words], check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python3 play.py SUBMISSIONS DATA SITE")
    try:
        sys.exit(main(*map(Path, sys.argv[1:])))
    except KeyboardInterrupt:
        sys.exit(130)

"""Takes the bots of many git repositories into one folder, for `highnoon check` and `highnoon init`.

`python3 collect.py REPOSITORIES.tsv SUBMISSIONS`: each line of the list has a player, a tab and a repository's address.
What it holds, one bot or up to three in folders of their own, becomes the folder SUBMISSIONS/PLAYER. A repository that
cannot be taken is reported, and changes nothing. Needs git. Exits with 1 if nothing could be taken.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 120
MAX_BYTES = 200 << 20
MAX_FILE_BYTES = 90 << 20  # GitHub refuses a push with a file of 100 MB, and with it all other players' bots
MAX_FILES = 20_000
LEFT_OUT = (".git", ".github")
# Nothing of a stranger's repository is followed or run: no links, no hooks, no submodules, no large files elsewhere.
SAFE = ("-c", "core.symlinks=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never")
CLONE = ("clone", "--quiet", "--depth", "1", "--single-branch", "--no-tags", "--template=")


class Untaken(Exception):
    """A repository cannot be taken; the text says why."""


def main(listed: Path, submissions: Path) -> int:
    """Takes all repositories of the list; returns the exit status."""
    taken = set[str]()
    lines = [line for line in listed.read_text(encoding="utf-8").splitlines() if line.strip()]
    submissions.mkdir(parents=True, exist_ok=True)
    for line in lines:
        player, _, address = (part.strip() for part in line.partition("\t"))
        name = folder_name(player)
        try:
            if name in taken:
                raise Untaken("another player has this name")
            commit = take(address, submissions / name)
        except Untaken as error:
            print(f"- `{name}` was **not taken**; the earlier copy, if any, is kept: {error}")
        else:
            taken.add(name)
            print(f"- `{name}`: {commit}")
    print(f"\n{len(taken)} of {len(lines)} repositories are taken.")
    return 0 if taken or not lines else 1


def folder_name(player: str) -> str:
    """A player's name as the name of a folder: letters, digits, blanks and hyphens, at most 60."""
    return re.sub(r"[^\w -]+", "-", player).strip(" -")[:60] or "player"


def take(address: str, folder: Path) -> str:
    """Puts the newest commit of a repository into `folder`, whole or not at all; returns its name. Raises Untaken."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".taking-") as work:
        clone = Path(work, "clone")
        git(*SAFE, *CLONE, "--", address, str(clone))
        commit = git("-C", str(clone), "rev-parse", "--short", "HEAD")
        for name in LEFT_OUT:
            shutil.rmtree(clone / name, ignore_errors=True)
        check_size(clone)
        if folder.exists():
            folder.rename(Path(work, "before"))
        clone.rename(folder)
    return commit


def check_size(folder: Path) -> None:
    """Raises Untaken if a folder is empty or too large. Files lose rights that only programs of the owner have."""
    files = [Path(at, name) for at, _, names in os.walk(folder) for name in names]
    if not files:
        raise Untaken("it is empty")
    if len(files) > MAX_FILES:
        raise Untaken(f"it has more than {MAX_FILES:,} files")
    sizes = {path: path.lstat().st_size for path in files}
    if sum(sizes.values()) > MAX_BYTES:
        raise Untaken(f"it has more than {MAX_BYTES >> 20} MB")
    if max(sizes.values()) > MAX_FILE_BYTES:
        raise Untaken(f"it has a file of more than {MAX_FILE_BYTES >> 20} MB")
    for path in files:
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & 0o755)


def git(*words: str) -> str:
    """What git prints. Raises Untaken with the last line of its error."""
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    try:
        ended = subprocess.run(
            ["git", *words], check=False, capture_output=True, text=True, timeout=SECONDS, env=environment,
            errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Untaken(f"git takes more than {SECONDS} seconds") from None
    if ended.returncode:
        raise Untaken((ended.stderr.strip().splitlines() or ["git failed"])[-1])
    return ended.stdout.strip()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 collect.py REPOSITORIES.tsv SUBMISSIONS")
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

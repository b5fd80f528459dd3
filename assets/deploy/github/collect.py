"""Copies the bots of many git repositories into one folder, for `highnoon check` and `highnoon init`.

Run `python3 collect.py REPOSITORIES.tsv SUBMISSIONS`. Each line of REPOSITORIES.tsv has a player's name, a tab, and the
address of a repository. A repository has one bot, or up to three bots in separate folders. The repository's files go
into the folder SUBMISSIONS/PLAYER. If a repository cannot be taken, the program reports it and keeps the earlier copy.
Needs git. The exit status is 1 if no repository could be taken.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

GIT_SECONDS = 120
MAX_BYTES = 200 << 20
MAX_FILE_BYTES = 90 << 20  # GitHub refuses a push with a file of 100 MB, and one push has all players' bots
MAX_FILES = 20_000
MAX_DEPTH = 40
MAX_LISTED_BYTES = MAX_FILES * 400
MAX_ERROR_CHARACTERS = 200
REMOVED_FOLDERS = (".git", ".github")
# We run no hooks of a stranger's repository, and follow no links, submodules or pointers to large files.
SAFE_GIT_OPTIONS = ("-c", "core.symlinks=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never")
CLONE_COMMAND = ("clone", "--quiet", "--no-checkout", "--depth", "1", "--single-branch", "--no-tags", "--template=")
# A small repository may hold a billion files, or a file that unpacks to a thousand times its size.
RESOURCE_LIMITS = ("prlimit", f"--fsize={MAX_BYTES + (50 << 20)}", f"--as={2 << 30}") if shutil.which("prlimit") else ()
LFS_POINTER = b"version https://git-lfs.github.com/spec/"


class RepositoryRefused(Exception):
    """A repository cannot be taken. The message says why."""


def main(list_file: Path, submissions: Path) -> int:
    """Takes all repositories on the list, and returns the exit status."""
    taken = set[str]()
    lines = [line for line in list_file.read_text(encoding="utf-8").splitlines() if line.strip()]
    submissions.mkdir(parents=True, exist_ok=True)
    for line in lines:
        player, _, address = (part.strip() for part in line.partition("\t"))
        name = folder_name(player)
        try:
            if name in taken:
                raise RepositoryRefused("another player has this name")
            commit = take(address, submissions / name)
        except RepositoryRefused as error:
            print(f"- `{name}` was **not taken**; the earlier copy, if any, is kept: {error}")
        else:
            taken.add(name)
            print(f"- `{name}`: {commit}")
    print(f"\n{len(taken)} of {len(lines)} repositories are taken.")
    return 0 if taken or not lines else 1


def folder_name(player: str) -> str:
    """Returns the folder name for a player: at most 60 letters, digits, spaces, underscores and hyphens."""
    return re.sub(r"[^\w -]+", "-", player).strip(" -")[:60] or "player"


def take(address: str, folder: Path) -> str:
    """Puts a repository's latest commit into `folder`, completely or not at all. Returns the commit's hash. Raises
    RepositoryRefused.
    """
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".taking-") as work:
        clone = Path(work, "clone")
        git(*SAFE_GIT_OPTIONS, *CLONE_COMMAND, "--", address, str(clone))
        commit = git("-C", str(clone), "rev-parse", "--short", "HEAD")
        check_listing(listing_of(clone))
        git(*SAFE_GIT_OPTIONS, "-C", str(clone), "reset", "--quiet", "--hard")
        for name in REMOVED_FOLDERS:
            shutil.rmtree(clone / name, ignore_errors=True)
        pointers = check_files(clone)
        if folder.exists():
            folder.rename(Path(work, "before"))
        clone.rename(folder)
    return f"{commit}, but {pointers} of its files are in Git LFS and are not taken" if pointers else commit


def listing_of(clone: Path) -> bytes:
    """Returns git's list of the files in the newest commit, which is not checked out yet. Raises RepositoryRefused."""
    command = [*RESOURCE_LIMITS, "git", "-C", str(clone), "ls-tree", "-r", "-t", "-l", "-z", "HEAD"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as listing:
        timer = threading.Timer(GIT_SECONDS, listing.kill)
        timer.start()
        assert listing.stdout
        file_list = listing.stdout.read(MAX_LISTED_BYTES + 1)
        timer.cancel()
        listing.kill()
    if len(file_list) > MAX_LISTED_BYTES:
        raise RepositoryRefused(f"it has more than {MAX_FILES:,} files and folders, or their names are very long")
    return file_list


def check_listing(file_list: bytes) -> None:
    """Raises RepositoryRefused if the files that git lists are too many, too large or too deep."""
    lines = file_list.split(b"\0")[:-1]
    if len(lines) > MAX_FILES:
        raise RepositoryRefused(f"it has more than {MAX_FILES:,} files and folders")
    if any(line.count(b"/") > MAX_DEPTH for line in lines):
        raise RepositoryRefused(f"it has folders more than {MAX_DEPTH} deep")
    sizes = [int(size) for line in lines if (size := line.partition(b"\t")[0].split()[3]).isdigit()]
    if sum(sizes) > MAX_BYTES:
        raise RepositoryRefused(f"it has more than {MAX_BYTES >> 20} MB")
    if max(sizes, default=0) > MAX_FILE_BYTES:
        raise RepositoryRefused(f"it has a file of more than {MAX_FILE_BYTES >> 20} MB")


def check_files(folder: Path) -> int:
    """Removes special permissions, such as set-user-ID, from files. Returns the number of files that are only Git LFS
    pointers.

    Raises RepositoryRefused if the folder is empty.
    """
    files = [Path(at, name) for at, _, names in os.walk(folder) for name in names]
    if not files:
        raise RepositoryRefused("it is empty")
    pointers = 0
    for path in files:
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & 0o755)
        with path.open("rb") as file:
            pointers += file.read(len(LFS_POINTER)) == LFS_POINTER
    return pointers


def git(*words: str) -> str:
    """Runs git, and returns its output. Raises RepositoryRefused with the last line of git's error. Backticks and
    characters that are not printable ASCII are replaced in this line, which may contain text from the repository.
    """
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    try:
        ended = subprocess.run(
            [*RESOURCE_LIMITS, "git", *words], check=False, capture_output=True, text=True, timeout=GIT_SECONDS,
            env=environment, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RepositoryRefused(f"git takes more than {GIT_SECONDS} seconds") from None
    if ended.returncode:
        said = (ended.stderr.strip().splitlines() or [f"git ended with status {ended.returncode}"])[-1]
        raise RepositoryRefused(f"`{re.sub('[^ -~]|`', '?', said)[:MAX_ERROR_CHARACTERS]}`")
    return ended.stdout.strip()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 collect.py REPOSITORIES.tsv SUBMISSIONS")
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

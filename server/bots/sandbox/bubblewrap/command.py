"""The command line of a bubblewrap box, which decides what a bot can see of this machine. Starts nothing.

For Docker boxes, the image sets the environment, and `server/bots/sandbox/docker/container_limits.py` sets the limits.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from msgspec import Struct

from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe
from server.bots.sandbox.runner import CannotRun

NOBODY_ID = 65534
_OWN_PROGRAMS = "/highnoon"
SUBMISSION_FOLDER = f"{_OWN_PROGRAMS}/handed-in"
"""Where a build finds the submitted folder, read-only."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_POSSIBLE_LINKS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
_ETC_FILES = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf", "ssl/certs")
_DEVICES = ("null", "full", "random", "urandom")
_SCRATCH = ("/tmp", "/dev/shm")  # noqa: S108 (the bot's own)
"""The tmpfs mounts that a bot may write to. Processes of the bot share locks and queues in /dev/shm."""
_STREAMS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}


class BoxSpec(Struct, frozen=True):
    """What a bubblewrap box shows and permits."""

    recipe: Recipe
    folder: Path
    """The bot's own folder, read-only."""
    hosts_file: Path
    """The file that the bot sees as /etc/hosts."""
    limits: Limits
    is_build: bool = False
    """Whether this is a box for a build. If so, the recipe's folder is an empty tmpfs, and `folder` is at
    SUBMISSION_FOLDER.
    """
    counts_all_memory: bool = False
    """Whether the memory limit also covers memory that belongs to no process, such as files on a tmpfs."""
    hint: str = ""
    """Why the bot might fail to start."""


def box_command(box: BoxSpec, fds: tuple[int, int, int, int]) -> list[str]:
    """Returns the whole command of a box. Raises CannotRun if the Dockerfile wants the bot's folder at a reserved path.

    `fds` are the file descriptors `info_fd`, `complete_fd`, `block_fd` and `seccomp_fd`. The command writes the id of
    the box's first process to `info_fd`. When the box is almost complete, the command reads `complete_fd` until the end
    of file. It starts the bot once it can read anything from `block_fd`. It reads the seccomp filter from `seccomp_fd`.
    """
    info_fd, complete_fd, block_fd, seccomp_fd = map(str, fds)
    return [
        "bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL",
        "--die-with-parent", "--new-session",
        "--uid", str(NOBODY_ID), "--gid", str(NOBODY_ID), "--hostname", "bot", "--clearenv",
        "--info-fd", info_fd, "--block-fd", block_fd, "--seccomp", seccomp_fd,
        *_system_mounts(), *_devices(box.counts_all_memory), "--proc", "/proc",
        "--ro-bind", str(box.hosts_file), "/etc/hosts",
        *_tmpfs_mounts(_SCRATCH, box.limits.scratch_bytes), *_bot_mounts(box),
        "--file", complete_fd, f"{_OWN_PROGRAMS}/whole", "--remount-ro", "/",
        *_environment(box.recipe), "--", *box.recipe.command,
    ]  # fmt: skip


def max_files(box: BoxSpec) -> Mapping[str, int]:
    """Returns the maximum number of files on each tmpfs, by path. Even empty files take memory. Raises CannotRun."""
    scratch_files = dict.fromkeys(_SCRATCH, box.limits.scratch_files)
    return scratch_files | ({bot_folder_path(box.recipe): box.limits.disk_files} if box.is_build else {})


def bot_folder_path(recipe: Recipe) -> str:
    """Returns the path of the bot's folder in the box. Raises CannotRun for a reserved path."""
    if recipe.folder == "/":
        return "/bot"
    reserved = {PurePosixPath("/", name) for name in (*_POSSIBLE_LINKS, "etc", "proc", "dev", "tmp", "usr")}
    reserved |= {PurePosixPath("/usr", path.name) for path in _usr_paths()}
    folder = PurePosixPath(recipe.folder)
    if folder in reserved or any(parent in reserved and parent != PurePosixPath("/usr") for parent in folder.parents):
        raise CannotRun(f"WORKDIR {recipe.folder} is part of the system here: choose another, such as /bot.")
    return recipe.folder


def _usr_paths() -> Iterable[Path]:
    """Returns everything in /usr except /usr/src, because many bots use /usr/src as their folder."""
    return [path for path in sorted(Path("/usr").iterdir()) if path.name != "src"]


def _system_mounts() -> Iterator[str]:
    """Yields the machine's programs and libraries, read-only, and the settings that programs need to start."""
    for path in _usr_paths():
        yield from (("--symlink", os.readlink(path)) if path.is_symlink() else ("--ro-bind", str(path)))
        yield str(path)
    for name in _POSSIBLE_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    # Debian keeps parts of each Java version in these folders.
    java_folders = (path.name for path in sorted(Path("/etc").glob("java-*")))
    for name in (*_ETC_FILES, *java_folders):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for name in ("python", "python3"):
        if python := shutil.which("python3", path=_PATH):
            yield from ("--symlink", python, f"{_OWN_PROGRAMS}/{name}")


def _devices(counts_all_memory: bool) -> Iterator[str]:
    """Yields the few devices that a box has. bubblewrap's own /dev would be a tmpfs of unlimited size.

    A program can map /dev/zero to get memory that belongs to no process. If such memory is not counted, /dev/full takes
    the place of /dev/zero. A program can read the same zeros from /dev/full, but cannot map it.
    """
    for name in _DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    yield from ("--dev-bind", "/dev/zero" if counts_all_memory else "/dev/full", "/dev/zero")
    for name, stream in _STREAMS.items():
        yield from ("--symlink", f"/proc/self/fd{stream}", f"/dev/{name}")


def _tmpfs_mounts(paths: Iterable[str], max_bytes: int) -> Iterator[str]:
    for path in paths:
        yield from ("--size", str(max_bytes), "--tmpfs", path)


def _bot_mounts(box: BoxSpec) -> Iterator[str]:
    path = bot_folder_path(box.recipe)
    if box.is_build:
        yield from _tmpfs_mounts([path], box.limits.disk_bytes)
    yield from ("--ro-bind", str(box.folder), SUBMISSION_FOLDER if box.is_build else path, "--chdir", path)


def _environment(recipe: Recipe) -> Iterator[str]:
    """Yields options that set the bot's environment variables: those that every box has, and those that the Dockerfile
    adds. The bot gets none of this machine's variables.
    """
    defaults = {"PATH": _PATH, "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108 (the bot's own)
    variables = defaults | dict(recipe.environment)
    variables["PATH"] += f":{_OWN_PROGRAMS}"
    for name, value in variables.items():
        yield from ("--setenv", name, value)

"""The command line of a bubblewrap box: what of this machine a bot sees there. Values only."""

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from server.bots.runners.dockerfile import Recipe
from server.bots.runners.runner import CannotRun, Limits

NOBODY = 65534
_OWN_PROGRAMS = "/highnoon"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_LINKS = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")
_OF_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf", "ssl/certs")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_STREAMS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}


def box_command(
    recipe: Recipe, folder: Path, hosts: Path, limits: Limits, fds: tuple[int, int, int], *, writable: bool = False
) -> list[str]:
    """The whole command; it tells its process through the first of `fds`, reads the second to its end once its
    network and files are there, and lets the bot begin when the third can be read. `writable` is the bot's folder.

    Raises CannotRun if the bot's folder cannot lie where its Dockerfile wants it.
    """
    told, whole, blocked = map(str, fds)
    return [
        "bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL",
        "--die-with-parent", "--new-session",
        "--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "bot", "--clearenv",
        "--info-fd", told, "--block-fd", blocked,
        *_system(), *_devices(), "--proc", "/proc",
        "--ro-bind", str(hosts), "/etc/hosts",
        "--size", str(limits.scratch_bytes), "--tmpfs", "/tmp",  # noqa: S108 (the bot's own)
        *_bot(recipe, folder, "--bind" if writable else "--ro-bind"),
        "--file", whole, f"{_OWN_PROGRAMS}/whole", "--remount-ro", "/",
        *_environment(recipe), "--", *recipe.command,
    ]  # fmt: skip


def where(recipe: Recipe) -> str:
    """Where the bot's folder lies. Raises CannotRun where the system lies already."""
    if recipe.folder == "/":
        return "/bot"
    taken = {PurePosixPath("/", name) for name in (*_LINKS, "etc", "proc", "dev", "tmp", "usr")}
    taken |= {PurePosixPath("/usr", path.name) for path in _usr()}
    place = PurePosixPath(recipe.folder)
    if place in taken or any(parent in taken and parent != PurePosixPath("/usr") for parent in place.parents):
        raise CannotRun(f"WORKDIR {recipe.folder} is part of the system here: choose another, such as /bot.")
    return recipe.folder


def _usr() -> Iterable[Path]:
    """All of /usr but its sources, where bots like to live."""
    return [path for path in sorted(Path("/usr").iterdir()) if path.name != "src"]


def _system() -> Iterator[str]:
    """The machine's programs and libraries, to read; of its settings what programs need to start."""
    for path in _usr():
        yield from (("--symlink", os.readlink(path)) if path.is_symlink() else ("--ro-bind", str(path)))
        yield str(path)
    for name in _LINKS:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for name in _OF_ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for name in ("python", "python3"):
        if found := shutil.which("python3", path=_PATH):
            yield from ("--symlink", found, f"{_OWN_PROGRAMS}/{name}")


def _devices() -> Iterator[str]:
    """Not bubblewrap's own /dev, which is a disk in memory without end."""
    for name in _DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for name, stream in _STREAMS.items():
        yield from ("--symlink", f"/proc/self/fd{stream}", f"/dev/{name}")


def _bot(recipe: Recipe, folder: Path, bind: str) -> Iterator[str]:
    place = where(recipe)
    yield from (bind, str(folder), place, "--chdir", place)


def _environment(recipe: Recipe) -> Iterator[str]:
    """Nothing of this machine's: an image's usual one, and what the Dockerfile adds."""
    usual = {"PATH": _PATH, "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108 (the bot's own)
    whole = usual | dict(recipe.environment)
    whole["PATH"] += f":{_OWN_PROGRAMS}"
    for name, value in whole.items():
        yield from ("--setenv", name, value)

"""A real Docker daemon with a base image for bots, and a pytest mark for tests that need bubblewrap."""

import fcntl
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import docker
import pytest
from docker.errors import DockerException

from server.bots.sandbox.bubblewrap.waiting_box import bubblewrap_fault

BASE_IMAGE = ("python", "3.11-slim")
"""Contestants build on this image. Tests that start a daemon make the image from this machine's Python."""
_TEST_DAEMON_PREFIX = "highnoon-docker-"
"""Part of the address of every daemon that tests start, and of no other daemon."""
_SYSTEM_DAEMON = Path("/var/run/docker.sock")
_FOLDERS_NO_BOT_NEEDS = {
    "distutils", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "site-packages", "dist-packages", "test", "tkinter",
    "turtledemo",
}  # fmt: skip
_MODULES_NO_BOT_NEEDS = ("_test", "_tkinter", "_sqlite3", "_curses", "_codecs_", "nis", "readline")
"""Compiled modules are left out of the image if their names begin with one of these words."""
_BUBBLEWRAP_FAULT = bubblewrap_fault()
NEEDS_BUBBLEWRAP = pytest.mark.skipif(bool(_BUBBLEWRAP_FAULT), reason=_BUBBLEWRAP_FAULT or "bubblewrap is here")
_TEMPORARY_FOLDER = Path("/tmp")  # noqa: S108 - a folder of the image
"""Every user may write to this folder of the base image, as in images of public registries."""
_SHELL_PROGRAMS = ("sh", "cat", "sleep", "mkdir", "true", "false", "env")


@pytest.fixture(scope="session")
def docker_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Docker daemon that has the base image. During the tests, $DOCKER_HOST has this address.

    Import this fixture into a conftest. The fixture uses the daemon at $DOCKER_HOST, or else this machine's daemon. If
    there is neither, the fixture starts a daemon for the whole test run. Only root can do so: for any other user, the
    tests are skipped.
    """
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with (shared / "docker.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Only one test process at a time looks for a daemon.
        address = _find_or_start_daemon(shared)
        with closing(docker.APIClient(base_url=address, version="auto")) as engine:
            if not engine.images(":".join(BASE_IMAGE), quiet=True):
                if _TEST_DAEMON_PREFIX not in address:
                    pytest.skip(f"this Docker daemon has no {':'.join(BASE_IMAGE)}: pull it first")
                path = 'ENV PATH="/usr/local/bin:/usr/bin:/bin"'
                engine.import_image_from_data(root_file_system(), *BASE_IMAGE, changes=[path])
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DOCKER_HOST", address)
        yield address


def _find_or_start_daemon(shared: Path) -> str:
    """Returns a daemon's address. If tests start the daemon, they record its address in the folder `shared`."""
    if address := os.environ.get("DOCKER_HOST"):
        return address
    if _SYSTEM_DAEMON.is_socket():
        return f"unix://{_SYSTEM_DAEMON}"
    if os.geteuid() != 0 or not shutil.which("dockerd"):
        pytest.skip("no Docker daemon: set DOCKER_HOST, or be root with docker.io installed")
    record = shared / "dockerd.record"
    if not record.exists():
        record.write_text(_start_daemon())
    address = record.read_text()
    if not address.startswith("unix://"):
        pytest.fail(f"dockerd does not start here: {address}")
    return address


def _start_daemon() -> str:
    """Starts a daemon. Returns its address or, if the daemon fails, its last line of output."""
    folder = Path(tempfile.mkdtemp(prefix=_TEST_DAEMON_PREFIX))
    tests_pid = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    program = Path(__file__).with_name("daemon_keeper.py")
    keeper = subprocess.Popen([sys.executable, program, str(tests_pid), str(folder)], stdin=subprocess.DEVNULL)
    address = f"unix://{folder}/sock"
    deadline = time.monotonic() + 120.0
    while time.monotonic() < deadline and keeper.poll() is None:
        if _is_running(address):
            keeper.returncode = 0  # Suppresses Python's warning: the keeper outlives this process on purpose.
            return address
        time.sleep(0.1)  # The daemon does not report when it is ready.
    keeper.terminate()
    keeper.wait()
    lines = (folder / "log").read_text(errors="replace").splitlines()
    return lines[-1] if lines else "it printed nothing"


def _is_running(address: str) -> bool:
    try:
        # This probe comes first, because Docker's library leaks a socket if nobody answers.
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(address.removeprefix("unix://"))
        with closing(docker.APIClient(base_url=address, version="auto")) as engine:
            return bool(engine.ping())
    except (DockerException, OSError):
        return False


def root_file_system(more_files: Iterable[Path] = ()) -> bytes:
    """Returns a tar archive of this machine's Python and shell, of `more_files`, and of all libraries they need."""
    python = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}").resolve()
    library = Path(os.__file__).resolve().parent
    files = [python, *(Path(program) for name in _SHELL_PROGRAMS if (program := shutil.which(name, path="/bin")))]
    files += [*_find_needed_files(library), *more_files]
    linked_files = [path for path in files if path.suffix == ".so" or path.parent.name == "bin"]
    output = subprocess.run(["ldd", *linked_files], check=False, capture_output=True, text=True).stdout
    libraries = [Path(os.path.normpath(path)) for path in re.findall(r"(/\S+) \(0x", output)]
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        paths = sorted({*files, *libraries})
        folders = {folder for path in paths for folder in path.parents if folder != Path("/")}
        for folder in sorted({*folders, Path("/usr/local/bin"), _TEMPORARY_FOLDER}):
            entry = tarfile.TarInfo(str(folder).lstrip("/"))
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if folder == _TEMPORARY_FOLDER else 0o755
            tar.addfile(entry)
        for path in paths:
            entry = tarfile.TarInfo(str(path).lstrip("/"))
            status = path.stat()
            entry.mode, entry.size, entry.mtime = 0o755, status.st_size, int(status.st_mtime)
            with path.open("rb") as content:
                tar.addfile(entry, content)
        for name in ("python", "python3"):
            link = tarfile.TarInfo(f"usr/local/bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, str(python)
            tar.addfile(link)
    return archive.getvalue()


def _find_needed_files(library: Path) -> Iterator[Path]:
    """Yields the files of Python's library that a bot may need, with their bytecode, so that bots start faster."""
    for folder, folders, names in os.walk(library):
        folders[:] = [name for name in folders if name not in _FOLDERS_NO_BOT_NEEDS and not name.startswith("config-")]
        for name in names:
            is_unneeded = name.endswith(".so") and name.startswith(_MODULES_NO_BOT_NEEDS)
            if not is_unneeded and ".opt-" not in name and os.path.isfile(path := os.path.join(folder, name)):
                yield Path(path)

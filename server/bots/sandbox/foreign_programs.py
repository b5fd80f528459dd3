"""Finds programs and images that do not fit the processor or operating system on which bots run."""

import platform
from itertools import islice
from pathlib import Path

from server.bots.sandbox.submitted_folder import MAX_PATHS, read_plain_file, walk, windows_message, windows_scripts

_HEAD_BYTES = 20
_LIBRARIES = (".so", ".dylib", ".dll", ".pyd", ".node", ".o", ".a", ".ko")
"""The endings of libraries. They are not checked: nobody starts them, and packages often contain them for several
systems.
"""
_ELF_SIGNATURE = b"\x7fELF"
_MACHINES = {3: "x86", 8: "MIPS", 40: "32-bit ARM", 62: "x86-64", 183: "64-bit ARM", 243: "RISC-V"}
"""Processors, keyed by their number in ELF files."""
_MACH_O_SIGNATURES = (b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe")
_MAC_UNIVERSAL_SIGNATURE = b"\xca\xfe\xba\xbe"
_MIN_JAVA_VERSION = 45
"""Java classes begin with the same bytes as macOS programs for several processors, but the number that follows is at
least this in Java classes.
"""
_PROCESSOR_NAMES = {
    "x86_64": "x86-64", "amd64": "x86-64", "aarch64": "64-bit ARM", "arm64": "64-bit ARM", "riscv64": "RISC-V",
    "386": "x86", "i686": "x86", "arm": "32-bit ARM", "armv7l": "32-bit ARM",
}  # fmt: skip
"""Processors, keyed by the names that operating systems and Docker give them."""
_ALSO_RUNS = {"x86-64": ("x86",), "64-bit ARM": ("32-bit ARM",)}


def foreign_programs(folder: Path, machine: str = platform.machine()) -> dict[str, str]:
    """The programs in `folder` that cannot run on Linux on `machine`: maps the path of each to the system it is for.

    `machine` is a name as from `platform.machine()`. If the name is unknown, finds only programs for other operating
    systems. Checks only the first MAX_PATHS paths. Raises OSError.
    """
    paths = sorted(path for path in islice(walk(folder), MAX_PATHS) if not _is_library(path))
    found = ((path, _target_system(read_plain_file(folder / path, _HEAD_BYTES) or b"")) for path in paths)
    return {path: made_for for path, made_for in found if made_for and not _can_run(made_for, machine)}


def foreign_message(found: dict[str, str], machine: str = platform.machine()) -> str:
    """The message about the programs that `foreign_programs` found, with the remedy; "" if there are none."""
    if not found:
        return ""
    programs = " and ".join(f"{path} is a program for {made_for}" for path, made_for in list(found.items())[:3])
    return (
        f"{programs}, and bots run on {_describe_here(machine)}. Compile it for this processor, or let the build "
        "compile it: by RUN in a Dockerfile, or by the build command of a bot.json."
    )


def image_message(image_processor: str, engine_processor: str) -> str:
    """The message that a bot's image is for a different processor from Docker's, with the remedy; "" if it is not.

    `image_processor` and `engine_processor` are Docker's names of the two processors, such as "amd64".
    """
    made_for, here = (_PROCESSOR_NAMES.get(each, each) for each in (image_processor, engine_processor))
    if not image_processor or not engine_processor or made_for == here or made_for in _ALSO_RUNS.get(here, ()):
        return ""
    return (
        f"Its image is for {made_for}, and bots run on {_describe_here(engine_processor)}. Build on an image for this "
        "processor, or on "
        "one for several processors, such as python:3.11-slim."
    )


def _is_library(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return name.endswith(_LIBRARIES) or ".so." in name


def _target_system(head: bytes) -> str:
    """The system or processor for which a program with these first bytes was built; "" if it is not a program."""
    if head.startswith(_ELF_SIGNATURE) and len(head) == _HEAD_BYTES:
        number = int.from_bytes(head[18:20], "big" if head[5] == 2 else "little")
        return _MACHINES.get(number, f"another processor (number {number})")
    if head.startswith(_MACH_O_SIGNATURES) or (
        head.startswith(_MAC_UNIVERSAL_SIGNATURE) and int.from_bytes(head[4:8], "big") < _MIN_JAVA_VERSION
    ):
        return "macOS"
    return "Windows" if head.startswith(b"MZ") and b"\0" in head else ""


def _can_run(made_for: str, machine: str) -> bool:
    here = _PROCESSOR_NAMES.get(machine.lower())
    if here is None:
        return made_for not in ("macOS", "Windows")
    return made_for in (here, *_ALSO_RUNS.get(here, ()))


def _describe_here(machine: str) -> str:
    return f"Linux with the processor {_PROCESSOR_NAMES.get(machine.lower(), machine)} here"


def start_failure_hint(folder: Path) -> str:
    """The likely reason why a bot does not start: its line endings or its processor; "" if unknown. Raises OSError."""
    return " ".join(filter(None, (windows_message(windows_scripts(folder)), foreign_message(foreign_programs(folder)))))

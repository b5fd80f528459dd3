"""Finds programs and images that do not fit the processor or operating system on which bots run."""

import platform
from itertools import islice
from pathlib import Path

from server.bots.sandbox.submitted_folder import MAX_PATHS, read_plain_file, walk, windows_message, windows_scripts

_HEAD_BYTES = 20
_LIBRARIES = (".so", ".dylib", ".dll", ".pyd", ".node", ".o", ".a", ".ko")
"""The endings of libraries. Libraries are not checked. Nobody starts them, and packages often contain them for several
systems.
"""
_ELF_SIGNATURE = b"\x7fELF"
_MACHINES = {3: "x86", 8: "MIPS", 40: "32-bit ARM", 62: "x86-64", 183: "64-bit ARM", 243: "RISC-V"}
"""Processors, keyed by their number in ELF files."""
_MACH_O_SIGNATURES = (b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe")
_MAC_UNIVERSAL_SIGNATURE = b"\xca\xfe\xba\xbe"
_MIN_JAVA_VERSION = 45
"""The lowest version number of a Java class. Java classes begin with the same bytes as macOS programs for several
processors. The number after these bytes is lower in macOS programs.
"""
_PROCESSOR_NAMES = {
    "x86_64": "x86-64", "amd64": "x86-64", "aarch64": "64-bit ARM", "arm64": "64-bit ARM", "riscv64": "RISC-V",
    "386": "x86", "i686": "x86", "arm": "32-bit ARM", "armv7l": "32-bit ARM",
}  # fmt: skip
"""Processors, keyed by the names that operating systems and Docker give them."""
_ALSO_RUNS = {"x86-64": ("x86",), "64-bit ARM": ("32-bit ARM",)}


def foreign_programs(folder: Path, machine: str = platform.machine()) -> dict[str, str]:
    """Finds the programs in `folder` that cannot run on Linux on `machine`. Returns the system or processor for which
    each program was built, keyed by path.

    `machine` is a name such as `platform.machine()` returns. If the name is unknown, finds only programs for other
    operating systems. Checks only the first MAX_PATHS paths. Raises OSError.
    """
    paths = sorted(path for path in islice(walk(folder), MAX_PATHS) if not _is_library(path))
    targets = ((path, _target_system(read_plain_file(folder / path, _HEAD_BYTES) or b"")) for path in paths)
    return {path: target for path, target in targets if target and not _can_run(target, machine)}


def foreign_message(programs: dict[str, str], machine: str = platform.machine()) -> str:
    """Returns a message, with the remedy, about the `programs` that `foreign_programs` found. Returns "" for no
    programs.
    """
    if not programs:
        return ""
    fault = " and ".join(f"{path} is a program for {target}" for path, target in list(programs.items())[:3])
    return (
        f"{fault}, and bots run on {_describe_own_system(machine)}. Compile it for this processor, or let the build "
        "compile it: by RUN in a Dockerfile, or by the build command of a bot.json."
    )


def image_message(image_processor: str, engine_processor: str) -> str:
    """If a bot's image is not for Docker's processor, returns a message with the remedy. Otherwise returns "".

    `image_processor` and `engine_processor` are Docker's names of the two processors, such as "amd64".
    """
    target, processor = (_PROCESSOR_NAMES.get(name, name) for name in (image_processor, engine_processor))
    if not image_processor or not engine_processor or target in (processor, *_ALSO_RUNS.get(processor, ())):
        return ""
    return (
        f"Its image is for {target}, and bots run on {_describe_own_system(engine_processor)}. Build on an "
        "image for this processor, or on one for several processors, such as python:3.11-slim."
    )


def _is_library(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return name.endswith(_LIBRARIES) or ".so." in name


def _target_system(head: bytes) -> str:
    """Returns the system or processor for which a program was built. `head` is the beginning of a file. Returns "" if
    the file is not a program.
    """
    if head.startswith(_ELF_SIGNATURE) and len(head) == _HEAD_BYTES:
        number = int.from_bytes(head[18:20], "big" if head[5] == 2 else "little")
        return _MACHINES.get(number, f"another processor (number {number})")
    if head.startswith(_MACH_O_SIGNATURES) or (
        head.startswith(_MAC_UNIVERSAL_SIGNATURE) and int.from_bytes(head[4:8], "big") < _MIN_JAVA_VERSION
    ):
        return "macOS"
    return "Windows" if head.startswith(b"MZ") and b"\0" in head else ""


def _can_run(target: str, machine: str) -> bool:
    processor = _PROCESSOR_NAMES.get(machine.lower())
    if processor is None:
        return target not in ("macOS", "Windows")
    return target in (processor, *_ALSO_RUNS.get(processor, ()))


def _describe_own_system(machine: str) -> str:
    return f"Linux with the processor {_PROCESSOR_NAMES.get(machine.lower(), machine)} here"


def start_failure_hint(folder: Path) -> str:
    """Returns the likely reason why a bot does not start: Windows line endings, or a program for another processor or
    system. Returns "" if the bot's folder has neither. Raises OSError.
    """
    return " ".join(filter(None, (windows_message(windows_scripts(folder)), foreign_message(foreign_programs(folder)))))

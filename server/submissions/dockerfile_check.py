"""Checks a Dockerfile without building it: its name, what it asks for, and the scripts it might start."""

from collections.abc import Collection
from pathlib import Path

from server.bots.sandbox.handed_in import read_dockerfile, windows_scripts, windows_words
from server.bots.sandbox.runner import CannotRun
from server.submissions.markers import DOCKERFILE, nearly_dockerfile
from server.submissions.submission import Findings, shown


def check_dockerfile(folder: Path, files: Collection[str], findings: Findings) -> None:
    """Adds to `findings` what is wrong with the Dockerfile among `files`."""
    if DOCKERFILE not in files:
        near = sorted(path for path in files if nearly_dockerfile(path.rpartition("/")[2]))[:3]
        names = " and ".join(f'"{shown(path)}"' for path in near)
        there = f' There is {names}: rename or move it to "{DOCKERFILE}", exactly so.' if near else ""
        findings.faults.append(
            f"There is no {DOCKERFILE}.{there or ' Write one; every bot runs in its own container.'}"
        )
        return
    try:
        instructions = read_dockerfile(folder).instructions
    except CannotRun as fault:
        findings.faults.append(shown(str(fault), 300))
        return
    if not any(each.name in ("CMD", "ENTRYPOINT") for each in instructions):
        findings.notes.append(f"{DOCKERFILE} has no CMD or ENTRYPOINT: whatever the image starts by itself will run.")
    scripts = [path for path in windows_scripts(folder) if not path.endswith(".py")]  # Python reads such lines.
    if words := windows_words(scripts):
        findings.mends.append(shown(words, 300))

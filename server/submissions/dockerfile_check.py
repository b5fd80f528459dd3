"""Checks a Dockerfile without building it: whether it is there under its exact name and could build anything."""

import re
from collections.abc import Collection
from pathlib import Path

from server.submissions.folder_scan import is_plain_file
from server.submissions.markers import DOCKERFILE, nearly_dockerfile
from server.submissions.submission import Findings, shown

MOST_BYTES = 256 << 10
_FROM = re.compile(rb"^\s*FROM\s+\S", re.IGNORECASE | re.MULTILINE)
_STARTS = re.compile(rb"^\s*(CMD|ENTRYPOINT)\s", re.IGNORECASE | re.MULTILINE)


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
    content = _content(folder / DOCKERFILE)
    if content is None:
        findings.faults.append(f"{DOCKERFILE} can't be read as a plain file. Put the file itself there.")
    elif not _FROM.search(content):
        findings.faults.append(f'{DOCKERFILE} has no FROM line. Begin it with one, such as "FROM python:3.11-slim".')
    elif not _STARTS.search(content):
        findings.notes.append(f"{DOCKERFILE} has no CMD or ENTRYPOINT: whatever the image starts by itself will run.")


def _content(path: Path) -> bytes | None:
    """None where it is no plain file, or can't be read."""
    if not is_plain_file(path):
        return None
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return None

"""Prints addresses that contain a secret, such as the control desk's address, but keeps these addresses out of logs."""

from collections.abc import Sequence
from pathlib import Path

from server.console import logs_json, say
from server.journal.atomic_file import write_atomically


def say_private(recording: Path, links: Sequence[tuple[str, str]]) -> None:
    """Prints `links`. Each link is a pair of a page's name and the page's address. With `--log json`, writes the links
    into a file beside `recording` and prints only the file's path, because other programs read the log.
    """
    lines = [f"  {page:<15} {address}" for page, address in links]
    if not logs_json():
        say("\n".join(lines))
        return
    path = _private_path(recording)
    page_names = ", ".join(page for page, _ in links)
    try:
        write_atomically(path, "".join(f"{line.strip()}\n" for line in lines).encode(errors="replace"))
    except OSError as error:
        say(f"  for you only    {path} cannot be written, so these addresses are lost: {page_names} ({error.strerror})")
    else:
        say(f"  for you only    {path}   (addresses: {page_names})")


def private_link(recording: Path, address: str) -> str:
    """Returns a text that shows the address or, with `--log json`, the path of the file that contains the address."""
    return f"the address in {_private_path(recording)}" if logs_json() else address


def _private_path(recording: Path) -> Path:
    return recording.with_suffix(".private")

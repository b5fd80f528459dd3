"""The links of the authors' pages of an event, in a file for the organiser, who sends each to its author."""

from collections.abc import Sequence
from pathlib import Path

from server.app.decisions.event_notes import author_link
from server.console import plain, say
from server.game.events import Entrant
from server.journal.atomic_file import keep_whole


def links_path(journal: Path) -> Path:
    """The path of the list that belongs to the journal at `journal`."""
    return journal.with_suffix(".links")


def list_links(journal: Path, secret: str, base: str, entrants: Sequence[Entrant]) -> None:
    """Writes a line for each bot beside the journal and says where; `base` is the address of the pages.

    Without a `secret` there are no such pages. A disk that refuses costs the list.
    """
    if not secret:
        return
    lines = [
        f"{base}/own/{author_link(secret, each.bot, each.name)}  {plain(each.name)}"
        f"{f' ({plain(each.player)})' if each.player else ''}\n"
        for each in entrants
    ]
    path = links_path(journal)
    try:
        keep_whole(path, "".join(lines).encode(errors="replace"))
    except OSError as error:
        say(f"  authors' links  cannot be kept: {error.strerror}")
    else:
        say(f"  authors' links  {path}   (one for each bot, for its author alone)")

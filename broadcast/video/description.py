"""The text below a video: what it shows, who came where, its chapters, and how anybody can prove it. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from broadcast.video.chapters import fit_for_youtube

MOST_BYTES = 5000
"""The longest description that YouTube takes, in characters."""
LONGEST_TITLE = 100
_LICENCE = """\
Table, cards, graphics and sounds were made for High Noon (MIT licence); its fonts stand under the SIL Open Font \
License 1.1. The bots' own pictures and sounds are their players'."""


class Told(Struct, frozen=True):
    """What a description is made of. `table` are the lines of the final table, `proof` says how to verify it."""

    title: str
    about: str
    table: Sequence[str]
    chapters: Sequence[str]
    proof: str


def description(told: Told) -> str:
    """The description. Where there is too much to tell the end of the table is left out, then chapters."""
    table, chapters = list(told.table), list(told.chapters)
    while len((text := _text(told, table, chapters)).encode()) > MOST_BYTES:
        if len(table) > 3:
            table = [*table[:-2], "…"]
        elif chapters:
            chapters = []
        else:
            return text.encode()[:MOST_BYTES].decode(errors="ignore")
    return text


def _text(told: Told, table: Sequence[str], chapters: Sequence[str]) -> str:
    parts = [
        fit_for_youtube(told.title)[:LONGEST_TITLE],
        told.about,
        "\n".join(["The final table", *map(fit_for_youtube, table)]) if table else "",
        "\n".join(["Chapters", *chapters]) if chapters else "",
        told.proof,
        _LICENCE,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"

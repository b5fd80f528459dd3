"""`highnoon ograf --out DIR [RECORDING | --server URL]`: writes parts of the show's screen as OGraf graphics."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from broadcast.film.film import Film
from broadcast.publish.ograf import GRAPHICS, MANIFEST_ENDING, Server, package_files
from broadcast.publish.site import existing_media
from broadcast.web.brand import Brand, read_brand
from server.app.branding import prepare_brand
from server.app.recordings.films import open_films
from server.commands.publish import media_beside
from server.config.event_file import read_event
from server.console import say
from server.errors import Refusal


def write_graphics(recording: Path | None, server: str | None, event: Path | None, out: Path) -> int:
    """Writes a package of graphics to the folder `out`. Returns 0. If an error occurs, leaves no files. `out` must be
    new or empty.

    The graphics show `recording`. If `recording` is None, they show the live show of the server at the URL `server`.
    The branding is from the event file `event` or, if `event` is None, from the recording's data folder. Raises
    OSError, JournalDamaged, EventFaults, or Refusal if there is nothing to show or the folder has files.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refusal(f"{out} is not an empty folder: name a new one")
    if os.path.ismount(out):
        raise Refusal(f"{out} is where a disk is mounted: name a folder in it")
    brand = prepare_brand(event, read_event(event).branding) if event else None
    if recording is None:
        try:
            return _write(out, Server.from_address(server or ""), {}, brand)
        except ValueError as error:
            raise Refusal(f"--server {error}") from None
    films = open_films(recording, live=False)
    with TemporaryDirectory(prefix="high-noon-") as empty:
        folder = media_beside(recording, Path(empty))
        faces = existing_media((bot.avatar for bot in films.film.outline.bots), folder)
        return _write(out, films.film, faces, brand or read_brand(folder))


def _write(out: Path, source: Film | Server, media: dict[str, Path], brand: Brand | None) -> int:
    target, file_count = out.resolve(), 0
    target.parent.mkdir(parents=True, exist_ok=True)
    # A program might load a half-written package, so the folder gets its final name only when all files are written.
    with TemporaryDirectory(prefix=f"{target.name}.half-", dir=target.parent) as temporary_folder:
        package_folder = Path(temporary_folder, target.name)
        for name, content in package_files(source, media, brand):
            path = package_folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            file_count += 1
        if target.exists():
            target.rmdir()  # Windows cannot rename a folder to a name that is taken
        package_folder.rename(target)
    say(f"{out}: {len(GRAPHICS)} graphics in {file_count} files")
    for name, graphic in GRAPHICS.items():
        say(f"  {name + MANIFEST_ENDING:28}{graphic.about}")
    return 0

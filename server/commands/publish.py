"""`highnoon publish RECORDING... --to PLACE`: makes a web site from recordings, which any static web host can serve."""

from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from broadcast.archive.archive import Archive, is_being_written
from broadcast.archive.indexing import RECORDING_SUFFIX
from broadcast.archive.showable_recording import Unshowable
from broadcast.publish.destination import Destination
from broadcast.publish.files import program_files
from broadcast.publish.site import Publication, Site, read_publication
from broadcast.web.brand import read_brand
from server.console import ProgressBar, say
from server.errors import Refusal
from server.journal.journal import NOT_A_RECORDING, is_journal
from server.text.grammar import count_text
from server.text.regular_file import regular_files

READ_TIMEOUT_SECONDS = 3600.0
"""How many seconds it may take to read one recording. The limit is generous, because no visitor is waiting."""
RECORDING_LIST_FILE_COUNT = 8
"""How many of the site's files belong to the list of recordings."""


async def publish(paths: Sequence[Path], to: str, address: str) -> int:
    """Publishes recordings, or folders of them, to the destination `to`. Returns 0.

    `address` is the destination's web address, or "" if unknown. Pages show the branding in the recordings' data
    folders. If several recordings have branding, pages show that of the last one. Raises OSError, or Refusal if
    there are no recordings, if a recording cannot be shown, or if the destination cannot be used.
    """
    destination = Destination(to)
    with TemporaryDirectory(prefix="high-noon-") as folder:
        publications = [publication async for publication in _read_publications(paths, Path(folder))]
        own_file_count = sum(publication.file_count for publication in publications)
        file_count = len(program_files().files) + own_file_count + RECORDING_LIST_FILE_COUNT
        with closing(ProgressBar("publishing", file_count)) as bar:
            brands = (read_brand(publication.media) for publication in reversed(publications))
            site = Site(destination, address, bar.step, brand=next(filter(None, brands), None))
            await site.begin()
            await site.send_program()
            for publication in publications:
                await site.add(publication)
            for publication in publications:
                await site.end_show(publication)
            count = await site.send_list()  # sent last, because the list could otherwise show a finished show as live
    sent_count, unchanged_count = site.sender.sent_count, site.sender.unchanged_count
    say(f"{to}: {count_text(count, 'recording')}; {sent_count} files sent, {unchanged_count} already there")
    say(f"  the first page is index.html{f': {address}' if address else ''}")
    return 0


async def _read_publications(paths: Sequence[Path], folder: Path) -> AsyncIterator[Publication]:
    """Reads all recordings, and yields what to publish of each. If a recording in a folder cannot be shown, skips it
    and prints why. Raises Refusal if a recording that `paths` names cannot be shown.
    """
    recordings = [
        file for path in paths for file in ([path] if path.is_file() else sorted(regular_files(path, RECORDING_SUFFIX)))
    ]
    shown_count = 0
    for number, path in enumerate(dict.fromkeys(recordings)):
        if path.suffix != RECORDING_SUFFIX or (path in paths and not is_journal(path)):
            raise Refusal(f"{path}: {NOT_A_RECORDING}")
        say(f"reading {path.name}")
        archive = Archive(path.parent, folder / f"{number}", only_name=path.stem, wait_seconds=READ_TIMEOUT_SECONDS)
        try:
            if is_being_written(path):
                raise Unshowable("This contest is still being played: publish it when it is over.")
            yield await read_publication(path, archive, media_beside(path, folder))
        except Unshowable as why:
            if path in paths:
                raise Refusal(f"{path}: {why}") from None
            say(f"  left out: {why}")
        else:
            shown_count += 1
    if not shown_count:
        raise Refusal(f"there is no recording to publish in {', '.join(map(str, paths))}")


def media_beside(recording: Path, fallback: Path) -> Path:
    """Returns the folder of pictures and sounds in a recording's data folder, or `fallback` if there is none.

    Looks at most five folders up. A season's recordings are that deep: DATA/recordings/SEASON/games/0001/RECORDING.
    """
    folders = (parent / "media" for parent in list(recording.resolve().parents)[:5])
    return next((folder for folder in folders if folder.is_dir()), fallback)

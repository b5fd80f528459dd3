"""Runs an archive's jobs in a child process, one at a time.

There are two kinds of jobs: reading recordings into the index, and making films, which are the files that replays load.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from broadcast.archive.database import stamp_of
from broadcast.archive.showable_recording import NotYetShowable, Unshowable
from broadcast.archive.worker import REFUSED_STATUS, IndexRecordings, MakeFilm
from broadcast.film.film import FilmFile, open_film, remove_unused
from server.child_environment import minimal_environment
from server.paths import ROOT

MAX_WAITING_FILMS = 16


class Jobs:
    """The jobs of one archive."""

    def __init__(self, films_bytes: int) -> None:
        """The films in a folder may together take at most `films_bytes` on disk."""
        self._films_bytes = films_bytes
        self._films: dict[Path, asyncio.Task[FilmFile]] = {}
        self._progress: dict[Path, str] = {}
        self._lock = asyncio.Semaphore(1)

    async def index(self, index: Path, folder: Path, names: Sequence[str]) -> None:
        """Reads the recordings `names` of `folder` into the index. Raises OSError if the child cannot be started."""
        await self._run(IndexRecordings(str(index), str(folder), tuple(names)))

    async def make_film(self, recording: Path, film: Path, table: int) -> FilmFile:
        """Makes the film of a recording in the file `film`. If each deal is played at several tables, with the same
        cards, the film shows only table number `table`. If several requests wait for a film, the film is made once.

        Raises NotYetShowable if too many films are waiting, Unshowable if this film cannot be made, and OSError if no
        child process can be started.
        """
        task = self._films.get(film)
        if task is None:
            if len(self._films) >= MAX_WAITING_FILMS:
                raise NotYetShowable("Too many films are being made just now: try again in a minute.")
            task = self._films[film] = asyncio.create_task(self._make_film(recording, film, table))
            task.add_done_callback(lambda _: self._films.pop(film, None))
        return await asyncio.shield(task)

    def progress(self, film: Path) -> str:
        """Returns a sentence about the progress of the film that is being made in the file `film`."""
        return self._progress.get(film, "This recording will be shown once others have been read.")

    async def _make_film(self, recording: Path, film: Path, table: int) -> FilmFile:
        def report(done: int, hands: int) -> None:
            self._progress[film] = f"This recording is being prepared: {done:,} of {hands:,} hands."

        fault = await self._run(MakeFilm(str(recording), str(film), table), report)
        self._progress.pop(film, None)
        try:
            film_file = await asyncio.to_thread(lambda: open_film(film, stamp_of(recording)))
        except OSError as error:
            raise Unshowable(f"The recording cannot be read: {error.strerror}.") from None
        if film_file is None:
            raise Unshowable(f"This recording cannot be shown: {fault or 'its film was not finished'}.")
        await asyncio.to_thread(remove_unused, film.parent, self._films_bytes, film)
        return film_file

    async def _run(
        self, order: IndexRecordings | MakeFilm, report: Callable[[int, int], None] = lambda *_: None
    ) -> str:
        """Runs the child process. Returns "", or a clause that says why the child refused the order.

        A child that makes a film first prints the number of all hands, then a line for each finished hand. `report` is
        called with the number of finished hands and the number of all hands.
        """
        async with self._lock:
            child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "broadcast.archive.worker"),
                cwd=ROOT, env=minimal_environment(),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            assert child.stdin
            assert child.stdout
            assert child.stderr
            try:
                child.stdin.write(msgspec.json.encode(order))
                child.stdin.close()
                errors = asyncio.create_task(child.stderr.read())
                hands, done = int(await child.stdout.readline() or 0), 0
                while await child.stdout.readline():
                    done += 1
                    report(done, hands)
                await child.wait()
            except BaseException:
                if child.returncode is None:
                    child.kill()
                await child.wait()  # the child's pipes must be closed before the event loop is closed
                raise
            return (await errors).decode(errors="replace").strip() if child.returncode == REFUSED_STATUS else ""

"""Uploads to a season: finds out who sends an archive, reads it, and refuses it in words or queues it to be built.

A new player comes in at once with an invitation; without one it waits until the operator decides.
"""

import asyncio
import contextlib
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Collection
from pathlib import Path

from server.console import say
from server.season.builds import Builds
from server.season.events import PlayerRemoved
from server.season.files import Store
from server.season.ledger import Ledger
from server.season.player_secrets import badge_of, fresh_secret, seal_of
from server.season.standings import Player, Upload
from server.season.uploads.acceptance import Acceptance
from server.season.uploads.handed import Declined, Handed
from server.season.uploads.newcomers import Newcomer, Newcomers
from server.season.uploads.repeated import Answers, Taken
from server.season.uploads.senders import Senders
from server.submissions.commands import CommandSubmission, read_commands

NO_MORE = "No more bots are taken."
"""What is told once all games are played: that the season is over its show has to tell first."""
MOST_UPLOADS = 100
"""Uploads of one player in the whole season."""
MOST_WAITING = 2
"""Uploads of one player that wait to be built and tested."""
MOST_QUEUED = 50
"""While so many uploads wait to be built, no new player is taken; those who play still may hand in."""


class Uploads:
    """Takes the uploads of one season, and what the operator decides about its players."""

    def __init__(self, ledger: Ledger, store: Store, builds: Builds, invitations: Collection[str] = ()) -> None:
        """A new player with one of the `invitations` comes in at once, without one it waits for the operator."""
        self.ledger = ledger
        self.store = store
        self.builds = builds
        self.newcomers = Newcomers(store.newcomers)
        self.senders = Senders(ledger, self.newcomers, invitations)
        self._acceptance = Acceptance(ledger, store, self.senders)
        self._answers = Answers()
        self._lock = asyncio.Lock()

    # -- what is handed in

    async def hand_in(self, handed: Handed) -> Taken:
        """Takes an upload: a player's is queued to be built and tested, a new player's may wait for the operator.

        A form that is sent twice gets the first answer again, because a browser shows only the second one. Raises
        Declined where the upload is refused, OSError where the disk fails.
        """
        if again := self._answers.again(handed.form, handed.name, handed.archive):
            return again
        self._check(handed)
        async with self._read(handed.archive) as submission, self._lock:
            if again := self._answers.again(handed.form, handed.name, handed.archive):
                return again
            taken = await self._take(handed, submission, self._check(handed))
            if taken.secret:
                self._answers.keep(handed.form, handed.name, handed.archive, taken)
        if taken.upload:
            self.builds.take(taken.upload.number)
        return taken

    async def enter(self, submission: CommandSubmission, name: str, seal: str) -> Upload:
        """Keeps a bot of the event file as the next upload of the player `name`, who may be new and then has `seal`.

        Raises OSError where the disk fails.
        """
        async with self._lock:
            return await self._acceptance.accept(submission, self.senders.named(name), name, seal)

    def _check(self, handed: Handed) -> Player | None:
        """The player who sends it, None for a new one. Raises Declined where it cannot be taken."""
        player = self.senders.player(handed)
        self._check_room(player)
        if not handed.archive:
            raise Declined(400, "No archive has come with it. Choose the zip archive of your bot.")
        return player

    async def _take(self, handed: Handed, submission: CommandSubmission, player: Player | None) -> Taken:
        if player:
            upload = await self._acceptance.accept(submission, player, player.name, player.seal)
            return Taken(handed.badge_for(player.seal), upload, notes=_notes(submission, upload))
        before = self.senders.newcomer(handed)
        made = "" if before else fresh_secret()
        name, seal = (before.name, before.seal) if before else (handed.name, seal_of(made))
        badge = badge_of(made) if made else handed.badge_for(seal)
        if not self.senders.comes_in(handed):
            await self._have_wait(
                handed,
                Newcomer(
                    before.number if before else self.newcomers.next_number,
                    name,
                    seal,
                    submission.name,
                    handed.address,
                    time.time(),
                    len(handed.archive),
                ),
            )
            return Taken(badge, secret=made, notes=submission.notes)
        upload = await self._acceptance.accept_new(submission, name, seal, handed.address)
        if before:
            self.newcomers.forget(before)
        return Taken(badge, upload, made, _notes(submission, upload))

    async def _have_wait(self, handed: Handed, newcomer: Newcomer) -> None:
        if not self.newcomers.has_room(newcomer):
            raise Declined(503, "Many newcomers wait for the organiser. Ask for an invitation, or try again later.")
        if not self.newcomers.waiting():
            say("  newcomers wait to be let in: /season/players, once you have opened the desk")
        await self.newcomers.keep(newcomer, handed.archive)

    def _check_room(self, player: Player | None) -> None:
        if self.ledger.standings.seed:
            raise Declined(409, NO_MORE)
        if not player and self.builds.queued >= MOST_QUEUED:
            raise Declined(503, "Many bots are waiting to be built. Try again in a few minutes.")
        if player and self.builds.waiting(player.number) >= MOST_WAITING:
            raise Declined(429, f"{MOST_WAITING} of your bots are still waiting to be built. Wait for one of them.")
        if player and len(player.uploads) >= MOST_UPLOADS:
            raise Declined(429, f"You have handed in {MOST_UPLOADS} versions, and no more are taken.")

    @contextlib.asynccontextmanager
    async def _read(self, archive: bytes) -> AsyncIterator[CommandSubmission]:
        """The bot in an archive, unpacked inside this context. Raises Declined with all its faults."""
        async with _unpacked(archive, self.store.incoming) as submission:
            if submission.faults:
                raise Declined(400, *submission.faults)
            yield submission

    # -- what the operator decides

    async def let_in(self, number: int) -> None:
        """Lets a player in who waits; the bot is queued to be built and tested.

        Raises Declined where no such player waits or the bot cannot be taken, OSError where the disk fails.
        """
        newcomer = self._newcomer(number)
        archive = await asyncio.to_thread(self.newcomers.archive(newcomer).read_bytes)
        async with self._read(archive) as submission, self._lock:
            newcomer = self._newcomer(number)
            upload = await self._acceptance.accept_new(submission, newcomer.name, newcomer.seal, newcomer.address)
            self.newcomers.forget(newcomer)
        self.builds.take(upload.number)

    async def turn_away(self, number: int) -> None:
        """Turns a player away who waits. Raises Declined where none waits under that number, OSError."""
        self.newcomers.forget(self._newcomer(number))

    async def remove(self, number: int) -> None:
        """Removes a player for good; a game it is in is played to its end.

        Raises Declined where there is no such player, OSError where the disk fails.
        """
        player = self.ledger.standings.players.get(number)
        if player is None or player.removed:
            raise Declined(404, f"There is no player {number}.")
        await self.ledger.write(lambda: [] if player.removed else [PlayerRemoved(number)])
        self.builds.forget(number)

    def _newcomer(self, number: int) -> Newcomer:
        """The player who waits under that number. Raises Declined where there is none."""
        if newcomer := self.newcomers.find(number):
            return newcomer
        raise Declined(404, f"No newcomer {number} waits any more.")


def _notes(submission: CommandSubmission, upload: Upload) -> tuple[str, ...]:
    """What the sender should know of an upload that is taken."""
    if upload.name == submission.name:
        return submission.notes
    return (*submission.notes, f'It is shown as "{upload.name}": "{submission.name}" alone could be another player\'s.')


@contextlib.asynccontextmanager
async def _unpacked(archive: bytes, incoming: Path) -> AsyncIterator[CommandSubmission]:
    """The bot in `archive`, with its faults, unpacked below the folder `incoming`. Raises OSError."""
    folder = await asyncio.to_thread(_made, incoming)
    try:
        yield await asyncio.to_thread(_read, archive, folder)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _made(incoming: Path) -> Path:
    incoming.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=incoming))


def _read(archive: bytes, folder: Path) -> CommandSubmission:
    path = folder / "bot.zip"
    path.write_bytes(archive)
    return read_commands(path, folder / "unpacked")

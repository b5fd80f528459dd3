"""Handles uploads to a season: identifies the sender, reads the archive, and refuses the bot or queues it."""

import asyncio
import contextlib
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import Path

from server.console import say
from server.game.events import Event
from server.season.builds import Builds
from server.season.events import BotUploaded, PlayerEntered, PlayerRemoved
from server.season.files import Store
from server.season.ledger import Ledger
from server.season.player_secrets import badge_of, fresh_secret, seal_of
from server.season.standings import Player, Upload
from server.season.uploads.handed import Answers, Declined, Handed, Taken
from server.season.uploads.newcomers import Newcomer, Newcomers
from server.season.uploads.senders import Senders
from server.submissions.commands import read_commands
from server.submissions.folder_scan import digest_of
from server.submissions.submission import Submission
from server.text.look_alikes import looks_of

NO_MORE = "No more bots are accepted."
"""The answer once all games are played; only the show may reveal that the season is over."""
MAX_PLAYERS = 200
"""The most players of one season."""
MAX_UPLOADS = 100
"""The most uploads of one player in a season."""
MAX_WAITING = 2
"""How many uploads of one player may wait to be built and tested."""
MAX_QUEUED = 50
"""When this many uploads wait to be built, new players are refused; players of the season may still upload."""


class Uploads:
    """Accepts the uploads of one season, and carries out the operator's decisions about its players."""

    def __init__(self, ledger: Ledger, store: Store, builds: Builds, invitations: Collection[str] = ()) -> None:
        """A new player with one of `invitations` is let in at once; without one it waits for the operator."""
        self.ledger = ledger
        self.store = store
        self.builds = builds
        self.newcomers = Newcomers(store.newcomers)
        self.senders = Senders(ledger, self.newcomers, invitations)
        self._answers = Answers()
        self._lock = asyncio.Lock()

    async def hand_in(self, handed: Handed) -> Taken:
        """Accepts an upload, which is queued to be built and tested, or has a new player wait for the operator.

        A form that is sent twice gets the same answer twice. Raises Declined if the upload is refused, OSError if the
        disk fails.
        """
        if again := self._answers.again(handed):
            return again
        self._check(handed)
        async with self._read(handed.archive) as submission, self._lock:
            if again := self._answers.again(handed):
                return again
            taken = await self._admit(handed, submission, self._check(handed))
            if taken.secret:
                self._answers.keep(handed, taken)
        if taken.upload:
            self.builds.start(taken.upload.number)
        return taken

    async def enter(self, submission: Submission, name: str, seal: str) -> Upload:
        """Keeps a bot of the event file as an upload of the player `name`; a new player gets `seal`. Raises OSError."""
        async with self._lock:
            return await self._accept(submission, self.senders.named(name), name, seal)

    def _check(self, handed: Handed) -> Player | None:
        """The sender, None for a new player. Raises Declined if the upload cannot be accepted."""
        player = self.senders.player(handed)
        self._check_room(player)
        if not handed.archive:
            raise Declined(400, "No archive was sent. Choose the zip archive of your bot.")
        return player

    async def _admit(self, handed: Handed, submission: Submission, player: Player | None) -> Taken:
        if player:
            upload = await self._accept(submission, player, player.name, player.seal)
            return Taken(handed.badge_for(player.seal), upload, notes=_remarks(submission, upload))
        before = self.senders.newcomer(handed)
        made = "" if before else fresh_secret()
        name, seal = (before.name, before.seal) if before else (handed.name, seal_of(made))
        badge = badge_of(made) if made else handed.badge_for(seal)
        if not self.senders.comes_in(handed):
            number = before.number if before else self.newcomers.next_number
            size = len(handed.archive)
            newcomer = Newcomer(number, name, seal, submission.name, handed.address, time.time(), size)
            await self._have_wait(handed, newcomer)
            return Taken(badge, secret=made, notes=submission.notes)
        upload = await self._accept_new(submission, name, seal, handed.address)
        if before:
            self.newcomers.forget(before)
        return Taken(badge, upload, made, _remarks(submission, upload))

    async def _have_wait(self, handed: Handed, newcomer: Newcomer) -> None:
        if not self.newcomers.has_room(newcomer):
            raise Declined(503, "Many newcomers wait for the organiser. Ask for an invitation, or try again later.")
        if not self.newcomers.waiting():
            say("  newcomers wait to be let in: /season/players, once you have opened the desk")
        await self.newcomers.keep(newcomer, handed.archive)

    def _check_room(self, player: Player | None) -> None:
        if self.ledger.standings.seed:
            raise Declined(409, NO_MORE)
        if not player and self.builds.queued >= MAX_QUEUED:
            raise Declined(503, "Many bots are waiting to be built. Try again in a few minutes.")
        if player and self.builds.waiting(player.number) >= MAX_WAITING:
            raise Declined(429, f"{MAX_WAITING} of your bots are still waiting to be built. Wait for one of them.")
        if player and len(player.uploads) >= MAX_UPLOADS:
            raise Declined(429, f"You have handed in {MAX_UPLOADS} versions, and no more are accepted.")

    @contextlib.asynccontextmanager
    async def _read(self, archive: bytes) -> AsyncIterator[Submission]:
        """The bot in an archive, unpacked during the `async with`. Raises Declined with all its faults, OSError."""
        incoming = self.store.incoming
        await asyncio.to_thread(incoming.mkdir, parents=True, exist_ok=True)
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, dir=incoming))
        try:
            await asyncio.to_thread((folder / "bot.zip").write_bytes, archive)
            submission = await asyncio.to_thread(read_commands, folder / "bot.zip", folder / "unpacked")
            if submission.faults:
                raise Declined(400, *submission.faults)
            yield submission
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _accept_new(self, submission: Submission, name: str, seal: str, address: str) -> Upload:
        """Accepts the first upload of a new player from `address`. Raises Declined, OSError."""
        if self.senders.named(name):
            raise Declined(409, f'The name "{name}" has been taken meanwhile.')
        if len(self.ledger.standings.members()) >= MAX_PLAYERS:
            raise Declined(503, f"The season is full: {MAX_PLAYERS} players are in it.")
        upload = await self._accept(submission, None, name, seal)
        self.senders.came_from[upload.player] = address
        return upload

    async def _accept(self, submission: Submission, player: Player | None, name: str, seal: str) -> Upload:
        """Accepts the next upload of `player`, or of a new one called `name`. Raises OSError.

        Stores its files and then writes the ledger; the lock must be held, so that uploads are accepted one by one.
        """
        standings = self.ledger.standings
        shown = self._shown(submission.name, player, name)
        number = len(standings.uploads) + 1
        await asyncio.to_thread(self.store.keep, number, submission.folder)
        digest = await asyncio.to_thread(digest_of, self.store.upload(number) / "bot")

        def facts() -> Sequence[Event]:
            who = player.number if player else len(standings.players) + 1
            entered = [] if player else [PlayerEntered(who, name, seal)]
            return [*entered, BotUploaded(number, who, shown, digest)]

        await self.ledger.write(facts)
        return standings.uploads[number]

    def _shown(self, bot: str, player: Player | None, name: str) -> str:
        """The bot's name, followed by its player's if viewers could mistake it for another player's bot."""
        others = [other for other in self.ledger.standings.members() if other is not player]
        uploads = self.ledger.standings.uploads
        theirs = {uploads[number].name for other in others for number in (other.active, *other.uploads[-1:]) if number}
        taken = {look for each in (*theirs, *(other.name for other in others)) for look in looks_of(each)}
        owned = tuple(look.partition(": ")[2] for other in others for look in looks_of(f"({other.name})"))
        if looks_of(bot).isdisjoint(taken) and not any(look.endswith(owned) for look in looks_of(bot)):
            return bot
        numbered = (f"{bot} ({name}){number}" for number in ("", *(f" {more}" for more in range(2, len(taken) + 3))))
        return next(each for each in numbered if looks_of(each).isdisjoint(taken))

    async def let_in(self, number: int) -> None:
        """Lets a newcomer in and queues the bot to be built and tested.

        Raises Declined if there is no such newcomer or the bot cannot be accepted, OSError if the disk fails.
        """
        newcomer = self._newcomer(number)
        archive = await asyncio.to_thread(self.newcomers.archive(newcomer.number).read_bytes)
        async with self._read(archive) as submission, self._lock:
            newcomer = self._newcomer(number)
            upload = await self._accept_new(submission, newcomer.name, newcomer.seal, newcomer.address)
            self.newcomers.forget(newcomer)
        self.builds.start(upload.number)

    async def turn_away(self, number: int) -> None:
        """Turns newcomer `number` away. Raises Declined if there is none, OSError."""
        self.newcomers.forget(self._newcomer(number))

    async def remove(self, number: int) -> None:
        """Removes a player for good; its current game continues. Raises Declined if there is none, OSError."""
        player = self.ledger.standings.players.get(number)
        if player is None or player.removed:
            raise Declined(404, f"There is no player {number}.")
        await self.ledger.write(lambda: [] if player.removed else [PlayerRemoved(number)])
        self.builds.forget(number)

    def _newcomer(self, number: int) -> Newcomer:
        if newcomer := self.newcomers.find(number):
            return newcomer
        raise Declined(404, f"No newcomer {number} waits any more.")


def _remarks(submission: Submission, upload: Upload) -> tuple[str, ...]:
    if upload.name == submission.name:
        return submission.notes
    return (*submission.notes, f'It is shown as "{upload.name}": "{submission.name}" alone could be another player\'s.')

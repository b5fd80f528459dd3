"""Uploads of a season: who hands in what, with which secret. Read, and refused in words or queued to be built."""

import asyncio
import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from msgspec import Struct

from server.bots.dialects.plain_text import folded_name, name_fault
from server.front.season_book import Player, Upload
from server.front.season_facts import BotUploaded, PlayerEntered
from server.front.season_keys import badge_of, fresh_secret, opens, seal_of
from server.front.season_ledger import Ledger
from server.front.season_stable import Stable
from server.front.season_store import Store, digest_of
from server.game.events import Event
from server.submissions.upac import UpacSubmission, read_upac

MOST_BYTES = 12 << 20
"""Of an archive that is sent here; larger ones are for the organiser to enter."""
MOST_PLAYERS = 200
MOST_UPLOADS = 100
"""Of a player, in the whole season."""
MOST_WAITING = 2
"""Of a player's, before they have been built and tried."""
MOST_QUEUED = 50
READ_AT_ONCE = 2
MOST_REMEMBERED = 20
"""Answers to new players that are given once more to whoever sends the very same form again, as by a double click."""


class Declined(Exception):
    """Why an upload is not taken: an HTTP status and sentences for its author."""

    def __init__(self, status: int, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.status = status
        self.faults = faults


class Taken(Struct, frozen=True):
    """What was taken. `secret` is told once, to a player who had none."""

    player: Player
    upload: Upload
    badge: str
    secret: str = ""
    notes: tuple[str, ...] = ()


class Uploads:
    """The way into one season."""

    def __init__(self, ledger: Ledger, store: Store, stable: Stable) -> None:
        self.ledger = ledger
        self.store = store
        self.stable = stable
        self._reading = asyncio.Semaphore(READ_AT_ONCE)
        self._keeping = asyncio.Lock()
        self._entered: dict[tuple[str, bytes], Taken] = {}

    # -- who somebody is

    def named(self, name: str) -> Player | None:
        """The player whom viewers would take for one of that name."""
        folded = folded_name(name)
        return next((each for each in self.ledger.book.players.values() if folded_name(each.name) == folded), None)

    def of_badge(self, badge: str) -> Player | None:
        """The player whose badge this is."""
        return next((each for each in self.ledger.book.players.values() if badge and opens(badge, each.seal)), None)

    # -- what is handed in

    async def hand_in(self, name: str, secret: str, archive: bytes, *, badge: str = "") -> Taken:
        """Takes an archive of a player's, to be built and tried. Raises Declined; OSError where the disk fails.

        A browser shows only the last answer to a form that was sent twice: the one with the secret is given again.
        """
        sent = (name.strip(), hashlib.sha256(archive).digest())
        if entered := self._entered_before(sent, secret, badge):
            return entered
        player = self._who(name.strip(), secret, badge)
        self._check_room(player)
        if not archive:
            raise Declined(400, "No archive has come with it. Choose the zip archive of your bot.")
        async with self._reading, self._unpacked(archive) as submission:
            if submission.faults:
                raise Declined(400, *submission.faults)
            async with self._keeping:
                if entered := self._entered_before(sent, secret, badge):
                    return entered
                player = self._who(name.strip(), secret, badge)
                self._check_room(player)
                made = "" if player else fresh_secret()
                upload = await self._keep(submission, player, name.strip(), seal_of(made))
                mine = self.ledger.book.players[upload.player]
                kept = badge if opens(badge, mine.seal) else badge_of(made or secret)
                taken = Taken(mine, upload, kept, made, submission.notes)
                if made:
                    self._remember(sent, taken)
        self.stable.take(upload.number)
        return taken

    def _entered_before(self, sent: tuple[str, bytes], secret: str, badge: str) -> Taken | None:
        """The answer that somebody who cannot know the secret yet has missed; whoever has its cookie knows it."""
        return None if secret or self.of_badge(badge) else self._entered.get(sent)

    def _remember(self, sent: tuple[str, bytes], taken: Taken) -> None:
        self._entered[sent] = taken
        if len(self._entered) > MOST_REMEMBERED:
            del self._entered[next(iter(self._entered))]

    async def enter(self, submission: UpacSubmission, name: str, seal: str) -> Upload:
        """A bot of the organiser's list, kept as the next version of a player's, who may be new.

        Raises Declined, OSError.
        """
        async with self._keeping:
            return await self._keep(submission, self.named(name), name, seal)

    async def _keep(self, submission: UpacSubmission, player: Player | None, name: str, seal: str) -> Upload:
        book = self.ledger.book
        self._check_name(submission.name, player)
        number = len(book.uploads) + 1
        digest = await asyncio.to_thread(self._copied, number, submission.folder)

        def facts() -> Sequence[Event]:
            who = player.number if player else len(book.players) + 1
            entered = [] if player else [PlayerEntered(who, name, seal)]
            return [*entered, BotUploaded(number, who, submission.name, digest)]

        await self.ledger.write(facts)
        return book.uploads[number]

    def _who(self, name: str, secret: str, badge: str) -> Player | None:
        """Who hands in; None for somebody new. Raises Declined."""
        known = self.of_badge(badge)
        if known and (not name or known is self.named(name)):
            return known
        if fault := name_fault(name):
            raise Declined(400, f"The player's name cannot be taken. {fault}.")
        player = self.named(name)
        if player and not opens(badge_of(secret), player.seal):
            raise Declined(403, f'"{player.name}" is in the season already, and this is not the secret of that player.')
        if not player and secret:
            raise Declined(403, "There is no player of that name. Leave the secret empty to enter as a new one.")
        if not player and len(self.ledger.book.players) >= MOST_PLAYERS:
            raise Declined(503, f"The season is full: {MOST_PLAYERS} players are in it.")
        return player

    def _check_room(self, player: Player | None) -> None:
        if self.ledger.book.seed:
            raise Declined(409, "The season is over.")
        if self.stable.queued >= MOST_QUEUED:
            raise Declined(503, "Many bots are waiting to be built. Try again in a few minutes.")
        if player and self.stable.waiting(player.number) >= MOST_WAITING:
            raise Declined(429, f"{MOST_WAITING} of your bots are still waiting to be built. Wait for one of them.")
        if player and len(player.uploads) >= MOST_UPLOADS:
            raise Declined(429, f"You have handed in {MOST_UPLOADS} versions, and no more are taken.")

    def _copied(self, number: int, folder: Path) -> str:
        self.store.keep(number, folder)
        return digest_of(self.store.upload(number) / "bot")

    def _check_name(self, name: str, player: Player | None) -> None:
        """Raises Declined where viewers would take the bot for another player's."""
        folded = folded_name(name)
        for other in self.ledger.book.uploads.values():
            owner = self.ledger.book.players[other.player]
            if owner is not player and owner.uploads[-1] == other.number and folded_name(other.name) == folded:
                raise Declined(400, f'The name "{name}" is {owner.name}\'s already. Choose another in bot.json.')

    @contextlib.asynccontextmanager
    async def _unpacked(self, archive: bytes) -> AsyncIterator[UpacSubmission]:
        """The bot in an archive, for the time being in a folder of its own."""
        self.store.incoming.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=self.store.incoming))
        try:
            yield await asyncio.to_thread(_read(archive, folder))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _read(archive: bytes, folder: Path) -> Callable[[], UpacSubmission]:
    def read() -> UpacSubmission:
        path = folder / "bot.zip"
        path.write_bytes(archive)
        return read_upac(path, folder / "unpacked")

    return read

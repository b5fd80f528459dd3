"""Uploads of a season: who hands in what, with which secret. Read, and refused in words or queued to be built.

Somebody new comes in with an invitation; without one the operator is asked.
"""

import asyncio
import contextlib
import hmac
import time
from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import Path

from msgspec import Struct

from server.console import say
from server.game.events import Event
from server.season.answers import Answers, Taken
from server.season.builds import Stable
from server.season.events import BotUploaded, PlayerEntered, PlayerRemoved
from server.season.files import Store, digest_of
from server.season.ledger import Ledger
from server.season.newcomers import Newcomer, Newcomers
from server.season.player_secrets import badge_of, fresh_secret, opens, seal_of
from server.season.standings import Player, Upload
from server.season.unpacked_bot import unpacked
from server.submissions.upac import UpacSubmission
from server.text.plain import folded_name, name_fault

MOST_BYTES = 12 << 20
"""Of an archive that is sent here; larger ones are for the organiser to enter."""
MOST_PLAYERS = 200
MOST_INVITED = 50
"""Newcomers whom an invitation lets in from one address: a whole class. Later ones wait for the operator."""
MOST_UPLOADS = 100
"""Of a player, in the whole season."""
MOST_WAITING = 2
"""Of a player's, before they have been built and tried."""
MOST_QUEUED = 50
"""No newcomer comes in while there are so many; players have places of their own."""


class Declined(Exception):
    """Why an upload is not taken: an HTTP status and sentences for its author."""

    def __init__(self, status: int, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.status = status
        self.faults = faults


class Handed(Struct, frozen=True):
    """What somebody hands in, and what tells who that is.

    `badge` is what the browser shows, `form` what only it knows that was given the form, `address` where it is.
    """

    archive: bytes
    name: str = ""
    secret: str = ""
    invitation: str = ""
    badge: str = ""
    form: str = ""
    address: str = ""

    def badge_for(self, seal: str) -> str:
        """The badge behind a seal, if somebody who shows that badge or knows that secret hands in; else ""."""
        return next((badge for badge in (self.badge, badge_of(self.secret)) if opens(badge, seal)), "")


class Uploads:
    """The way into one season."""

    def __init__(self, ledger: Ledger, store: Store, stable: Stable, invitations: Collection[str] = ()) -> None:
        """Newcomers with one of the `invitations` come in at once."""
        self.ledger = ledger
        self.store = store
        self.stable = stable
        self.newcomers = Newcomers(store.newcomers)
        self.has_invitations = bool(invitations)
        self.by_invitation = True
        """Whether invitations count; the operator may have everybody wait."""
        self.came_from: dict[int, str] = {}
        """The addresses of players who came in since the program began."""
        self._invitations = tuple(invitations)
        self._answers = Answers()
        self._keeping = asyncio.Lock()

    # -- who somebody is

    def named(self, name: str) -> Player | None:
        """The player whom viewers would take for one of that name."""
        folded = folded_name(name)
        return next((each for each in self.ledger.book.members() if folded_name(each.name) == folded), None)

    def was_removed(self, name: str) -> bool:
        """Whether the operator has taken somebody of that name out."""
        folded = folded_name(name)
        return any(each.removed and folded_name(each.name) == folded for each in self.ledger.book.players.values())

    def of_badge(self, badge: str) -> Player | None:
        """The player whose badge this is."""
        return next((each for each in self.ledger.book.members() if badge and opens(badge, each.seal)), None)

    def is_of(self, badge: str, name: str) -> bool:
        """Whether it is the badge of somebody of that name, who is in or waits for the operator."""
        found = self.of_badge(badge) or self.newcomers.of_badge(badge)
        return found is not None and folded_name(found.name) == folded_name(name)

    # -- what is handed in

    async def hand_in(self, handed: Handed) -> Taken:
        """Takes an archive, of a player's to be built and tried. Raises Declined; OSError where the disk fails.

        A browser shows only the last answer to a form that was sent twice: the one with the secret is given again.
        """
        if again := self._answers.again(handed.form, handed.name, handed.archive):
            return again
        self._check(handed)
        async with self._read(handed.archive) as submission, self._keeping:
            if again := self._answers.again(handed.form, handed.name, handed.archive):
                return again
            taken = await self._take(handed, submission, self._check(handed))
            if taken.secret:
                self._answers.keep(handed.form, handed.name, handed.archive, taken)
        if taken.upload:
            self.stable.take(taken.upload.number)
        return taken

    async def enter(self, submission: UpacSubmission, name: str, seal: str) -> Upload:
        """A bot of the organiser's list, kept as the next version of a player's, who may be new.

        Raises Declined, OSError.
        """
        async with self._keeping:
            return await self._keep(submission, self.named(name), name, seal)

    def _check(self, handed: Handed) -> Player | None:
        """Whose it is; None for somebody new. Raises Declined."""
        player = self._who(handed)
        self._check_room(player)
        if not handed.archive:
            raise Declined(400, "No archive has come with it. Choose the zip archive of your bot.")
        return player

    async def _take(self, handed: Handed, submission: UpacSubmission, player: Player | None) -> Taken:
        if player:
            upload = await self._keep(submission, player, player.name, player.seal)
            return Taken(handed.badge_for(player.seal), upload, notes=submission.notes)
        before = self._waiting_as(handed)
        made = "" if before else fresh_secret()
        name, seal = (before.name, before.seal) if before else (handed.name, seal_of(made))
        badge = badge_of(made) if made else handed.badge_for(seal)
        if not self._comes_in(handed):
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
        upload = await self._keep_new(submission, name, seal, handed.address)
        if before:
            self.newcomers.forget(before)
        return Taken(badge, upload, made, submission.notes)

    async def _have_wait(self, handed: Handed, newcomer: Newcomer) -> None:
        if not self.newcomers.has_room(newcomer):
            raise Declined(503, "Many newcomers wait for the organiser. Ask for an invitation, or try again later.")
        if not self.newcomers.waiting():
            say("  newcomers wait to be let in: /season/players, once you have opened the desk")
        await self.newcomers.keep(newcomer, handed.archive)

    async def _keep_new(self, submission: UpacSubmission, name: str, seal: str, address: str) -> Upload:
        """The first version of somebody new. Raises Declined, OSError."""
        if self.named(name):
            raise Declined(409, f'The name "{name}" has been taken meanwhile.')
        if len(self.ledger.book.members()) >= MOST_PLAYERS:
            raise Declined(503, f"The season is full: {MOST_PLAYERS} players are in it.")
        upload = await self._keep(submission, None, name, seal)
        self.came_from[upload.player] = address
        return upload

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

    def _who(self, handed: Handed) -> Player | None:
        """Who hands in; None for somebody new. Raises Declined."""
        known = self.of_badge(handed.badge)
        if known and (not handed.name or known is self.named(handed.name)):
            return known
        if not self._waiting_as(handed):
            if fault := name_fault(handed.name):
                raise Declined(400, f"The player's name cannot be taken. {fault}.")
            if player := self._known(handed):
                return player
        if handed.invitation and not self._is_invited(handed):
            raise Declined(403, "This is no invitation to this season. Leave it empty, and the organiser is asked.")
        return None

    def _known(self, handed: Handed) -> Player | None:
        """The player of that name and secret; None where there is neither. Raises Declined."""
        player = self.named(handed.name)
        if player and not handed.badge_for(player.seal):
            raise Declined(403, f'"{player.name}" is in the season already, and this is not the secret of that player.')
        if not player and handed.secret:
            raise Declined(403, "There is no player of that name. Leave the secret empty to enter as a new one.")
        return player

    def _waiting_as(self, handed: Handed) -> Newcomer | None:
        """Who hands in, if that one waits for the operator already."""
        mine = (each for each in self.newcomers.waiting() if handed.badge_for(each.seal))
        return next((each for each in mine if folded_name(handed.name or each.name) == folded_name(each.name)), None)

    def _is_invited(self, handed: Handed) -> bool:
        asked = handed.invitation.encode(errors="replace")
        return any(hmac.compare_digest(asked, each.encode()) for each in self._invitations)

    def _comes_in(self, handed: Handed) -> bool:
        """Whether somebody new need not wait for the operator."""
        same = sum(address == handed.address for address in self.came_from.values())
        return self.by_invitation and self._is_invited(handed) and same < MOST_INVITED

    def _check_room(self, player: Player | None) -> None:
        if self.ledger.book.seed:
            raise Declined(409, "The season is over.")
        if not player and self.stable.queued >= MOST_QUEUED:
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
        for owner in self.ledger.book.members():
            latest = self.ledger.book.uploads[owner.uploads[-1]].name if owner.uploads else ""
            if owner is not player and folded_name(latest) == folded:
                raise Declined(400, f'The name "{name}" is {owner.name}\'s already. Choose another in bot.json.')

    @contextlib.asynccontextmanager
    async def _read(self, archive: bytes) -> AsyncIterator[UpacSubmission]:
        """The bot in an archive, as long as it is worked on. Raises Declined with all its faults."""
        async with unpacked(archive, self.store.incoming) as submission:
            if submission.faults:
                raise Declined(400, *submission.faults)
            yield submission

    # -- what the operator decides

    async def let_in(self, number: int) -> None:
        """Takes a newcomer's bot, to be built and tried. Raises Declined, OSError."""
        newcomer = self._newcomer(number)
        archive = await asyncio.to_thread(self.newcomers.archive(newcomer).read_bytes)
        async with self._read(archive) as submission, self._keeping:
            newcomer = self._newcomer(number)
            upload = await self._keep_new(submission, newcomer.name, newcomer.seal, newcomer.address)
            self.newcomers.forget(newcomer)
        self.stable.take(upload.number)

    async def turn_away(self, number: int) -> None:
        """Forgets a newcomer. Raises Declined, OSError."""
        self.newcomers.forget(self._newcomer(number))

    async def remove(self, number: int) -> None:
        """Takes a player out for good; a game it is in is played to its end. Raises Declined, OSError."""
        player = self.ledger.book.players.get(number)
        if player is None or player.removed:
            raise Declined(404, f"There is no player {number}.")
        await self.ledger.write(lambda: [] if player.removed else [PlayerRemoved(number)])
        self.stable.forget(number)

    def _newcomer(self, number: int) -> Newcomer:
        """Raises Declined."""
        if newcomer := self.newcomers.find(number):
            return newcomer
        raise Declined(404, f"No newcomer {number} waits any more.")

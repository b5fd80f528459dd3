"""Uploads to a season: finds out who sends an archive, reads it, and refuses it in words or queues it to be built.

A new player comes in at once with an invitation; without one it waits until the operator decides.
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
from server.season.builds import Builds
from server.season.events import BotUploaded, PlayerEntered, PlayerRemoved
from server.season.files import Store, digest_of
from server.season.ledger import Ledger
from server.season.newcomers import Newcomer, Newcomers
from server.season.player_secrets import badge_of, fresh_secret, opens, seal_of
from server.season.repeated_uploads import Answers, Taken
from server.season.standings import Player, Upload
from server.season.unpacked_bot import unpacked
from server.submissions.upac import UpacSubmission
from server.text.names_and_chat import folded_name, name_fault

MOST_BYTES = 12 << 20
"""The largest archive that is taken here; larger ones can be entered by the organiser."""
MOST_PLAYERS = 200
"""In one season."""
MOST_INVITED = 50
"""New players whom an invitation lets in from one address: a whole class. Later ones wait for the operator."""
MOST_UPLOADS = 100
"""Uploads of one player in the whole season."""
MOST_WAITING = 2
"""Uploads of one player that wait to be built and tested."""
MOST_QUEUED = 50
"""While so many uploads wait to be built, no new player is taken; those who play still may hand in."""


class Declined(Exception):
    """An upload or an operator's request is refused: the HTTP status, and why, in sentences for its sender."""

    def __init__(self, status: int, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.status = status
        self.faults = faults


class Handed(Struct, frozen=True):
    """An upload as it was sent.

    Its sender is known by `secret`, or by the `badge` that the browser keeps. `name` is the player's, `form` the number
    of the form that was filled in ("" for none), `address` where the request came from.
    """

    archive: bytes
    name: str = ""
    secret: str = ""
    invitation: str = ""
    badge: str = ""
    form: str = ""
    address: str = ""

    def badge_for(self, seal: str) -> str:
        """The badge that belongs to `seal`, if the sender has that badge or that secret; "" otherwise."""
        return next((badge for badge in (self.badge, badge_of(self.secret)) if opens(badge, seal)), "")


class Uploads:
    """Takes the uploads of one season, and what the operator decides about its players."""

    def __init__(self, ledger: Ledger, store: Store, builds: Builds, invitations: Collection[str] = ()) -> None:
        """A new player with one of the `invitations` comes in at once, without one it waits for the operator."""
        self.ledger = ledger
        self.store = store
        self.builds = builds
        self.newcomers = Newcomers(store.newcomers)
        self.has_invitations = bool(invitations)
        self.by_invitation = True
        """Whether invitations count; if not, every new player waits for the operator."""
        self.came_from: dict[int, str] = {}
        """The addresses of players who came in since the program was started, by their numbers."""
        self._invitations = tuple(invitations)
        self._answers = Answers()
        self._keeping = asyncio.Lock()

    # -- who somebody is

    def named(self, name: str) -> Player | None:
        """The player of that name or one that looks like it, None if there is none."""
        folded = folded_name(name)
        return next((each for each in self.ledger.standings.members() if folded_name(each.name) == folded), None)

    def was_removed(self, name: str) -> bool:
        """Whether the operator has removed a player of that name."""
        folded = folded_name(name)
        return any(each.removed and folded_name(each.name) == folded for each in self.ledger.standings.players.values())

    def of_badge(self, badge: str) -> Player | None:
        """The player whose badge this is, None if there is none."""
        return next((each for each in self.ledger.standings.members() if badge and opens(badge, each.seal)), None)

    def is_of(self, badge: str, name: str) -> bool:
        """Whether `badge` belongs to the player of that name, who is in the season or waits for the operator."""
        found = self.of_badge(badge) or self.newcomers.of_badge(badge)
        return found is not None and folded_name(found.name) == folded_name(name)

    # -- what is handed in

    async def hand_in(self, handed: Handed) -> Taken:
        """Takes an upload: a player's is queued to be built and tested, a new player's may wait for the operator.

        A form that is sent twice gets the first answer again, because a browser shows only the second one. Raises
        Declined where the upload is refused, OSError where the disk fails.
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
            self.builds.take(taken.upload.number)
        return taken

    async def enter(self, submission: UpacSubmission, name: str, seal: str) -> Upload:
        """Keeps a bot of the event file as the next upload of the player `name`, who may be new and then has `seal`.

        Raises Declined where its name is another player's, OSError where the disk fails.
        """
        async with self._keeping:
            return await self._keep(submission, self.named(name), name, seal)

    def _check(self, handed: Handed) -> Player | None:
        """The player who sends it, None for a new one. Raises Declined where it cannot be taken."""
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
        """Keeps the first upload of a new player. Raises Declined, OSError."""
        if self.named(name):
            raise Declined(409, f'The name "{name}" has been taken meanwhile.')
        if len(self.ledger.standings.members()) >= MOST_PLAYERS:
            raise Declined(503, f"The season is full: {MOST_PLAYERS} players are in it.")
        upload = await self._keep(submission, None, name, seal)
        self.came_from[upload.player] = address
        return upload

    async def _keep(self, submission: UpacSubmission, player: Player | None, name: str, seal: str) -> Upload:
        standings = self.ledger.standings
        self._check_name(submission.name, player)
        number = len(standings.uploads) + 1
        digest = await asyncio.to_thread(self._copied, number, submission.folder)

        def facts() -> Sequence[Event]:
            who = player.number if player else len(standings.players) + 1
            entered = [] if player else [PlayerEntered(who, name, seal)]
            return [*entered, BotUploaded(number, who, submission.name, digest)]

        await self.ledger.write(facts)
        return standings.uploads[number]

    def _who(self, handed: Handed) -> Player | None:
        """The player who sends it, None for a new one. Raises Declined for a wrong name, secret or invitation."""
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
        """The player of that name and secret, None where neither was given. Raises Declined where they do not fit."""
        player = self.named(handed.name)
        if player and not handed.badge_for(player.seal):
            raise Declined(403, f'"{player.name}" is in the season already, and this is not the secret of that player.')
        if not player and handed.secret:
            raise Declined(403, "There is no player of that name. Leave the secret empty to enter as a new one.")
        return player

    def _waiting_as(self, handed: Handed) -> Newcomer | None:
        """The sender, if it waits for the operator already; None otherwise."""
        mine = (each for each in self.newcomers.waiting() if handed.badge_for(each.seal))
        return next((each for each in mine if folded_name(handed.name or each.name) == folded_name(each.name)), None)

    def _is_invited(self, handed: Handed) -> bool:
        asked = handed.invitation.encode(errors="replace")
        return any(hmac.compare_digest(asked, each.encode()) for each in self._invitations)

    def _comes_in(self, handed: Handed) -> bool:
        """Whether a new player comes in without the operator."""
        same = sum(address == handed.address for address in self.came_from.values())
        return self.by_invitation and self._is_invited(handed) and same < MOST_INVITED

    def _check_room(self, player: Player | None) -> None:
        if self.ledger.standings.seed:
            raise Declined(409, "The season is over.")
        if not player and self.builds.queued >= MOST_QUEUED:
            raise Declined(503, "Many bots are waiting to be built. Try again in a few minutes.")
        if player and self.builds.waiting(player.number) >= MOST_WAITING:
            raise Declined(429, f"{MOST_WAITING} of your bots are still waiting to be built. Wait for one of them.")
        if player and len(player.uploads) >= MOST_UPLOADS:
            raise Declined(429, f"You have handed in {MOST_UPLOADS} versions, and no more are taken.")

    def _copied(self, number: int, folder: Path) -> str:
        self.store.keep(number, folder)
        return digest_of(self.store.upload(number) / "bot")

    def _check_name(self, name: str, player: Player | None) -> None:
        """Raises Declined where the bot's name looks like that of another player's bot."""
        folded = folded_name(name)
        for owner in self.ledger.standings.members():
            latest = self.ledger.standings.uploads[owner.uploads[-1]].name if owner.uploads else ""
            if owner is not player and folded_name(latest) == folded:
                raise Declined(400, f'The name "{name}" is {owner.name}\'s already. Choose another in bot.json.')

    @contextlib.asynccontextmanager
    async def _read(self, archive: bytes) -> AsyncIterator[UpacSubmission]:
        """The bot in an archive, unpacked inside this context. Raises Declined with all its faults."""
        async with unpacked(archive, self.store.incoming) as submission:
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
        async with self._read(archive) as submission, self._keeping:
            newcomer = self._newcomer(number)
            upload = await self._keep_new(submission, newcomer.name, newcomer.seal, newcomer.address)
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

"""Handles uploads to a season: identifies the sender, reads the archive, and refuses or queues the bot."""

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
from server.season.files import SeasonFiles
from server.season.ledger import Ledger
from server.season.player_secrets import badge_of, fresh_secret, seal_of_secret
from server.season.season_state import Player, Upload
from server.season.uploads.newcomers import Newcomer, Newcomers
from server.season.uploads.senders import Senders
from server.season.uploads.upload_request import RecentAnswers, RequestRefused, UploadAnswer, UploadRequest
from server.submissions.command_bots import read_command_bot
from server.submissions.folder_rules import digest_of
from server.submissions.submission import Submission
from server.text.look_alikes import looks_of

SEASON_CLOSED = "No more bots are accepted."
"""The answer to an upload after the last game. It does not say that the season is over, because viewers may not have
seen the last games yet.
"""
MAX_PLAYERS = 200
"""The maximum number of players in a season."""
MAX_UPLOADS = 100
"""The maximum number of uploads of one player in a season."""
MAX_UNBUILT_BOTS = 2
"""How many uploads of one player may be waiting to be built and tested."""
MAX_QUEUED = 50
"""While this many uploads are waiting to be built, new players are refused. Other players may still upload."""


class Uploads:
    """Accepts uploads to one season, and carries out the operator's decisions about its players. The ledger is the
    season's journal. It stores only a seal (a hash) of a player's secret. Browsers store another hash, the badge.
    """

    def __init__(self, ledger: Ledger, store: SeasonFiles, builds: Builds, invitations: Collection[str] = ()) -> None:
        """A new player with one of the codes `invitations` is let in at once. All other new players wait for the
        operator.
        """
        self.ledger = ledger
        self.store = store
        self.builds = builds
        self.newcomers = Newcomers(store.newcomers)
        self.senders = Senders(ledger, self.newcomers, invitations)
        self._answers = RecentAnswers()
        self._lock = asyncio.Lock()

    async def accept_upload(self, request: UploadRequest) -> UploadAnswer:
        """Accepts an upload and queues it to be built and tested, or puts an uninvited new player on the waiting list.

        If a new player's form is sent again within a minute, returns the first answer again. Raises RequestRefused if
        the upload is refused, and OSError if the disk fails.
        """
        if earlier_answer := self._answers.find(request):
            return earlier_answer
        self._identify_sender(request)
        async with self._unpack(request.archive) as submission, self._lock:
            if earlier_answer := self._answers.find(request):
                return earlier_answer
            answer = await self._admit(request, submission, self._identify_sender(request))
            if answer.secret:
                self._answers.keep(request, answer)
        if answer.upload:
            self.builds.queue_build(answer.upload.number)
        return answer

    async def enter_bot(self, submission: Submission, name: str, seal: str) -> Upload:
        """Stores a bot from the event file as an upload of player `name`. A new player gets `seal`. Raises OSError."""
        async with self._lock:
            return await self._accept(submission, self.senders.find_by_name(name), name, seal)

    def _identify_sender(self, request: UploadRequest) -> Player | None:
        """Returns the sender, or None for a new player. Raises RequestRefused if the upload cannot be accepted."""
        player = self.senders.find_player(request)
        self._check_limits(player)
        if not request.archive:
            raise RequestRefused(400, "No archive was sent. Choose the zip archive of your bot.")
        return player

    async def _admit(self, request: UploadRequest, submission: Submission, player: Player | None) -> UploadAnswer:
        if player:
            upload = await self._accept(submission, player, player.name, player.seal)
            return UploadAnswer(request.badge_for(player.seal), upload, notes=_remarks(submission, upload))
        waiting_newcomer = self.senders.find_newcomer(request)
        secret = "" if waiting_newcomer else fresh_secret()
        name, seal = (
            (waiting_newcomer.name, waiting_newcomer.seal)
            if waiting_newcomer
            else (request.name, seal_of_secret(secret))
        )
        badge = badge_of(secret) if secret else request.badge_for(seal)
        if not self.senders.is_admitted_at_once(request):
            number = waiting_newcomer.number if waiting_newcomer else self.newcomers.next_number
            size = len(request.archive)
            newcomer = Newcomer(number, name, seal, submission.name, request.address, time.time(), size)
            await self._put_on_waiting_list(request, newcomer)
            return UploadAnswer(badge, secret=secret, notes=submission.notes)
        upload = await self._accept_new(submission, name, seal, request.address)
        if waiting_newcomer:
            self.newcomers.remove(waiting_newcomer)
        return UploadAnswer(badge, upload, secret, _remarks(submission, upload))

    async def _put_on_waiting_list(self, request: UploadRequest, newcomer: Newcomer) -> None:
        if not self.newcomers.has_room(newcomer):
            raise RequestRefused(
                503, "Many newcomers are waiting. Ask the organiser for an invitation, or try again later."
            )
        if not self.newcomers.waiting_list():
            say("  newcomers are waiting to be let in: open the desk, then /season/players")
        await self.newcomers.keep(newcomer, request.archive)

    def _check_limits(self, player: Player | None) -> None:
        if self.ledger.standings.seed:
            raise RequestRefused(409, SEASON_CLOSED)
        if not player and self.builds.queue_length >= MAX_QUEUED:
            raise RequestRefused(503, "Many bots are waiting to be built. Try again in a few minutes.")
        if player and self.builds.count_unbuilt(player.number) >= MAX_UNBUILT_BOTS:
            raise RequestRefused(
                429, f"{MAX_UNBUILT_BOTS} of your bots are still waiting to be built. Try again after the first."
            )
        if player and len(player.uploads) >= MAX_UPLOADS:
            raise RequestRefused(429, f"You have uploaded {MAX_UPLOADS} versions, and no more are accepted.")

    @contextlib.asynccontextmanager
    async def _unpack(self, archive: bytes) -> AsyncIterator[Submission]:
        """Unpacks the bot in an archive, and removes the files when the context ends. Raises OSError, or RequestRefused
        with all faults of the submission.
        """
        incoming = self.store.incoming
        await asyncio.to_thread(incoming.mkdir, parents=True, exist_ok=True)
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, dir=incoming))
        try:
            await asyncio.to_thread((folder / "bot.zip").write_bytes, archive)
            submission = await asyncio.to_thread(read_command_bot, folder / "bot.zip", folder / "unpacked")
            if submission.faults:
                raise RequestRefused(400, *submission.faults)
            yield submission
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _accept_new(self, submission: Submission, name: str, seal: str, address: str) -> Upload:
        """Accepts the first upload of a new player from `address`. Raises RequestRefused, OSError."""
        if self.senders.find_by_name(name):
            raise RequestRefused(409, f'The name "{name}" has been taken in the meantime.')
        if len(self.ledger.standings.members()) >= MAX_PLAYERS:
            raise RequestRefused(503, f"The season is full: it has {MAX_PLAYERS} players.")
        upload = await self._accept(submission, None, name, seal)
        self.senders.player_addresses[upload.player] = address
        return upload

    async def _accept(self, submission: Submission, player: Player | None, name: str, seal: str) -> Upload:
        """Accepts an upload of `player`, or of a new player called `name`. Raises OSError.

        Stores the files first and then writes the ledger. The caller holds the lock, so uploads are accepted one at a
        time.
        """
        standings = self.ledger.standings
        display_name = self._display_name(submission.name, player, name)
        number = len(standings.uploads) + 1
        await asyncio.to_thread(self.store.store_bot, number, submission.folder)
        digest = await asyncio.to_thread(digest_of, self.store.upload_folder(number) / "bot")

        def make_events() -> Sequence[Event]:
            player_number = player.number if player else len(standings.players) + 1
            entered = [] if player else [PlayerEntered(player_number, name, seal)]
            return [*entered, BotUploaded(number, player_number, display_name, digest)]

        await self.ledger.write(make_events)
        return standings.uploads[number]

    def _display_name(self, bot: str, player: Player | None, name: str) -> str:
        """Returns the bot's name for viewers. Adds the name of the bot's player in two cases. The bot's name may look
        like the name of another player or another player's bot. Or it may end with another player's name in brackets.
        """
        others = [other for other in self.ledger.standings.members() if other is not player]
        uploads = self.ledger.standings.uploads
        other_bot_names = {
            uploads[number].name for other in others for number in (other.active, *other.uploads[-1:]) if number
        }
        taken_looks = {
            look for taken in (*other_bot_names, *(other.name for other in others)) for look in looks_of(taken)
        }
        owner_endings = tuple(look.partition(": ")[2] for other in others for look in looks_of(f"({other.name})"))
        if looks_of(bot).isdisjoint(taken_looks) and not any(look.endswith(owner_endings) for look in looks_of(bot)):
            return bot
        numbered = (
            f"{bot} ({name}){suffix}" for suffix in ("", *(f" {number}" for number in range(2, len(taken_looks) + 3)))
        )
        return next(candidate for candidate in numbered if looks_of(candidate).isdisjoint(taken_looks))

    async def admit_newcomer(self, number: int) -> None:
        """Lets newcomer `number` in and queues the bot to be built and tested.

        Raises OSError if the disk fails. Raises RequestRefused if there is no such newcomer or the bot is refused.
        """
        newcomer = self._find_newcomer(number)
        archive = await asyncio.to_thread(self.newcomers.archive_path(newcomer.number).read_bytes)
        async with self._unpack(archive) as submission, self._lock:
            newcomer = self._find_newcomer(number)
            upload = await self._accept_new(submission, newcomer.name, newcomer.seal, newcomer.address)
            self.newcomers.remove(newcomer)
        self.builds.queue_build(upload.number)

    async def reject_newcomer(self, number: int) -> None:
        """Turns newcomer `number` away. Raises OSError, or RequestRefused if there is no such newcomer."""
        self.newcomers.remove(self._find_newcomer(number))

    async def remove(self, number: int) -> None:
        """Removes player `number` permanently. A game in progress is still played to its end.

        Raises OSError, or RequestRefused if there is no such player.
        """
        player = self.ledger.standings.players.get(number)
        if player is None or player.removed:
            raise RequestRefused(404, f"There is no player {number}.")
        await self.ledger.write(lambda: [] if player.removed else [PlayerRemoved(number)])
        self.builds.remove_player(number)

    def _find_newcomer(self, number: int) -> Newcomer:
        if newcomer := self.newcomers.find(number):
            return newcomer
        raise RequestRefused(404, f"Newcomer {number} is no longer waiting.")


def _remarks(submission: Submission, upload: Upload) -> tuple[str, ...]:
    if upload.name == submission.name:
        return submission.notes
    return (*submission.notes, f'It is shown as "{upload.name}": "{submission.name}" could be taken for another bot.')

"""Accepts a bot into a season: its files go into the store, its player and its number into the ledger."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from server.game.events import Event
from server.season.events import BotUploaded, PlayerEntered
from server.season.files import Store
from server.season.ledger import Ledger
from server.season.standings import Player, Upload
from server.season.uploads.handed import Declined
from server.season.uploads.senders import Senders
from server.submissions.digest import digest_of
from server.submissions.upac import UpacSubmission
from server.text.names_and_chat import folded_name

MOST_PLAYERS = 200
"""In one season."""


class Acceptance:
    """Accepts the bots of one season. Whoever calls it lets one bot be accepted after the other."""

    def __init__(self, ledger: Ledger, store: Store, senders: Senders) -> None:
        self._ledger = ledger
        self._store = store
        self._senders = senders

    async def accept_new(self, submission: UpacSubmission, name: str, seal: str, address: str) -> Upload:
        """Accepts the first upload of a new player, who came from `address`. Raises Declined, OSError."""
        if self._senders.named(name):
            raise Declined(409, f'The name "{name}" has been taken meanwhile.')
        if len(self._ledger.standings.members()) >= MOST_PLAYERS:
            raise Declined(503, f"The season is full: {MOST_PLAYERS} players are in it.")
        upload = await self.accept(submission, None, name, seal)
        self._senders.came_from[upload.player] = address
        return upload

    async def accept(self, submission: UpacSubmission, player: Player | None, name: str, seal: str) -> Upload:
        """Accepts the next upload of `player`; None: of a new one, `name`, whose secret `seal` checks.

        Raises Declined where the bot's name is another player's, OSError where the disk fails.
        """
        standings = self._ledger.standings
        self._check_name(submission.name, player)
        number = len(standings.uploads) + 1
        digest = await asyncio.to_thread(self._copied, number, submission.folder)

        def facts() -> Sequence[Event]:
            who = player.number if player else len(standings.players) + 1
            entered = [] if player else [PlayerEntered(who, name, seal)]
            return [*entered, BotUploaded(number, who, submission.name, digest)]

        await self._ledger.write(facts)
        return standings.uploads[number]

    def _copied(self, number: int, folder: Path) -> str:
        self._store.keep(number, folder)
        return digest_of(self._store.upload(number) / "bot")

    def _check_name(self, name: str, player: Player | None) -> None:
        """Raises Declined where the bot's name looks like that of another player's bot."""
        folded = folded_name(name)
        for owner in self._ledger.standings.members():
            latest = self._ledger.standings.uploads[owner.uploads[-1]].name if owner.uploads else ""
            if owner is not player and folded_name(latest) == folded:
                raise Declined(400, f'The name "{name}" is {owner.name}\'s already. Choose another in bot.json.')

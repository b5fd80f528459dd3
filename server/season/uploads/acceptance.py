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
from server.submissions.commands import CommandSubmission
from server.submissions.digest import digest_of
from server.text.look_alikes import looks_of

MOST_PLAYERS = 200
"""In one season."""


class Acceptance:
    """Accepts the bots of one season. Whoever calls it lets one bot be accepted after the other."""

    def __init__(self, ledger: Ledger, store: Store, senders: Senders) -> None:
        self._ledger = ledger
        self._store = store
        self._senders = senders

    async def accept_new(self, submission: CommandSubmission, name: str, seal: str, address: str) -> Upload:
        """Accepts the first upload of a new player, who came from `address`. Raises Declined, OSError."""
        if self._senders.named(name):
            raise Declined(409, f'The name "{name}" has been taken meanwhile.')
        if len(self._ledger.standings.members()) >= MOST_PLAYERS:
            raise Declined(503, f"The season is full: {MOST_PLAYERS} players are in it.")
        upload = await self.accept(submission, None, name, seal)
        self._senders.came_from[upload.player] = address
        return upload

    async def accept(self, submission: CommandSubmission, player: Player | None, name: str, seal: str) -> Upload:
        """Accepts the next upload of `player`; None: of a new one, `name`, whose secret `seal` checks.

        A bot whose name could be taken for another player's is called by its player, too. Raises OSError.
        """
        standings = self._ledger.standings
        shown = self._shown(submission.name, player, name)
        number = len(standings.uploads) + 1
        digest = await asyncio.to_thread(self._copied, number, submission.folder)

        def facts() -> Sequence[Event]:
            who = player.number if player else len(standings.players) + 1
            entered = [] if player else [PlayerEntered(who, name, seal)]
            return [*entered, BotUploaded(number, who, shown, digest)]

        await self._ledger.write(facts)
        return standings.uploads[number]

    def _copied(self, number: int, folder: Path) -> str:
        self._store.keep(number, folder)
        return digest_of(self._store.upload(number) / "bot")

    def _shown(self, bot: str, player: Player | None, name: str) -> str:
        """The bot's name, with its player's behind it where viewers could take it for another player's bot."""
        others = [other for other in self._ledger.standings.members() if other is not player]
        uploads = self._ledger.standings.uploads
        theirs = {uploads[number].name for other in others for number in (other.active, *other.uploads[-1:]) if number}
        taken = {look for each in (*theirs, *(other.name for other in others)) for look in looks_of(each)}
        owned = tuple(look.partition(": ")[2] for other in others for look in looks_of(f"({other.name})"))
        if looks_of(bot).isdisjoint(taken) and not any(look.endswith(owned) for look in looks_of(bot)):
            return bot
        numbered = (f"{bot} ({name}){number}" for number in ("", *(f" {more}" for more in range(2, len(taken) + 3))))
        return next(each for each in numbered if looks_of(each).isdisjoint(taken))

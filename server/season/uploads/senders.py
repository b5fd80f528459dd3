"""Identifies an upload's sender: a player of the season, a waiting newcomer, or a new player."""

import hmac
from collections.abc import Collection

from server.season.ledger import Ledger
from server.season.player_secrets import secret_matches
from server.season.standings import Player
from server.season.uploads.handed import Declined, Handed
from server.season.uploads.newcomers import Newcomer, Newcomers
from server.text.look_alikes import look_alike
from server.text.names_and_chat import name_fault

MAX_INVITED = 50
"""How many invited new players from one address, such as a school's, are let in at once. Further players wait for the
operator.
"""


class Senders:
    """Finds players and newcomers of one season by name, secret and badge."""

    def __init__(self, ledger: Ledger, newcomers: Newcomers, invitations: Collection[str] = ()) -> None:
        """A new player with one of the codes `invitations` is let in at once. All other new players wait for the
        operator.
        """
        self.has_invitations = bool(invitations)
        self.by_invitation = True
        """Whether invitations are accepted. If false, every new player waits for the operator."""
        self.player_addresses: dict[int, str] = {}
        """The addresses of the players who joined since the program started, keyed by player number."""
        self._ledger = ledger
        self._newcomers = newcomers
        self._invitations = tuple(invitations)

    def find_named(self, name: str) -> Player | None:
        """Returns the player with that name, or with a name that looks like it, or None."""
        return next((each for each in self._ledger.standings.members() if look_alike(each.name, name)), None)

    def was_removed(self, name: str) -> bool:
        """Returns whether the operator has removed a player with that name."""
        players = self._ledger.standings.players.values()
        return any(each.removed and look_alike(each.name, name) for each in players)

    def of_badge(self, badge: str) -> Player | None:
        """Returns the player with that badge, or None."""
        return next(
            (each for each in self._ledger.standings.members() if badge and secret_matches(badge, each.seal)), None
        )

    def is_of(self, badge: str, name: str) -> bool:
        """Returns whether `badge` belongs to the player or newcomer with that name."""
        found = self.of_badge(badge) or self._newcomers.of_badge(badge)
        return found is not None and look_alike(found.name, name)

    def player(self, handed: Handed) -> Player | None:
        """Returns the sender, or None for a new player. Raises Declined for a wrong name, secret or invitation."""
        known = self.of_badge(handed.badge)
        if known and (not handed.name or known is self.find_named(handed.name)):
            return known
        if not self.newcomer(handed):
            if fault := name_fault(handed.name):
                raise Declined(400, f"The player's name cannot be used. {fault}.")
            if player := self._check_name_and_secret(handed):
                return player
        if handed.invitation and not self._is_invited(handed):
            raise Declined(403, "This is not an invitation to this season. Leave the field empty to ask the organiser.")
        return None

    def newcomer(self, handed: Handed) -> Newcomer | None:
        """Returns the sender if the sender is already a waiting newcomer, else None."""
        own = (each for each in self._newcomers.waiting() if handed.badge_for(each.seal))
        return next((each for each in own if look_alike(handed.name or each.name, each.name)), None)

    def is_admitted_at_once(self, handed: Handed) -> bool:
        """Returns whether a new player is let in without waiting for the operator."""
        same = sum(address == handed.address for address in self.player_addresses.values())
        return self.by_invitation and self._is_invited(handed) and same < MAX_INVITED

    def _check_name_and_secret(self, handed: Handed) -> Player | None:
        """Returns the player with that name and secret, or None if the name is new and no secret was sent.

        Raises Declined if name and secret do not belong together.
        """
        player = self.find_named(handed.name)
        if player and not handed.badge_for(player.seal):
            raise Declined(403, f'"{player.name}" is in the season already, and this is not the secret of that player.')
        if not player and handed.secret:
            raise Declined(403, "There is no player with that name. Leave the secret empty to enter as a new player.")
        return player

    def _is_invited(self, handed: Handed) -> bool:
        code = handed.invitation.encode(errors="replace")
        return any(hmac.compare_digest(code, each.encode()) for each in self._invitations)

"""Identifies an upload's sender: a player of the season, a waiting newcomer, or a new player."""

import hmac
from collections.abc import Collection

from server.season.ledger import Ledger
from server.season.player_secrets import badge_matches
from server.season.season_state import Player
from server.season.uploads.newcomers import Newcomer, Newcomers
from server.season.uploads.upload_request import RequestRefused, UploadRequest
from server.text.look_alikes import look_alike
from server.text.names_and_chat import name_fault

MAX_INVITED = 50
"""At most this many invited new players from one address are let in without the operator. Further players wait for the
operator. The limit is high because a whole school may have a single address.
"""


class Senders:
    """Finds players and newcomers of one season by name, secret and badge (a hash of the secret). The season's record
    contains only each player's seal, a hash of the badge.
    """

    def __init__(self, ledger: Ledger, newcomers: Newcomers, invitations: Collection[str] = ()) -> None:
        """A new player with one of the codes `invitations` is let in immediately. All other new players wait for the
        operator.
        """
        self.has_invitations = bool(invitations)
        self.accepts_invitations = True
        """Whether invitations are accepted. If false, every new player waits for the operator."""
        self.player_addresses: dict[int, str] = {}
        """The addresses of the players who joined since the program started, keyed by player number."""
        self._ledger = ledger
        self._newcomers = newcomers
        self._invitations = tuple(invitations)

    def find_by_name(self, name: str) -> Player | None:
        """Returns the player whose name is `name` or looks like it, or None."""
        return next((player for player in self._ledger.standings.members() if look_alike(player.name, name)), None)

    def was_removed(self, name: str) -> bool:
        """Returns whether the operator has removed a player with that name."""
        players = self._ledger.standings.players.values()
        return any(player.removed and look_alike(player.name, name) for player in players)

    def find_by_badge(self, badge: str) -> Player | None:
        """Returns the player with this badge, or None."""
        members = self._ledger.standings.members() if badge else ()
        return next((player for player in members if badge_matches(badge, player.seal)), None)

    def badge_belongs_to(self, badge: str, name: str) -> bool:
        """Returns whether `badge` belongs to the player or newcomer with that name."""
        owner = self.find_by_badge(badge) or self._newcomers.find_by_badge(badge)
        return owner is not None and look_alike(owner.name, name)

    def find_player(self, request: UploadRequest) -> Player | None:
        """Returns the sender, or None for a new player. Raises RequestRefused for a wrong name, secret or
        invitation.
        """
        badge_owner = self.find_by_badge(request.badge)
        if badge_owner and (not request.name or badge_owner is self.find_by_name(request.name)):
            return badge_owner
        if not self.find_newcomer(request):
            if fault := name_fault(request.name):
                raise RequestRefused(400, f"The player's name cannot be used. {fault}.")
            if player := self._check_name_and_secret(request):
                return player
        if request.invitation and not self._is_invited(request):
            raise RequestRefused(
                403, "This is not an invitation to this season. Leave the field empty to ask the organiser."
            )
        return None

    def find_newcomer(self, request: UploadRequest) -> Newcomer | None:
        """Returns the waiting newcomer who has sent `request`, or None."""
        own = (newcomer for newcomer in self._newcomers.waiting_list() if request.badge_for(newcomer.seal))
        return next((newcomer for newcomer in own if look_alike(request.name or newcomer.name, newcomer.name)), None)

    def is_admitted_at_once(self, request: UploadRequest) -> bool:
        """Returns whether a new player is let in without waiting for the operator."""
        joined_count = sum(address == request.address for address in self.player_addresses.values())
        return self.accepts_invitations and self._is_invited(request) and joined_count < MAX_INVITED

    def _check_name_and_secret(self, request: UploadRequest) -> Player | None:
        """Returns the player with the request's name and secret. Returns None for a new name without a secret.

        Raises RequestRefused if name and secret do not belong together.
        """
        player = self.find_by_name(request.name)
        if player and not request.badge_for(player.seal):
            raise RequestRefused(
                403, f'"{player.name}" is in the season already, and this is not the secret of that player.'
            )
        if not player and request.secret:
            raise RequestRefused(
                403, "There is no player with that name. Leave the secret empty to enter as a new player."
            )
        return player

    def _is_invited(self, request: UploadRequest) -> bool:
        code = request.invitation.encode(errors="replace")
        return any(hmac.compare_digest(code, invitation.encode()) for invitation in self._invitations)

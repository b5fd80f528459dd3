"""An upload to a season as it was sent, and the refusal of one."""

from msgspec import Struct

from server.season.player_secrets import badge_of, opens

MOST_BYTES = 12 << 20
"""The largest archive that is taken here; larger ones can be entered by the organiser."""


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

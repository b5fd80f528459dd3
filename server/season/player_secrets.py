"""Players' secrets in a season: what proves who somebody is, and nothing that is kept gives it away."""

import hmac
import secrets
from base64 import b32encode
from hashlib import sha256

from server.shuffle import key_of

INVITATION_LETTERS = 12


def fresh_secret() -> str:
    """A secret nobody can guess, short enough to type."""
    return secrets.token_urlsafe(12)


def invitation_of(seed: bytes) -> str:
    """A season's own code for newcomers, the same whenever it is asked for; it tells nothing of the seed."""
    return b32encode(key_of(seed, "invitation"))[:INVITATION_LETTERS].decode().lower()


def badge_of(secret: str) -> str:
    """What a browser keeps in place of the secret."""
    return hmac.new(secret.encode(errors="replace"), b"high noon season", sha256).hexdigest()


def seal_of(secret: str) -> str:
    """What the ledger keeps."""
    return _sealed(badge_of(secret))


def opens(badge: str, seal: str) -> bool:
    """Whether a badge is that of the secret behind a seal; takes the same time whatever it is."""
    return hmac.compare_digest(_sealed(badge), seal)


def _sealed(badge: str) -> str:
    return sha256(badge.encode(errors="replace")).hexdigest()

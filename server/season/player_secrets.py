"""Makes and checks players' secrets in a season. A player's browser keeps the badge, a hash of the secret. The season's
ledger (its journal) keeps the seal, a hash of the badge. Neither hash reveals the secret.
"""

import hmac
import secrets
from base64 import b32encode
from hashlib import sha256

from server.shuffle import key_of

INVITATION_CHARACTERS = 12


def fresh_secret() -> str:
    """Returns a random 96-bit secret of 16 letters, digits, hyphens and underscores."""
    return secrets.token_urlsafe(12)


def invitation_of(seed: bytes) -> str:
    """Returns a season's invitation code. The code is made from the seed but does not reveal the seed."""
    return b32encode(key_of(seed, "invitation"))[:INVITATION_CHARACTERS].decode().lower()


def badge_of(secret: str) -> str:
    """Returns the badge of a secret, which a browser keeps instead of the secret."""
    return hmac.new(secret.encode(errors="replace"), b"high noon season", sha256).hexdigest()


def seal_of_secret(secret: str) -> str:
    """Returns the seal of a secret, which the ledger keeps instead of the secret."""
    return _seal_badge(badge_of(secret))


def badge_matches(badge: str, seal: str) -> bool:
    """Returns whether the badge and the seal belong to the same secret. The comparison takes constant time."""
    return hmac.compare_digest(_seal_badge(badge), seal)


def _seal_badge(badge: str) -> str:
    return sha256(badge.encode(errors="replace")).hexdigest()

"""Players' secrets in a season. Neither a browser's badge nor the ledger's seal reveals a secret."""

import hmac
import secrets
from base64 import b32encode
from hashlib import sha256

from server.shuffle import key_of

INVITATION_CHARACTERS = 12


def fresh_secret() -> str:
    """A random secret of 96 bits, as 16 letters, digits, hyphens and underscores."""
    return secrets.token_urlsafe(12)


def invitation_of(seed: bytes) -> str:
    """The invitation code of a season. It follows from the seed and does not reveal it."""
    return b32encode(key_of(seed, "invitation"))[:INVITATION_CHARACTERS].decode().lower()


def badge_of(secret: str) -> str:
    """The keyed hash that a browser keeps instead of the secret."""
    return hmac.new(secret.encode(errors="replace"), b"high noon season", sha256).hexdigest()


def seal_of(secret: str) -> str:
    """The hash of the badge, which the ledger keeps instead of the secret."""
    return _sealed(badge_of(secret))


def opens(badge: str, seal: str) -> bool:
    """Whether badge and seal come from the same secret, compared in constant time."""
    return hmac.compare_digest(_sealed(badge), seal)


def _sealed(badge: str) -> str:
    return sha256(badge.encode(errors="replace")).hexdigest()

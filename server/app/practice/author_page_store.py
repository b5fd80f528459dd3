"""Stores the pages on which authors find their bots' practice games. Each page has a link that nobody can guess.

An author may choose a key. A bot that registers with the same name and key always gets the same page. Pages survive
restarts. The number and the size of pages are limited.
"""

import hmac
import re
import secrets
import threading
import time
import unicodedata
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from server.app.practice.game_summaries import GameSummary, PracticePage
from server.app.results.ladder_place import add_result
from server.journal.atomic_file import write_atomically
from server.registration.register import RegistrationRefused
from server.text.regular_file import read_at_most
from server.token_bucket import TokenBucket

MAX_GAMES = 100
"""A page keeps at most this many games. The oldest games are removed first."""
MAX_PAGES = 2000
"""At most this many pages are kept. Pages without a game for `FORGOTTEN_SECONDS` are removed first. If there is no such
page, the network address with the most pages loses one: the page that has had no game for the longest time. So nobody
can displace other authors' pages by registering many bots.
"""
FORGOTTEN_SECONDS = 60 * 24 * 3600
"""A page without a game for this many seconds counts as forgotten."""
MAX_KEY_CHARACTERS = 200
"""Only this many characters of a key are used."""
NEW_KEYS, NEW_KEY_SECONDS = 10, 60.0
"""For each bot's name, NEW_KEYS new keys may be tried in a row. After that, one more key may be tried every
NEW_KEY_SECONDS.
"""
MAX_TRIED_NAMES = 10_000
"""The server remembers the tried keys of at most this many bots' names. It first forgets the name that was used longest
ago.
"""
_TOKEN_LENGTH = 32
_TOKEN_PATTERN = re.compile(rf"[\w-]{{{_TOKEN_LENGTH}}}", re.ASCII)
_MAX_PAGE_BYTES = 1 << 20


class PracticePages:
    """The pages in one folder. File names are hashes, so the folder does not reveal the links."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds. Raises OSError if the folder cannot be used."""
        self._clock = clock
        self._tried_keys: OrderedDict[str, tuple[deque[str], TokenBucket]] = OrderedDict()
        """For each bot's name: tokens made from the keys that were tried last, and how many more keys may be tried."""
        self._folder = folder
        self._secret = _read_secret(folder / "secret")
        self._write_lock = threading.Lock()
        """Held while a page is changed, because two games of a bot may end at the same time."""
        self._client_hashes: dict[str, str] = {}
        """For each page's file name: a hash of the network address from which the page's bot last played."""

    def token(self, name: str, key: str) -> str:
        """Returns the last part of the link to a bot's page. The same name and key always give the same link. If `key`
        is "", the link is random.

        Raises RegistrationRefused (429) if the name has been tried with too many keys that have no page.
        """
        if not key:
            return secrets.token_urlsafe(24)
        bot = unicodedata.normalize("NFC", name).casefold()
        name_and_key = f"{bot}\0{key[:MAX_KEY_CHARACTERS]}".encode(errors="replace")
        token = hmac.new(self._secret, name_and_key, sha256).hexdigest()[:_TOKEN_LENGTH]
        no_tries = deque[str](maxlen=4 * NEW_KEYS), TokenBucket(NEW_KEYS, 1 / NEW_KEY_SECONDS, self._clock)
        tokens, budget = self._tried_keys[bot] = self._tried_keys.pop(bot, no_tries)
        if len(self._tried_keys) > MAX_TRIED_NAMES:
            self._tried_keys.popitem(last=False)
        if token not in tokens and not self._path(token).exists():
            if not budget.spend(1):
                raise RegistrationRefused(
                    429, f"too many new keys were tried for {name}: try again in a few minutes, or without a key"
                )
            tokens.append(token)
        return token

    @property
    def organiser_token(self) -> str:
        """The last part of the link to the organiser's page. The link never changes and never leads to a bot's page."""
        return hmac.new(self._secret, b"organiser", sha256).hexdigest()[:_TOKEN_LENGTH]

    def add(self, token: str, name: str, game: GameSummary, rung: int = 0, client: str = "") -> None:
        """Adds a game to a page. Removes the oldest games and pages if there are too many. Raises OSError.

        `client` is the bot's network address. Only a hash of the address is kept. If `rung` is not 0, the
        house bots played at this strength, and the game counts for the bot's place on the ladder of strengths.
        """
        with self._write_lock:
            page = self.page(token) or PracticePage(name)
            is_for_ladder = rung and game.earned is not None
            rungs = add_result(page.rungs, rung, game.earned or 0.0) if is_for_ladder else page.rungs
            client_hash = hmac.new(self._secret, client.encode(), sha256).hexdigest()[:8]
            page = replace(page, name=name, games=(*page.games, game)[-MAX_GAMES:], rungs=rungs, client=client_hash)
            write_atomically(self._path(token), msgspec.json.encode(page))
            self._client_hashes.pop(self._path(token).name, None)
            self._remove_old_pages()

    def _remove_old_pages(self) -> None:
        played_at = {path.name: _last_played(path) for path in self._folder.glob("*.json")}
        while len(played_at) > MAX_PAGES:
            oldest_name = min(played_at, key=played_at.__getitem__)
            if time.time() - played_at[oldest_name] < FORGOTTEN_SECONDS:
                page_counts = Counter(map(self._client_hash, played_at))
                oldest_name = min(played_at, key=lambda name: (-page_counts[self._client_hash(name)], played_at[name]))
            (self._folder / oldest_name).unlink(missing_ok=True)
            del played_at[oldest_name]
            self._client_hashes.pop(oldest_name, None)

    def _client_hash(self, name: str) -> str:
        if name not in self._client_hashes:
            page = _read(self._folder / name)
            self._client_hashes[name] = page.client if page else ""
        return self._client_hashes[name]

    def page(self, token: str) -> PracticePage | None:
        """Returns the page with the link that ends in `token`, or None if the page is missing or unreadable."""
        return _read(self._path(token)) if _TOKEN_PATTERN.fullmatch(token) else None

    def _path(self, token: str) -> Path:
        return self._folder / f"{sha256(token.encode()).hexdigest()}.json"


def _read_secret(path: Path) -> bytes:
    """Reads the secret from which links are derived. The first call creates the secret."""
    with suppress(FileNotFoundError):
        if secret := path.read_bytes():
            return secret
    write_atomically(path, secrets.token_bytes(32))
    return path.read_bytes()


def _read(path: Path) -> PracticePage | None:
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(read_at_most(path, _MAX_PAGE_BYTES), type=PracticePage)
    return None


def _last_played(path: Path) -> float:
    """Returns when the latest game was added to a page, in seconds since 1970, or 0 if unknown."""
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0

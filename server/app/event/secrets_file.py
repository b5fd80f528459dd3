"""The secrets of an event, which must outlive a crash: its seed, the desk's tokens, the links of authors' pages."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.web.access import Tokens, fresh_tokens
from server.app.decisions.event_notes import author_link
from server.config.event_file import EventPlan
from server.console import plain, say
from server.errors import Refusal
from server.game.events import Entrant
from server.journal.atomic_file import keep_whole
from server.shuffle import fresh_seed, parse_seed
from server.text.regular_file import read_regular


class EventSecrets(Struct, frozen=True):
    """The secrets of one event: its seed, and the tokens of the desk."""

    seed: str
    """64 hexadecimal digits."""
    control: str
    view: str
    authors: str = ""
    """Hexadecimal digits, from which the links of authors' pages follow; "" in a file of an older version."""

    @property
    def seed_bytes(self) -> bytes:
        """The seed; raises ValueError where it is none."""
        return parse_seed(self.seed)

    @property
    def tokens(self) -> Tokens:
        """The tokens of the desk; raises ValueError where they are none."""
        return Tokens(self.control, self.view)


class SecretsDamaged(Refusal):
    """The file holds no secrets of a tournament."""


def secrets_path(journal: Path) -> Path:
    """The path of the secrets that belong to the journal at `journal`."""
    return journal.with_suffix(".secret")


def secrets_of(plan: EventPlan, *, resumed: bool) -> EventSecrets:
    """The secrets of an event: new ones, which are kept, or where it is `resumed` those that are kept already.

    Tokens of the event file replace kept ones. Raises OSError, SecretsDamaged.
    """
    path = secrets_path(plan.journal)
    if resumed:
        kept = read_secrets(path)
        return replace(kept, control=plan.control_token or kept.control, view=plan.view_token or kept.view)
    made, seed = fresh_tokens(), plan.seed or fresh_seed()
    tokens = plan.control_token or made.control, plan.view_token or made.view
    secrets = EventSecrets(seed.hex(), *tokens, fresh_seed().hex())
    keep_secrets(path, secrets)
    return secrets


def read_secrets(path: Path) -> EventSecrets:
    """Reads the secrets at `path`. Raises OSError, or SecretsDamaged where the file is missing or holds none."""
    try:
        secrets = msgspec.json.decode(read_regular(path), type=EventSecrets)
        _ = secrets.seed_bytes, secrets.tokens
    except FileNotFoundError:
        raise SecretsDamaged(f"{path} is missing: without its seed nothing is resumed") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise SecretsDamaged(f"{path} holds no seed and tokens ({error}): without them nothing is resumed") from None
    return secrets


def keep_secrets(path: Path, secrets: EventSecrets) -> None:
    """Writes the secrets, whole or not at all, in a file that only its owner may read. Raises OSError."""
    keep_whole(path, msgspec.json.encode(secrets))


def links_path(journal: Path) -> Path:
    """The path of the links of authors' pages, for the organiser, who sends each to its author."""
    return journal.with_suffix(".links")


def list_links(journal: Path, secret: str, base: str, entrants: Sequence[Entrant]) -> None:
    """Writes a line for each bot beside the journal and says where; `base` is the address of the pages.

    Without a `secret` there are no such pages. A disk that refuses costs the list.
    """
    if not secret:
        return
    lines = [
        f"{base}/own/{author_link(secret, each.bot, each.name)}  {plain(each.name)}"
        f"{f' ({plain(each.player)})' if each.player else ''}\n"
        for each in entrants
    ]
    path = links_path(journal)
    try:
        keep_whole(path, "".join(lines).encode(errors="replace"))
    except OSError as error:
        say(f"  authors' links  cannot be kept: {error.strerror}")
    else:
        say(f"  authors' links  {path}   (one for each bot, for its author alone)")

"""The files of an evening (one run of a tournament): its recording, its secrets, and the links to authors' pages. All
files survive a crash.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.archive.archive import is_being_written
from broadcast.web.access import Tokens, fresh_tokens
from server.app.decisions.author_reports import author_link
from server.config.event_file import EveningPlan
from server.console import say
from server.contests import CONTESTS
from server.errors import Refusal
from server.game.events import Entrant
from server.journal.atomic_file import write_atomically
from server.season.files import LEDGER_SUFFIX
from server.shuffle import fresh_seed, parse_seed
from server.text.characters import printable
from server.text.regular_file import read_regular

_START_EVENTS = (b'"type":"stage_started"', b'"type":"player_entered"')
_END_EVENTS = (b'"type":"tournament_ended"', b'"type":"season_ended"')


def choose_attempt(plan: EveningPlan, *, rehearse: bool = False, again: bool = False) -> EveningPlan:
    """Returns `plan` with its `attempt` set to the number of the recording to write. Usually, the program starts or
    resumes the latest recording. If `again` is true and the latest recording has begun, the program writes a new one.

    A rehearsal has its own data folder. If the latest recording of a rehearsal is complete, the next rehearsal gets a
    new recording. A tournament reveals its seed at its end, so rehearsals and repeated evenings do not use the seed in
    the event file. Raises OSError if a recording cannot be read. Raises Refusal if `again` is set while another process
    is writing the latest recording.
    """
    if rehearse:
        folder = plan.data.parent / f"{plan.data.name}-rehearsal"
        plan = replace(plan, data=folder, seed=b"")
    latest = replace(plan, attempt=max([1, *_attempt_numbers(plan)]))
    path = recording_path(latest)
    if again and path.exists() and is_being_written(path):
        raise Refusal(f"{path}: another process is writing this journal, so it is not started again")
    if (again and _has_event(path, _START_EVENTS)) or (rehearse and _has_event(path, _END_EVENTS)):
        latest = replace(latest, attempt=latest.attempt + 1)
    return latest if latest.attempt == 1 else replace(latest, seed=b"")


def recording_path(plan: EveningPlan) -> Path:
    """Returns the path of the recording of a tournament or season."""
    return plan.journal.with_suffix(LEDGER_SUFFIX) if CONTESTS[plan.contest].evening_rules.is_season else plan.journal


def already_played_message(recording: Path) -> str:
    """Returns the message for an evening that has already been played."""
    return (
        f"{recording}: this tournament has been played; it is shown to its end, but not played again.\n"
        "  --again plays it again and keeps this recording; --rehearse tries it out in a folder of its own"
    )


def _attempt_numbers(plan: EveningPlan) -> list[int]:
    """Returns the numbers of all recordings of the evening except the first, from the names of their files."""
    first_slug = replace(plan, attempt=1).slug
    names = (path.name.partition(".")[0] for path in plan.recordings.glob(f"{first_slug}_*"))
    numbers = (name.removeprefix(f"{first_slug}_") for name in names)
    return [int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 9]


def _has_event(path: Path, type_fields: Sequence[bytes]) -> bool:
    """Whether a recording contains one of `type_fields`, such as `"type":"stage_started"`. A bot's text cannot look
    like such a field, because quotes in texts are escaped.
    """
    content = read_regular(path) if path.exists() else b""
    return any(type_field in content for type_field in type_fields)


# -- secrets


class EveningSecrets(Struct, frozen=True):
    """The secrets of one evening: its seed, the desk's tokens, and the secret of authors' links."""

    seed: str
    """The seed as 64 hexadecimal digits."""
    control: str
    view: str
    authors: str = ""
    """Hexadecimal digits from which the links to authors' pages are made. "" in files of older versions."""

    @property
    def seed_bytes(self) -> bytes:
        """The seed as bytes. Raises ValueError if `seed` is not valid."""
        return parse_seed(self.seed)

    @property
    def tokens(self) -> Tokens:
        """The desk's tokens. Raises ValueError if they are not valid."""
        return Tokens(self.control, self.view)


class SecretsDamaged(Refusal):
    """The file with an evening's secrets is missing or damaged."""


def secrets_path(journal: Path) -> Path:
    return journal.with_suffix(".secret")


def load_secrets(plan: EveningPlan, *, resumed: bool) -> EveningSecrets:
    """Reads the secrets if `resumed`, otherwise makes and stores new secrets. Tokens in the event file take precedence.
    Raises OSError, SecretsDamaged.
    """
    path = secrets_path(plan.journal)
    if resumed:
        stored = read_secrets(path)
        return replace(stored, control=plan.control_token or stored.control, view=plan.view_token or stored.view)
    fresh, seed = fresh_tokens(), plan.seed or fresh_seed()
    tokens = plan.control_token or fresh.control, plan.view_token or fresh.view
    secrets = EveningSecrets(seed.hex(), *tokens, fresh_seed().hex())
    write_atomically(path, msgspec.json.encode(secrets))
    return secrets


def read_secrets(path: Path) -> EveningSecrets:
    """Reads the secrets at `path`. Raises OSError, or SecretsDamaged if the file is missing or damaged."""
    try:
        secrets = msgspec.json.decode(read_regular(path), type=EveningSecrets)
        _ = secrets.seed_bytes, secrets.tokens
    except FileNotFoundError:
        raise SecretsDamaged(f"{path} is missing: without its seed the tournament cannot be resumed") from None
    except (msgspec.DecodeError, ValueError) as error:
        why = f"{path} has no valid seed and tokens ({error}): without them the tournament cannot be resumed"
        raise SecretsDamaged(why) from None
    return secrets


def author_links_path(journal: Path) -> Path:
    """Returns the path of the file with the links to authors' pages, which the organiser sends to the authors."""
    return journal.with_suffix(".links")


def write_author_links(journal: Path, secret: str, base: str, entrants: Sequence[Entrant]) -> None:
    """Writes the links to authors' pages to a file, and prints the file's path. The links begin with the server's
    address `base` and are made from `secret`. If `secret` is "", does nothing.
    """
    if not secret:
        return
    lines = [
        f"{base}/own/{author_link(secret, entrant.bot, entrant.name)}  {printable(entrant.name)}"
        f"{f' ({printable(entrant.player)})' if entrant.player else ''}\n"
        for entrant in entrants
    ]
    path = author_links_path(journal)
    try:
        write_atomically(path, "".join(lines).encode(errors="replace"))
    except OSError as error:
        say(f"  authors' links  cannot be kept: {error.strerror}")
    else:
        say(f"  authors' links  {path}   (one for each bot, for its author only)")

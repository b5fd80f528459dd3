"""`highnoon verify FILE`: verifies a recording, and prints the verdict in plain words or as JSON."""

from pathlib import Path

import msgspec

from server.console import say
from server.journal.journal import NOT_A_RECORDING, JournalDamaged, is_journal, read_journal
from server.season.files import SeasonFiles
from server.text.characters import printable
from server.verify.claims import Verdict, list_caveats, list_claims
from server.verify.published_hands import is_published, prove_published
from server.verify.recording import verify
from server.verify.refutation import Refuted
from server.verify.season import is_ledger, verify_season

EXIT_INCOMPLETE = 3
"""The exit status for a recording that is proved, but incomplete."""


def verify_file(path: Path, *, as_json: bool = False) -> int:
    """Prints the verdict, and returns the exit status. It is 0 if the recording is proved and complete, EXIT_INCOMPLETE
    if it is proved but incomplete, otherwise 1. Raises OSError if the recording cannot be read.
    """
    verdict = verdict_on(path)
    if as_json:
        say(msgspec.json.format(msgspec.json.encode(verdict)).decode())
    else:
        _print_verdict(path, verdict)
    if not verdict.holds:
        return 1
    return 0 if verdict.whole else EXIT_INCOMPLETE


def verdict_on(path: Path) -> Verdict:
    """Returns the verdict on a recording, or on a season's ledger and the recordings of its games. Raises OSError."""
    if not is_journal(path):
        return Verdict(holds=False, fault=NOT_A_RECORDING)
    try:
        return _verify_season(path) if is_ledger(path) else _verify_recording(path)
    except Refuted as error:
        return Verdict(holds=False, fault=error.what, where=error.where)
    except JournalDamaged as error:
        return Verdict(holds=False, fault=str(error))


def _verify_recording(path: Path) -> Verdict:
    recording = read_journal(path)
    torn = recording.torn_bytes
    cut_caveats = [f"the end is cut off: {torn} bytes of a half-written line prove nothing"] if torn else []
    published = is_published(recording.entries)
    proof = prove_published(recording.entries) if published else verify(recording.entries)
    whole = (proof.finished or (published and not proof.unfinished_hand)) and not cut_caveats
    claims, unproved = list_claims(proof, published=published), list_caveats(proof, published=published)
    return Verdict(holds=True, whole=whole, claims=claims, notes=proof.remarks, open=[*unproved, *cut_caveats])


def _verify_season(path: Path) -> Verdict:
    try:
        return verify_season(path, SeasonFiles(path))
    except OSError as error:
        raise Refuted(str(error)) from None


def _print_verdict(path: Path, verdict: Verdict) -> None:
    if not verdict.holds:
        say(f"{'NOT A RECORDING' if verdict.fault == NOT_A_RECORDING else 'REFUTED'} {path}")
        say(f"  {printable(': '.join(filter(None, (verdict.where, verdict.fault))))}")
        return
    say(f"verified {path}" if verdict.whole else f"verified as far as it goes, but its end is missing: {path}")
    for claim in verdict.claims:
        say(f"  {claim.words}")
    for caveat in verdict.open:
        say(f"  not proved: {caveat}")
    for remark in verdict.notes:
        say(f"  note: {printable(remark)}")

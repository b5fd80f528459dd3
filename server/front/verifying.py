"""`highnoon verify FILE`: what a recording proves, in plain words."""

from pathlib import Path

from server.front.season_proof import Unproved, is_ledger, prove
from server.front.season_store import Store
from server.front.words import hands_in_words, plain, say
from server.histories.proving import ProofOfPlay, is_published, prove_published
from server.journal import JournalDamaged, read_journal
from server.verify import verify
from server.verify_contest import Refuted


def verify_file(path: Path) -> int:
    """0 if the recording holds, 1 if it does not. Raises OSError for a file that cannot be read."""
    if is_ledger(path):
        return verify_season(path)
    try:
        recording = read_journal(path)
        if is_published(recording.entries):
            return _tell_published(path, prove_published(recording.entries))
        proof = verify(recording.entries)
    except (JournalDamaged, Refuted) as error:
        say(f"REFUTED {path}: {error}")
        return 1
    say(f"verified {path}")
    say(f"  {proof.entries} entries, numbered without a gap, every sum fits")
    say(f"  {proof.hands} hands in {proof.games} games: each deck opens its commitment, and playing the hand again")
    say("    with the recorded decisions gives the same events, pots and stacks to the chip")
    if proof.draws:
        say(f"  {proof.draws} seat draws follow from their keys and seat who had to be seated")
    if proof.finished:
        say("  every deck and draw follows from the one seed committed at the opening; places and prizes are right")
    else:
        say("  the tournament is not at its end: seed, places and prizes are not revealed yet")
    for remark in proof.remarks:
        say(f"  note: {plain(remark)}")
    if recording.torn_bytes or proof.unfinished_hand:
        say(f"  the end is cut off: {recording.torn_bytes} bytes of a half-written line and an open hand prove nothing")
    return 0


def _tell_published(path: Path, proof: ProofOfPlay) -> int:
    say(f"verified {path}")
    say(
        f"  {hands_in_words(proof.hands)} others published: playing again with these cards and decisions gives the same"
    )
    if proof.concealed:
        say(f"  in {proof.concealed} of them some cards are not known")
    say("  no deck is committed to: whether the cards fell by chance, nobody can prove")
    return 0


def verify_season(path: Path) -> int:
    """0 if a season's ledger holds, and every game of it. Raises OSError for a file that cannot be read."""
    try:
        proved = prove(path, Store(path.with_suffix("")))
    except (Unproved, OSError) as error:
        say(f"REFUTED {path}: {error}")
        return 1
    say(f"verified {path}")
    for words in proved:
        say(f"  {words}")
    return 0

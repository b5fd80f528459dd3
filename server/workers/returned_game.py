"""Checks a game that was played elsewhere, before anybody believes it, and puts its files where they belong."""

import msgspec

from server.game.events import Entrant, GameStarted, TournamentOpened
from server.journal.atomic_file import keep_whole
from server.journal.journal import Entry, JournalDamaged, read_journal
from server.season.game import duel
from server.season.outcome import GameFiles, GameOutcome, outcome_of
from server.shuffle import commitment
from server.verify.recording import verify
from server.verify.refutation import Refuted, same
from server.workers.orders import GAME_BYTES, NotProved, read_played_game, within


def keep_game(result: bytes, files: GameFiles, entrants: tuple[Entrant, Entrant], seed: bytes) -> GameOutcome:
    """The outcome of the game in a `PlayedGame` that is now kept in `files`.

    Raises NotProved, and then nothing is kept; OSError.

    Proved is what `highnoon verify` proves of any game, that it is between these `entrants` (defender, challenger), and
    that each card follows from `seed`.
    """
    try:
        played = read_played_game(within(result, GAME_BYTES))
    except msgspec.DecodeError as error:
        raise NotProved(str(error)) from None
    unproved = files.journal.with_suffix(".unproved")
    keep_whole(unproved, played.journal)
    try:
        entries = read_journal(unproved).entries
        proof = verify(entries)
        same("that it came to its end", proof.finished, True)
        _check_opening(entries, entrants, seed)
    except (JournalDamaged, Refuted) as error:
        unproved.unlink()
        raise NotProved(str(error)) from None
    logs = ((files.public, played.public), (files.defender, played.defender), (files.challenger, played.challenger))
    for path, text in logs:
        keep_whole(path, text)
    unproved.replace(files.journal)
    return outcome_of((entry.event for entry in entries), files)


def _check_opening(entries: list[Entry], entrants: tuple[Entrant, Entrant], seed: bytes) -> None:
    """Raises Refuted where another game was opened, or one of another length."""
    contest = duel()
    opened = TournamentOpened(
        contest.contest, contest.title, contest.rules, contest.starting_stack, entrants, commitment(seed)
    )
    same("the game", entries[0].event, opened)
    hands = [entry.event.hands for entry in entries if isinstance(entry.event, GameStarted)]
    same("how many rounds it has", hands, [contest.stages[0].hands])

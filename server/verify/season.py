"""Verifies a season from its ledger and its recordings: who played whom, and what that did to the ratings.

Each game of the ledger is verified from its own recording; the draws are, once the seed is published.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from server.game.events import BotRated, GameEnded, GameForfeited, TournamentEnded, TournamentOpened
from server.game.ratings import START
from server.game.tournament import forfeit
from server.journal.journal import Entry, JournalDamaged, read_journal
from server.season.events import (
    BotUploaded,
    DrawBegun,
    GamePaired,
    GameRated,
    GameVoided,
    PlayerEntered,
    SeasonEnded,
    SeasonFact,
    SeasonOpened,
)
from server.season.files import Store
from server.season.pairing import draw_order, near, next_pairing
from server.season.standings import Game, Standings
from server.shuffle import commitment, key_of
from server.text.names_and_chat import never_admitted
from server.verify.claims import Claim, Verdict
from server.verify.recording import verify
from server.verify.refutation import Refuted, key_in


class Unproved(ValueError):
    """The ledger or a recording contradicts itself, the other, or the rules; how, in words."""


def is_ledger(path: Path) -> bool:
    """Whether the file at `path` is a season's ledger. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        file.readline(4096)
        return b'"type":"season_opened"' in file.readline(4096)


def prove(path: Path, store: Store) -> Verdict:
    """Verifies the ledger at `path` and the recordings of its games, which lie in `store`.

    Returns the claims that hold, and what cannot be verified yet. Raises Unproved or Refuted where something is wrong,
    OSError where a file cannot be read.
    """
    try:
        recording = read_journal(path, SeasonFact)
    except JournalDamaged as error:
        raise Unproved(str(error)) from None
    entries = recording.entries
    ended = (entry.event for entry in entries if isinstance(entry.event, SeasonEnded))
    seed = next((key_in(event.seed, "the seed") for event in ended), b"")
    standings = check_ledger(entries, seed)
    hands = sum(_prove_game(store, standings, game, seed) for game in standings.games if game.over and not game.void)
    games = standings.counted - len(standings.open)
    claims = [
        Claim("entries", len(entries), f"{len(entries)} facts, numbered without a gap, every sum fits"),
        Claim("games", games, f"{games} games, {hands} hands: each recording holds, and its ratings are the ledger's"),
        Claim(
            "players", len(standings.players), f"all ratings add up to {len(standings.players)} times {START / 100:g}"
        ),
    ]
    if not seed:
        unproved = "the season is not over: who was drawn against whom cannot be proved before its seed is told"
        return Verdict(holds=True, claims=claims, open=[unproved])
    drawn = "every opponent and every card follow from the one seed committed at the opening"
    whole = not recording.torn_bytes
    return Verdict(holds=True, whole=whole, claims=[*claims, Claim("draws", standings.draw, drawn)])


def check_ledger(entries: Sequence[Entry], seed: bytes) -> Standings:
    """The state of the season after all `entries`, each checked; with the `seed` (b"": unknown) also the draws.

    Raises Unproved where an entry cannot follow from those before it.
    """
    standings = Standings()
    for entry in entries:
        try:
            _check(standings, entry, seed)
            standings.take(entry.event, entry.at_ms)
        except (KeyError, IndexError, ValueError) as error:
            raise Unproved(f"fact {entry.seq}: {error}") from None
        if sum(player.rating for player in standings.players.values()) != START * len(standings.players):
            raise Unproved(f"fact {entry.seq}: the ratings do not add up")
    return standings


def _check(standings: Standings, entry: Entry, seed: bytes) -> None:
    match entry.event:
        case SeasonOpened() if entry.seq > 1:
            raise Unproved("the season is opened twice")
        case SeasonOpened(seed_commitment=committed) if seed:
            _same("the commitment to the seed", committed, commitment(seed))
        case PlayerEntered(name=name) | BotUploaded(name=name):
            if why := never_admitted(name):
                raise Unproved(f"the name was never admitted: {why}")
        case DrawBegun(draw=draw, order=order):
            _same("the number of the draw", draw, standings.draw + 1)
            _same("who is in the draw", sorted(order), sorted(standings.active()))
            if seed:
                _same("the order of the draw", order, draw_order(seed, draw, order))
        case GamePaired():
            _check_pairing(standings, entry.event, seed)
        case GameRated(game=number) | GameVoided(game=number):
            game = standings.game(number)
            if game is None or game.over:
                raise Unproved(f"game {number} is over already, or was never paired")
        case _:
            pass


def _check_pairing(standings: Standings, paired: GamePaired, seed: bytes) -> None:
    _same("the number of the game", paired.game, len(standings.games) + 1)
    defender, challenger = (standings.players[standings.uploads[upload].player] for upload in paired.uploads)
    _same("the uploads", paired.uploads, (defender.active, challenger.active))
    _same("the ratings", paired.ratings, (defender.rating, challenger.rating))
    ranking, busy = standings.ranking(), standings.busy()
    if defender.number not in near(ranking, challenger.number) or {defender.number, challenger.number} & busy:
        raise Unproved(f"game {paired.game} should not have been paired")
    if seed:
        drawn = next_pairing(seed, paired.game, standings.turns, ranking, busy)
        wanted = (drawn.defender, drawn.challenger) if drawn else None
        _same("the pair that was drawn", (defender.number, challenger.number), wanted)


def _prove_game(store: Store, standings: Standings, game: Game, seed: bytes) -> int:
    """How many hands its recording proves. Raises Unproved, OSError."""
    path = store.game(game.number).journal
    try:
        entries = read_journal(path).entries
        proof = verify(entries)
        _same("that it came to its end", proof.finished, True)
        _same("its own seed", _seed(entries), key_of(seed, f"game {game.number}").hex() if seed else _seed(entries))
        _same("its outcome", _outcome(entries), (game.players, game.before, game.after, game.stacks))
        _same("its bots", _names(entries), [standings.uploads[upload].name for upload in game.uploads])
    except (JournalDamaged, Refuted, Unproved) as error:
        raise Unproved(f"{path}: {error}") from None
    return proof.hands


def _outcome(entries: Iterable[Entry]) -> tuple[Sequence[int], ...]:
    """Players, ratings before and after, and final chips, as the recording of a game has them."""
    players, before, after, stacks, lost = [0, 0], [0, 0], [0, 0], [0, 0], -1
    for entry in entries:
        match entry.event:
            case TournamentOpened(entrants=entrants):
                players, before = [each.bot for each in entrants], [each.rating for each in entrants]
                after = list(before)
            case GameForfeited(seat=seat):
                lost = seat
            case GameEnded(stacks=chips):
                stacks = list(chips if lost < 0 else forfeit(lost, list(chips)))
            case BotRated(bot=bot, rating=rating):
                after[players.index(bot)] = rating
            case _:
                pass
    return tuple(map(tuple, (players, before, after, stacks)))


def _names(entries: Sequence[Entry]) -> list[str]:
    opened = entries[0].event
    return [entrant.name for entrant in opened.entrants] if isinstance(opened, TournamentOpened) else []


def _seed(entries: Sequence[Entry]) -> str:
    ended = entries[-1].event
    return ended.seed if isinstance(ended, TournamentEnded) else ""


def _same(what: str, recorded: object, right: object) -> None:
    if recorded != right:
        raise Unproved(f"{what} is {recorded}, but should be {right}")

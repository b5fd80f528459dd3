"""Verifies a season from its ledger (its journal) and the recordings of its games: the opponents, games and ratings.

Each game is verified from its recording. Once the seed is published, the draws of opponents are verified from the seed.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from server.game.events import BotRated, Event, GameEnded, GameForfeited, TournamentEnded, TournamentOpened
from server.game.ratings import STARTING_RATING, rating_change
from server.game.tournament import stacks_after_forfeit
from server.journal.journal import Entry, JournalDamaged, read_journal
from server.season import events as facts
from server.season.files import SeasonFiles
from server.season.pairing import draw_order, next_pairing, players_nearby
from server.season.season_state import Game, Standings
from server.shuffle import commitment, key_of
from server.text.regular_file import open_regular
from server.verify.claims import Claim, Verdict
from server.verify.recording import verify
from server.verify.refutation import Refuted, check_name, expect_equal, parse_key, prove_entries


def is_ledger(path: Path) -> bool:
    """Whether the file at `path` is a season's ledger. Raises OSError."""
    with open_regular(path) as file:
        file.readline(4096)
        return b'"type":"season_opened"' in file.readline(4096)


def verify_season(path: Path, store: SeasonFiles) -> Verdict:
    """Verifies the ledger at `path` and the recordings of its games in `store`.

    Returns a verdict with the proved claims, and with the claims that cannot be proved yet. Raises Refuted if something
    is wrong, JournalDamaged if the ledger was altered, and OSError if it cannot be read.
    """
    recording = read_journal(path, facts.SeasonEvent)
    entries = recording.entries
    end_events = (entry.event for entry in entries if isinstance(entry.event, facts.SeasonEnded))
    seed_hex = next((event.seed for event in end_events), "")
    standings = prove_entries(entries, lambda opened: LedgerChecker(opened, seed_hex)).standings
    seed = bytes.fromhex(seed_hex)
    hands = sum(
        _prove_game(store, standings, game, seed) for game in standings.games if game.over and not game.void_reason
    )
    games = standings.counted_games - len(standings.open_games)
    claims = [
        Claim("entries", len(entries), f"{len(entries)} facts: numbered without a gap, and every checksum is valid"),
        Claim("games", games, f"{games} games, {hands} hands: each recording is proved and has the ledger's ratings"),
        Claim(
            "players",
            len(standings.players),
            f"all ratings add up to {len(standings.players)} times {STARTING_RATING / 100:g}",
        ),
    ]
    if not seed:
        unproved = "the season is not over: the draws of opponents cannot be proved before its seed is revealed"
        return Verdict(holds=True, claims=claims, open=[unproved])
    drawn = "all opponents and all cards follow from the one seed that was sealed at the opening"
    whole = not recording.torn_bytes
    return Verdict(holds=True, whole=whole, claims=[*claims, Claim("draws", standings.draw, drawn)])


def check_ledger(entries: Iterable[Entry], seed: bytes) -> Standings:
    """Checks `entries`. Returns the season's state after the last entry. If the seed is not known yet, `seed` is b"",
    and the draws are not compared with the seed.

    Raises Refuted if an entry cannot follow the entries before it.
    """
    return prove_entries(entries, lambda opened: LedgerChecker(opened, seed.hex())).standings


class LedgerChecker:
    """Checks the ledger of a season entry by entry."""

    def __init__(self, opened: Event, seed: str) -> None:
        """`opened` is the first event. `seed` is in hexadecimal, or "" if it is unknown. Raises Refuted if the seed
        does not match the hash in `opened`.
        """
        if not isinstance(opened, facts.SeasonOpened):
            raise Refuted("the recording does not begin with the opening of a season")
        self._seed = parse_key(seed, "the seed")
        if self._seed:
            expect_equal("the seal of the seed", opened.seed_commitment, commitment(self._seed))
        self.standings = Standings()
        self.standings.apply(opened, 0)

    @property
    def where(self) -> str:
        games = self.standings.games
        return f"game {len(games)} of the season" if games else ""

    def apply(self, entry: Entry) -> None:
        self._check(entry.event)
        self.standings.apply(entry.event, entry.at_ms)

    def _check(self, fact: Event) -> None:
        match fact:
            case facts.SeasonOpened():
                raise Refuted("the season is opened twice")
            case facts.PlayerEntered(name=name) | facts.BotUploaded(name=name):
                check_name(name, "the name")
            case facts.DrawBegun():
                self._check_draw(fact)
            case facts.GamePaired():
                self._check_pairing(fact)
            case facts.GameRated():
                self._check_rating(fact)
            case facts.GameVoided(game=number):
                self._find_open_game(number)

    def _check_draw(self, fact: facts.DrawBegun) -> None:
        expect_equal("the number of the draw", fact.draw, self.standings.draw + 1)
        expect_equal("who is in the draw", sorted(fact.order), sorted(self.standings.ranking()))
        if self._seed:
            expect_equal("the order of the draw", fact.order, draw_order(self._seed, fact.draw, fact.order))

    def _check_pairing(self, fact: facts.GamePaired) -> None:
        standings = self.standings
        expect_equal("the number of the game", fact.game, len(standings.games) + 1)
        defender, challenger = (standings.players[standings.uploads[upload].player] for upload in fact.uploads)
        expect_equal("the versions that play", fact.uploads, (defender.active, challenger.active))
        expect_equal("the ratings before the game", fact.ratings, (defender.rating, challenger.rating))
        ranking, busy_players = standings.ranking(), standings.busy_players()
        if (
            defender.number not in players_nearby(ranking, challenger.number)
            or {defender.number, challenger.number} & busy_players
        ):
            raise Refuted(f"game {fact.game} should not have been paired")
        if self._seed:
            drawn_pair = next_pairing(self._seed, fact.game, standings.challengers_left, ranking, busy_players)
            expect_equal("the pair that was drawn", (defender.number, challenger.number), drawn_pair)

    def _check_rating(self, fact: facts.GameRated) -> None:
        defender, challenger = self._find_open_game(fact.game).ratings_before
        chips = sum(fact.stacks)
        gained = rating_change(defender, challenger, fact.stacks[0] / chips) if chips else 0
        expect_equal("the ratings after the game", fact.ratings, (defender + gained, challenger - gained))

    def _find_open_game(self, number: int) -> Game:
        """Returns game `number`. Raises Refuted if this game is not in progress."""
        game = self.standings.game(number)
        if game is None or game.over:
            raise Refuted(f"game {number} is over already, or was never paired")
        return game


def _prove_game(store: SeasonFiles, standings: Standings, game: Game, seed: bytes) -> int:
    """Verifies the recording of a game, and compares it with the ledger. Returns how many hands the game had.

    Raises Refuted or OSError.
    """
    path = store.game_files(game.number).journal
    try:
        entries = read_journal(path).entries
        proof = verify(entries)
        expect_equal("whether it is complete", proof.finished, True)
        names, outcome, own_seed = _read_outcome(entries)
        expect_equal("its own seed", own_seed, key_of(seed, f"game {game.number}").hex() if seed else own_seed)
        expect_equal("its outcome", outcome, (game.players, game.ratings_before, game.ratings_after, game.stacks))
        expect_equal("its bots", names, [standings.uploads[upload].name for upload in game.uploads])
    except (JournalDamaged, Refuted) as error:
        raise Refuted(f"{path}: {error}") from None
    return proof.hands


def _read_outcome(entries: Iterable[Entry]) -> tuple[list[str], tuple[Sequence[int], ...], str]:
    """Reads the journal of a season's game. Returns the bots' names, the outcome and the seed. The outcome has the
    players, the ratings before and after the game, and the final chips.
    """
    names, seed = list[str](), ""
    players, ratings_before, ratings_after, stacks, forfeited_seat = [0, 0], [0, 0], [0, 0], [0, 0], -1
    for entry in entries:
        match entry.event:
            case TournamentOpened(entrants=entrants):
                names, players = [entrant.name for entrant in entrants], [entrant.bot for entrant in entrants]
                ratings_before = [entrant.rating for entrant in entrants]
                ratings_after = list(ratings_before)
            case GameForfeited(seat=seat):
                forfeited_seat = seat
            case GameEnded(stacks=chips):
                stacks = list(chips if forfeited_seat < 0 else stacks_after_forfeit(forfeited_seat, list(chips)))
            case BotRated(bot=bot, rating=rating):
                ratings_after[players.index(bot)] = rating
            case TournamentEnded(seed=digits):
                seed = digits
    return names, tuple(map(tuple, (players, ratings_before, ratings_after, stacks))), seed

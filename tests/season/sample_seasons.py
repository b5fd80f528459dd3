"""Makes up seasons. Pairings and ratings are computed as in a real season, but results are random: no bot plays."""

import random
from collections.abc import Sequence
from pathlib import Path

from server.game.events import Event
from server.game.ratings import rating_change
from server.journal.journal import Entry
from server.season import events
from server.season.files import SeasonFiles
from server.season.outcome import STARTING_CHIPS
from server.season.pairing import draw_order, next_pairing
from server.season.player_secrets import seal_of_secret
from server.season.season_state import Game, Standings
from server.shuffle import commitment
from tests.support.games.recordings import write

SEED = bytes(range(32))
HOSTILE_NAME = "<b>Bob</b> & 'co'"


def secret_of(player: int) -> str:
    return f"secret of player {player}"


def make_season(players: int, games: int, *, dice: random.Random, at_once: int = 2) -> list[Event]:
    season: list[Event] = [events.SeasonOpened("A season made up", commitment(SEED))]
    for number in range(1, players + 1):
        season.append(events.PlayerEntered(number, f"Player {number}", seal_of_secret(secret_of(number))))
        season.append(events.BotUploaded(number, number, HOSTILE_NAME if number == 2 else f"Bot {number}"))
        season += (events.BotBuilt(number), events.BotTested(number), events.BotActivated(number))
    standings = Standings()
    for number, event in enumerate(season):
        standings.apply(event, number)
    while not standings.seed:  # the seed becomes public when the season ends
        season.append(_next_event(standings, games, dice, at_once))
        standings.apply(season[-1], len(season) - 1)
    return season


def entries_of(season: Sequence[Event]) -> list[Entry]:
    return [Entry(number, number * 10, event) for number, event in enumerate(season, 1)]


def write_ledger(path: Path, season: Sequence[Event]) -> None:
    write(path, entries_of(season))


def write_logs(store: SeasonFiles, game: int) -> None:
    files = store.game_files(game)
    files.public_log.parent.mkdir(parents=True, exist_ok=True)
    files.public_log.write_text("[0] System > round 1/100\n[1] Defender < <script>alert(1)</script>\n")
    for side, path in (("defender", files.defender_log), ("challenger", files.challenger_log)):
        path.write_text(f"what only the {side} knows\n")


def _next_event(standings: Standings, games: int, dice: random.Random, at_once: int) -> Event:
    """Returns the first possible of these: a new game, a game's end, a new draw (round of games), the season's end."""
    if standings.counted_games < games and len(standings.open_games) < at_once:
        number = len(standings.games) + 1
        if pair := next_pairing(
            SEED, number, standings.challengers_left, standings.ranking(), standings.busy_players()
        ):
            defender, challenger = (standings.players[player] for player in pair)
            ratings = (defender.rating, challenger.rating)
            return events.GamePaired(number, standings.draw, (defender.active, challenger.active), ratings)
    if standings.open_games:
        return _random_end(standings.games[dice.choice(sorted(standings.open_games)) - 1], dice)
    if standings.counted_games < games:
        return events.DrawBegun(standings.draw + 1, draw_order(SEED, standings.draw + 1, standings.ranking()))
    return events.SeasonEnded(SEED.hex())


def _random_end(game: Game, dice: random.Random) -> Event:
    if dice.random() < 0.01:
        return events.GameVoided(game.number, "the disk failed")
    chips = dice.choice([0, 2 * STARTING_CHIPS, STARTING_CHIPS, dice.randint(0, 2 * STARTING_CHIPS)])
    is_forfeited = chips in (0, 2 * STARTING_CHIPS) and dice.random() < 0.1
    rating_gained = rating_change(*game.ratings_before, chips / (2 * STARTING_CHIPS))
    ratings_after = game.ratings_before[0] + rating_gained, game.ratings_before[1] - rating_gained
    stacks = (chips, 2 * STARTING_CHIPS - chips)
    if is_forfeited:
        return events.GameRated(game.number, stacks, ratings_after, 100, stacks.index(0), "timeout", "too late")
    return events.GameRated(game.number, stacks, ratings_after, 100)

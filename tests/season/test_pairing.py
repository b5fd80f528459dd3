"""In a season, players take turns to challenge opponents of similar rating, and play one game at a time."""

import random
from collections import Counter, defaultdict

import pytest

from server.game.ratings import STARTING_RATING
from server.season.events import BotActivated, BotUploaded, GamePaired, GameRated
from server.season.pairing import MAX_PLACES_APART, draw_order, next_pairing, players_by_rating, players_nearby
from server.season.standings import LAST_GAMES, MAX_POINTS, Player, Standings
from tests.season.sample_seasons import SEED, played


def test_opponent_is_another_free_bot_within_five_places() -> None:
    dice = random.Random("ladders")
    for number in range(1, 300):
        players = range(1, dice.randint(2, 30))
        ranking = players_by_rating({player: STARTING_RATING + dice.randint(-500, 500) for player in players})
        busy = {player for player in players if dice.random() < 0.4}
        turns = draw_order(SEED, number, players)
        pair = next_pairing(SEED, number, turns, ranking, busy)
        able = [player for player in turns if player not in busy and set(players_nearby(ranking, player)) - busy]
        assert (pair[1] if pair else 0) == (able[0] if able else 0)
        if pair:
            defender, challenger = pair
            assert defender != challenger
            assert not {defender, challenger} & busy
            assert abs(ranking.index(defender) - ranking.index(challenger)) <= MAX_PLACES_APART


def test_every_opponent_within_five_places_is_equally_likely() -> None:
    pairs = (next_pairing(SEED, game, [10], range(1, 21), ()) for game in range(1, 2001))
    drawn = Counter(pair[0] for pair in pairs if pair)
    assert sorted(drawn) == [5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
    assert all(150 < count < 250 for count in drawn.values())


@pytest.mark.parametrize(("players", "at_once"), [(2, 1), (7, 2), (24, 6)])
def test_each_bot_challenges_once_in_each_draw_and_is_in_one_game_at_a_time(players: int, at_once: int) -> None:
    standings, challenged = Standings(), Counter[tuple[int, int]]()
    for at, fact in enumerate(played(players, players * 12, dice=random.Random(players), at_once=at_once)):
        if isinstance(fact, GamePaired):
            pair = [standings.uploads[upload].player for upload in fact.uploads]
            assert len({*pair}) == 2
            assert not {*pair} & standings.busy_players()
            challenged[fact.draw, pair[1]] += 1
        standings.apply(fact, at)
        assert len(standings.open_games) <= at_once
    assert set(challenged.values()) == {1}
    assert len(challenged) == len(standings.games)
    in_finished_draws = [player for draw, player in challenged if draw < standings.draw]
    assert set(Counter(in_finished_draws).values()) == {standings.draw - 1}


def test_new_version_keeps_its_players_rating() -> None:
    standings, versions = Standings(), (BotUploaded(4, 1, "Bot 1, better"), BotActivated(4))
    facts = played(3, 20, dice=random.Random("versions"))[:-1]
    for at, fact in enumerate(facts):
        standings.apply(fact, at)
    rating, ladder = standings.players[1].rating, list(standings.leaderboard)
    for fact in versions:
        standings.apply(fact, 999)
    assert (standings.players[1].rating, standings.leaderboard, standings.players[1].active) == (rating, ladder, 4)


def test_rated_game_gives_each_player_its_own_new_rating_and_places_risen_count_over_ten_games() -> None:
    standings, places = Standings(), defaultdict[int, list[int]](list)
    for at, fact in enumerate(played(7, 120, dice=random.Random(120))):
        standings.apply(fact, at)
        if isinstance(fact, GameRated):
            players = standings.games[fact.game - 1].players
            assert tuple(standings.players[number].rating for number in players) == fact.ratings
            for number in players:
                places[number].append(standings.place(number))
    for number, player in standings.players.items():
        assert standings.places_risen(player) == places[number][-1 - LAST_GAMES] - standings.place(number)


def test_rating_history_has_a_limited_number_of_points() -> None:
    player = Player(1, "Ann", "", ratings=[STARTING_RATING + games for games in range(20_001)])
    points = player.rating_history()
    assert MAX_POINTS // 2 - 2 < len(points) <= MAX_POINTS + 1
    assert (points[0], points[-1]) == ((0, STARTING_RATING), (20_000, STARTING_RATING + 20_000))
    assert points == sorted(points)

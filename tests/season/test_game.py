"""In a season, programs play games of UPAC over pipes. Each game has a recording and logs, and changes two ratings."""

import asyncio
import random
import re
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path

import pytest

from server.bots.sandbox.box_limits import PIPED_LOG_BYTES
from server.bots.sandbox.process import LocalProcess
from server.bots.sandbox.runner import CannotRun, PipedBox
from server.contests.upac.venue.venue import start_house_bot
from server.game.events import Entrant, Event, FaultNoted, HandStarted
from server.game.ratings import STARTING_RATING
from server.journal.journal import read_journal
from server.season.events import BotActivated, BotUploaded, GamePaired, GameRated
from server.season.game_log import MAX_LINE_CHARACTERS, MAX_LOG_BYTES, GameLog
from server.season.outcome import GameOutcome
from server.season.pairing import MAX_PLACES_APART, draw_order, next_pairing, players_by_rating
from server.season.play_game import Contender, play_game
from server.season.season_state import LAST_GAMES, MAX_POINTS, Player, Standings
from server.verify.claims import Proof
from server.verify.recording import verify
from tests.season.sample_seasons import SEED, make_season

PATIENT_MS = 60_000


def on_its_turn(act: str, *, at_the_end: str = ":") -> str:
    """Returns a shell program that runs `act` whenever the bot must act, and `at_the_end` after each round."""
    on_turn = f"n=$((n + 1)); echo asked $n >&2; {act}"
    return f"while read word rest; do case $word in STACK) {on_turn};; END) {at_the_end};; esac; done; exit 1"


CALLING_BOT = on_its_turn("echo C")
ABORTING_BOT = on_its_turn("echo C", at_the_end="kill -ABRT $$")
WHAT_AN_ACTION_IS = "an action is F, C, or R followed by a whole number, such as R6, on a line of its own"
# Below, a bot that times out has 1 s for its first action, and 0.5 s more because it has just been started.
NO_LINE_END = "the end of its message did not arrive within 1.5 s, 0.5 of them for its start; it began 'C'"
NO_ANSWER = "no answer within 1.5 s, 0.5 of them for its start"
LOSING_BOTS = {  # for each misbehaviour: the bot's program, the kind of fault, and the beginning of the reason given
    "ends at once": ("exit 7", "disconnected", "ended with status 7"),
    "aborts after a round": (ABORTING_BOT, "disconnected", "crashed (it aborted)"),
    "closes its output": (on_its_turn("exec sleep 60 >&-"), "disconnected", "closed its standard output"),
    "floods": (on_its_turn("exec tr '\\0' C </dev/zero"), "malformed", f"an invalid action: {WHAT_AN_ACTION_IS[:59]}"),
    "says X": (on_its_turn("echo X"), "malformed", f"an invalid action: {WHAT_AN_ACTION_IS}, not 'X'"),
    "is silent": (on_its_turn("exec sleep 60"), "timeout", f"{NO_ANSWER}, and nothing at all before"),
    "has no line end": (on_its_turn("printf C"), "timeout", NO_LINE_END),
    "never reads": ("exec sleep 60", "timeout", NO_ANSWER),
    "is missing": ("", "disconnected", "could not be started: its folder is missing"),
}
HARMLESS_BOTS = {
    "starts slowly": f"sleep 1.5; {CALLING_BOT}",
    "floods its log": f"echo first >&2; yes noise | head -c 3000000 >&2; {CALLING_BOT}",
    "speaks first": f"echo C; echo C; {CALLING_BOT}",
    "answers twice": on_its_turn("echo C; echo C"),
    "aborts after the last round": ABORTING_BOT,
    "exits with 1 when its input closes": CALLING_BOT,
}


def broken_bot(bot: int, program: str, processes: list[LocalProcess]) -> Contender:
    async def start(log: Path) -> PipedBox:
        if not program:
            raise CannotRun("its folder is missing")
        processes.append(LocalProcess(["/bin/sh", "-c", program], log))
        return processes[-1]

    return Contender(Entrant(bot, "Broken"), start)


def prove(outcome: GameOutcome) -> tuple[Proof, list[Event]]:
    entries = read_journal(outcome.files.journal).entries
    return verify(entries), [entry.event for entry in entries]


def test_game_has_100_rounds_a_public_log_and_ratings_by_the_share_of_chips(tmp_path: Path) -> None:
    def make_house_bot(bot: int, style: str, rating: int) -> Contender:
        async def start(log: Path) -> PipedBox:
            return start_house_bot(style, f"{bot}", log)

        return Contender(Entrant(bot, style.title(), rating=rating), start)

    defender, challenger = make_house_bot(4, "careful", 1000_00), make_house_bot(9, "calling", 1010_00)
    journal = tmp_path / "game-1.jsonl"
    outcome = asyncio.run(play_game(defender, challenger, seed=SEED, journal=journal, think_ms=PATIENT_MS))
    assert sum(outcome.stacks) == 100
    assert outcome.rounds == 100 or 0 in outcome.stacks
    assert (outcome.forfeited, outcome.fault, outcome.reason) == ("", "", "")
    proof, events = prove(outcome)
    assert (proof.games, proof.hands, proof.finished) == (1, outcome.rounds, True)
    buttons = [event.button for event in events if isinstance(event, HandStarted)]
    assert buttons == [number % 2 for number in range(outcome.rounds)], "the defender must have the small blind first"
    expected_share = 1 / (1 + 10 ** ((1010 - 1000) / 400))
    gained = round(1200 * (outcome.stacks[0] / 100 - expected_share))
    assert outcome.ratings == (1000_00 + gained, 1010_00 - gained), "ratings must change by Elo's formula with K = 12"
    lines = outcome.files.public_log.read_text().splitlines()
    assert all(re.fullmatch(r"\[\d+\] (System >|(Defender|Challenger) [<>]) .+", line) for line in lines)
    times = [int(line[1 : line.index("]")]) for line in lines]
    assert times == sorted(times)
    messages = [line.partition("] ")[2] for line in lines]
    assert messages[0] == "System > round 1/100"
    assert {"Defender < START SB", "Challenger < START BB"} <= set(messages[:5])
    assert sum(message.startswith("System > round") for message in messages) == outcome.rounds
    assert messages[-1] == f"System > Defender {outcome.stacks[0]}, Challenger {outcome.stacks[1]}"
    for side in ("Defender", "Challenger"):
        requests = sum(message.startswith(f"{side} < STACK") for message in messages)
        assert requests == sum(bool(re.fullmatch(rf"{side} > (F|C|R\d+)", message)) for message in messages)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, GameOutcome]:
    """The outcome of a game for each key of LOSING_BOTS and HARMLESS_BOTS. The opponent is a bot that always calls."""
    folder, processes = tmp_path_factory.mktemp("games"), list[LocalProcess]()
    programs = {misbehaviour: program for misbehaviour, (program, _, _) in LOSING_BOTS.items()} | HARMLESS_BOTS

    async def play_misbehaving(misbehaviour: str) -> GameOutcome:
        think_ms, start_ms = (1000, 500) if LOSING_BOTS.get(misbehaviour, ("", ""))[1] == "timeout" else (PATIENT_MS, 0)
        contenders = broken_bot(1, programs[misbehaviour], processes), broken_bot(2, CALLING_BOT, processes)
        journal, rounds = folder / f"{misbehaviour}.jsonl", 1 if misbehaviour == "aborts after the last round" else 3
        return await play_game(
            *contenders, seed=SEED, journal=journal, rounds=rounds, think_ms=think_ms, start_ms=start_ms
        )

    async def play_all() -> dict[str, GameOutcome]:
        outcomes = await asyncio.gather(*map(play_misbehaving, programs))
        async with asyncio.timeout(60):  # without this limit, a program that was not stopped would block the test
            await asyncio.gather(*(process.wait_for_exit() for process in processes))
        return dict(zip(programs, outcomes, strict=True))

    return asyncio.run(play_all())


@pytest.mark.parametrize("misbehaviour", LOSING_BOTS)
def test_bot_loses_a_game_by_a_crash_a_late_action_or_an_invalid_action(
    games: dict[str, GameOutcome], misbehaviour: str
) -> None:
    outcome = games[misbehaviour]
    _, fault, reason = LOSING_BOTS[misbehaviour]
    assert (outcome.forfeited, outcome.fault, outcome.stacks) == ("defender", fault, (0, 100))
    assert outcome.reason.startswith(reason)
    assert prove(outcome)[0].finished
    last_line = outcome.files.public_log.read_text().splitlines()[-1]
    public_reason = reason.partition(":")[0] if fault == "disconnected" else fault
    assert last_line.endswith(f"System > Defender loses the game ({public_reason}); Defender 0, Challenger 100")


@pytest.mark.parametrize("oddity", HARMLESS_BOTS)
def test_bot_does_not_lose_a_game_by_a_harmless_oddity(games: dict[str, GameOutcome], oddity: str) -> None:
    outcome = games[oddity]
    assert (outcome.forfeited, outcome.reason) == ("", "")
    assert outcome.rounds == (1 if "last round" in oddity else 3) or 0 in outcome.stacks
    proof, events = prove(outcome)
    assert proof.finished
    faults = [event.detail for event in events if isinstance(event, FaultNoted)]
    unrequested = {"answers twice": 2, "speaks first": 1}.get(oddity, 0)
    assert len(faults) >= unrequested, "an action that was not requested must be recorded, but must cost no game"
    assert not unrequested or "an action that was not requested" in faults


def test_stderr_of_a_bot_is_only_in_its_own_log(games: dict[str, GameOutcome]) -> None:
    files = games["floods its log"].files
    log = files.defender_log.read_bytes()
    assert log.startswith(b"first\nnoise")
    assert log.rstrip().endswith(b"asked 3") or b"left out" in log
    assert len(log) <= PIPED_LOG_BYTES + 100
    for path in (files.public_log, files.journal, files.challenger_log):
        assert b"noise" not in path.read_bytes()


def test_each_line_of_a_bots_log_has_its_time(tmp_path: Path) -> None:
    now = [100.0]
    log = GameLog(tmp_path / "game.log", lambda: now[0])
    record = log.record("Defender")
    log.add_system_line("round 1/100")
    record.record(">", b"START SB\n")
    now[0] += 0.012
    record.record(">", b"STACK 1 50 2 50\n")
    now[0] += 1
    for piece in (b" R", b"6\r\n\n\x1b[2J", "ü\n".encode(), b"x" * 500, b"\nC"):
        record.record("<", piece)
    log.close()
    resumed_log = GameLog(tmp_path / "game.log", lambda: 0.0)
    resumed_log.add_system_line("round 2/100")
    resumed_log.close()
    assert (tmp_path / "game.log").stat().st_mode & 0o777 == 0o600, "only the owner of the file may read it"
    assert (tmp_path / "game.log").read_text().splitlines() == [
        "[0] System > round 1/100",
        "[0] Defender < START SB",
        "[12] Defender < STACK 1 50 2 50",
        "[1012] Defender > R6",
        "[1012] Defender > ?[2Jü",
        f"[1012] Defender > {'x' * (MAX_LINE_CHARACTERS - 1)}…",
        "[0] System > round 2/100",
    ]


def test_endless_output_of_a_bot_is_cut_off(tmp_path: Path) -> None:
    log = GameLog(tmp_path / "game.log", lambda: 0.0)
    record = log.record("Challenger")
    for _ in range(100):
        record.record("<", b"noise\n" * 1000)
    log.add_system_line("Challenger loses the game")
    log.close()
    content = (tmp_path / "game.log").read_bytes()
    assert MAX_LOG_BYTES / 2 < len(content) < 1.5 * MAX_LOG_BYTES  # MAX_LOG_BYTES is an approximate limit
    assert content.endswith(b"[0] System > Challenger loses the game\n")


def test_first_free_player_challenges_a_free_opponent_within_five_places() -> None:
    dice = random.Random("ladders")
    for number in range(1, 300):
        players = range(1, dice.randint(2, 30))
        ranking = players_by_rating({player: STARTING_RATING + dice.randint(-500, 500) for player in players})
        place = {player: place for place, player in enumerate(ranking)}
        busy = {player for player in players if dice.random() < 0.4}
        turn_order = draw_order(SEED, number, players)
        free = [player for player in turn_order if player not in busy]
        pairs = [pair for pair in permutations(free, 2) if abs(place[pair[0]] - place[pair[1]]) <= MAX_PLACES_APART]
        match next_pairing(SEED, number, turn_order, ranking, busy):
            case (defender, challenger):
                assert (challenger, defender) in pairs
                assert challenger == pairs[0][0]
            case None:
                assert not pairs


def test_every_opponent_within_five_places_is_equally_likely() -> None:
    pairs = (next_pairing(SEED, game, [10], range(1, 21), ()) for game in range(1, 2001))
    opponent_counts = Counter(pair[0] for pair in pairs if pair)
    assert sorted(opponent_counts) == [5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
    assert all(150 < count < 250 for count in opponent_counts.values())


@pytest.mark.parametrize(("players", "at_once"), [(2, 1), (7, 2), (24, 6)])
def test_each_bot_challenges_once_in_each_draw(players: int, at_once: int) -> None:
    standings, challenge_counts = Standings(), Counter[tuple[int, int]]()
    for number, event in enumerate(make_season(players, players * 12, dice=random.Random(players), at_once=at_once)):
        if isinstance(event, GamePaired):
            pair = [standings.uploads[upload].player for upload in event.uploads]
            assert len({*pair}) == 2
            assert not {*pair} & standings.busy_players()
            challenge_counts[event.draw, pair[1]] += 1
        standings.apply(event, number)
        assert len(standings.open_games) <= at_once
    assert set(challenge_counts.values()) == {1}
    assert len(challenge_counts) == len(standings.games)
    in_finished_draws = [player for draw, player in challenge_counts if draw < standings.draw]
    assert set(Counter(in_finished_draws).values()) == {standings.draw - 1}


def test_new_version_keeps_its_players_rating() -> None:
    standings = Standings()
    for number, event in enumerate(make_season(3, 20, dice=random.Random("versions"))[:-1]):
        standings.apply(event, number)
    rating, leaderboard = standings.players[1].rating, list(standings.leaderboard)
    for event in (BotUploaded(4, 1, "Bot 1, better"), BotActivated(4)):
        standings.apply(event, 999)
    assert (standings.players[1].rating, standings.players[1].active) == (rating, 4)
    assert standings.leaderboard == leaderboard


def test_ranking_has_ratings_and_places_gained_in_ten_games() -> None:
    standings, places = Standings(), defaultdict[int, list[int]](list)
    for number, event in enumerate(make_season(7, 120, dice=random.Random(120))):
        standings.apply(event, number)
        if isinstance(event, GameRated):
            players = standings.games[event.game - 1].players
            assert tuple(standings.players[player].rating for player in players) == event.ratings
            for player in players:
                places[player].append(standings.place(player))
    for number, player_standings in standings.players.items():
        assert standings.places_risen(player_standings) == places[number][-1 - LAST_GAMES] - standings.place(number)


def test_rating_history_has_a_limited_number_of_points() -> None:
    player = Player(1, "Ann", "", ratings=[STARTING_RATING + games for games in range(20_001)])
    points = player.rating_history()
    assert MAX_POINTS // 2 - 2 < len(points) <= MAX_POINTS + 1  # MAX_POINTS: how many points the graph may have
    assert (points[0], points[-1]) == ((0, STARTING_RATING), (20_000, STARTING_RATING + 20_000))
    assert points == sorted(points)

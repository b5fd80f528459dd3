"""Practice games are played in several processes; if a process dies, only its games are lost."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.bots.sandbox.process_tree import descendants
from server.game.events import ActionTaken, ChatSent, FaultNoted
from tests.practice.test_tcp_games import SampleBot, register
from tests.support.games.recordings import practised
from tests.support.program import Running, command_of, serving_program

PROCESS = b"server.app.practice.games.process"


@pytest.fixture
def practice(tmp_path: Path) -> Iterator[Running]:
    with serving_program("practice", "--speed", "0", "--workers", "2", "--data", str(tmp_path)) as program:
        yield program


def enter(program: Running, name: str) -> tuple[int, str]:
    reply = register(program, name=name, test_game_size=2, test_hand_count=1)
    return reply["port_number"], reply["watch_url"].partition("channel=")[2]


def seat(port: int) -> SampleBot:
    bot = SampleBot(port)
    assert bot.listen()[-1]["command"] == "request_action"
    return bot


def fold_to_the_end(bot: SampleBot) -> None:
    bot.send(command="take_action", action="fold")
    while bot.listen():
        pass
    bot.socket.close()
    assert "hand_result" in [message["command"] for message in bot.heard]


def find_game_process(program: Running, channel: str) -> int:
    """The process that plays the game on a channel, which is the process that has the game's recording open."""
    players = [child for child in descendants(program.process.pid) if PROCESS in command_of(child)]
    (player,) = (
        each
        for each in players
        if any(f"-{channel}-" in str(file.readlink()) for file in Path(f"/proc/{each}/fd").iterdir())
    )
    return player


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_only_the_games_of_a_process_that_dies_are_lost_and_it_is_restarted(practice: Running, tmp_path: Path) -> None:
    channels, bots = [], []
    for name in ("Unlucky", "Lucky"):
        port, channel = enter(practice, name)
        channels.append(channel)
        bots.append(seat(port))
    players = [find_game_process(practice, channel) for channel in channels]
    assert len({*players, practice.process.pid}) == 3, "two games must be in two processes"
    os.kill(players[0], signal.SIGKILL)
    expected = "a process of the practice server ended with status -9; it is restarted; games lost with it: 1"
    assert practice.wait_for_output("ended with status").strip() == expected
    assert not bots[0].listen()
    bots[0].socket.close()
    page = httpx.get(f"{practice.base}/practice", timeout=60.0).text
    assert "has lost its game, because the process that played it ended with status -9" in page
    fold_to_the_end(bots[1])
    assert practised(tmp_path, channels[1])
    later = [enter(practice, f"Later {number}") for number in range(2)]
    bots = [seat(port) for port, _ in later]
    assert len({find_game_process(practice, channel) for _, channel in later} - {players[0]}) == 2
    for bot in bots:
        fold_to_the_end(bot)


def test_bytes_sent_before_a_connection_is_handed_over_are_not_lost(practice: Running, tmp_path: Path) -> None:
    port, channel = enter(practice, "Early")
    practice.process.send_signal(signal.SIGSTOP)
    bot = SampleBot(port)
    bot.socket.sendall(b'{"command":"send_chat","message":"howdy"}{"command":"take_act')
    practice.process.send_signal(signal.SIGCONT)
    while "request_action" not in bot.received:
        bot.listen()
    bot.socket.sendall(b'ion","action":"call"}')
    fold_to_the_end(bot)
    events = practised(tmp_path, channel)
    assert [event.text for event in events if isinstance(event, ChatSent) and event.bot == 1] == ["howdy"]
    assert next(event for event in events if isinstance(event, ActionTaken) and event.seat == 0).act == "call"
    faults = [event.detail for event in events if isinstance(event, FaultNoted) and event.bot == 1]
    assert set(faults) <= {"an action that was not requested"}


def test_game_processes_end_with_the_server_even_if_it_is_killed(practice: Running) -> None:
    port, _ = enter(practice, "Orphan")
    with seat(port) as bot:
        practice.process.kill()
        assert not bot.listen(), "the game must end with the server"

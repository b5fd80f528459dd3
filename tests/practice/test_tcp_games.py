"""Bots register over HTTP and play over TCP, also behind a proxy. If a process dies, only its own games are lost."""

import configparser
import html
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from msgspec import Struct
from websockets.sync.client import connect

from server.bots.sandbox.process_tree import descendants
from server.command_line.arguments import make_command_parser
from server.game.events import ActionTaken, ChatSent, FaultNoted, HandEnded, TournamentOpened
from server.paths import ASSETS, GUIDE
from tests.support.games.recordings import practice_game_events
from tests.support.ports import free_ports
from tests.support.program import Running, command_of, serving_program
from tests.support.programs.caddy import caddy
from tests.support.programs.nginx import nginx

DEPLOY = ASSETS / "deploy"
HOST_NAME = "poker.example"
SECONDS = 60.0


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("practice")


@pytest.fixture(scope="module")
def program(data: Path) -> Iterator[Running]:
    """A running practice server, which keeps its files in `data`."""
    with serving_program("practice", "--speed", "0", "--data", str(data)) as running:
        yield running


def register(program: Running, **body: Any) -> dict[str, Any]:
    reply = httpx.post(f"{program.base}/register", json=body, timeout=60.0)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def is_game_won(result: dict[str, Any]) -> bool:
    return [player["bank"] > 0 for player in result["players"]].count(True) == 1


class SampleBot(AbstractContextManager["SampleBot"]):
    """Plays like the sample bot of the original contest: it reads messages with recv(4096), and sends no newlines."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.received = self.sent = ""
        self.heard_messages: list[dict[str, Any]] = []

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def listen(self) -> list[dict[str, Any]]:
        text = self.socket.recv(4096).decode()
        self.received += text
        messages = [json.loads(line) for line in text.split("\n") if line]
        self.heard_messages += messages
        return messages

    def send(self, **message: Any) -> None:
        text = json.dumps(message)
        self.sent += text
        self.socket.sendall(text.encode())

    def play(self, hands: int, **action: Any) -> list[dict[str, Any]]:
        """Answers requests with `action` until `hands` hands are over or one bot has all chips. Returns the results."""
        results: list[dict[str, Any]] = []
        while len(results) < hands and not (results and is_game_won(results[-1])):
            for message in self.listen():
                if message["command"] == "request_action":
                    self.send(command="take_action", **action)
                elif message["command"] == "hand_result":
                    results.append(message)
        return results


def play_game(port: int, hands: int) -> None:
    """Plays up to `hands` hands at a port with a sample bot that always calls."""
    with SampleBot(port) as bot:
        bot.play(hands, action="call")


def test_sample_bot_plays_its_game_and_the_recording_is_proved(program: Running, data: Path) -> None:
    reply = register(program, name="Randobot", test_game_size=6, test_hand_count=4)
    with SampleBot(reply["port_number"]) as bot:
        results = bot.play(4, action_type="call", raise_amount="250")
        while bot.listen():
            pass  # the server closes the connection after the game
    first = bot.heard_messages[0]
    assert (first["command"], first["players"][0]["name"]) == ("request_action", "Randobot")
    assert first["total_pot_value"] == 150, "the bot must act first in hand 0, so the pot must have only the blinds"
    assert [result["hand_number"] for result in results] == list(range(len(results)))
    assert len(results) == 4 or is_game_won(results[-1])
    assert all(len(result["players"]) == 6 for result in results)
    assert all(len(result["community_cards"]) == len(result["center_cards"]) == 5 for result in results)
    assert all(sum(player["bank"] for player in result["players"]) == 5000 * 6 for result in results)
    opened, *events = practice_game_events(data, reply["watch_url"].partition("channel=")[2])
    assert sum(isinstance(event, HandEnded) for event in events) == len(results)
    assert not [event for event in events if isinstance(event, ActionTaken | FaultNoted) and event.fault]
    assert isinstance(opened, TournamentOpened)
    assert opened.title == "Practice game of Randobot", "lists of recordings must show the bot's name"


def test_reason_for_a_lost_turn_is_printed_shown_and_recorded(program: Running, data: Path) -> None:
    reply = register(program, name="<i>Ilse", test_game_size=2, test_hand_count=1)
    channel = reply["watch_url"].partition("channel=")[2]
    with SampleBot(reply["port_number"]) as bot:
        bot.listen()
        bot.send(command="take_action", action="dance")
        bot.send(command="take_action", action="raise", raise_amount=20)
        bot.play(1, action="call")
        fault_line = program.wait_for_output(f"{channel}: <i>Ilse, ").strip()
        program.wait_for_output(f"{channel}: <i>Ilse has played")
        page = httpx.get(f"{program.base}/practice", timeout=60.0).text
    reasons = 'the action "dance" is not one of call, raise, fold; a raise to 20 is below the highest bet, 100'
    events = practice_game_events(data, channel)
    assert [event.detail for event in events if isinstance(event, FaultNoted)] == reasons.split("; ")
    assert [event.fault for event in events if isinstance(event, ActionTaken) and event.fault] == ["illegal"]
    message = '{"command": "take_action", "action": "raise", "raise_amount": 20}'
    expected = "fold, call (costs 50) or raise with a raise_amount of 101 to 5000, within 3 s"
    assert fault_line == f"{channel}: <i>Ilse, hand 1: {reasons}: it folds. It sent {message}. Expected: {expected}"
    assert "<bdi>&lt;i&gt;Ilse</bdi> has played 1 hand" in page
    assert html.escape(f"hand 1: {reasons}", quote=True).replace("&quot;", "&#34;") in page


def test_page_of_a_missing_channel_lists_the_open_channels(program: Running) -> None:
    reply = register(program, name="Over & out", test_hand_count=1)
    channel = reply["watch_url"].partition("channel=")[2]
    assert httpx.get(reply["watch_url"], timeout=60.0).status_code == 200  # before the bot connects
    play_game(reply["port_number"], 1)
    for path in ("/projector", "/overlay", "/projector?channel=practice-0"):
        page = httpx.get(f"{program.base}{path}", timeout=60.0)
        assert page.status_code == 404
        assert f"/watch?channel={channel}" in page.text
        assert "<bdi>Over &amp; out</bdi>" in page.text
    assert "<code>" not in page.text
    assert "There is no channel practice-0 here" in page.text
    assert httpx.get(f"{program.base}/watch?channel=practice-99999", timeout=60.0).status_code == 200
    with connect(f"ws://127.0.0.1:{program.port}/ws/show?channel={channel}", max_queue=None, open_timeout=60) as show:
        while json.loads(show.recv(timeout=60))["type"] != "tournament_ended":
            pass
    on_air, _, finished = httpx.get(f"{program.base}/watch", timeout=60.0).text.partition("Just over")
    assert ("<bdi>Over &amp; out</bdi>" in on_air, "<bdi>Over &amp; out</bdi>" in finished) == (False, True)


def test_slow_registration_does_not_delay_shutdown(tmp_path: Path) -> None:
    with serving_program("practice", "--data", str(tmp_path)) as program, socket.socket() as slow_client:
        slow_client.connect(("127.0.0.1", program.port))
        slow_client.sendall(b"POST /register HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
        assert httpx.get(f"{program.base}/healthz", timeout=60.0).status_code == 200
        status, output = program.interrupt()
    assert (status, output.strip()) == (0, "stopped")


@pytest.fixture
def two_workers(tmp_path: Path) -> Iterator[Running]:
    with serving_program("practice", "--speed", "0", "--workers", "2", "--data", str(tmp_path)) as program:
        yield program


def register_duel(program: Running, name: str) -> tuple[int, str]:
    """Registers a bot for one hand against one house bot. Returns the bot's port and the channel of the game's show."""
    reply = register(program, name=name, test_game_size=2, test_hand_count=1)
    return reply["port_number"], reply["watch_url"].partition("channel=")[2]


def connect_and_wait_for_request(port: int) -> SampleBot:
    bot = SampleBot(port)
    assert bot.listen()[-1]["command"] == "request_action"
    return bot


def fold_to_the_end(bot: SampleBot) -> None:
    bot.send(command="take_action", action="fold")
    while bot.listen():
        pass
    bot.socket.close()
    assert "hand_result" in [message["command"] for message in bot.heard_messages]


def find_game_process(program: Running, channel: str) -> int:
    """Finds the process that plays a channel's game. Only this process has the game's recording open."""
    children = descendants(program.process.pid)
    game_pids = [child for child in children if b"server.app.practice.games.process" in command_of(child)]
    files = {game_pid: str(psutil.Process(game_pid).open_files()) for game_pid in game_pids}
    (game_pid,) = (game_pid for game_pid in game_pids if f"-{channel}-" in files[game_pid])
    return game_pid


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_game_ends_with_its_own_process_or_the_server(two_workers: Running, tmp_path: Path) -> None:
    channels, bots = [], []
    for name in ("Unlucky", "Lucky"):
        port, channel = register_duel(two_workers, name)
        channels.append(channel)
        bots.append(connect_and_wait_for_request(port))
    game_pids = [find_game_process(two_workers, channel) for channel in channels]
    assert len({*game_pids, two_workers.process.pid}) == 3, "two games must be in two processes"
    os.kill(game_pids[0], signal.SIGKILL)
    expected = "a process of the practice server ended with status -9; it is restarted; games lost with it: 1"
    assert two_workers.wait_for_output("ended with status").strip() == expected
    assert not bots[0].listen()
    bots[0].socket.close()
    page = httpx.get(f"{two_workers.base}/practice", timeout=60.0).text
    assert "has lost its game, because the process that played it ended with status -9" in page
    fold_to_the_end(bots[1])
    assert practice_game_events(tmp_path, channels[1])
    duels = [register_duel(two_workers, f"Later {number}") for number in range(2)]
    bots = [connect_and_wait_for_request(port) for port, _ in duels]
    assert len({find_game_process(two_workers, channel) for _, channel in duels} - {game_pids[0]}) == 2
    for bot in bots:
        fold_to_the_end(bot)
    with connect_and_wait_for_request(register_duel(two_workers, "Orphan")[0]) as bot:
        two_workers.process.kill()
        assert not bot.listen()


def test_bytes_sent_before_the_game_process_takes_over_are_kept(two_workers: Running, tmp_path: Path) -> None:
    port, channel = register_duel(two_workers, "Early")
    two_workers.process.send_signal(signal.SIGSTOP)
    bot = SampleBot(port)
    bot.socket.sendall(b'{"command":"send_chat","message":"howdy"}{"command":"take_act')
    two_workers.process.send_signal(signal.SIGCONT)
    while "request_action" not in bot.received:
        bot.listen()
    bot.socket.sendall(b'ion","action":"call"}')
    fold_to_the_end(bot)
    events = practice_game_events(tmp_path, channel)
    assert [event.text for event in events if isinstance(event, ChatSent) and event.bot == 1] == ["howdy"]
    assert next(event for event in events if isinstance(event, ActionTaken) and event.seat == 0).act == "call"
    faults = [event.detail for event in events if isinstance(event, FaultNoted) and event.bot == 1]
    assert set(faults) <= {"an action that was not requested"}


class ProxiedServer(Struct, frozen=True):
    """A practice server behind a proxy: the ports of both, and a TLS context that trusts the proxy's certificate."""

    register_port: int
    game_ports: range
    https_port: int
    http_port: int
    tls_context: ssl.SSLContext

    def web(self, host: str = HOST_NAME, address: str = "127.0.0.1") -> httpx.Client:
        """Returns a client that connects from `address` and calls the proxy by the name `host`."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.https_port}",
            headers={"Host": f"{host}:{self.https_port}"},
            transport=httpx.HTTPTransport(verify=self.tls_context, local_address=address),
            event_hooks={"request": [lambda request: request.extensions.update(sni_hostname=HOST_NAME)]},
            timeout=SECONDS,
        )


def replace_values(text: str, *values: tuple[str, str]) -> str:
    """Returns the configuration file `text` with new values. `values` are pairs of an old and a new value."""
    for old, new in values:
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def nginx_in_front(folder: Path, pages_port: int, http_port: int, https_port: int) -> Iterator[Path]:
    """Runs nginx with the guide's settings in front of `pages_port`. Yields the path of nginx's certificate."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST_NAME}"]
    command += ["-addext", f"subjectAltName=DNS:{HOST_NAME}"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    site = replace_values(
        (DEPLOY / "nginx.conf").read_text(),
        ("listen 80;", f"listen 127.0.0.1:{http_port};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{https_port} ssl http2;"),
        ("/etc/letsencrypt/live/poker.example/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/poker.example/privkey.pem", str(key)),
        ("http://127.0.0.1:8000", f"http://127.0.0.1:{pages_port}"),
    )
    with nginx(folder / "nginx", "return 204;", site):
        yield certificate


def caddy_in_front(folder: Path, pages_port: int, http_port: int, https_port: int) -> AbstractContextManager[Path]:
    """Runs Caddy with the guide's settings in front of `pages_port`. Yields the path of its root certificate."""
    sites = replace_values((DEPLOY / "Caddyfile").read_text(), ("127.0.0.1:8000", f"127.0.0.1:{pages_port}"))
    return caddy(folder / "caddy", sites, http_port, https_port)


@pytest.fixture(scope="module", params=[nginx_in_front, caddy_in_front])
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    folder = tmp_path_factory.mktemp("server")
    pages, register, http, https = free_ports(4)
    while (port := free_ports(1)[0]) % 3:
        pass
    # Each server has its own `port`, a multiple of 3. So the ranges of three game ports never overlap.
    games = range(port - 11_000, port - 11_000 + 3)
    event = folder / "practice.toml"
    text = (DEPLOY / "practice.toml").read_text()
    text = replace_values(text, ("20000-20199", f"{games[0]}-{games[-1]}"), ('host = "0.0.0.0"', 'host = "127.0.0.1"'))
    event.write_text(
        replace_values(text, ("pages = 8000", f"pages = {pages}"), ("register = 5000", f"register = {register}"))
    )
    environment = {"FORWARDED_ALLOW_IPS": "127.0.0.1"}
    with (
        request.param(folder, pages, http, https) as authority,
        serving_program("tournament", str(event), "--speed", "0", ports=(), env=environment),
    ):
        yield ProxiedServer(register, games, https, http, ssl.create_default_context(cafile=authority))


def test_proxy_serves_one_host_name_over_tls(proxied: ProxiedServer) -> None:
    with proxied.web() as web:
        assert "High Noon" in web.get("/").text
        page = web.get("/watch")
        refused = web.post("/register", json={"name": 10_000 * "x"})
    assert (refused.status_code, refused.json()) == (413, {"error": "The body must be at most 8 KiB"})
    assert "default-src" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    with proxied.web("stranger.example") as web:
        foreign = web.get("/")
    # Caddy checks host names itself. For a foreign name, its answer is an empty page.
    assert foreign.status_code == 421 or (foreign.status_code, foreign.content) == (200, b"")
    redirected = httpx.get(f"http://127.0.0.1:{proxied.http_port}/watch", headers={"Host": HOST_NAME}, timeout=SECONDS)
    assert redirected.status_code in (301, 308)
    assert redirected.headers["location"] == f"https://{HOST_NAME}/watch"


def test_bot_behind_a_proxy_plays_on_a_configured_port(proxied: ProxiedServer) -> None:
    with proxied.web() as web:
        reply = web.post("/register", json={"name": "Far Away", "test_hand_count": 1}).json()
    assert reply["port_number"] in proxied.game_ports
    assert reply["watch_url"].startswith(f"https://{HOST_NAME}:{proxied.https_port}/")
    play_game(reply["port_number"], 1)
    channel = reply["watch_url"].partition("channel=")[2]
    for origin, status in ((f"https://{HOST_NAME}:{proxied.https_port}", 101), ("https://elsewhere.example", 403)):
        headers = {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": 22 * "A" + "==", "Origin": origin,
        }  # fmt: skip
        with proxied.web() as web, web.stream("GET", f"/ws/show?channel={channel}", headers=headers) as show:
            assert show.status_code == status
            if status == 101:
                assert f'"channel":"{channel}"'.encode() in show.extensions["network_stream"].read(4096, SECONDS)


def test_forged_proxy_headers_do_not_change_who_may_play(proxied: ProxiedServer) -> None:
    with proxied.web(address="127.0.0.2") as web:
        forged = {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
        port = web.post("/register", json={"name": "Elsewhere"}, headers=forged).json()["port_number"]
    with socket.create_connection(("127.0.0.1", port), SECONDS) as stranger:
        assert stranger.recv(4096) == b""
    with socket.create_connection(("127.0.0.1", port), SECONDS, source_address=("127.0.0.2", 0)) as bot:
        assert b'"request_action"' in bot.recv(4096)


def test_registration_is_refused_while_all_game_ports_are_in_use(proxied: ProxiedServer) -> None:
    url = f"http://127.0.0.1:{proxied.register_port}/register"
    replies = [httpx.post(url, json={"name": f"Bot {number}"}, timeout=SECONDS) for number in range(5)]
    ports = [reply.json().get("port_number") for reply in replies if reply.status_code == 200]
    assert set(ports) <= set(proxied.game_ports)
    refused = [reply for reply in replies if reply.status_code != 200]
    assert {reply.status_code for reply in refused} == {503}
    assert refused[0].json()["error"].startswith("no port is free for a game: ")


def test_deployment_files_are_valid_and_in_the_guide() -> None:
    systemd_unit = configparser.ConfigParser(strict=False)
    systemd_unit.optionxform = str  # type: ignore[method-assign,assignment]
    systemd_unit.read_string((DEPLOY / "highnoon.service").read_text())
    program, *words = systemd_unit["Service"]["ExecStart"].split()
    assert program == "/opt/highnoon/bin/highnoon"
    assert make_command_parser().parse_args([words[0], str(DEPLOY / Path(words[1]).name)]).command == "tournament"
    assert re.fullmatch(r"FORWARDED_ALLOW_IPS=127\.0\.0\.1", systemd_unit["Service"]["Environment"])
    guide = "\n".join(page.read_text() for page in GUIDE.glob("*.md"))
    quoted = re.findall(r"```\w*\n(.*?)\n```", guide, re.DOTALL)
    linked = re.findall(r"\]\(\.\./\.\./assets/deploy/([\w.]+)\)", guide)
    for file in filter(Path.is_file, sorted(DEPLOY.iterdir())):
        assert file.name in linked or file.read_text().strip() in quoted, file.name

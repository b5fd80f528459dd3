"""The practice server works behind a real nginx and a real Caddy with TLS, configured by the guide's files."""

import configparser
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import pytest
from msgspec import Struct

from server.command_line.arguments import make_command_parser
from server.paths import ASSETS, GUIDE
from tests.practice.test_tcp_games import play_game
from tests.support.ports import free_ports
from tests.support.program import serving_program
from tests.support.programs.caddy import caddy
from tests.support.programs.nginx import nginx

DEPLOY = ASSETS / "deploy"
NAME = "poker.example"
SECONDS = 60.0


class Proxied(Struct, frozen=True):
    """A practice server, the ports of the proxy in front, and a TLS context that trusts the proxy's certificate."""

    register: int
    games: range
    https: int
    http: int
    trusted: ssl.SSLContext

    def web(self, host: str = NAME, address: str = "127.0.0.1") -> httpx.Client:
        """A client that connects from `address` and calls the proxy by the name `host`."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.https}",
            headers={"Host": f"{host}:{self.https}"},
            transport=httpx.HTTPTransport(verify=self.trusted, local_address=address),
            event_hooks={"request": [lambda request: request.extensions.update(sni_hostname=NAME)]},
            timeout=SECONDS,
        )


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def fill(text: str, *values: tuple[str, str]) -> str:
    """A configuration file of the guide with this machine's values; the file must contain each value to replace."""
    for old, new in values:
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def nginx_in_front(folder: Path, pages: int, http: int, https: int) -> Iterator[Path]:
    """Runs nginx as in the guide, in front of the port `pages`; yields nginx's certificate."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    command += ["-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    site = fill(
        (DEPLOY / "nginx.conf").read_text(),
        ("listen 80;", f"listen 127.0.0.1:{http};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{https} ssl http2;"),
        ("/etc/letsencrypt/live/poker.example/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/poker.example/privkey.pem", str(key)),
        ("http://127.0.0.1:8000", f"http://127.0.0.1:{pages}"),
    )
    with nginx(folder / "nginx", "return 204;", site):
        yield certificate


def caddy_in_front(folder: Path, pages: int, http: int, https: int) -> AbstractContextManager[Path]:
    """Runs Caddy as in the guide, in front of the port `pages`; yields the certificate of Caddy's authority."""
    sites = fill((DEPLOY / "Caddyfile").read_text(), ("127.0.0.1:8000", f"127.0.0.1:{pages}"))
    return caddy(folder / "caddy", sites, http, https)


@pytest.fixture(scope="module", params=[nginx_in_front, caddy_in_front])
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp("server")
    pages, register, http, https = free_ports(4)
    while (number := free_ports(1)[0]) % 3:
        pass
    # The server's ports follow from this number, and no other test uses these ports.
    games = range(number - 11_000, number - 11_000 + 3)
    event = folder / "practice.toml"
    event.write_text(
        fill(
            (DEPLOY / "practice.toml").read_text(),
            ('host = "0.0.0.0"', 'host = "127.0.0.1"'),
            ("pages = 8000", f"pages = {pages}"),
            ("register = 5000", f"register = {register}"),
            ("20000-20199", f"{games[0]}-{games[-1]}"),
        )
    )
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
        with (
            request.param(folder, pages, http, https) as authority,
            serving_program("tournament", str(event), "--speed", "0", ports=()),
        ):
            yield Proxied(register, games, https, http, ssl.create_default_context(cafile=authority))


def test_proxy_serves_one_name_over_tls_within_limits_and_redirects_plain_http(proxied: Proxied) -> None:
    with proxied.web() as web:
        assert "High Noon" in web.get("/").text
        page = web.get("/watch")
        refused = web.post("/register", json={"name": 10_000 * "x"})
    assert (refused.status_code, refused.json()) == (413, {"error": "The body must be at most 8 KiB"})
    assert "default-src" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    with proxied.web("stranger.example") as web:
        foreign = web.get("/")
    # Caddy checks names itself, and answers other names with an empty page.
    assert foreign.status_code == 421 or (foreign.status_code, foreign.content) == (200, b"")
    redirected = httpx.get(f"http://127.0.0.1:{proxied.http}/watch", headers={"Host": NAME}, timeout=SECONDS)
    assert redirected.status_code in (301, 308)
    assert redirected.headers["location"] == f"https://{NAME}/watch"


def test_registered_bot_plays_on_a_port_of_the_range_and_its_show_uses_tls(proxied: Proxied) -> None:
    with proxied.web() as web:
        reply = web.post("/register", json={"name": "Far Away", "test_hand_count": 1}).json()
    assert reply["port_number"] in proxied.games
    assert reply["watch_url"].startswith(f"https://{NAME}:{proxied.https}/")
    play_game(reply["port_number"], 1)
    channel = reply["watch_url"].partition("channel=")[2]
    for origin, status in ((f"https://{NAME}:{proxied.https}", 101), ("https://elsewhere.example", 403)):
        opening = {**UPGRADE, "Origin": origin}
        with proxied.web() as web, web.stream("GET", f"/ws/show?channel={channel}", headers=opening) as show:
            assert show.status_code == status
            if status == 101:
                first = show.extensions["network_stream"].read(4096, SECONDS)
                assert f'"channel":"{channel}"'.encode() in first


def test_game_belongs_to_the_address_that_calls_the_proxy_whatever_its_headers(proxied: Proxied) -> None:
    with proxied.web(address="127.0.0.2") as web:
        claim = {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
        port = web.post("/register", json={"name": "Elsewhere"}, headers=claim).json()["port_number"]
    with socket.create_connection(("127.0.0.1", port), SECONDS) as another:
        assert another.recv(4096) == b""
    with socket.create_connection(("127.0.0.1", port), SECONDS, source_address=("127.0.0.2", 0)) as bot:
        assert b'"request_action"' in bot.recv(4096)


def test_registration_is_refused_with_the_reason_when_all_game_ports_are_in_use(proxied: Proxied) -> None:
    url = f"http://127.0.0.1:{proxied.register}/register"
    replies = [httpx.post(url, json={"name": f"Bot {number}"}, timeout=SECONDS) for number in range(5)]
    ports = [reply.json().get("port_number") for reply in replies if reply.status_code == 200]
    assert set(ports) <= set(proxied.games)
    refused = [reply for reply in replies if reply.status_code != 200]
    assert {reply.status_code for reply in refused} == {503}
    assert refused[0].json()["error"].startswith("no port is free for a game: ")


def test_deployment_files_are_in_the_guide_and_start_the_program_with_a_valid_command() -> None:
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[method-assign,assignment]
    unit.read_string((DEPLOY / "highnoon.service").read_text())
    program, *words = unit["Service"]["ExecStart"].split()
    assert program == "/opt/highnoon/bin/highnoon"
    assert make_command_parser().parse_args([words[0], str(DEPLOY / Path(words[1]).name)]).command == "tournament"
    assert re.fullmatch(r"FORWARDED_ALLOW_IPS=127\.0\.0\.1", unit["Service"]["Environment"])
    guide = "\n".join(page.read_text() for page in GUIDE.glob("*.md"))
    quoted = re.findall(r"```\w*\n(.*?)\n```", guide, re.DOTALL)
    linked = re.findall(r"\]\(\.\./\.\./assets/deploy/([\w.]+)\)", guide)
    for file in filter(Path.is_file, sorted(DEPLOY.iterdir())):
        assert file.name in linked or file.read_text().strip() in quoted, file.name

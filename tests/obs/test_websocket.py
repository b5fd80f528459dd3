"""The connection to OBS, with and without a password, and to servers that are silent, broken or not OBS."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from broadcast.obs import websocket
from broadcast.obs.websocket import ObsSocket, ObsUnavailable, authentication_hash, connect_to_obs
from tests.obs.obs_stand_in import ObsStandIn

Talk = Callable[[ObsSocket], Awaitable[None]]


@pytest.fixture(autouse=True)
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "ANSWER_SECONDS", 1.0)


async def run_connected(
    obs: ObsStandIn, password: str, talk: Talk, on_event: websocket.OnEvent = lambda *_: None
) -> str:
    """Runs `talk` on a connection to `obs`; returns why the connection failed, or ""."""
    try:
        async with connect_to_obs(obs.address, password, on_event) as socket:
            listening = asyncio.create_task(socket.listen())
            try:
                await talk(socket)
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
    except ObsUnavailable as why:
        return str(why)
    return ""


async def ask_version(socket: ObsSocket) -> None:
    assert (await socket.ask("GetVersion"))["obsVersion"] == "29.0.2"


def test_password_proof_matches_the_protocols_example() -> None:
    challenge, salt = "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=", "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI="
    assert authentication_hash("supersecretpassword", salt, challenge) == "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="


async def test_obs_answers_with_and_without_a_password_and_a_missing_or_wrong_one_is_reported() -> None:
    async with ObsStandIn() as obs:
        assert await run_connected(obs, "", ask_version) == ""
        assert "authentication" not in obs.identified
    async with ObsStandIn("six shooter") as obs:
        assert await run_connected(obs, "six shooter", ask_version) == ""
        assert "authentication" in obs.identified
        assert "six shooter" not in str(obs.identified)
        assert "wants a password" in await run_connected(obs, "", ask_version)
        assert "the password is wrong" in await run_connected(obs, "wrong", ask_version)


@pytest.mark.parametrize(
    ("refusals", "mute", "why"),
    [(3, False, ""), (1000, False, "OBS is not responding"), (0, True, "OBS is not responding")],
)
async def test_obs_that_is_not_ready_or_silent_is_given_up_at_the_timeout(refusals: int, mute: bool, why: str) -> None:
    """Since version 30, OBS refuses all requests while it starts or changes its collection of scenes."""
    async with ObsStandIn() as obs:
        obs.not_ready, obs.mute = refusals, mute
        assert await run_connected(obs, "", ask_version) == why


@pytest.mark.parametrize(
    ("greeting", "words"),
    [
        ("", "sends nothing"),
        ("nonsense", "is not OBS"),
        (b"\xff\x00", "is not OBS"),
        ("[]", "is not OBS"),
        ('{"op": 5, "d": {}}', "is not OBS"),
        ('{"op": 0, "d": {"authentication": 7}}', "did not accept"),
    ],
)
async def test_server_that_is_not_obs_is_reported(greeting: str | bytes, words: str) -> None:
    async with ObsStandIn(greeting=greeting) as obs:
        assert words in await run_connected(obs, "", ask_version)


async def test_unreachable_or_malformed_address_is_reported() -> None:
    async with ObsStandIn() as stopped:
        pass
    assert "OBS cannot be reached" in await run_connected(stopped, "", ask_version)
    for address in ("", "nobody here", "127.0.0.1:none", "127.0.0.1:99999999"):
        with pytest.raises(ObsUnavailable):
            async with connect_to_obs(address, "", lambda *_: None):
                pass


async def test_nonsense_is_ignored_and_events_are_received() -> None:
    received: list[tuple[str, object]] = []
    async with ObsStandIn() as obs:

        async def babble(socket: ObsSocket) -> None:
            for nonsense in ("{", "[]", '{"op": "x", "d": {}}', '{"op": 7, "d": {}}', b"\xff"):
                await obs.send(nonsense)
            await obs.send('{"op": 5, "d": {"eventType": 7, "eventData": 8}}')
            await obs.say("CurrentProgramSceneChanged", sceneName="Table")
            await ask_version(socket)

        assert await run_connected(obs, "", babble, lambda kind, fields: received.append((kind, fields))) == ""
    assert received == [("7", {}), ("CurrentProgramSceneChanged", {"sceneName": "Table"})]


@pytest.mark.parametrize(
    "flood", ['{"op": 5, "d": {}}', "x" * (1 << 19), "[" * (1 << 19)], ids=["events", "huge", "deep"]
)
async def test_server_that_sends_more_than_obs_would_is_disconnected(flood: str) -> None:
    async def flood_with_messages(obs: ObsStandIn) -> None:
        with suppress(ConnectionClosed):
            while True:
                await obs.send(flood)

    async with ObsStandIn() as obs, connect_to_obs(obs.address, "", lambda *_: None) as socket:
        flooding = asyncio.create_task(flood_with_messages(obs))
        with pytest.raises(ObsUnavailable, match="sends more than OBS ever would"):
            await socket.listen()
        flooding.cancel()


async def test_redirect_at_the_port_of_obs_is_not_followed() -> None:
    async def redirect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 302 Found\r\nLocation: ws://{obs.address}\r\n\r\n".encode())
        writer.close()

    async with ObsStandIn() as obs, await asyncio.start_server(redirect, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        with pytest.raises(ObsUnavailable, match="not OBS"):
            async with connect_to_obs(f"{host}:{port}", "", lambda *_: None):
                pass
        assert not obs.identified

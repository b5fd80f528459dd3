"""Our server makes OBS follow the show, adds missing scenes, sends captions, and notices servers that are not OBS."""

import asyncio
import textwrap
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from broadcast.desk.health_lights import silencing_advice
from broadcast.obs import websocket
from broadcast.obs.add_missing_scenes import Built, build_scenes
from broadcast.obs.control import ObsControl
from broadcast.obs.requests import split_into_packets, to_western_characters
from broadcast.obs.scene_collection import OVERLAY, SCENES, SOURCE_NAME
from broadcast.obs.state import ObsState, describe_state
from broadcast.obs.websocket import ObsSocket, ObsUnavailable, OnEvent, connect_to_obs
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken, HighlightMarked, ReplayEnded, ReplayStarted
from broadcast.web.page_reports import Obs, PageReport, Report
from server.game.events import ControlSet, Event, HandStarted, TournamentEnded
from tests.obs.obs_stand_in import GAME, PATIENCE_SECONDS, STAGE, ObsStandIn
from tests.support.background import background_task

ADDRESS = "http://127.0.0.1:8000/overlay?audio=1"
UseSocket = Callable[[ObsSocket], Awaitable[None]]
PAINTING_PAGE = PageReport(Report("overlay", "a", frames=60, obs=Obs("2.18.6")), "127.0.0.1", 0.0, 0.0)


class Rig:
    """A show, a stand-in for OBS, and the ObsControl that connects the two. Only tests move the clock, `now`."""

    def __init__(self, obs: ObsStandIn) -> None:
        self.obs = obs
        self.air = AirLog("main", 1.0)
        self.now = 0.0
        self.page_reports: Sequence[PageReport] = (PAINTING_PAGE,)
        self.messages: list[str] = []
        self.control = ObsControl(
            obs.address, "", self.air, lambda: self.page_reports,
            clock=lambda: self.now, sleep=lambda _: asyncio.sleep(0.01), on_change=self.messages.append,
        )  # fmt: skip

    def show(self, *events: Event) -> None:
        for event in events:
            self.air.put(event, 0, 0)

    async def wait_for(self, condition: Callable[[ObsState], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition(self.control.state):
            assert time.monotonic() < deadline, self.control.state
            await asyncio.sleep(0)


@pytest.fixture
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    """Yields a running rig. A test's parameter, if any, replaces some of the stand-in's answers."""
    async with ObsStandIn(answers=getattr(request, "param", None)) as obs:
        rig = Rig(obs)
        async with background_task(rig.control.run()):
            yield rig


async def test_scenes_follow_the_show_unless_the_operator_is_in_another_scene(rig: Rig) -> None:
    await rig.wait_for(lambda state: state.fps > 0)
    await rig.obs.switch("Camera")
    await rig.wait_for(lambda state: state.scene == "Camera")
    rig.show(STAGE, GAME, CaptionSpoken("nothing"))
    await rig.obs.switch("Starting")
    await rig.obs.wait_for_request("SetCurrentProgramScene", sceneName="Table")
    assert not [request for request in rig.obs.requests if request[0] == "SetCurrentProgramScene"]
    rig.show(ControlSet("card", "break", ""))  # A card is a notice that covers the show.
    await rig.obs.wait_for_request("SetCurrentProgramScene", sceneName="Break")
    rig.show(ControlSet("card", "", "break"), ReplayStarted(1, rig.air.picture))  # `picture`: the state of the show
    await rig.obs.wait_for_request("SetCurrentProgramScene", sceneName="Replay")
    rig.show(ReplayEnded(), TournamentEnded((), ""))
    await rig.obs.wait_for_request("SetCurrentProgramScene", sceneName="Champion")


async def test_marked_hands_are_saved_and_become_chapters_of_the_recording(rig: Rig) -> None:
    rig.obs.recording = True
    await rig.wait_for(lambda state: state.recording)
    rig.show(STAGE, GAME)
    await rig.obs.wait_for_request("CreateRecordChapter", chapterName="The Trials")
    await rig.obs.wait_for_request("CreateRecordChapter", chapterName="The Trials, game 1")
    rig.show(HandStarted(7, 0, 50, 100, 0, (5000, 5000), ""), HighlightMarked("Bad beat", 7, (0,), 90))
    await rig.obs.wait_for_request("CreateRecordChapter", chapterName="Hand 7: Bad beat")
    assert ("SaveReplayBuffer", {}) not in rig.obs.requests, "nothing can be saved while the replay buffer does not run"
    assert rig.control.state.refused == ""
    rig.obs.buffering = True
    await rig.wait_for(lambda state: state.buffering)
    rig.show(HandStarted(8, 0, 50, 100, 0, (5000, 5000), ""), HighlightMarked("Bluff", 8, (0,), 90))
    await rig.obs.wait_for_request("SaveReplayBuffer")
    await rig.obs.wait_for_request("CreateRecordChapter", chapterName="Hand 8: Bluff")
    await rig.wait_for(lambda state: "SaveReplayBuffer" in state.refused)  # `refused`: what OBS refused last


async def test_long_caption_is_sent_in_pieces_until_the_next_caption(rig: Rig) -> None:
    rig.obs.streaming = True
    await rig.wait_for(lambda state: state.streaming)
    rig.show(STAGE, GAME, CaptionSpoken("Иван calls and the Bluffin' Bandit goes all in with 12,000 chips"))
    await rig.obs.wait_for_request("SendStreamCaption", captionText="Ivan calls and the Bluffin\u2019")
    await rig.obs.wait_for_request("SendStreamCaption", captionText="Bandit goes all in with 12,000 chips")
    assert "western characters" in describe_state(rig.control.state)
    rig.show(CaptionSpoken("one " * 40), CaptionSpoken("Doc folds"))
    await rig.obs.wait_for_request("SendStreamCaption", captionText="Doc folds")
    assert sum(request == "SendStreamCaption" for request, _ in rig.obs.requests) <= 1


async def test_obs_without_browser_sources_is_reported(rig: Rig) -> None:
    rig.obs.kinds, rig.obs.inputs = ["image_source"], {SOURCE_NAME: ADDRESS}
    await rig.wait_for(lambda state: state.connected)
    rig.page_reports = ()
    rig.now = 100.0
    await rig.wait_for(lambda state: state.fps > 0)
    assert "has no browser source: install" in describe_state(rig.control.state)
    assert not rig.control.state.is_well
    rig.obs.scenes.clear()
    rig.obs.inputs.clear()
    built = await rig.control.build(ADDRESS)
    assert built.made == (*SCENES, OVERLAY)
    assert "no browser source: install" in built.left[0]  # `left` lists what the operator has to do.
    assert rig.obs.items == {scene: [OVERLAY] for scene in SCENES}
    assert "PressInputPropertiesButton" not in {name for name, _ in rig.obs.requests}


async def test_second_source_with_sound_in_obs_is_reported(rig: Rig) -> None:
    rig.obs.inputs = dict.fromkeys(("Copy", SOURCE_NAME), ADDRESS)
    rig.obs.inputs |= {"Silent": "http://127.0.0.1:8000/overlay", "Chat": "https://chat.example/?audio=1"}
    await rig.wait_for(lambda state: state.sounding == ("Copy", SOURCE_NAME))
    assert silencing_advice([], rig.control.state) == "take audio=1 out of the address of the source “Copy” in OBS"


async def test_only_a_blank_or_frozen_source_of_our_page_is_reloaded(rig: Rig) -> None:
    reload_request = "PressInputPropertiesButton"
    rig.obs.inputs = {SOURCE_NAME: ADDRESS, "Weather": "https://elsewhere.example/", "Torn": "http://["}
    await rig.wait_for(lambda state: state.fps > 0)
    assert reload_request not in {name for name, _ in rig.obs.requests}
    rig.page_reports = ()
    rig.now += 11
    await rig.obs.wait_for_request(reload_request, inputName=SOURCE_NAME, propertyName="refreshnocache")
    rig.now += 5
    rig.obs.requests.clear()
    await rig.obs.wait_for_request("GetStats")
    await rig.obs.wait_for_request("GetStats")
    assert reload_request not in {name for name, _ in rig.obs.requests}
    rig.page_reports = (replace(PAINTING_PAGE, report=replace(PAINTING_PAGE.report, frames=0)),)
    rig.now += 11
    await rig.obs.wait_for_request(reload_request, inputName=SOURCE_NAME, propertyName="refreshnocache")


async def test_show_is_followed_again_after_obs_stops_and_returns(rig: Rig) -> None:
    await rig.wait_for(lambda state: state.connected)
    await rig.obs.__aexit__()
    await rig.wait_for(lambda state: not state.connected and "OBS cannot be reached" in state.why_disconnected)
    rig.show(STAGE, GAME)
    returned_obs = ObsStandIn()
    returned_obs.port = rig.obs.port
    async with returned_obs:
        await returned_obs.wait_for_request("SetCurrentProgramScene", sceneName="Table")
        await rig.wait_for(lambda state: state.is_well and state.scene == "Table")
        assert describe_state(rig.control.state).startswith("OBS 29.0.2 shows Table")
        assert rig.messages[0] == rig.messages[-1] == "OBS 29.0.2 shows Starting"
        assert len(rig.messages) <= 4, "a missing OBS must be reported once, not at every attempt to connect"


NONSENSE: dict[str, Any] = {
    "GetVersion": {"availableRequests": 7}, "GetSceneList": {"scenes": [3]}, "GetStats": {"activeFps": []},
    "GetStreamStatus": {"outputActive": "x"}, "GetInputList": {"inputs": {}},
}  # fmt: skip


@pytest.mark.parametrize("rig", [NONSENSE], indirect=True)
async def test_nonsensical_answers_do_not_end_the_connection(rig: Rig) -> None:
    await rig.wait_for(lambda state: state.connected)
    rig.show(STAGE, GAME, CaptionSpoken("and so on"))
    rig.page_reports = ()
    rig.now += 11
    await rig.obs.wait_for_request("GetInputList", inputKind="browser_source")
    await rig.obs.wait_for_request("GetStats")
    assert rig.control.state.connected


async def build_after_each(*changes: Callable[[ObsStandIn], None]) -> tuple[ObsStandIn, list[Built]]:
    """Applies `changes` to a new OBS one by one, and builds the scenes after each. Returns the OBS and all results."""
    obs, results = ObsStandIn(), list[Built]()
    obs.scenes, obs.scene = ["Camera"], "Camera"
    async with obs, connect_to_obs(obs.address, "", lambda *_: None) as socket, background_task(socket.listen()):
        for change in changes:
            change(obs)
            results.append(await build_scenes(socket, ADDRESS))
    return obs, results


async def test_second_build_restores_scenes_and_corrects_the_address() -> None:
    def damage_scenes(obs: ObsStandIn) -> None:
        obs.scenes.remove("Replay")
        obs.items.pop("Replay")
        obs.items["Table"].clear()
        obs.items[OVERLAY].append("Camera 1")

    def outdate_address(obs: ObsStandIn) -> None:
        obs.inputs[SOURCE_NAME] = "http://127.0.0.1:5000/overlay"

    obs, (_, *later_results) = await build_after_each(lambda _: None, damage_scenes, outdate_address)
    assert later_results == [Built(("Replay", "Table"), ()), Built((f"the address of {SOURCE_NAME}",), ())]
    assert obs.items == {OVERLAY: [SOURCE_NAME, "Camera 1"]} | {scene: [OVERLAY] for scene in SCENES}
    assert obs.inputs == {SOURCE_NAME: ADDRESS}


async def test_operators_scenes_and_sources_with_our_names_are_left_alone() -> None:
    operators_items = {"Break": ["Waiting music"], OVERLAY: ["Logo"], "Camera": ["Camera 1"]}

    def add_operators_scenes(obs: ObsStandIn) -> None:
        obs.scenes += ["Break", OVERLAY]
        obs.items = {scene: [*items] for scene, items in operators_items.items()}

    obs, (result,) = await build_after_each(add_operators_scenes)
    assert result.left == (
        "Overlay shows something of yours: it was left alone.",
        "Break shows something of yours and not Overlay: it was left alone.",
    )
    assert obs.items == {scene: [OVERLAY] for scene in SCENES} | operators_items
    assert obs.inputs == {}
    foreign_inputs = {SOURCE_NAME: "https://elsewhere.example/"}
    obs, (result,) = await build_after_each(lambda obs: obs.inputs.update(foreign_inputs))
    assert "Something else is called High Noon" in result.left[0]
    assert obs.inputs == foreign_inputs
    assert OVERLAY not in obs.items


def test_caption_is_sent_in_packets_of_western_characters() -> None:
    for text, packets in (
        ("x" * 32 + " " + "y" * 18, ["x" * 32 + " " + "y" * 18]),
        ("x" * 32 + " " + "y" * 19, ["x" * 32, "y" * 19]),
        ("李小龙 goes all in", ["LiXiaoLong goes all in"]),
        ("Ace_of_{spades}", ["Ace-of-(spades)"]),
        ("\u202e", []),
    ):
        assert split_into_packets(text) == packets


@given(st.lists(st.text("word", min_size=1, max_size=12), max_size=40).map(" ".join))
def test_captions_keep_every_word_in_packets_of_at_most_31_byte_pairs(text: str) -> None:
    """Four of a packet's 31 byte pairs are commands. Each row of text needs one more pair for a command."""
    packets = split_into_packets(text)
    assert " ".join(packets) == text == to_western_characters(text)
    for packet in packets:
        assert 4 + sum(1 + -(-len(row) // 2) for row in textwrap.wrap(packet, 32)) <= 31


async def run_with_obs(address: str, password: str, use_socket: UseSocket, on_event: OnEvent = lambda *_: None) -> str:
    """Runs `use_socket` on a connection to an OBS. Returns why the connection failed, or ""."""
    try:
        async with connect_to_obs(address, password, on_event) as socket, background_task(socket.listen()):
            await use_socket(socket)
    except ObsUnavailable as reason:
        return str(reason)
    return ""


async def ask_version(socket: ObsSocket) -> None:
    assert (await socket.ask("GetVersion"))["obsVersion"] == "29.0.2"


async def test_missing_or_wrong_password_of_obs_is_reported() -> None:
    async with ObsStandIn() as obs:
        assert await run_with_obs(obs.address, "", ask_version) == ""
        assert "authentication" not in obs.identify_message
    async with ObsStandIn("six shooter") as obs:
        assert await run_with_obs(obs.address, "six shooter", ask_version) == ""
        assert "authentication" in obs.identify_message
        assert "six shooter" not in str(obs.identify_message)
        assert "wants a password" in await run_with_obs(obs.address, "", ask_version)
        assert "the password is wrong" in await run_with_obs(obs.address, "wrong", ask_version)


async def test_silent_or_unready_obs_is_given_up_at_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """OBS 30 or later refuses all requests while it starts, and while it loads other scenes."""
    monkeypatch.setattr(websocket, "ANSWER_SECONDS", 1.0)
    given_up = "OBS is not responding"
    for refusals, is_silent, reason in ((3, False, ""), (1000, False, given_up), (0, True, given_up)):
        async with ObsStandIn() as obs:
            obs.refusals_left, obs.ignores_requests = refusals, is_silent
            assert await run_with_obs(obs.address, "", ask_version) == reason, refusals


async def test_server_that_is_not_obs_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "ANSWER_SECONDS", 1.0)
    greetings: dict[str | bytes, str] = {
        "": "sends nothing",
        "nonsense": "is not OBS",
        b"\xff\x00": "is not OBS",
        "[]": "is not OBS",
        '{"op": 5, "d": {}}': "is not OBS",
        '{"op": 0, "d": {"authentication": 7}}': "did not accept",
    }
    for greeting, words in greetings.items():
        async with ObsStandIn(greeting=greeting) as obs:
            assert words in await run_with_obs(obs.address, "", ask_version), greeting


async def test_unreachable_or_malformed_address_is_reported() -> None:
    async with ObsStandIn() as stopped_obs:
        pass
    assert "OBS cannot be reached" in await run_with_obs(stopped_obs.address, "", ask_version)
    for address in ("", "nobody here", "127.0.0.1:none", "127.0.0.1:99999999"):
        assert await run_with_obs(address, "", ask_version), address


async def test_nonsense_is_ignored_and_events_are_received() -> None:
    received: list[tuple[str, object]] = []
    async with ObsStandIn() as obs:

        async def send_nonsense(socket: ObsSocket) -> None:
            for nonsense in ("{", "[]", '{"op": "x", "d": {}}', '{"op": 7, "d": {}}', b"\xff"):
                await obs.send(nonsense)
            await obs.send('{"op": 5, "d": {"eventType": 7, "eventData": 8}}')
            await obs.send_event("CurrentProgramSceneChanged", sceneName="Table")
            await ask_version(socket)

        error = await run_with_obs(obs.address, "", send_nonsense, lambda *event: received.append(event))
    assert (error, received) == ("", [("7", {}), ("CurrentProgramSceneChanged", {"sceneName": "Table"})])


@pytest.mark.parametrize("flood", ['{"op": 5, "d": {}}', "x" * (1 << 19), "[" * (1 << 19)], ids=["many", "big", "deep"])
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
        assert "not OBS" in await run_with_obs(f"{host}:{port}", "", ask_version)
        assert not obs.identify_message

"""A server that speaks the protocol obs-websocket 5 over WebSockets, as OBS 29 does, and records all requests."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from broadcast.obs.scene_collection import SCENES
from server.game.events import GameStarted, StageStarted

KNOWN_REQUESTS = (
    "GetVersion", "GetSceneList", "GetStats", "GetStreamStatus", "GetRecordStatus", "GetInputList", "GetInputSettings",
    "SetCurrentProgramScene", "PressInputPropertiesButton", "SaveReplayBuffer", "SendStreamCaption",
    "CreateRecordChapter", "CreateScene", "CreateSceneItem", "CreateInput", "SetInputSettings", "GetSceneItemList",
    "GetInputKindList", "GetReplayBufferStatus", "SetSceneItemLocked", "GetVideoSettings",
)  # fmt: skip
PATIENCE_SECONDS = 40
STAGE = StageStarted(1, "The Trials", 15, 6, (1, 2), (5000, 5000), 6)
GAME = GameStarted(1, 6, (1, 2), (5000, 5000))


class ObsStandIn:
    """Stands in for OBS. `answers` replaces the answers to some kinds of requests.

    A `greeting` is sent before all other messages. If `greeting` is "", the stand-in sends nothing at all.
    """

    def __init__(
        self, password: str = "", *, greeting: str | bytes | None = None, answers: Mapping[str, Any] | None = None
    ) -> None:
        self.scene, self.scenes = "Starting", list(SCENES)
        self.streaming = self.recording = self.buffering = False
        self.ignores_requests = False
        self.refusals_left = 0
        """How many of the next requests the stand-in refuses. A real OBS refuses requests while it loads scenes."""
        self.inputs: dict[str, str] = {}
        """The address of each browser source, by the source's name."""
        self.source_settings: dict[str, dict[str, Any]] = {}
        self.fps = 60.0
        self.items: dict[str, list[str]] = {}
        """The names of the sources in each scene."""
        self.canvas = (1920, 1080)
        self.kinds = ["image_source", "browser_source"]
        self.port = 0
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.identify_message: dict[str, Any] = {}
        self._password = password
        self._greeting = greeting
        self._answers = dict(answers or {})
        self._sockets: set[ServerConnection] = set()
        self._requests_changed = asyncio.Condition()
        self._server: Server

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def __aenter__(self) -> "ObsStandIn":
        self._server = await serve(self._talk, "127.0.0.1", self.port, subprotocols=[Subprotocol("obswebsocket.json")])
        self.port = next(iter(self._server.sockets)).getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def wait_for_request(self, request: str, **fields: object) -> None:
        """Waits until a request has arrived, and removes the request from `requests`."""
        async with asyncio.timeout(PATIENCE_SECONDS), self._requests_changed:
            await self._requests_changed.wait_for(lambda: (request, fields) in self.requests)
            self.requests.remove((request, fields))

    async def send_event(self, kind: str, **fields: object) -> None:
        await self.send({"op": 5, "d": {"eventType": kind, "eventIntent": 4, "eventData": fields}})

    async def switch(self, scene: str) -> None:
        self.scene = scene
        await self.send_event("CurrentProgramSceneChanged", sceneName=scene)

    async def send(self, message: object) -> None:
        """Sends a message to all clients: text or bytes as they are, anything else as JSON."""
        for socket in self._sockets:
            await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def _talk(self, socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await self._greet(socket)
            async for text in socket:
                await self._answer(socket, json.loads(text)["d"])
        self._sockets.discard(socket)

    async def _greet(self, socket: ServerConnection) -> None:
        if self._greeting is not None:
            await (socket.send(self._greeting) if self._greeting else socket.wait_closed())
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.1.0", "rpcVersion": 1}
        if self._password:
            hello["authentication"] = {"challenge": "challenge in a test", "salt": "salt in a test"}
        await socket.send(json.dumps({"op": 0, "d": hello}))
        identify = json.loads(await socket.recv())
        assert identify["op"] == 1
        self.identify_message = identify["d"]
        if self._password and self.identify_message.get("authentication") != self._proof():
            await socket.close(4009, "Authentication failed.")
        await socket.send(json.dumps({"op": 2, "d": {"negotiatedRpcVersion": 1}}))
        self._sockets.add(socket)

    def _proof(self) -> str:
        """Computes the proof that a client knows the password, as the protocol's specification says."""
        secret = base64.b64encode(hashlib.sha256(f"{self._password}salt in a test".encode()).digest()).decode()
        return base64.b64encode(hashlib.sha256(f"{secret}challenge in a test".encode()).digest()).decode()

    async def _answer(self, socket: ServerConnection, request: dict[str, Any]) -> None:
        kind, fields = request["requestType"], request.get("requestData") or {}
        async with self._requests_changed:
            self.requests.append((kind, fields))
            self._requests_changed.notify_all()
        if self.ignores_requests:
            return
        if self.refusals_left:
            self.refusals_left -= 1
            data, code, comment = None, 207, "OBS is not ready to perform the request."
        else:
            data = self._answers.get(kind, self._change_scenes(kind, fields) or self._read_state(kind, fields))
            code, comment = 501, "not available in a test"
        refusal = {"result": False, "code": code, "comment": comment}
        status = refusal if data is None else {"result": True, "code": 100}
        answer = {"requestType": kind, "requestId": request["requestId"], "requestStatus": status}
        await socket.send(json.dumps({"op": 7, "d": answer | ({"responseData": data} if data is not None else {})}))
        if kind == "SetCurrentProgramScene":
            await self.switch(fields["sceneName"])

    def _change_scenes(self, kind: str, fields: dict[str, Any]) -> dict[str, Any] | None:
        """Adds or changes a scene or source, as requested. Returns the answer, or None if nothing was added."""
        match kind, fields:
            case "CreateScene", {"sceneName": name} if name not in self.scenes:
                self.scenes.append(name)
                return {"sceneUuid": name}
            case "CreateInput", {"inputName": name, "sceneName": scene} if name not in self.inputs:
                self.inputs[name] = fields["inputSettings"]["url"]
                self.source_settings[name] = fields["inputSettings"]
                return self._add_item(scene, name)
            case "CreateSceneItem", {"sourceName": name, "sceneName": scene}:
                return self._add_item(scene, name)
            case "SetInputSettings", {"inputName": name}:
                self.inputs[name] = fields["inputSettings"]["url"]
        return None

    def _add_item(self, scene: str, name: str) -> dict[str, Any]:
        items = self.items.setdefault(scene, [])
        items.append(name)
        return {"sceneItemId": len(items)}

    def _read_state(self, kind: str, fields: dict[str, Any]) -> dict[str, Any] | None:
        source, items = fields.get("inputName", ""), self.items.get(fields.get("sceneName", ""), ())
        scenes = [{"sceneName": name, "sceneIndex": index} for index, name in enumerate(self.scenes)]
        answers: dict[str, dict[str, Any]] = {
            "GetVersion": {"obsVersion": "29.0.2", "availableRequests": list(KNOWN_REQUESTS)},
            "GetSceneList": {"currentProgramSceneName": self.scene, "scenes": scenes},
            "GetStats": {"activeFps": self.fps, "outputTotalFrames": 1000, "outputSkippedFrames": 2},
            "GetStreamStatus": {"outputActive": self.streaming},
            "GetRecordStatus": {"outputActive": self.recording},
            "GetReplayBufferStatus": {"outputActive": self.buffering},
            "GetInputList": {"inputs": [{"inputName": name, "inputKind": "browser_source"} for name in self.inputs]},
            "GetSceneItemList": {"sceneItems": [{"sourceName": name} for name in items]},
            "GetInputKindList": {"inputKinds": self.kinds},
            "GetVideoSettings": {"baseWidth": self.canvas[0], "baseHeight": self.canvas[1]},
            "GetInputSettings": {
                "inputSettings": {**self.source_settings.get(source, {}), "url": self.inputs.get(source, "")}
            },
        }
        is_done = kind in KNOWN_REQUESTS and kind not in ("SaveReplayBuffer", "CreateScene", "CreateInput")
        return answers.get(kind, {} if is_done else None)

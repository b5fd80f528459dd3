"""Serves the tools with which agents (bots that play by MCP) play, and texts that explain the tools to agents.

The server keeps the agents' seats, but no MCP sessions. So sessions cannot pile up when agents disappear.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from server.app.mcp.admit_agents import Door
from server.app.mcp.seat import AgentRequestError
from server.app.mcp.texts import llms_text, skill_text
from server.app.mcp.tools import Caller, Tools
from server.errors import Refusal
from server.version import VERSION

try:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
    from mcp_types import (
        CallToolRequestParams,
        CallToolResult,
        ListToolsResult,
        PaginatedRequestParams,
        TextContent,
        Tool,
    )
except ModuleNotFoundError:
    raise Refusal("agents need the MCP SDK, which is not installed: pip install 'highnoon[mcp]'") from None

MCP_PATH = "/mcp"
_INSTRUCTIONS = "Play poker: call rules, then join, then wait_for_turn and act in turn until game_over is true."
_HEADERS = {"Cache-Control": "no-store"}


class _Endpoint:
    """The tools as an ASGI application. Answers 503 whenever `serve_tools` is not running."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._app: ASGIApp = PlainTextResponse("Agents are not let in now. Try again in a minute.", 503)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    @asynccontextmanager
    async def serve_tools(self) -> AsyncIterator[None]:
        """Lets agents in until the context ends."""
        closed = self._app
        manager = StreamableHTTPSessionManager(_make_server(self._tools), json_response=True, stateless=True)
        async with manager.run():
            self._app = StreamableHTTPASGIApp(manager)
            try:
                yield
            finally:
                self._app = closed


def add_agent_routes(app: FastAPI, door: Door) -> AbstractAsyncContextManager[None]:
    """Adds `/mcp`, `/llms.txt` and `/skill.md` to `app`. While the returned context is open, `door` seats agents."""
    endpoint = _Endpoint(Tools(door))
    app.router.routes.append(Route(MCP_PATH, endpoint, methods=["POST"]))
    for path, text in (("/llms.txt", llms_text), ("/skill.md", skill_text)):
        app.add_api_route(path, _answer_of(text), include_in_schema=False)
    return endpoint.serve_tools()


def _answer_of(text: Callable[[str], str]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return PlainTextResponse(text(_server_address(request)), headers=_HEADERS)

    return answer


def _server_address(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _make_server(tools: Tools) -> Server[Any]:
    listed_tools = [
        Tool(name=tool.name, description=tool.description, input_schema=tool.schema) for tool in tools.by_name.values()
    ]

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed_tools)

    async def call(context: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> CallToolResult:
        request = context.request
        assert isinstance(request, Request), "every call is an HTTP request"
        caller = Caller(request.client.host if request.client else "", _server_address(request), request.receive)
        try:
            answer = await tools.call(params.name, params.arguments or {}, caller)
        except AgentRequestError as why:
            return CallToolResult(content=[TextContent(text=str(why))], is_error=True)
        return CallToolResult(
            content=[TextContent(text=msgspec.json.encode(answer).decode())],
            structured_content=msgspec.to_builtins(answer),
        )

    return Server(
        "high-noon",
        version=VERSION,
        title="High Noon",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call,
    )

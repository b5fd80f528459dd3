"""`highnoon mcp SERVER`: passes an AI agent's MCP calls on to a server, for agents that can only start commands."""

from typing import Any

from server.app.mcp.serve import MCP_PATH
from server.errors import Refusal
from server.version import VERSION

try:
    from mcp import Client, MCPError, stdio_server
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
except ModuleNotFoundError:
    raise Refusal("agents need the MCP SDK, which is not installed: pip install 'highnoon[mcp]'") from None


async def forward_calls(*, address: str) -> int:
    """Serves the tools of the server at `address` on standard input and output, until the input ends.

    Raises Refusal if no server answers at `address`.
    """
    try:
        async with Client(f"{address}{MCP_PATH}") as remote, stdio_server() as (reading, writing):
            local_server = _make_server(remote)
            await local_server.run(reading, writing, local_server.create_initialization_options())
    except* (MCPError, OSError, ConnectionError) as group:
        raise Refusal(
            f"{address}{MCP_PATH} cannot be used: {_first_error(group)}. Is highnoon practice running there?"
        ) from None
    return 0


def _make_server(remote: Client) -> Server[Any]:
    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return await remote.list_tools()

    async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        return await remote.call_tool(params.name, params.arguments)

    return Server("high-noon", version=VERSION, title="High Noon", on_list_tools=list_tools, on_call_tool=call_tool)


def _first_error(group: BaseException) -> BaseException:
    return _first_error(group.exceptions[0]) if isinstance(group, BaseExceptionGroup) else group

"""What a page keeps in memory after all motion and a garbage collection, which must not grow with time."""

from typing import Any

from msgspec import Struct
from playwright.sync_api import CDPSession

from tests.overlay.support.screen import Screen

# Objects that are made for an effect and then freed: canvases, sounds, motions.
KINDS = ("HTMLCanvasElement", "AudioScheduledSourceNode", "Animation", "WebSocket")
# A fuse burns on, unseen, until its time is up.
_OVER = """() => !document.querySelector("canvas, .flight")
  && !document.getAnimations().some(({ effect }) =>
    !effect.target.closest(".fuse") && Number.isFinite(effect.getComputedTiming().endTime))"""


class PageMemory(Struct, frozen=True):
    """`heap` is in bytes and includes compiled code; the others count living objects."""

    heap: int
    nodes: int
    listeners: int
    things: dict[str, int]


def page_memory(screen: Screen) -> PageMemory:
    """The page's memory after garbage collection; waits until all motion is over."""
    screen.wait(_OVER)
    screen.settle()
    session = screen.context.new_cdp_session(screen.page)
    for _ in range(3):  # what one collection frees may have kept more alive
        session.send("HeapProfiler.collectGarbage")
    counters = session.send("Memory.getDOMCounters")
    heap = session.send("Runtime.getHeapUsage")["usedSize"]
    things = {kind: _alive(session, kind) for kind in KINDS}
    session.detach()
    return PageMemory(int(heap), counters["nodes"], counters["jsEventListeners"], things)


def _alive(session: CDPSession, kind: str) -> int:
    """How many objects of a class the page can still reach."""
    prototype: Any = session.send("Runtime.evaluate", {"expression": f"{kind}.prototype", "objectGroup": "held"})
    found = session.send(
        "Runtime.queryObjects", {"prototypeObjectId": prototype["result"]["objectId"], "objectGroup": "held"}
    )
    read = {"functionDeclaration": "function () { return this.length; }", "objectId": found["objects"]["objectId"]}
    count: Any = session.send("Runtime.callFunctionOn", read)
    session.send("Runtime.releaseObjectGroup", {"objectGroup": "held"})
    return int(count["result"]["value"])

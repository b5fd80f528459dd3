"""A device with a wrong clock finds the host's time, although nginx sends dates in whole seconds."""

from typing import Any

from tests.support.programs.in_node import Node

HOUR_MS = 3_600_000
MAX_ERROR_MS = 14
"""Half of 28 ms: a clock takes the middle of a range of at most 20 ms plus the 8 ms that an answer takes."""
# A host whose answers take a few milliseconds, and sometimes longer; time passes only while something
# waits. The requests with the numbers in `lost` never arrive. Returns the error of the clock in milliseconds.
_SIMULATED = """async ({ off, lost = [], slow = 4 }, load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  const kept = [globalThis.fetch, globalThis.setTimeout];
  let now = 1_000_000_123;
  let requests = 0;
  let dice = 7;
  const throwDice = () => (dice = (dice * 48_271) % 2_147_483_647) / 2_147_483_647;
  globalThis.setTimeout = (done, ms) => kept[1](() => { now += Math.max(0, ms) + 3 * throwDice(); done(); }, 0);
  globalThis.fetch = async () => {
    requests += 1;
    now += throwDice() * slow;
    const date = new Date(Math.floor(now / 1000) * 1000).toUTCString();
    now += throwDice() * slow;
    if (lost.includes(requests)) throw new TypeError("lost");
    return new Response("", { headers: { date } });
  };
  const clock = new ServerClock(() => now + off);
  await clock.fetch("http://127.0.0.1/");
  await clock.probe("http://127.0.0.1/");
  [globalThis.fetch, globalThis.setTimeout] = kept;
  return { settled: clock.settled, requests, error: Math.abs(clock.now - now) };
}"""
# A cache that returns the same date forever.
_FROZEN = """async (asked, load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  let own = 50_000_400;
  const clock = new ServerClock(() => own);
  for (; own < 50_100_000; own += 5000) clock.hear(50_000_000, own - 20, own);
  return [clock.known, clock.now - own];
}"""


def test_every_device_finds_the_hosts_time_as_exactly_as_its_network_allows(node: Node) -> None:
    assert node.evaluate(_FROZEN) == [False, 0], "a date that never changes must not be believed"
    networks: list[tuple[dict[str, Any], int, int]] = [
        *(({"off": off}, MAX_ERROR_MS, 10) for off in (0, 3, 500, -HOUR_MS, HOUR_MS, 777)),
        ({"off": 500, "lost": [2, 3, 5, 6]}, MAX_ERROR_MS, 15),
        ({"off": 500, "slow": 300}, 300, 15),
        ({"off": 500, "lost": list(range(2, 50))}, 520, 15),
    ]
    for network, error_ms, requests in networks:
        found = node.evaluate(_SIMULATED, network)
        assert found["settled"], network
        assert (found["error"] <= error_ms, found["requests"] <= requests) == (True, True), (network, found)

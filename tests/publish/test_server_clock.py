"""The time at a host, as a device with a wrong clock finds it out: from nginx, whose dates are whole seconds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.in_node import Node
from tests.support.nginx import nginx, static_host

HOUR_MS = 3_600_000
NEAR_MS = 250
"""A quarter of what a single date leaves open; on a machine at rest it is ten milliseconds."""
_PROBED = """async ([address, wrong], load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  const clock = new ServerClock(() => Date.now() + wrong);
  await clock.probe(address);
  return [clock.known, clock.now - Date.now()];
}"""
# A device whose clock jumps by an hour between two answers; the host's is right.
_JUMPED = """async (asked, load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  let own = 10_000_400;
  const clock = new ServerClock(() => own);
  clock.hear(10_000_000, own - 20, own);
  const before = clock.now;
  own += 3_605_000;
  clock.hear(10_005_000, own - 20, own);
  return [before, clock.now];
}"""
_DRIFTED = """async (asked, load) => {
  const { ServerClock } = await load("/static/js/replay/film/server-clock.js");
  let own = 0;
  const clock = new ServerClock(() => own);
  let worst = 0;
  for (let at = 0; at < 14_400_000; at += 5000 + (at % 777)) {  // four hours, in which it is slow by 40 parts a million
    own = at * (1 - 4e-5);
    clock.hear(Math.floor(at / 1000) * 1000, own - 20, own);
    if (at > 600_000) worst = Math.max(worst, Math.abs(clock.now - at));
  }
  return worst;
}"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("host")
    (folder / "index.json").write_text("{}")
    with nginx(folder / "nginx", static_host(folder)) as address:
        yield f"{address}/index.json"


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    opened = Node()
    yield opened
    opened.close()


@pytest.mark.parametrize("wrong", [HOUR_MS, -HOUR_MS])
def test_a_clock_that_is_wrong_by_an_hour_finds_out_the_time_of_the_host(wrong: int, host: str, node: Node) -> None:
    known, off = node.evaluate(_PROBED, [host, wrong])
    assert known
    assert abs(off) < NEAR_MS


def test_a_clock_that_is_right_is_trusted_as_it_is(host: str, node: Node) -> None:
    known, off = node.evaluate(_PROBED, [host, 0])
    assert (known, abs(off) < 5) == (True, True)


def test_without_a_host_a_device_keeps_its_own_time(node: Node) -> None:
    assert node.evaluate(_PROBED, ["http://127.0.0.1:9/", 0]) == [False, 0]


def test_a_clock_that_jumps_is_noticed_with_the_next_answer(node: Node) -> None:
    before, after = node.evaluate(_JUMPED)
    assert abs(before - 10_000_400) <= 1000
    assert abs(after - 10_005_400) <= 1000


def test_a_clock_that_drifts_for_hours_stays_near_the_hosts(node: Node) -> None:
    assert node.evaluate(_DRIFTED) < 500

"""Programs count games, hands, answers, faults and viewers for Prometheus, and log their messages as JSON."""

import json
import re
import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.sync.client import connect

from broadcast.api.metrics import MAX_BOTS, OTHER_BOTS, Metrics
from broadcast.on_air.air_log import AirLog
from server.console import LOG_VARIABLE, LogLine
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game import events
from server.journal.journal import read_journal
from server.paths import ASSETS, GUIDE
from tests.desk.desk_server import TOKENS, DeskServer, contest_events
from tests.end_to_end.evening import CONTROL, VIEW, RemoteBots, secrets_of, tournament, write_evening
from tests.support.program import SECONDS, highnoon, serving_program, wait_until

DASHBOARD = ASSETS / "deploy/grafana.json"
NAMES = ("Ada", "Babbage", "Curry")
Samples = Mapping[tuple[str, str], float]
"""The value of each metric and label. The label is a bot, a channel, or "" if the metric has neither."""


def samples(text: str) -> Samples:
    """Reads metrics with Prometheus' own parser. Values of the same metric and label add up."""
    found: defaultdict[tuple[str, str], float] = defaultdict(float)
    for family in text_string_to_metric_families(text):
        for each in family.samples:
            found[each.name, each.labels.get("bot") or each.labels.get("channel") or ""] += each.value
    return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a demo with metrics that has just ended, and its recording."""
    data = tmp_path_factory.mktemp("demo")
    words = ("demo", "--speed", "400", "--metrics", "--seed", "2a", "--data", str(data))
    with serving_program(*words) as running:
        running.wait_for_output("the show is over")
        yield running.base, next((data / "recordings").glob("*.jsonl"))


def test_metrics_count_what_the_recording_has(demo: tuple[str, Path]) -> None:
    base, path = demo
    found = samples(httpx.get(f"{base}/metrics", timeout=SECONDS).raise_for_status().text)
    recorded = [entry.event for entry in read_journal(path).entries]
    opened = next(event for event in recorded if isinstance(event, events.TournamentOpened))
    answers = [event for event in recorded if isinstance(event, events.ActionTaken) and not event.fault]
    assert found["highnoon_games_total", ""] == sum(isinstance(event, events.GameEnded) for event in recorded)
    assert found["highnoon_hands_total", ""] == sum(isinstance(event, events.HandEnded) for event in recorded)
    counted = {name: found["highnoon_answer_seconds_count", name] for name in (each.name for each in opened.entrants)}
    assert sum(counted.values()) == len(answers)
    assert all(counted.values())
    seconds = sum(found["highnoon_answer_seconds_sum", name] for name in counted)
    assert seconds == pytest.approx(sum(event.think_ms for event in answers) / 1000)
    assert found["highnoon_queue_hands", ""] == 0
    assert found["highnoon_show_lag_seconds", ""] == 0
    assert found["highnoon_journal_bytes", ""] == path.stat().st_size
    assert httpx.get(f"{base}/api/v1/results", timeout=SECONDS).json()["finished"]
    with connect(f"ws{base[4:]}/ws/show", proxy=None, max_size=None, open_timeout=SECONDS) as viewer:
        viewer.recv(timeout=SECONDS)
        assert samples(httpx.get(f"{base}/metrics", timeout=SECONDS).text)["highnoon_viewers", "main"] == 1


def test_guide_lists_every_metric_and_the_dashboard_uses_no_others(demo: tuple[str, Path], tmp_path: Path) -> None:
    with serving_program("practice", "--metrics", "--data", str(tmp_path)) as running:
        practice = httpx.get(f"{running.base}/metrics", timeout=SECONDS).text
    assert samples(practice)["highnoon_queue_games", ""] == 0
    with DeskServer(tmp_path, contest_events(hands=1)) as server:
        boxed = server.web.get(f"{server.address}/metrics").text
    assert samples(boxed)["highnoon_box_memory_bytes", "Annie Oddsley"] == 7 << 20
    assert samples(boxed)["highnoon_box_memory_limit_bytes", "Annie Oddsley"] == 64 << 20
    assert samples(boxed)["highnoon_journal_sync_seconds", ""] == 0.25
    text = practice + boxed + httpx.get(f"{demo[0]}/metrics", timeout=SECONDS).text
    known = {*re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)}
    queries = [target["expr"] for panel in json.loads(DASHBOARD.read_text())["panels"] for target in panel["targets"]]
    named = {name for query in queries for name in re.findall(r"\b(?:highnoon|process)_\w+", query)}
    assert len(named) > 12
    assert named <= known | {"highnoon_answer_seconds_bucket"}
    page = (GUIDE / "monitoring.md").read_text()
    ours = [name for name in known if name.startswith("highnoon_") and not name.endswith("_created")]
    assert not [name for name in ours if f"`{name}`" not in page]
    assert (ASSETS / "deploy/prometheus.yml").read_text() in page


def test_metrics_are_read_on_this_machine_or_with_a_token(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1)) as server:

        def status(**headers: str) -> int:
            sent = {name.replace("_", "-"): text for name, text in headers.items()}
            return server.web.get(f"{server.address}/metrics", headers=sent).status_code

        assert status() == 200
        assert status(x_forwarded_for="203.0.113.9") == 403, "a proxy's visitor must not count as one on this machine"
        assert status(forwarded="for=203.0.113.9") == 403
        assert status(x_forwarded_for="127.0.0.1", authorization="Bearer wrong-and-long") == 403
        assert status(x_forwarded_for="203.0.113.9", authorization=f"Bearer {TOKENS.view}") == 200
        assert status(origin="https://club.example") == 403
        assert status(host="evil.example") == 421


def test_tournament_logs_json_and_continues_its_counts_after_a_crash(tmp_path: Path) -> None:
    folder = write_evening(tmp_path, secrets_of(NAMES))
    options = ("--speed", "50", "--metrics", "--log", "json")

    def metrics() -> Samples:
        given = {"authorization": f"Bearer {VIEW}", "x-forwarded-for": "203.0.113.9"}
        answers = []

        def is_answered() -> bool:
            answers.append(httpx.get(f"{folder.base}/metrics", headers=given, timeout=SECONDS))
            return answers[-1].is_success

        wait_until(is_answered, lambda: answers[-1])  # while the studio starts, its server answers 503
        return samples(answers[-1].text)

    def follow(hands: int) -> None:
        with connect(f"ws{folder.base[4:]}/ws/show", proxy=None, max_size=None, open_timeout=SECONDS) as socket:
            while hands:
                hands -= json.loads(socket.recv(timeout=SECONDS))["type"] == "hand_ended"

    with RemoteBots(folder.register, secrets_of(NAMES), wild=0.0):
        with tournament(folder, *options) as terminal:
            terminal.wait_for_output("waiting until all bots are connected")
            follow(3)
            before = metrics()
            terminal.kill_everything()
        with tournament(folder, *options) as again:
            again.wait_for_output("the tournament continues")
            after = metrics()
    assert after["highnoon_hands_total", ""] >= before["highnoon_hands_total", ""] >= 3
    assert {name for metric, name in after if metric == "highnoon_answer_seconds_count"} == {*NAMES}
    lines = [LogLine(**json.loads(line)) for line in terminal.lines]
    assert {line.level for line in lines} == {"info"}
    assert [line.time for line in lines] == sorted(line.time for line in lines)
    private = folder.journal.with_suffix(".private")
    assert any(str(private) in line.text for line in lines), "the log must say where the desk's address is"
    assert f"/control?token={CONTROL}" in private.read_text()
    assert not {CONTROL, VIEW} & {*re.findall(r"[\w-]{12,}", " ".join(terminal.lines + again.lines))}


def test_reason_for_ending_and_warnings_of_the_web_server_are_also_logged_as_json(tmp_path: Path) -> None:
    by_option = highnoon("serve", str(tmp_path), "--log", "json")
    by_variable = highnoon("serve", str(tmp_path), env={LOG_VARIABLE: "json"})
    for ended in (by_option, by_variable):
        line = json.loads(ended.stderr)
        assert (ended.returncode, line["level"]) == (1, "error")
        assert line["text"].startswith("there is no folder ")
    assert highnoon("serve", str(tmp_path)).stderr.startswith("highnoon: there is no folder ")

    with (
        serving_program("practice", "--data", str(tmp_path), env={LOG_VARIABLE: "json"}) as running,
        socket.create_connection(("127.0.0.1", running.port)) as line,
    ):
        metrics = httpx.get(f"{running.base}/metrics", timeout=SECONDS)
        assert metrics.status_code == 404, "metrics must be off by default"
        line.sendall(b"this is no HTTP\r\n\r\n")
        written = json.loads(running.wait_for_output("Invalid HTTP"))
        assert "/practice/status/" not in running.output
    assert "/practice/status/" in (tmp_path / "practice.private").read_text()
    assert written["level"] == "warning"


def test_bots_beyond_the_budget_are_counted_together() -> None:
    metrics, air = Metrics(), AirLog("main", 0)
    metrics.follow(air)
    entrants = tuple(events.Entrant(bot, f"Bot {bot}") for bot in range(1, MAX_BOTS + 51))
    air.put(events.TournamentOpened("quick-draw", "Many", QUICK_DRAW, 5000, entrants, ""), 0, 0)
    for entrant in entrants:
        air.put(events.FaultNoted(entrant.bot, "malformed", "no JSON"), 0, 0)
    found = samples(metrics.text().decode())
    counted = {name: count for (metric, name), count in found.items() if metric == "highnoon_faults_total"}
    assert counted == {**{f"Bot {bot}": 1 for bot in range(1, MAX_BOTS + 1)}, OTHER_BOTS: 50}

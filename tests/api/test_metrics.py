"""Prometheus can read metrics of the program, such as the number of hands. The program can log its messages as JSON."""

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

NAMES = ("Ada", "Babbage", "Curry")
Samples = Mapping[tuple[str, str], float]
"""Maps a metric and its label to a value. The label is the name of a bot or a channel, or "" if there is none."""


def read_samples(text: str) -> Samples:
    """Reads metrics with Prometheus' own parser. Adds up values that have the same metric and label."""
    totals: defaultdict[tuple[str, str], float] = defaultdict(float)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            totals[sample.name, sample.labels.get("bot") or sample.labels.get("channel") or ""] += sample.value
    return totals


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Runs a demo until its show is over. Yields the demo's address and the path of its recording."""
    folder = tmp_path_factory.mktemp("demo")
    words = ("demo", "--speed", "400", "--metrics", "--seed", "2a", "--data", str(folder))
    with serving_program(*words) as running:
        running.wait_for_output("the show is over")
        yield running.base, next((folder / "recordings").glob("*.jsonl"))


def test_metrics_count_what_the_recording_has(demo: tuple[str, Path]) -> None:
    base, path = demo
    samples = read_samples(httpx.get(f"{base}/metrics", timeout=SECONDS).raise_for_status().text)
    history = [entry.event for entry in read_journal(path).entries]
    (opened,) = (event for event in history if isinstance(event, events.TournamentOpened))
    answers = [event for event in history if isinstance(event, events.ActionTaken) and not event.fault]
    assert samples["highnoon_games_total", ""] == sum(isinstance(event, events.GameEnded) for event in history)
    assert samples["highnoon_hands_total", ""] == sum(isinstance(event, events.HandEnded) for event in history)
    names = [entrant.name for entrant in opened.entrants]
    counts = [samples["highnoon_answer_seconds_count", name] for name in names]
    assert all(counts)
    assert sum(counts) == len(answers)
    seconds = sum(samples["highnoon_answer_seconds_sum", name] for name in names)
    assert seconds == pytest.approx(sum(event.think_ms for event in answers) / 1000)
    assert samples["highnoon_queue_hands", ""] == samples["highnoon_show_lag_seconds", ""] == 0
    assert samples["highnoon_journal_bytes", ""] == path.stat().st_size
    assert httpx.get(f"{base}/api/v1/results", timeout=SECONDS).json()["finished"]
    with connect(f"ws{base[4:]}/ws/show", proxy=None, max_size=None, open_timeout=SECONDS) as viewer:
        viewer.recv(timeout=SECONDS)
        assert read_samples(httpx.get(f"{base}/metrics", timeout=SECONDS).text)["highnoon_viewers", "main"] == 1


def test_guide_lists_every_metric_and_the_dashboard_uses_no_others(demo: tuple[str, Path], tmp_path: Path) -> None:
    with serving_program("practice", "--metrics", "--data", str(tmp_path)) as running:
        practice_server_metrics = httpx.get(f"{running.base}/metrics", timeout=SECONDS).text
    assert read_samples(practice_server_metrics)["highnoon_queue_games", ""] == 0
    with DeskServer(tmp_path, contest_events(hands=1)) as server:
        desk_server_metrics = server.web.get(f"{server.address}/metrics").text
    samples = read_samples(desk_server_metrics)
    assert samples["highnoon_box_memory_bytes", "Annie Oddsley"] == 7 << 20
    assert samples["highnoon_box_memory_limit_bytes", "Annie Oddsley"] == 64 << 20
    assert samples["highnoon_journal_sync_seconds", ""] == 0.25
    text = practice_server_metrics + desk_server_metrics + httpx.get(f"{demo[0]}/metrics", timeout=SECONDS).text
    served_names = {*re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)}
    panels = json.loads((ASSETS / "deploy/grafana.json").read_text())["panels"]
    queries = [target["expr"] for panel in panels for target in panel["targets"]]
    queried_names = {name for query in queries for name in re.findall(r"\b(?:highnoon|process)_\w+", query)}
    assert len(queried_names) > 12
    assert queried_names <= served_names | {"highnoon_answer_seconds_bucket"}
    page = (GUIDE / "monitoring.md").read_text()
    highnoon_names = [name for name in served_names if name.startswith("highnoon_") and not name.endswith("_created")]
    assert not [name for name in highnoon_names if f"`{name}`" not in page]
    assert (ASSETS / "deploy/prometheus.yml").read_text() in page


def test_metrics_are_read_on_this_machine_or_with_a_token(tmp_path: Path) -> None:
    with DeskServer(tmp_path, contest_events(hands=1)) as server:

        def request(**headers: str) -> int:
            request_headers = {name.replace("_", "-"): text for name, text in headers.items()}
            return server.web.get(f"{server.address}/metrics", headers=request_headers).status_code

        assert request() == 200
        assert request(x_forwarded_for="203.0.113.9") == 403, "a visitor behind a proxy must not count as local"
        assert request(forwarded="for=203.0.113.9") == 403
        assert request(x_forwarded_for="127.0.0.1", authorization="Bearer wrong-and-long") == 403
        assert request(x_forwarded_for="203.0.113.9", authorization=f"Bearer {TOKENS.view}") == 200


def test_tournament_logs_json_and_continues_its_counts_after_a_crash(tmp_path: Path) -> None:
    event_folder = write_evening(tmp_path, secrets_of(NAMES))
    options = ("--speed", "50", "--metrics", "--log", "json")

    def read_metrics() -> Samples:
        headers = {"authorization": f"Bearer {VIEW}", "x-forwarded-for": "203.0.113.9"}

        def ask() -> str:
            answer = httpx.get(f"{event_folder.base}/metrics", headers=headers, timeout=SECONDS)
            return answer.text if answer.is_success else ""

        return read_samples(wait_until(ask, lambda: "the studio does not start"))

    def watch_hands(hands: int) -> None:
        with connect(f"ws{event_folder.base[4:]}/ws/show", proxy=None, max_size=None, open_timeout=SECONDS) as socket:
            while hands:
                hands -= json.loads(socket.recv(timeout=SECONDS))["type"] == "hand_ended"

    with RemoteBots(event_folder.register, secrets_of(NAMES), all_in_rate=0.0, reconnect=True):
        with tournament(event_folder, *options) as terminal:
            terminal.wait_for_output("waiting until all bots are connected")
            watch_hands(3)
            before_crash = read_metrics()
            terminal.kill_everything()
        with tournament(event_folder, *options) as resumed_terminal:
            resumed_terminal.wait_for_output("the tournament continues")
            after_crash = read_metrics()
    assert after_crash["highnoon_hands_total", ""] >= before_crash["highnoon_hands_total", ""] >= 3
    assert {name for metric, name in after_crash if metric == "highnoon_answer_seconds_count"} == {*NAMES}
    log_lines = [LogLine(**json.loads(line)) for line in terminal.lines]
    assert {log_line.level for log_line in log_lines} == {"info"}
    times = [log_line.time for log_line in log_lines]
    assert times == sorted(times)
    private = event_folder.journal.with_suffix(".private")
    assert any(str(private) in log_line.text for log_line in log_lines), "the log must say where the desk's link is"
    assert f"/control?token={CONTROL}" in private.read_text()
    assert not {CONTROL, VIEW} & {*re.findall(r"[\w-]{12,}", " ".join(terminal.lines + resumed_terminal.lines))}


def test_fatal_errors_and_web_server_warnings_are_logged_as_json(tmp_path: Path) -> None:
    by_option = highnoon("serve", str(tmp_path), "--log", "json")
    by_variable = highnoon("serve", str(tmp_path), env={LOG_VARIABLE: "json"})
    for run in (by_option, by_variable):
        log_line = json.loads(run.stderr)
        assert (run.returncode, log_line["level"]) == (1, "error")
        assert log_line["text"].startswith("there is no folder ")
    assert highnoon("serve", str(tmp_path)).stderr.startswith("highnoon: there is no folder ")

    with (
        serving_program("practice", "--data", str(tmp_path), env={LOG_VARIABLE: "json"}) as running,
        socket.create_connection(("127.0.0.1", running.port)) as stranger,
    ):
        metrics = httpx.get(f"{running.base}/metrics", timeout=SECONDS)
        assert metrics.status_code == 404, "metrics must be off by default"
        stranger.sendall(b"this is no HTTP\r\n\r\n")
        warning = json.loads(running.wait_for_output("Invalid HTTP"))
        assert "/practice/status/" not in running.output
    assert "/practice/status/" in (tmp_path / "practice.private").read_text()
    assert warning["level"] == "warning"


def test_bots_beyond_the_limit_are_counted_together() -> None:
    metrics, air = Metrics(), AirLog("main", 0)
    metrics.follow(air)
    entrants = tuple(events.Entrant(bot, f"Bot {bot}") for bot in range(1, MAX_BOTS + 51))
    air.put(events.TournamentOpened("quick-draw", "Many", QUICK_DRAW, 5000, entrants, ""), 0, 0)
    for entrant in entrants:
        air.put(events.FaultNoted(entrant.bot, "malformed", "no JSON"), 0, 0)
    samples = read_samples(metrics.text().decode())
    fault_counts = {name: count for (metric, name), count in samples.items() if metric == "highnoon_faults_total"}
    assert fault_counts == {**{f"Bot {bot}": 1 for bot in range(1, MAX_BOTS + 1)}, OTHER_BOTS: 50}

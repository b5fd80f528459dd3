"""A whole show by the program itself, published while it is on: what is there afterwards, and how it is watched."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsers import PATIENCE_MS, Browsers
from tests.support.nginx import nginx, static_host
from tests.support.program import highnoon
from tests.support.published import published_entries, published_index, published_json
from tests.support.source_files import ROOT


def test_a_demo_that_is_published_can_be_watched_from_its_site_and_its_recording_is_there(
    tmp_path: Path, browsers: Browsers
) -> None:
    site = tmp_path / "host/some/where"
    words = ["demo", "--contest", "arena", "--speed", "0", "--port", "0", "--data", str(tmp_path / "data")]
    subprocess.run([sys.executable, "-m", "server", *words, "--publish", str(site)], cwd=ROOT, check=True, timeout=300)
    index = published_index(site)
    assert index["state"] == "over"
    assert "tournament_ended" in [entry["type"] for entry in published_entries(site)]
    (recording,) = (tmp_path / "data/recordings").glob("*.jsonl")
    assert (site / "recordings" / recording.name).read_bytes() == recording.read_bytes()
    bots = published_json(site / "live/main/all.json")["outline"]["bots"]
    assert all((site / "media" / bot["avatar"]).exists() for bot in bots if bot["avatar"])
    with nginx(tmp_path / "nginx", static_host(tmp_path / "host")) as host, browsers.opened() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        missing: list[str] = []
        page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        page.goto(f"{host}/some/where/watch/?motion=off&debug")
        page.get_by_role("link", name="Watch it from the beginning").click()
        page.wait_for_function("() => window.highnoon?.head.place.hand === 0", timeout=PATIENCE_MS)
        page.goto(f"{host}/some/where/")
        expect(page.locator("main")).to_contain_text("Arena")
        assert not missing


def test_a_demo_of_a_season_that_should_be_published_is_refused_before_anything_starts(tmp_path: Path) -> None:
    data, site = tmp_path / "data", tmp_path / "site"
    ended = highnoon("demo", "--contest", "upac", "--port", "0", "--data", str(data), "--publish", str(site))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "--publish is for a show that has an end, not for the season of UPAC: leave it out" in ended.stderr
    assert not data.exists()
    assert not site.exists()


@pytest.mark.parametrize("about", ['contest = "upac"', 'contest = "quick-draw"\nmode = "practice"'])
def test_an_event_without_an_end_that_should_be_published_is_refused_before_anything_starts(
    tmp_path: Path, about: str
) -> None:
    event = tmp_path / "event.toml"
    event.write_text(f'name = "Friday"\ndate = 2026-11-21\n{about}\n')
    ended = highnoon("tournament", str(event), "--publish", str(tmp_path / "site"))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "--publish is for a show that has an end, neither for a season nor for practice" in ended.stderr
    assert list(tmp_path.iterdir()) == [event]

"""A whole show by the real program, published live: the files afterwards, and how it is watched."""

import gzip
import json
from pathlib import Path

from playwright.sync_api import expect

from tests.support.browsers import PATIENCE_MS, Browsers
from tests.support.nginx import nginx, static_host
from tests.support.program import highnoon
from tests.support.published import published_entries, published_index, published_json


def test_season_is_published_game_by_game_and_can_be_watched_afterwards(tmp_path: Path, browsers: Browsers) -> None:
    site = tmp_path / "site"
    words = ["demo", "--contest", "upac", "--speed", "0", "--port", "0", "--data", str(tmp_path / "data")]
    ended = highnoon(*words, "--publish", str(site))
    assert ended.returncode == 0, ended.stderr
    assert f"published       {site}" in ended.stdout
    index = published_index(site)
    assert (index["state"], index.get("goes_on")) == ("over", None)
    kinds = [entry["type"] for entry in published_entries(site)]
    games = kinds.count("tournament_opened")
    assert games == kinds.count("tournament_ended") > 1
    assert len(list((site / "recordings").glob("*-upac-*.jsonl"))) == games
    whole = site / "live/main/all.json"  # often from before the last game, so out of date
    whole.write_bytes(gzip.compress(json.dumps({**published_json(whole), "goes_on": True}).encode()))
    with nginx(tmp_path / "nginx", static_host(site)) as host, browsers.opened() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        missing: list[str] = []
        page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        page.goto(f"{host}/watch/?motion=off&debug")
        expect(page.locator("#live")).to_have_text("Over", timeout=PATIENCE_MS)
        page.keyboard.press("Space")  # otherwise it would play on, and this show is short
        page.keyboard.press("Home")
        page.wait_for_function("() => window.highnoon.head.place.hand === 0", timeout=PATIENCE_MS)
        page.goto(f"{host}/recordings/")
        expect(page.locator("main")).to_contain_text("UPAC")
        assert not missing


def test_practice_games_are_refused_for_publishing_before_anything_starts(tmp_path: Path) -> None:
    event = tmp_path / "event.toml"
    event.write_text('name = "Friday"\ndate = 2026-11-21\ncontest = "quick-draw"\nmode = "practice"\n')
    ended = highnoon("tournament", str(event), "--publish", str(tmp_path / "site"))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert 'mode = "practice" has no tournament to rehearse, to begin again or to publish' in ended.stderr
    assert list(tmp_path.iterdir()) == [event]

"""The archive's pages, over real HTTP, list recordings, refuse bad addresses, and show strangers' names as text."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from html import unescape
from itertools import product
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from broadcast.app import Studio
from broadcast.archive import jobs
from broadcast.archive.database import stamp_of
from broadcast.film.film import film_of, keep_film, open_film
from server.__main__ import main
from server.app.recordings.archive import archive_of_one, unless_on_air
from server.app.recordings.open import open_recording
from server.game.events import TournamentEnded
from server.journal.journal import Journal
from tests.archive.conftest import serving_archive
from tests.overlay.support.show_server import ShowServer
from tests.support.games.recordings import of_kind, once_read, renamed, small_contest, until_listed, write

PUBLISHED = Path(__file__).parents[1] / "data" / "phh"
AGAIN = 'name="again"'
"""A text that only pages which reload by themselves contain."""
STRANGER = '<img src=x onerror="alert(1)">&"\''


def test_finished_recording_is_listed_served_and_found_by_its_hands(web: httpx.Client, recordings: Path) -> None:
    page = web.get("/recordings")
    assert page.status_code == 200
    assert "/replay/one" in page.text
    one = web.get("/recordings/one")
    assert one.status_code == 200
    assert one.text.count("?hand=") >= 7
    raw = web.get("/recordings/one.jsonl")
    assert raw.content == (recordings / "one.jsonl").read_bytes()
    assert raw.headers["content-type"] == "application/x-ndjson"
    assert "one.jsonl" in raw.headers["content-disposition"]
    assert "/replay/one?hand=" in web.get("/recordings", params={"mark": "Elimination"}).text
    for words in ({"bot": "nobody"}, {"pot": "999999999"}):
        assert "Nothing of that kind" in web.get("/recordings", params=words).text


def test_pages_hide_who_won_until_the_visitor_asks_for_results(shows: ShowServer) -> None:
    (ended,) = of_kind(small_contest(), TournamentEnded)
    winner = f"Bot {ended.placings[0].bot}<"
    with httpx.Client(base_url=shows.address, timeout=60) as visitor:
        pages = ("/recordings", "/recordings/one", "/recordings?mark=Elimination")
        assert not [page for page in pages if "Won by" in visitor.get(page).text]
        assert winner not in visitor.get("/recordings").text
        assert "Who played" in visitor.get("/recordings/one").text

        (switch,) = re.findall(r'class="switch" href="([^"]*)"[^>]*>Show results', visitor.get("/recordings").text)
        assert winner in visitor.get(f"/recordings{switch}").text
        assert all("Won by" in visitor.get(page).text for page in pages), "the visitor's choice must be remembered"
        assert "Final places" in visitor.get("/recordings/one").text
        found = visitor.get("/recordings", params={"mark": "Elimination", "pot": "5"})
        assert 'href="?mark=Elimination&amp;pot=5&amp;results=hidden"' in found.text, "the switch must keep the search"

        assert "Won by" not in visitor.get("/recordings?results=hidden").text
        assert "Won by" not in visitor.get("/recordings").text


def test_nonsense_in_the_address_is_ignored(web: httpx.Client) -> None:
    for query in ("page=0", "page=x", "page=99999999999", "pot=-1", "pot=1e9", "mark=%00", "made=<b>", "bot=%ff%00'"):
        assert web.get(f"/recordings?{query}").status_code == 200, query


@pytest.mark.parametrize("page", ["recordings/{}", "replay/{}", "films/{}/index.json", "films/{}/x/0.seg"])
def test_missing_page_is_reported_in_a_sentence(page: str, web: httpx.Client) -> None:
    names = ["nothing", "", "one/", "..%2fone", "..%2f..%2fetc%2fpasswd", "one.film", "%00", "archive.sqlite"]
    for name in (*names, "a" * 3000):
        answer = web.get(f"/{page.format(name)}")
        assert answer.status_code == 404, name
        assert "There is no recording of that name here." in answer.text


def test_film_is_served_in_segments_compressed_or_not(web: httpx.Client) -> None:
    outline = web.get("/films/one/index.json").json()
    plain = web.get("/films/one/index.json", headers={"Accept-Encoding": "identity"})
    assert ("content-encoding" in plain.headers, plain.json()) == (False, outline)
    seen = 0
    for number, hand in enumerate(outline["hands"]):
        answer = web.get(f"/films/one/{outline['version']}/{number}.seg")
        assert sha256(answer.content).hexdigest() == outline["sums"][number]
        assert "immutable" in answer.headers["cache-control"]
        segment = answer.json()
        assert (segment["n"], segment["opening"]["seq"], segment["first_seq"]) == (number, hand["seq"] - 1, hand["seq"])
        assert (segment["at_ms"], segment["entries"][0]["offset_ms"]) == (hand["at_ms"], 0)
        seen += len(segment["entries"])
        assert segment["last_seq"] == segment["entries"][-1]["seq"] == seen
    assert seen == outline["entries"]
    for wrong in (str(len(outline["hands"])), "x", "-1", ""):
        assert web.get(f"/films/one/{outline['version']}/{wrong}.seg").status_code == 404
    assert web.get("/films/one/another/0.seg").status_code == 404


def test_film_is_stored_beside_its_recording_and_only_its_owner_can_read_it(
    web: httpx.Client, recordings: Path
) -> None:
    web.get("/films/one/index.json")
    kept = recordings / "one.film"
    stamp = stamp_of(recordings / "one.jsonl")
    assert kept.stat().st_mode & 0o077 == 0
    assert open_film(kept, stamp)
    assert open_film(kept, "other") is None
    whole = kept.read_bytes()
    for damaged in (whole[:-1], b"", whole[:40], b"x" + whole, b"{}\n"):
        kept.write_bytes(damaged)
        assert open_film(kept, stamp) is None
    assert web.get("/films/one/index.json").status_code == 200
    assert kept.read_bytes() == whole


def test_no_trick_reveals_a_contest_that_is_still_being_played(web: httpx.Client, recordings: Path) -> None:
    journal = Journal(recordings / "running.jsonl")
    journal.append(small_contest()[:-1])
    keep_film(film_of(small_contest()[:-1]), stamp_of(journal.path), journal.path.with_suffix(".film"))
    (recordings / "practice").mkdir(exist_ok=True)
    ways = [recordings / "link.jsonl", recordings / "practice" / "link.jsonl", recordings / "way"]
    for way, to in zip(ways, ("running.jsonl", "../running.jsonl", "."), strict=True):
        way.symlink_to(to)
    names = ["running", "link", "practice/link", "way/running", "practice/../running", "practice/..%2frunning"]
    names += ["./running", "%2e/running", "running.film", "running/", "running%00", "RUNNING", "season/1", "//running"]
    try:
        assert "running" not in web.get("/recordings").text
        films = product(("films", "films/one/.."), names, ("", "/index.json", "/x/1.seg"))
        pages = product(("recordings", "replay", "verify"), names, ("", "?hand=1", ".jsonl"))
        for page, name, part in (*films, *pages, *product(("previews",), names, (".png", ".png?hand=1"))):
            answer = web.get(f"/{page}/{name}{part}")
            assert (answer.status_code, "hole_dealt" in answer.text) == (404, False), answer.url
        journal.append(small_contest()[-1:])  # the contest has a champion now, but its journal is still open
        assert web.get("/films/running/index.json").status_code == 404
    finally:
        journal.close()
        for left in (*ways, journal.path.with_suffix(".film")):
            left.unlink()
    until_listed(web, "running")
    resumed = Journal.resume(journal.path)[0]
    try:
        for page in ("recordings/running", "replay/running", "films/running/index.json"):
            answer = web.get(f"/{page}")
            assert (answer.status_code, "still being played" in answer.text) == (404, True)
    finally:
        resumed.close()
        journal.path.unlink()


def test_replaced_recording_is_read_again_before_it_is_shown(web: httpx.Client, recordings: Path) -> None:
    path = write(recordings / "grown.jsonl", small_contest())
    until_listed(web, "grown")
    assert web.get("/films/grown/index.json").status_code == 200
    (recordings / "other.new").write_bytes(b"x" + path.read_bytes())
    (recordings / "other.new").replace(path)
    for page in ("films/grown/index.json", "replay/grown", "recordings/grown"):
        assert web.get(f"/{page}").status_code in (404, 503)
    path.unlink()
    path.with_suffix(".film").unlink()


def test_strangers_names_are_shown_as_text(web: httpx.Client, recordings: Path) -> None:
    write(recordings / "odd.jsonl", renamed(small_contest(), STRANGER))
    until_listed(web, "odd")
    searches = ("?bot=onerror&mark=Elimination", f"?bot={STRANGER}")
    for path in ("/recordings/odd", "/replay/odd", *(f"/recordings{search}" for search in searches)):
        page = web.get(path)
        assert page.status_code == 200
        assert "<img" not in page.text
    assert "&lt;img src=x" in web.get("/recordings/odd").text
    pages = [web.get(f"/replay/odd?hand={hand}").text for hand in range(1, 9)]
    titles = [unescape(title) for page in pages for title in re.findall(r'"og:title" content="([^"]*)"', page)]
    assert any(STRANGER[:20] in title for title in titles)
    assert not [page for page in pages if "<img" in page]
    (recordings / "odd.jsonl").unlink()


def test_game_still_on_air_is_hidden(tmp_path: Path) -> None:
    studio = Studio(tmp_path / "media", time.monotonic)
    air = studio.open_channel("practice-1", 1.0)
    seen = unless_on_air(studio)
    assert seen(tmp_path / f"2026-11-21-163648-practice-1-{air.epoch}.jsonl") is False
    assert seen(tmp_path / "2026-11-21-163648-practice-1-0123456789abcdef.jsonl") is None
    air.picture = replace(air.picture, scene="champion")
    assert seen(tmp_path / f"2026-11-21-163648-practice-1-{air.epoch}.jsonl") is None


@contextmanager
def showing(path: Path, media: Path) -> Iterator[tuple[str, httpx.Client]]:
    """Serves the archive of a single recording; yields the address of its page, and a client."""
    shows = ShowServer(media)
    with (
        archive_of_one(shows.studio, path, open_recording(path)) as page,
        shows,
        httpx.Client(base_url=shows.address, timeout=60) as web,
    ):
        yield page, web


def test_single_recording_without_a_champion_has_a_page(tmp_path: Path) -> None:
    half = write(tmp_path / "half time.jsonl", small_contest()[:200])
    write(tmp_path / "other.jsonl", small_contest())
    with showing(half, tmp_path / "media") as (page, web):
        assert page == "/replay/half%20time"
        assert once_read(web, page).status_code == 200
        assert web.get("/replay/other").status_code == 404
        assert web.get("/films/half%20time/index.json").json()["entries"] > 200
    writing = Journal.resume(half)[0]
    with showing(half, tmp_path / "media") as (page, _):
        assert page == ""
    writing.close()


@pytest.mark.parametrize("file", ["pluribus-101-20.phh", "dwan-ivey-2009.phh"])
def test_published_hands_have_a_replay_page(file: str, tmp_path: Path) -> None:
    path = PUBLISHED / file
    with showing(path, tmp_path / "media") as (page, web):
        assert page == f"/replay/{path.stem}"
        assert once_read(web, page).status_code == 200
        outline = web.get(f"/films/{path.stem}/index.json").json()
        assert (len(outline["hands"]), outline["hands"][1]["pot"] > 0) == (2, True)
    assert sorted(PUBLISHED.glob(f"{path.stem}*")) == [path], "no film may be left beside the published hands"


def test_recording_that_is_still_being_read_is_not_missing_and_appears_by_itself(tmp_path: Path) -> None:
    write(tmp_path / "new.jsonl", small_contest())
    with serving_archive(tmp_path, tmp_path / "media", patience_seconds=0) as (_, web):
        first = web.get("/replay/new")
        assert first.status_code == 503
        assert AGAIN in first.text
        assert "the page reloads by itself" in first.text
        assert AGAIN in web.get("/recordings").text
        assert web.get("/replay/other").status_code == 404
        assert once_read(web, "/replay/new").status_code == 200
        until_listed(web, "new")
        assert AGAIN not in web.get("/recordings").text


def test_films_beyond_the_limit_have_to_wait_but_finished_ones_are_shown(
    web: httpx.Client, recordings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert web.get("/films/one/index.json").status_code == 200
    monkeypatch.setattr(jobs, "MAX_WAITING_FILMS", 0)
    write(recordings / "late.jsonl", small_contest())
    other = tmp_path / "index.sqlite"
    with serving_archive(recordings, tmp_path / "media", "one", "late", index=other) as (_, busy):
        late = busy.get("/films/late/index.json")
        assert (late.status_code, "try again in a minute" in late.json()["error"]) == (503, True)
        assert busy.get("/films/one/index.json").status_code == 200
    (recordings / "late.jsonl").unlink()


def test_altered_recording_is_reported_in_the_list_and_on_its_page(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.jsonl", small_contest()[:40])
    path.write_bytes(path.read_bytes().replace(b"Bot 3", b"Bad 3", 1))
    with serving_archive(tmp_path, tmp_path / "media") as (_, web):
        assert "Line 2: the checksum does not match" in once_read(web, "/replay/bad").text
        assert "1 file that cannot be shown" in web.get("/recordings").text
        assert "the checksum does not match" in json.loads(web.get("/films/bad/index.json").text)["error"]


def test_hands_of_a_long_recording_are_listed_on_several_pages(web: httpx.Client, recordings: Path) -> None:
    hand = (PUBLISHED / "dwan-ivey-2009.phh").read_text()
    (recordings.parent / "many.phhs").write_text("\n".join(f"[{number}]\n{hand}" for number in range(1, 451)))
    assert main(["import", str(recordings.parent / "many.phhs"), "--out", str(recordings / "many.jsonl")]) == 0
    until_listed(web, "many")
    pages = [web.get(f"/recordings/many?page={page}").text for page in (1, 2, 3)]
    assert web.get("/recordings/many?page=9").text == pages[2], "a number beyond the last page must give the last page"
    assert [page.count('<td class="what">') for page in pages] == [200, 200, 50]
    best = {re.findall('<ol class="best">.*?</ol>', page, re.DOTALL)[0] for page in pages}
    assert len(best) == 1, "every page must have the best hands of the whole recording"
    told = [web.get(f"/api/v1/recordings/many?page={page}").json() for page in (1, 2, 3, 4)]
    assert [(len(page["hands"]), page["pages"]) for page in told] == [(200, 3), (200, 3), (50, 3), (0, 3)]
    assert [page["hands"][0]["number"] for page in told[:3]] == [1, 201, 401]
    assert [('rel="prev"' in page, 'rel="next"' in page) for page in pages] == [
        (False, True), (True, True), (True, False),
    ]  # fmt: skip
    assert "hand=201&amp;" in pages[1]
    errors = []
    while (asked := web.get("/films/many/index.json?soon")).status_code == 202:
        errors.append(asked.json()["error"])
    assert asked.status_code == 200
    assert re.search(r"being prepared: [\d,]+ of 450 hands", errors[-1])

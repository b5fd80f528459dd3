"""The archive's pages list recordings. Pages and link previews show results only to visitors who ask for them."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from html import unescape
from io import BytesIO
from itertools import product
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from PIL import Image

from broadcast.app import Studio
from broadcast.archive import jobs
from broadcast.archive.database import stamp_of
from broadcast.archive.hand_reader import OneHand, find_hand
from broadcast.film.film import film_recording, open_film, write_film  # a film is a recording prepared for replay
from broadcast.recordings import link_image
from broadcast.recordings.drawing import BOLD, drawable_text, fit_font
from server.__main__ import main
from server.app.recordings.archive import make_is_over, serve_one_recording
from server.app.recordings.recording_files import open_recording
from server.game.events import HandStarted, HoleDealt, TournamentEnded
from server.journal.journal import Journal
from tests.archive.conftest import serving_archive
from tests.commentary.test_drama import journal_of
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.games.recordings import get_once_read, of_kind, small_contest, wait_until_listed, with_names, write

PUBLISHED_HANDS = Path(__file__).parents[1] / "data" / "phh"
RELOAD_MARKER = 'name="again"'
"""Only pages that reload by themselves contain this text."""
HOSTILE_NAME = '<img src=x onerror="alert(1)">&"\''


def test_finished_recording_is_listed_served_and_found_by_its_hands(web: httpx.Client, recordings: Path) -> None:
    page = web.get("/recordings")
    assert page.status_code == 200
    assert "/replay/one" in page.text
    recording_page = web.get("/recordings/one")
    assert recording_page.status_code == 200
    assert recording_page.text.count("?hand=") >= 7
    file = web.get("/recordings/one.jsonl")
    assert file.content == (recordings / "one.jsonl").read_bytes()
    assert file.headers["content-type"] == "application/x-ndjson"
    assert "one.jsonl" in file.headers["content-disposition"]
    assert "/replay/one?hand=" in web.get("/recordings", params={"mark": "Elimination"}).text
    for search in ({"bot": "nobody"}, {"pot": "999999999"}):
        assert "Nothing of that kind" in web.get("/recordings", params=search).text


def test_pages_hide_who_won_until_the_visitor_asks_for_results(web: httpx.Client) -> None:
    (ended,) = of_kind(small_contest(), TournamentEnded)
    winner = f"Bot {ended.placings[0].bot}<"
    with httpx.Client(base_url=web.base_url, timeout=60) as visitor:
        pages = ("/recordings", "/recordings/one", "/recordings?mark=Elimination")
        assert not [page for page in pages if "Won by" in visitor.get(page).text]
        assert winner not in visitor.get("/recordings").text
        assert "Who played" in visitor.get("/recordings/one").text

        (switch,) = re.findall(r'class="switch" href="([^"]*)"[^>]*>Show results', visitor.get("/recordings").text)
        assert winner in visitor.get(f"/recordings{switch}").text
        assert all("Won by" in visitor.get(page).text for page in pages), "the visitor's choice must be remembered"
        assert "Final places" in visitor.get("/recordings/one").text
        search = visitor.get("/recordings", params={"mark": "Elimination", "pot": "5"})
        assert 'href="?mark=Elimination&amp;pot=5&amp;results=hidden"' in search.text, "the switch must keep the search"

        assert "Won by" not in visitor.get("/recordings?results=hidden").text
        assert "Won by" not in visitor.get("/recordings").text


def test_nonsense_in_the_address_is_ignored(web: httpx.Client) -> None:
    for query in ("page=0", "page=x", "page=99999999999", "pot=-1", "pot=1e9", "mark=%00", "made=<b>", "bot=%ff%00'"):
        assert web.get(f"/recordings?{query}").status_code == 200, query


@pytest.mark.parametrize("page", ["recordings/{}", "replay/{}", "films/{}/index.json", "films/{}/x/0.seg"])
def test_missing_recording_is_reported_in_a_sentence(page: str, web: httpx.Client) -> None:
    names = ["nothing", "", "one/", "..%2fone", "..%2f..%2fetc%2fpasswd", "one.film", "%00", "archive.sqlite"]
    for name in (*names, "a" * 3000):
        response = web.get(f"/{page.format(name)}")
        assert response.status_code == 404, name
        assert "There is no recording of that name here." in response.text


def test_film_is_served_in_segments_compressed_or_not(web: httpx.Client) -> None:
    outline = web.get("/films/one/index.json").json()
    uncompressed = web.get("/films/one/index.json", headers={"Accept-Encoding": "identity"})
    assert ("content-encoding" in uncompressed.headers, uncompressed.json()) == (False, outline)
    entry_count = 0
    for number, hand in enumerate(outline["hands"]):
        response = web.get(f"/films/one/{outline['version']}/{number}.seg")
        assert sha256(response.content).hexdigest() == outline["sums"][number]
        assert "immutable" in response.headers["cache-control"]
        segment = response.json()
        assert (segment["n"], segment["opening"]["seq"], segment["first_seq"]) == (number, hand["seq"] - 1, hand["seq"])
        assert (segment["at_ms"], segment["entries"][0]["offset_ms"]) == (hand["at_ms"], 0)
        entry_count += len(segment["entries"])
        assert segment["last_seq"] == segment["entries"][-1]["seq"] == entry_count
    assert entry_count == outline["entries"]
    for missing in (str(len(outline["hands"])), "x", "-1", ""):
        assert web.get(f"/films/one/{outline['version']}/{missing}.seg").status_code == 404
    assert web.get("/films/one/another/0.seg").status_code == 404


def test_film_file_is_private_and_is_made_again_if_damaged(web: httpx.Client, recordings: Path) -> None:
    web.get("/films/one/index.json")
    film = recordings / "one.film"
    stamp = stamp_of(recordings / "one.jsonl")  # a stamp is a file's size and modification time
    assert film.stat().st_mode & 0o077 == 0
    assert open_film(film, stamp)
    assert open_film(film, "other") is None
    content = film.read_bytes()
    for damaged_content in (content[:-1], b"", content[:40], b"x" + content, b"{}\n"):
        film.write_bytes(damaged_content)
        assert open_film(film, stamp) is None
    assert web.get("/films/one/index.json").status_code == 200
    assert film.read_bytes() == content


def test_no_trick_reveals_a_contest_that_is_still_being_played(web: httpx.Client, recordings: Path) -> None:
    journal = Journal(recordings / "running.jsonl")
    journal.append(small_contest()[:-1])
    write_film(film_recording(small_contest()[:-1]), stamp_of(journal.path), journal.path.with_suffix(".film"))
    (recordings / "practice").mkdir(exist_ok=True)
    links = [recordings / "link.jsonl", recordings / "practice" / "link.jsonl", recordings / "way"]
    for link, target in zip(links, ("running.jsonl", "../running.jsonl", "."), strict=True):
        link.symlink_to(target)
    names = ["running", "link", "practice/link", "way/running", "practice/../running", "practice/..%2frunning"]
    names += ["./running", "%2e/running", "running.film", "running/", "running%00", "RUNNING", "season/1", "//running"]
    try:
        assert "running" not in web.get("/recordings").text
        films = product(("films", "films/one/.."), names, ("", "/index.json", "/x/1.seg"))
        pages = product(("recordings", "replay", "verify"), names, ("", "?hand=1", ".jsonl"))
        for page, name, part in (*films, *pages, *product(("previews",), names, (".png", ".png?hand=1"))):
            response = web.get(f"/{page}/{name}{part}")
            assert (response.status_code, "hole_dealt" in response.text) == (404, False), response.url
        journal.append(small_contest()[-1:])  # the contest has a champion now, but its journal is still open
        assert web.get("/films/running/index.json").status_code == 404
    finally:
        journal.close()
        for path in (*links, journal.path.with_suffix(".film")):
            path.unlink()
    wait_until_listed(web, "running")
    resumed = Journal.resume(journal.path)[0]
    try:
        for page in ("recordings/running", "replay/running", "films/running/index.json"):
            response = web.get(f"/{page}")
            assert (response.status_code, "still being played" in response.text) == (404, True)
    finally:
        resumed.close()
        journal.path.unlink()


def test_replaced_recording_is_read_again_before_it_is_shown(web: httpx.Client, recordings: Path) -> None:
    path = write(recordings / "grown.jsonl", small_contest())
    wait_until_listed(web, "grown")
    assert web.get("/films/grown/index.json").status_code == 200
    (recordings / "other.new").write_bytes(b"x" + path.read_bytes())
    (recordings / "other.new").replace(path)
    for page in ("films/grown/index.json", "replay/grown", "recordings/grown"):
        assert web.get(f"/{page}").status_code in (404, 503)
    path.unlink()
    path.with_suffix(".film").unlink()


def test_strangers_names_are_shown_as_text(web: httpx.Client, recordings: Path) -> None:
    write(recordings / "odd.jsonl", with_names(small_contest(), HOSTILE_NAME))
    wait_until_listed(web, "odd")
    searches = ("?bot=onerror&mark=Elimination", f"?bot={HOSTILE_NAME}")
    for path in ("/recordings/odd", "/replay/odd", *(f"/recordings{search}" for search in searches)):
        page = web.get(path)
        assert page.status_code == 200
        assert "<img" not in page.text
    assert "&lt;img src=x" in web.get("/recordings/odd").text
    pages = [web.get(f"/replay/odd?hand={hand}").text for hand in range(1, 9)]
    titles = [unescape(title) for page in pages for title in re.findall(r'"og:title" content="([^"]*)"', page)]
    assert any(HOSTILE_NAME[:20] in title for title in titles)
    assert not [page for page in pages if "<img" in page]
    (recordings / "odd.jsonl").unlink()


def test_game_still_on_air_is_hidden(tmp_path: Path) -> None:
    studio = Studio(tmp_path / "media", time.monotonic)
    air = studio.open_channel("practice-1", 1.0)
    is_over = make_is_over(studio)
    assert is_over(tmp_path / f"2026-11-21-163648-practice-1-{air.epoch}.jsonl") is False
    assert is_over(tmp_path / "2026-11-21-163648-practice-1-0123456789abcdef.jsonl") is None
    air.picture = replace(air.picture, scene="champion")  # `picture` is the state of the show, and not an image
    assert is_over(tmp_path / f"2026-11-21-163648-practice-1-{air.epoch}.jsonl") is None


@contextmanager
def serving_one_recording(path: Path, media: Path) -> Iterator[tuple[str, httpx.Client]]:
    """Serves a single recording. Yields the path of its page ("" if there can be no page), and an HTTP client."""
    server = ShowServer(media)
    with (
        serve_one_recording(server.studio, path, open_recording(path)) as page,
        server,
        httpx.Client(base_url=server.address, timeout=60) as web,
    ):
        yield page, web


def test_single_recording_without_a_champion_has_a_page(tmp_path: Path) -> None:
    half_recording = write(tmp_path / "half time.jsonl", small_contest()[:200])
    write(tmp_path / "other.jsonl", small_contest())
    with serving_one_recording(half_recording, tmp_path / "media") as (page, web):
        assert page == "/replay/half%20time"
        assert get_once_read(web, page).status_code == 200
        assert web.get("/replay/other").status_code == 404
        assert web.get("/films/half%20time/index.json").json()["entries"] > 200
    journal = Journal.resume(half_recording)[0]
    with serving_one_recording(half_recording, tmp_path / "media") as (page, _):
        assert page == ""
    journal.close()


def test_published_hands_have_a_replay_page(tmp_path: Path) -> None:
    path = PUBLISHED_HANDS / "pluribus-101-20.phh"
    with serving_one_recording(path, tmp_path / "media") as (page, web):
        assert get_once_read(web, page).status_code == 200
        hands = web.get(f"/films/{path.stem}/index.json").json()["hands"]
        assert (page, len(hands), hands[1]["pot"] > 0) == (f"/replay/{path.stem}", 2, True)
    assert sorted(PUBLISHED_HANDS.glob(f"{path.stem}*")) == [path], "no new file may stay beside the published hands"


def test_recording_that_is_still_being_read_appears_by_itself(tmp_path: Path) -> None:
    write(tmp_path / "new.jsonl", small_contest())
    with serving_archive(tmp_path, tmp_path / "media", wait_seconds=0) as web:
        page = web.get("/replay/new")
        assert page.status_code == 503
        assert RELOAD_MARKER in page.text
        assert "the page reloads by itself" in page.text
        assert RELOAD_MARKER in web.get("/recordings").text
        assert web.get("/replay/other").status_code == 404
        assert get_once_read(web, "/replay/new").status_code == 200
        wait_until_listed(web, "new")
        assert RELOAD_MARKER not in web.get("/recordings").text


def test_films_beyond_the_limit_must_wait_unless_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("finished", "late"):
        write(tmp_path / f"{name}.jsonl", small_contest())
    with serving_archive(tmp_path, tmp_path / "media", "finished", "late") as web:
        assert web.get("/films/finished/index.json").status_code == 200
        monkeypatch.setattr(jobs, "MAX_WAITING_FILMS", 0)
        late_response = web.get("/films/late/index.json")
        assert (late_response.status_code, "try again in a minute" in late_response.json()["error"]) == (503, True)
        assert web.get("/films/finished/index.json").status_code == 200


def test_altered_recording_is_reported_in_the_list_and_on_its_page(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.jsonl", small_contest()[:40])
    path.write_bytes(path.read_bytes().replace(b"Bot 3", b"Bad 3", 1))
    with serving_archive(tmp_path, tmp_path / "media") as web:
        assert "Line 2: the checksum does not match" in get_once_read(web, "/replay/bad").text
        assert "1 file that cannot be shown" in web.get("/recordings").text
        assert "the checksum does not match" in json.loads(web.get("/films/bad/index.json").text)["error"]


def test_hands_of_a_long_recording_are_listed_on_several_pages(web: httpx.Client, recordings: Path) -> None:
    hand = (PUBLISHED_HANDS / "dwan-ivey-2009.phh").read_text()
    (recordings.parent / "many.phhs").write_text("\n".join(f"[{number}]\n{hand}" for number in range(1, 451)))
    assert main(["import", str(recordings.parent / "many.phhs"), "--out", str(recordings / "many.jsonl")]) == 0
    wait_until_listed(web, "many")
    pages = [web.get(f"/recordings/many?page={page}").text for page in (1, 2, 3)]
    assert web.get("/recordings/many?page=9").text == pages[2], "a number beyond the last page must give the last page"
    assert [page.count('<td class="what">') for page in pages] == [200, 200, 50]
    best_hands = {re.findall('<ol class="best">.*?</ol>', page, re.DOTALL)[0] for page in pages}
    assert len(best_hands) == 1, "every page must have the best hands of the whole recording"
    api_pages = [web.get(f"/api/v1/recordings/many?page={page}").json() for page in (1, 2, 3, 4)]
    assert [(len(page["hands"]), page["pages"]) for page in api_pages] == [(200, 3), (200, 3), (50, 3), (0, 3)]
    assert [page["hands"][0]["number"] for page in api_pages[:3]] == [1, 201, 401]
    assert [{*re.findall('rel="(prev|next)"', page)} for page in pages] == [{"next"}, {"prev", "next"}, {"prev"}]
    assert "hand=201&amp;" in pages[1]
    errors = []
    while (response := web.get("/films/many/index.json?soon")).status_code == 202:
        errors.append(response.json()["error"])
    assert response.status_code == 200
    assert re.search(r"being prepared: [\d,]+ of 450 hands", errors[-1])


FLUSH_BOARD = "7h Kd Kc 2d 9d"


def open_graph_tags(page: httpx.Response) -> dict[str, str]:
    """Returns a page's Open Graph tags. Link previews are made from these tags."""
    matches = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page.text)
    return {name: unescape(content) for name, content in matches}


def link_text(actions: str, holes: Sequence[str], board: str, unknown_seat: int | None = None) -> link_image.LinkText:
    """Returns the preview text of a link to a hand. Tess acts first. The cards of `unknown_seat` are unknown."""
    script = Script(("Doc", "Billy", "Tess")).stage().game((1, 2, 3))
    script.hand(actions, button=2, holes=dict(enumerate(holes)), board=board)
    opening_event, _, game, *hand = [entry.event for entry in journal_of(script)]
    unknown_cards = [event for event in hand if isinstance(event, HoleDealt) and event.seat == unknown_seat]
    hand = [replace(event, cards=("", "")) if event in unknown_cards else event for event in hand]
    return link_image.hand_link_text(OneHand(opening_event, "The Trials", game, tuple(hand)), "2026-11-21T20:00")  # type: ignore[arg-type]


def test_link_names_two_bots_but_no_cards_if_any_are_unknown() -> None:
    hand = "raise:5000 call fold", ("7s 7c", "Qd Jd", "Ts 8s"), FLUSH_BOARD
    text = link_text(*hand)
    assert text.title == "Doc meets Tess: The Trials, game 1, hand 1", "the two bots that bet the most must be named"
    table = "3 bots at the table, big blind 100. Doc has 5,000 and Tess has 5,000."
    assert text.description == f"The Trials, game 1, hand 1 of Quick Draw Circuit, 2026-11-21. {table}"
    assert [(poster.name, poster.cards) for poster in text.posters] == [("Doc", ("7s", "7c")), ("Tess", ("Ts", "8s"))]
    text = link_text(*hand, unknown_seat=2)
    assert [(poster.name, poster.cards) for poster in text.posters] == [("Doc", ()), ("Tess", ())]


def test_link_to_a_hand_does_not_depend_on_who_wins_or_folds() -> None:
    all_in = "raise:5000 call call", ("7s 7c", "Qd Jd", "Th 8h")
    for board, other_board in ((FLUSH_BOARD, "Ts 9s 8d 2c 2h"), ("3h 5d 8c Jc Qs", "3h 5d 8c Jc Td")):
        assert link_text(*all_in, board) == link_text(*all_in, other_board)
    holes = ("7s 7c", "Qd Jd", "Ts 8s")
    billy_folds, doc_folds = "fold call call raise:200 fold", "fold call call call raise:200 fold"
    assert link_text(billy_folds, holes, FLUSH_BOARD) == link_text(doc_folds, holes, FLUSH_BOARD)


def test_missing_or_damaged_hand_is_not_found(recordings: Path) -> None:
    content = (recordings / "one.jsonl").read_bytes()
    hands = len(of_kind(small_contest(), HandStarted))
    assert [bool(find_hand(content, number)) for number in (0, 1, hands, hands + 1, 10**8)] == [0, 1, 1, 0, 0]
    assert find_hand(b"rubbish", 1) is None
    assert find_hand(content[: content.rfind(b'"type":"hand_ended"')], hands) is None


def test_link_to_a_hand_shows_that_hand(web: httpx.Client) -> None:
    page = web.get("/replay/one?hand=3&step=2")
    preview = open_graph_tags(page)
    assert re.fullmatch(r"Bot \d meets Bot \d: .*, game \d, hand \d", preview["og:title"])
    (title,) = re.findall("<title>(.*)</title>", page.text)
    assert re.fullmatch(r"Quick Draw Circuit, \d{4}-\d\d-\d\d, hand 3: replay", title), "no title may name the winner"
    assert preview["og:url"] == f"{web.base_url}/replay/one?hand=3".replace("//replay", "/replay")
    assert (preview["og:image:width"], preview["og:image:height"]) == (str(link_image.WIDTH), str(link_image.HEIGHT))
    assert preview["twitter:card"] == "summary_large_image"
    assert preview["og:image:alt"]
    picture = web.get(preview["og:image"])
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert Image.open(BytesIO(picture.content)).size == (link_image.WIDTH, link_image.HEIGHT)
    assert web.get("/previews/one.png?hand=4").content != picture.content
    assert web.get(preview["og:image"]).content == picture.content


def test_link_to_a_recording_says_who_won_only_if_it_asks_for_results(web: httpx.Client) -> None:
    for path, title in (
        ("/recordings/one", "Quick Draw Circuit"),
        ("/replay/one", "Quick Draw Circuit"),
        ("/replay/one?hand=99", "Quick Draw Circuit"),
        ("/recordings/one?results=shown", r"Bot \d wins Quick Draw Circuit"),
        ("/replay/one?results=shown", r"Bot \d wins Quick Draw Circuit"),
        ("/recordings", "High Noon: recordings"),
    ):
        preview = open_graph_tags(web.get(path))
        assert re.fullmatch(title, preview["og:title"])
        assert web.get(preview["og:image"]).headers["content-type"] == "image/png"
    for missing in ("one.png?hand=99", "one.png?hand=0", "one.png?hand=x", "one.png?hand=-1", "no.png"):
        assert web.get(f"/previews/{missing}").status_code == 404
    no_spoiler, spoiler = web.get("/previews/one.png").content, web.get("/previews/one.png?results=shown").content
    assert no_spoiler != spoiler


def test_link_pictures_open_only_prepared_media(tmp_path: Path) -> None:
    secret = Image.new("RGB", (512, 512), "#ff00ff")
    secret.save(tmp_path / "secret.webp")
    media = tmp_path / "media"
    media.mkdir()
    secret.save(media / "hers.webp")
    images = link_image.LinkImages(media)

    def draw_with(avatar: str) -> bytes:
        return images.draw(replace(link_image.archive_link_text(1), posters=(link_image.Poster("Tess", avatar),)))

    default_image = draw_with("")
    assert draw_with("../secret.webp") == draw_with("/etc/passwd") == draw_with("none.webp") == default_image
    assert draw_with("hers.webp") != default_image


def test_text_loses_unknown_characters_and_is_shrunk_before_it_is_cut() -> None:
    assert drawable_text("Señor Łukasz", "a bot") == "Señor Łukasz"
    assert [drawable_text(name, "a bot") for name in ("Bob 李", "李雷", "")] == ["Bob", "a bot", "a bot"]
    for text in ("WWWWWWWW", "W" * 30, "W" * 300):
        font, cut = fit_font(BOLD, text, 60, 320)
        assert font.width(cut) <= 320
        assert font.size >= 24
    assert cut.endswith("W…")

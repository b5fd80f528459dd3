"""Link previews have the right title, text and picture, and do not reveal results."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import httpx
from msgspec.structs import replace
from PIL import Image

from broadcast.archive.hand_reader import OneHand, one_hand
from broadcast.recordings.drawing import BOLD, drawable_text, fitting_font
from broadcast.recordings.link_image import HEIGHT, WIDTH, LinkImages, LinkText, Poster, of_archive, of_hand
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.betting import start_hand, take_turn
from server.game.cards import Card, parse_cards
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.game.events import Entrant, GameStarted, HandStarted, HoleDealt, TournamentOpened
from server.hand_histories.replay import Cards, deck_for
from tests.support.games.recordings import small_contest

FLUSH_BOARD = "7h Kd Kc 2d 9d"


def tags(page: httpx.Response) -> dict[str, str]:
    """The Open Graph tags of a page, from which link previews are made."""
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page.text)
    return {name: unescape(content) for name, content in found}


# -- texts -----------------------------------------------------------------------------------------


def link_text(board: str, holes: tuple[str, str, str], *decisions: Decision, unseen: int | None = None) -> LinkText:
    """The link to a hand of Doc, Billy and Tess, who make `decisions` and then only call. Tess acts first.

    The recording does not have the cards of the seat `unseen`.
    """
    hole: dict[int, tuple[Card, ...]] = {seat: parse_cards(cards) for seat, cards in enumerate(holes)}
    deck = deck_for(2, (5000, 5000, 5000), Cards(hole, parse_cards(board)))
    hand, played = start_hand(QUICK_DRAW, 4, 2, (5000, 5000, 5000), deck)
    left = [*decisions]
    while not hand.over:
        hand, following = take_turn(hand, left.pop(0) if left else Call())
        played += following
    hidden = [
        replace(event, cards=("", "")) if isinstance(event, HoleDealt) and event.seat == unseen else event
        for event in played
    ]
    entrants = (Entrant(1, "Doc"), Entrant(2, "Billy"), Entrant(3, "Tess"))
    opened = TournamentOpened("quick-draw", "Quick Draw", QUICK_DRAW, 5000, entrants, "")
    game = GameStarted(2, 6, (1, 2, 3), (5000, 5000, 5000))
    return of_hand(OneHand(opened, "The Trials", game, tuple(hidden)), "2026-11-21T20:00")


def test_link_names_both_bots_and_their_chips_and_hides_hands_if_any_is_unknown() -> None:
    played = FLUSH_BOARD, ("7s 7c", "Qd Jd", "Ts 8s"), RaiseTo(5000), Call(), Fold()
    text = link_text(*played)
    assert text.title == "Doc meets Tess: The Trials, game 2, hand 4", (
        "the title must name the two bots with most chips in the pot, in the order of seats"
    )
    assert text.description == (
        "The Trials, game 2, hand 4 of Quick Draw, 2026-11-21. 3 bots at the table, big blind 100."
        " Doc has 5,000 and Tess has 5,000."
    )
    assert [(poster.name, poster.cards) for poster in text.posters] == [("Doc", ("7s", "7c")), ("Tess", ("Ts", "8s"))]
    text = link_text(*played, unseen=2)
    assert [(poster.name, poster.cards) for poster in text.posters] == [("Doc", ()), ("Tess", ())]


def test_link_to_a_hand_does_not_depend_on_who_wins_or_folds() -> None:
    holes, moves = ("7s 7c", "Qd Jd", "Th 8h"), (RaiseTo(5000), Call(), Call())
    for board, other_board in (
        (FLUSH_BOARD, "Ts 9s 8d 2c 2h"),
        (FLUSH_BOARD, "Ts Js Qs Ks As"),
        ("3h 5d 8c Jd Qs", "3h 5d 8c Jd Td"),
    ):
        assert link_text(board, holes, *moves) == link_text(other_board, holes, *moves)
    holes, checked = ("7s 7c", "Qd Jd", "Ts 8s"), (Fold(), Call(), Call())  # then Doc and Billy see the flop
    assert link_text(FLUSH_BOARD, holes, *checked, RaiseTo(200), Fold()) == link_text(
        FLUSH_BOARD, holes, *checked, Call(), RaiseTo(200), Fold()
    )


def test_missing_or_damaged_hand_is_not_found(recordings: Path) -> None:
    content = (recordings / "one.jsonl").read_bytes()
    hands = sum(isinstance(entry.event, HandStarted) for entry in small_contest())
    assert [bool(one_hand(content, number)) for number in (0, 1, hands, hands + 1, 10**8)] == [0, 1, 1, 0, 0]
    assert one_hand(b"rubbish", 1) is None
    assert one_hand(content[: content.rfind(b'"type":"hand_ended"')], hands) is None


# -- pages -----------------------------------------------------------------------------------------


def test_link_to_a_hand_shows_that_hand(web: httpx.Client) -> None:
    page = web.get("/replay/one?hand=3&step=2")
    about = tags(page)
    assert re.fullmatch(r"Bot \d meets Bot \d: .*, game \d, hand \d", about["og:title"])
    title = re.findall("<title>(.*)</title>", page.text)
    assert re.fullmatch(r"Quick Draw Circuit, \d{4}-\d\d-\d\d, hand 3: replay", *title), (
        "the title must not reveal the winner"
    )
    assert about["og:url"] == f"{web.base_url}/replay/one?hand=3".replace("//replay", "/replay")
    assert (about["og:image:width"], about["og:image:height"]) == (str(WIDTH), str(HEIGHT))
    assert about["twitter:card"] == "summary_large_image"
    assert about["og:image:alt"]
    painted = web.get(about["og:image"])
    assert (painted.status_code, painted.headers["content-type"]) == (200, "image/png")
    assert Image.open(BytesIO(painted.content)).size == (WIDTH, HEIGHT)
    other = web.get("/previews/one.png?hand=4").content
    assert other != painted.content
    assert web.get(about["og:image"]).content == painted.content


def test_link_to_a_recording_says_who_won_only_if_it_asks_for_results(web: httpx.Client) -> None:
    for path, title in (
        ("/recordings/one", "Quick Draw Circuit"),
        ("/replay/one", "Quick Draw Circuit"),
        ("/replay/one?hand=99", "Quick Draw Circuit"),
        ("/recordings/one?results=shown", r"Bot \d wins Quick Draw Circuit"),
        ("/replay/one?results=shown", r"Bot \d wins Quick Draw Circuit"),
        ("/recordings", "High Noon: recordings"),
    ):
        about = tags(web.get(path))
        assert re.fullmatch(title, about["og:title"])
        assert web.get(about["og:image"]).headers["content-type"] == "image/png"
    for missing in ("one.png?hand=99", "one.png?hand=0", "one.png?hand=x", "one.png?hand=-1", "no.png"):
        assert web.get(f"/previews/{missing}").status_code == 404
    unwatched, shown = web.get("/previews/one.png").content, web.get("/previews/one.png?results=shown").content
    assert unwatched != shown


# -- pictures --------------------------------------------------------------------------------------


def test_link_pictures_open_only_prepared_media(tmp_path: Path) -> None:
    secret = Image.new("RGB", (512, 512), "#ff00ff")
    secret.save(tmp_path / "secret.webp")
    media = tmp_path / "media"
    media.mkdir()
    secret.save(media / "hers.webp")
    images = LinkImages(media)

    def painted(avatar: str) -> bytes:
        return images.draw(replace(of_archive(1), posters=(Poster("Tess", avatar),)))

    plain = painted("")
    assert painted("../secret.webp") == painted("/etc/passwd") == painted("none.webp") == plain
    assert painted("hers.webp") != plain


def test_text_loses_characters_that_the_fonts_lack_and_is_shrunk_before_it_is_cut() -> None:
    assert drawable_text("Señor Łukasz", "a bot") == "Señor Łukasz"
    assert [drawable_text(name, "a bot") for name in ("Bob 李", "李雷", "")] == ["Bob", "a bot", "a bot"]
    for text in ("WWWWWWWW", "W" * 30, "W" * 300):
        font, cut = fitting_font(BOLD, text, 60, 320)
        assert font.width(cut) <= 320
        assert font.size >= 24
    assert cut.endswith("W…")

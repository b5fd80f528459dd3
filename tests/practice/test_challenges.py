"""Bots of two authors play each other if both authors agree to a challenge. Nobody else can interfere."""

import html
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from server.app.practice.games.plan import practice_format
from server.app.practice.matchmaking import Matchmaker
from server.app.practice.open_challenges import EXPIRED_SECONDS, MAX_PER_PAGE, OPEN_SECONDS, OpenChallenges
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import HoleDealt
from server.journal.journal import read_journal
from server.registration.practice_options import PracticeOptions
from server.registration.register import RegistrationRefused
from server.verify.recording import verify
from tests.practice.test_own_pages import AUTHOR_KEY, get, wait_for_games, wait_for_json
from tests.practice.test_tcp_games import SampleBot, data, play_game, program, register
from tests.support.games.practice import practice_server
from tests.support.games.recordings import of_kind
from tests.support.program import Running, wait_until
from tests.support.programs.browsers import Browsers

__all__ = ["data", "program"]
CLIENT_ADDRESS = "10.0.0.1"

HAND_RESULT = re.compile(r'<code>[^<]*hand_result[^<]*</code>|"text":"(?:[^"\\]|\\.)*hand_result(?:[^"\\]|\\.)*"')
"""Matches Quick Draw's message `hand_result` on a page or in JSON. The message reveals all cards to every bot."""


def own_page_of(program: Running, name: str, key: str = AUTHOR_KEY) -> str:
    """Registers a bot without connecting it. Returns the address of its author's page."""
    return str(register(program, name=name, key=key)["own_url"])


def make_challenge(page: str, **fields: object) -> httpx.Response:
    return httpx.post(f"{page}/challenges?json", data={key: str(value) for key, value in fields.items()}, timeout=60)


def try_to_register(program: Running, **fields: object) -> httpx.Response:
    return httpx.post(f"{program.base}/register", json=fields, timeout=60)


@pytest.mark.parametrize("seats", [2, 4])
def test_two_authors_bots_play_a_challenge_and_both_see_the_result(program: Running, data: Path, seats: int) -> None:
    names = (f"Challenger {seats}", f"Taker {seats}")
    code = make_challenge(own_page_of(program, names[0]), seats=seats, hands=2).json()["code"]
    replies = [register(program, name=name, key=AUTHOR_KEY, challenge=code) for name in names]
    with ThreadPoolExecutor(2) as pool:
        for reply in replies:
            pool.submit(play_game, reply["port_number"], 2)
    assert [reply["bot_id"] for reply in replies] == [1, 2]
    assert replies[0]["watch_url"] == replies[1]["watch_url"], "both authors must get the same show"
    games = [wait_for_games(reply["own_url"], 1)["games"][0] for reply in replies]
    assert [game["against"] for game in games] == [[names[1]], [names[0]]]
    assert games[0]["recording"] == games[1]["recording"]
    assert games[0]["place"] != games[1]["place"]
    assert [len(game["rivals"]) for game in games] == [seats - 2, seats - 2], "house bots must have the other seats"
    if seats == 2:
        assert games[0]["won"] == -games[1]["won"]
    assert verify(read_journal(data / "recordings" / f"{games[0]['recording']}.jsonl").entries).finished
    assert try_to_register(program, name="Late", challenge=code).status_code == 404, "a challenge is for one game only"


def test_waiting_bot_is_asked_nothing_and_may_leave_and_return(program: Running) -> None:
    own_page = own_page_of(program, "Patient")
    code = make_challenge(own_page, hands=1).json()["code"]
    for _ in range(2):
        with SampleBot(register(program, name="Patient", key=AUTHOR_KEY, challenge=code)["port_number"]) as bot:
            wait_for_status(program, "Patient", "waits for the bot that it has challenged")
            bot.socket.settimeout(0.2)
            with pytest.raises(TimeoutError):
                bot.socket.recv(1)
            refusal = try_to_register(program, name="Patient", key=AUTHOR_KEY, challenge=code)
            assert (refusal.status_code, "has already registered for this challenge" in refusal.text) == (409, True)
        wait_for_status(program, "Patient", "left before the bot that it has challenged arrived")
    with ThreadPoolExecutor(2) as pool:
        for name in ("Other", "Patient"):
            pool.submit(play_game, register(program, name=name, key=AUTHOR_KEY, challenge=code)["port_number"], 1)
    assert wait_for_games(own_page, 1)["games"][0]["against"] == ["Other"]


def test_author_sees_no_secrets_of_the_other_bot(program: Running, data: Path) -> None:
    code = make_challenge(own_page_of(program, "Secretive"), hands=1).json()["code"]
    replies = [register(program, name=name, key=AUTHOR_KEY, challenge=code) for name in ("Secretive", "Curious")]
    pages = [reply["own_url"] for reply in replies]
    link_tokens = [page[-32:] for page in pages]
    bots, secrets = [SampleBot(reply["port_number"]) for reply in replies], ("tar and feathers", "feet of clay")
    for bot, secret in zip(bots, secrets, strict=True):
        bot.send(command="take_action", action="raise", raise_amount=secret)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(bots[1].play, 1, action="call")
        for action in ("call", "fold"):
            while "request_action" not in [message["command"] for message in bots[0].listen()]:
                assert bots[0].socket.recv(1, socket.MSG_PEEK), "the server must not close the connection"
            bots[0].send(command="take_action", action=action)
    for page in pages:
        wait_for_games(page, 1)
        wait_for_json(f"{page}/1?json", lambda game: any(hand["messages"] for hand in game["hands"]))
    for bot in bots:
        bot.socket.close()
    texts = [read_all_pages(page) for page in pages]
    for own, other in ((0, 1), (1, 0)):
        assert secrets[own] in texts[own]
        assert secrets[other] not in texts[own]
        assert link_tokens[other] not in texts[own]
        (fault,) = get(f"{pages[own]}?json").json()["games"][0]["faults"]
        assert secrets[own] in fault["sent"][0]
    (recording,) = {get(f"{page}?json").json()["games"][0]["recording"] for page in pages}
    path = data / "recordings" / f"{recording}.jsonl"
    cards = {dealt.seat: dealt.cards for dealt in of_kind(read_journal(path).entries, HoleDealt)}
    texts = [HAND_RESULT.sub("", text) for text in texts]
    for own, other in ((0, 1), (1, 0)):
        assert [has_card(texts[own], card) for card in cards[own] + cards[other]] == [True, True, False, False]
    assert not any(secret in path.read_text() for secret in secrets)
    for public_path in ("/practice", f"/recordings/{recording}", "/recordings"):
        page = get(f"{program.base}{public_path}").text
        assert not [word for word in (*secrets, *link_tokens) if word in page], public_path


def read_all_pages(page: str) -> str:
    """Returns the text of an author's page and of the pages of its games, each as HTML and as JSON."""
    games = get(f"{page}?json").json()["games"]
    paths = ["", *(f"/{number}" for number in range(1, len(games) + 1))]
    responses = [get(f"{page}{path}{query}") for path in paths for query in ("", "?json")]
    assert {response.status_code for response in responses} == {200}
    return "".join(response.text for response in responses)


def has_card(text: str, card: str) -> bool:
    """Whether a decision or message in `text` names the card. In the link "As JSON", "As" is not the ace of spades."""
    card_in_message = f'"value":"{card[0]}","suit":"{card[1].upper()}"'
    plain_text = re.sub(r"\\(?=\")|(?<=:) ", "", html.unescape(text).replace("As JSON", "")).replace('", "', '","')
    return bool(re.search(rf"\b{card}\b", plain_text)) or card_in_message in plain_text


def wait_for_status(program: Running, name: str, status: str) -> None:
    def has_status() -> bool:
        latest = re.search(rf"<bdi>{name}</bdi> ([^<]*)", get(f"{program.base}/practice").text)
        return bool(latest and latest[1].startswith(status))

    wait_until(has_status, lambda: f"{name} never had this status: {status}", pause=0.05)


def test_no_bot_can_take_the_place_of_another(program: Running) -> None:
    code = make_challenge(own_page_of(program, "Real"), hands=1).json()["code"]
    imposter = try_to_register(program, name="REAL", key="quite another key", challenge=code)
    assert (imposter.status_code, "register it with the key of its page" in imposter.text) == (409, True)
    with SampleBot(register(program, name="First", challenge=code)["port_number"]):
        second = try_to_register(program, name="Second", challenge=code)
        assert second.status_code == 409
        assert second.json()["error"].startswith("First has already registered for this challenge")
    for wrong_code in ("x", code[:-1], code + "x", "../secret", "\u00e9" * 22, 5):
        response = try_to_register(program, name="Eve", challenge=wrong_code)
        assert response.status_code == (200 if wrong_code == 5 else 404)


async def test_waiting_bot_is_released_if_its_opponent_never_arrives(tmp_path: Path) -> None:
    """A guest is a bot that has registered. It waits `meet_seconds` for its opponent."""
    server, _ = practice_server(tmp_path)
    matchmaker = Matchmaker(server, partial(practice_format, QUICK_DRAW_FORMAT), meet_seconds=0.0)
    code = server.challenges.add(server.practice_pages.token("Tess", AUTHOR_KEY), "Tess", 2, 24, CLIENT_ADDRESS).code
    entry = matchmaker.register("Doc", "has registered", PracticeOptions(challenge=code), CLIENT_ADDRESS)
    server_end, bot_end = socket.socketpair()

    async def accept() -> socket.socket:
        return server_end

    await matchmaker.connect_and_play(entry, accept, practice_format(QUICK_DRAW_FORMAT, 2, 24))
    assert server.challenges.find(code) == entry.challenge, "a challenge without a game must stay open"
    assert not server.slots.address_slots.taken
    assert (entry.guest.status, entry.guest.over) == ("has waited 0 minutes for Tess: there is no game", True)
    with bot_end:
        assert bot_end.recv(1) == b"", "the bot's connection must be closed"


def test_author_makes_and_withdraws_a_challenge_on_a_phone(program: Running, browsers: Browsers) -> None:
    own_page = own_page_of(program, "Phoner")
    with browsers.opened() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
        page.goto(own_page)
        page.get_by_label("Hands").fill("12")
        page.get_by_role("button", name="Challenge").tap()
        expect(page.get_by_text("12 hands at a table of 2, open until")).to_be_visible()
        link = page.locator(".code a")
        code = link.inner_text().removeprefix(f"{program.base}/practice/challenge/")
        assert len(code) == 22
        link.tap()
        expect(page.get_by_text("Phoner challenges your bot: one game of Quick Draw Circuit, 12 hands")).to_be_visible()
        page.goto(own_page)
        page.get_by_role("button", name="Withdraw").tap()
        expect(page.get_by_text("open until")).to_have_count(0)
        page.goto(f"{program.base}/practice/challenge/{code}")
        expect(page.get_by_role("status")).to_contain_text("No such challenge")


def test_invalid_challenge_is_refused_with_the_reason(program: Running) -> None:
    own_page = own_page_of(program, "Refused")
    for fields, error in (
        ({"seats": 7}, "seats must be a whole number from 2 to 6"),
        ({"hands": "many"}, "hands must be a whole number from 1 to 24"),
        ({"hands": "9" * 300}, "hands must be"),
        ({"withdraw": "x" * 22}, "no such challenge"),
    ):
        assert error in make_challenge(own_page, **fields).json()["error"], fields
    assert httpx.post(f"{program.base}/practice/own/{'x' * 32}/challenges", timeout=60).status_code == 404
    cross_site_response = httpx.post(f"{own_page}/challenges", headers={"Origin": "http://evil.example"}, timeout=60)
    assert cross_site_response.status_code == 403
    code = make_challenge(own_page).json()["code"]
    other_page = own_page_of(program, "Somebody else")
    assert make_challenge(other_page, withdraw=code).json() == {"error": "this page has no challenge with that code"}
    assert get(f"{program.base}/practice/challenge/{code}").status_code == 200


def test_challenge_survives_restarts_and_expires_with_a_message(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    path = tmp_path / "challenges.json"
    challenges = OpenChallenges(path, lambda: now[0])
    challenge = challenges.add("page", "Tess", 2, 24, CLIENT_ADDRESS)
    assert OpenChallenges(path, lambda: now[0]).find(challenge.code) == challenge, "challenges must survive a restart"
    assert "page" not in path.read_text().replace("practice", ""), "the file must not reveal authors' links"
    now[0] += OPEN_SECONDS
    with pytest.raises(RegistrationRefused, match="of Tess has expired: nobody accepted it by 2027-01-17") as refused:
        challenges.find(challenge.code)
    assert refused.value.status == 410
    assert challenges.list_for("page", expired=False) == challenges.list_for("other", expired=True) == []
    assert challenges.list_for("page", expired=True) == [challenge]
    now[0] += EXPIRED_SECONDS
    challenges.add("page", "Tess", 2, 24, CLIENT_ADDRESS)
    with pytest.raises(RegistrationRefused, match="no such challenge"):
        challenges.find(challenge.code)
    path.write_bytes(b'[{"code": ')
    assert OpenChallenges(path).list_for("page", expired=False) == [], "a damaged file must count as empty"


def test_challenges_are_limited_per_page_address_and_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.app.practice.open_challenges.MAX_PER_ADDRESS", 7)
    monkeypatch.setattr("server.app.practice.open_challenges.MAX_OPEN", 9)
    now = [1_800_000_000.0]
    challenges = OpenChallenges(tmp_path / "challenges.json", lambda: now[0])
    for _ in range(MAX_PER_PAGE):
        challenges.add("page", "Tess", 2, 24, CLIENT_ADDRESS)
    with pytest.raises(RegistrationRefused, match="5 challenges of this page are already open"):
        challenges.add("page", "Tess", 2, 24, "10.0.0.2")
    for number in range(2):
        challenges.add(f"page {number}", "Eve", 2, 24, CLIENT_ADDRESS)
    with pytest.raises(RegistrationRefused, match=r"7 challenges of 10\.0\.0\.1 are already open"):
        challenges.add("page 3", "Eve", 2, 24, CLIENT_ADDRESS)
    for number in range(2):
        challenges.add(f"page {number}", "Eve", 2, 24, f"10.0.1.{number}")
    with pytest.raises(RegistrationRefused, match="9 challenges on this server are already open"):
        challenges.add("page 9", "Doc", 2, 24, "10.0.2.1")
    challenges.remove(challenges.list_for("page", expired=False)[0].code)
    challenges.add("page", "Tess", 2, 24, "10.0.2.1")
    now[0] += OPEN_SECONDS
    challenges.add("page", "Tess", 2, 24, CLIENT_ADDRESS)

"""Players of a season (a long contest) upload bots. Each bot is built, tested and activated, or a refusal says why."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from server.app.season.upload_forms import FORMS_OF_STRANGERS, FORMS_PER_ADDRESS, BadForm, read_form
from server.ip_addresses import client_subnet
from server.season.uploads.newcomers import MAX_PER_ADDRESS, Newcomer, Newcomers
from server.season.uploads.senders import MAX_INVITED
from server.season.uploads.upload_request import MAX_ARCHIVE_BYTES, RecentAnswers, UploadAnswer, UploadRequest
from server.season.uploads.uploads import MAX_UNBUILT_BOTS
from server.verify.season import verify_season
from tests.season.season_server import SECONDS, SeasonPages, in_season, season_pages, zip_bot
from tests.support.archives import zip_of
from tests.support.background import background_task


async def build_bots(pages: SeasonPages) -> None:
    async with background_task(pages.season.builds.run()), asyncio.timeout(SECONDS):
        await pages.season.builds.wait_until_built()


def secret_in(response: httpx.Response) -> str:
    """Returns the secret that a page shows to a new player, or "" if the page shows no secret."""
    return "".join(re.findall(r"Your secret is <code>([\w-]+)</code>", response.text))


def faults_in(response: httpx.Response) -> str:
    return " ".join(re.findall(r"<p><bdi>(.*?)</bdi></p>", response.text))


async def activate(pages: SeasonPages, upload: int) -> int:
    return (await pages.web.post(f"{pages.base}/upload/activate", data={"upload": f"{upload}"})).status_code


async def enter_players(pages: SeasonPages, *players: str) -> list[str]:
    """Uploads, builds and activates a bot for each new player. Returns the players' secrets."""
    secrets = list[str]()
    for player in players:
        pages.web.cookies.clear()
        secrets.append(secret_in(await pages.upload(zip_bot(f"Bot of {player}"), player=player)))
        await build_bots(pages)
        assert await activate(pages, len(pages.season.ledger.standings.uploads)) == 303
    return secrets


@in_season()
async def test_bot_is_uploaded_built_tested_and_activated(pages: SeasonPages) -> None:
    response = await pages.upload(zip_bot("First"), player="Ada")
    secret = secret_in(response)
    assert (response.status_code, len(secret) >= 12) == (200, True)
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert secret not in cookie
    await build_bots(pages)
    page = (await pages.get("/upload")).text
    assert "<b><bdi>First</bdi></b>, number 1: ready" in page
    assert "building &lt;First&gt;" in page
    assert secret not in page
    assert (await pages.get("/upload/tests/1/defender.log")).text == "its own words\n"
    assert "round 1/5" in (await pages.get("/upload/tests/1/public.log")).text
    assert not pages.season.ledger.standings.ranking()
    assert await activate(pages, 1) == 303
    assert pages.season.ledger.standings.ranking() == [1]
    pages.web.cookies.clear()  # The next requests come from another visitor.
    assert (await pages.get("/upload/tests/1/defender.log")).status_code == 403
    assert await activate(pages, 1) == 403


@in_season(games=3)
async def test_player_may_send_new_versions_until_the_season_is_over(pages: SeasonPages) -> None:
    season, standings = pages.season, pages.season.ledger.standings
    right_secret, _ = await enter_players(pages, "Ada", "Bob")
    pages.web.cookies.clear()
    for secret, status in (("guessed", 403), (right_secret, 303)):
        fields = {"player": "ada", "secret": secret}
        assert (await pages.web.post(f"{pages.base}/upload/enter", data=fields)).status_code == status
    second_upload = await pages.upload(zip_bot("Bot of Ada"))
    assert (second_upload.status_code, secret_in(second_upload)) == (200, "")
    await build_bots(pages)
    assert await activate(pages, 3) == 303
    await season.scheduler.run()
    assert {upload for game in standings.games for upload in game.uploads} == {2, 3}
    assert (await pages.upload(zip_bot("Late"))).status_code == 409
    assert not verify_season(season.ledger.path, season.store).open


async def test_player_reads_why_a_build_or_a_test_game_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with season_pages(tmp_path) as pages:
        await pages.upload(zip_bot("Broken", build="fail"), player="Ada")
        await build_bots(pages)
        await pages.upload(zip_bot("Mute", run="exit 3"))
        await build_bots(pages)
        page = (await pages.get("/upload")).text
        assert "the build ended with status 1" in page
        assert "and &lt;said&gt; why" in page
        terminal = capsys.readouterr().out
        assert "cannot play: the build ended with status 1\n    building <Broken>\n    and <said> why\n" in terminal
        assert "in its test game: " in page
        assert "Make it play" not in page
        assert [await activate(pages, upload) for upload in (1, 2)] == [409, 409]
        assert not pages.season.ledger.standings.ranking()


@in_season()
async def test_bad_archives_and_names_are_refused_with_the_reason(pages: SeasonPages) -> None:
    for archive, reason in (
        (b"", "No archive"),
        (b"no archive at all", "damaged"),
        (zip_of({"bot/bot.json": '{"name": "<b>", "run": "x", "build": 7}'}), "&#34;build&#34;"),
        (zip_of({"bot/bot.json": '{"name": "Climber", "run": "x"}', "../../climbed": "x"}), "outside"),
    ):
        response = await pages.upload(archive, player="Eve")
        assert response.status_code == 400, reason
        assert reason in faults_in(response), faults_in(response)
    for name in ("", "x" * 31, "Eve\u200b", "🤠"):
        assert (await pages.upload(zip_bot("Fine"), player=name)).status_code == 400
    assert not pages.season.ledger.standings.players
    assert not list(pages.folder.rglob("*climbed*"))
    assert not list(pages.season.store.incoming.iterdir())
    guess = "not the secret of anybody"
    assert (await pages.upload(zip_bot("Fine"), player="Eve", secret=guess)).status_code == 403
    await pages.upload(zip_bot("Fine"), player="Eve")
    pages.web.cookies.clear()
    assert (await pages.upload(zip_bot("Fine too"), player="EVE")).status_code == 403
    assert [player.name for player in pages.season.ledger.standings.players.values()] == ["Eve"]


@in_season()
async def test_uploads_are_limited_in_size_and_number(pages: SeasonPages) -> None:
    for excess_bytes in (1, 1 << 20):
        refusal = await pages.upload(b"0" * (MAX_ARCHIVE_BYTES + excess_bytes), player="Eve")
        assert refusal.status_code == 413
        assert "12 MB" in faults_in(refusal)
    for _ in range(MAX_UNBUILT_BOTS):
        assert (await pages.upload(zip_bot("Eager"), player="Eve")).status_code == 200
    assert (await pages.upload(zip_bot("Eager"))).status_code == 429
    for path in ("/upload", "/upload/enter", "/upload/activate"):
        refusal = await pages.web.post(pages.base + path, content=b"{", headers={"content-type": "text/plain"})
        assert refusal.status_code == 400
        assert refusal.json()["error"]


def test_malformed_form_is_refused() -> None:
    form_part, form_end = b'--limit\r\nContent-Disposition: name="a"\r\n\r\n%s\r\n', b"--limit--\r\n"
    with_boundary = "multipart/form-data; boundary=limit"
    for content_type, body in (
        ("application/json", b"{}"),
        ("multipart/form-data", form_end),
        (with_boundary, b"--limit\r\nX: y\r\n\r\n\r\n" + form_end),
        (with_boundary, form_part % b"b"),
        (with_boundary, form_part % (b"b" * 5000) + form_end),
        (with_boundary, form_part % b"b" * 40 + form_end),
    ):
        with pytest.raises(BadForm):
            read_form(content_type, body)


@in_season()
async def test_bots_of_the_same_name_are_shown_with_their_players(pages: SeasonPages) -> None:
    names = [
        ("Ada", "FOY", "FOY"),
        ("Ben", "FOY", "FOY (Ben)"),
        ("Mallory", "FOY (Ben)", "FOY (Ben) (Mallory)"),
        ("Peggy", "Dot (Vic)", "Dot (Vic)"),
        ("Quin", "Dot", "Dot"),
        ("Vic", "Dot", "Dot (Vic) 2"),
        ("Walt", "Dot (V1c)", "Dot (V1c) (Walt)"),
    ]
    for player, name, public_name in names:
        pages.web.cookies.clear()
        response = await pages.upload(zip_bot(name), player=player)
        assert response.status_code == 200, faults_in(response)
        assert ("is shown as" in response.text) == (public_name != name)
        if player == "Ben":
            next_version = await pages.upload(zip_bot(name), player=player)
            assert next_version.status_code == 200, "a player's next version may have the same name"
    standings = pages.season.ledger.standings
    public_names = {(standings.players[upload.player].name, upload.name) for upload in standings.uploads.values()}
    assert public_names == {(player, public_name) for player, _, public_name in names}


STRANGER_ADDRESS = "127.0.0.9"


def visitor(address: str = "127.0.0.1") -> httpx.AsyncClient:
    return httpx.AsyncClient(timeout=SECONDS, transport=httpx.AsyncHTTPTransport(local_address=address))


async def read_form_number(pages: SeasonPages, web: httpx.AsyncClient) -> str:
    """Loads the upload form in a browser. Returns the form's number, which no other browser gets."""
    (number,) = re.findall(r'name="once" value="([\w-]+)"', (await web.get(f"{pages.base}/upload")).text)
    return str(number)


async def decide(pages: SeasonPages, decision: str, *players: int) -> int:
    """Sends the operator's decision on `players`, and returns the HTTP status."""
    form = {"do": decision, "who": [f"{player}" for player in players]}
    return (await pages.web.post(f"{pages.base}/season/players", data=form, headers=pages.operator)).status_code


def member_names(pages: SeasonPages) -> list[str]:
    return [player.name for player in pages.season.ledger.standings.members()]


@in_season()
async def test_form_sent_twice_uploads_one_bot(pages: SeasonPages) -> None:
    async with visitor() as ada, visitor() as eve:
        number, eves_number = await read_form_number(pages, ada), await read_form_number(pages, eve)
        requests = [pages.upload(zip_bot("First"), player="Ada", form=number, web=ada) for _ in range(2)]
        first, second = await asyncio.gather(*requests)
        assert secret_in(first) == secret_in(second) != ""
        assert len(pages.season.ledger.standings.uploads) == 1
        refusal_of_another_bot = await pages.upload(zip_bot("Another"), player="Ada", form=eves_number, web=eve)
        for guess in (number, eves_number, ""):
            refusal = await pages.upload(zip_bot("First"), player="Ada", form=guess, web=eve)
            assert (refusal.status_code, secret_in(refusal)) == (403, "")
            assert faults_in(refusal) == faults_in(refusal_of_another_bot), "Eve must not learn what Ada has sent"
            assert "season_" not in refusal.headers.get("set-cookie", "")


def test_repeated_form_gets_the_first_answer_again_for_a_minute() -> None:
    now = 1000.0
    answers, answer = RecentAnswers(lambda: now), UploadAnswer("a badge")
    request, without_form = UploadRequest(b"zip", "Ada", form="cookie nonce"), UploadRequest(b"zip", "Bob")
    answers.keep(request, answer)
    answers.keep(without_form, answer)
    now += 59
    assert answers.find(request) is answer
    for other_request in (replace(request, form="cookie other"), replace(request, archive=b"zop"), without_form):
        assert answers.find(other_request) is None
    now += 2
    assert answers.find(request) is None


@in_season()
async def test_newcomer_without_an_invitation_waits_for_the_operator(pages: SeasonPages) -> None:
    async with visitor() as ada, visitor() as eve:
        secret = secret_in(await pages.upload(zip_bot("First"), player="Ada", invitation="", web=ada))
        assert len(secret) >= 12
        assert "waits until the organiser lets you in" in (await ada.get(f"{pages.base}/upload")).text
        next_version = await pages.upload(zip_bot("Better <b>"), player="", invitation="", web=ada)
        assert (next_version.status_code, secret_in(next_version)) == (200, "")
        await pages.upload(zip_bot("Bad"), player="Eve", invitation="", web=eve)
        assert (member_names(pages), len(pages.season.ledger.entries)) == ([], 1)
        waiting_list = (await pages.get("/season/players", **pages.operator)).text
        assert "Better &lt;b&gt;" in waiting_list
        assert "<bdi>Eve</bdi>" in waiting_list
        decisions = [("let in", 1), ("turn away", 2), ("let in", 1)]
        assert [await decide(pages, *decision) for decision in decisions] == [303, 303, 409]
        await build_bots(pages)
        assert (await ada.post(f"{pages.base}/upload/activate", data={"upload": "1"})).status_code == 303
        assert (member_names(pages), pages.season.ledger.standings.ranking()) == (["Ada"], [1])
        assert not pages.season.uploads.newcomers.waiting_list()
        assert not list(pages.season.store.newcomers.iterdir())
        fields = {"player": "ada", "secret": secret}
        assert (await eve.post(f"{pages.base}/upload/enter", data=fields)).status_code == 303


async def test_waiting_newcomers_survive_a_restart(tmp_path: Path) -> None:
    async with season_pages(tmp_path) as pages, visitor() as web:
        await pages.upload(zip_bot("First"), player="Ada", invitation="", web=web)
    async with season_pages(tmp_path) as pages:
        assert [newcomer.name for newcomer in pages.season.uploads.newcomers.waiting_list()] == ["Ada"]
        assert await decide(pages, "let in", 1) == 303
        assert member_names(pages) == ["Ada"]


@in_season()
async def test_one_address_cannot_fill_the_waiting_list(pages: SeasonPages) -> None:
    async with visitor(STRANGER_ADDRESS) as eve, visitor() as ada:
        for number in range(MAX_PER_ADDRESS + 1):
            eve.cookies.clear()
            response = await pages.upload(zip_bot(f"Bot {number}"), player=f"Eve {number}", invitation="", web=eve)
        assert (response.status_code, "Many newcomers are waiting" in faults_in(response)) == (503, True)
        assert (await pages.upload(zip_bot("Waits"), player="Bob", invitation="", web=ada)).status_code == 200
        ada.cookies.clear()
        assert (await pages.upload(zip_bot("First"), player="Ada", web=ada)).status_code == 200
        assert member_names(pages) == ["Ada"]


async def test_one_network_leaves_room_for_newcomers_from_other_networks(tmp_path: Path) -> None:
    newcomers, newcomer_counts = Newcomers(tmp_path), []
    for network in (1, 1, 1, 1, 1, 2, 3):
        count_before = len(newcomers.waiting_list())
        for _ in range(MAX_PER_ADDRESS):
            number = newcomers.next_number
            address = client_subnet(f"2001:db8:{network}:{count_before}::1")
            newcomer = Newcomer(number, f"Eve {number}", "", "Bot", address, 0.0, 1000)
            if newcomers.has_room(newcomer):
                await newcomers.keep(newcomer, b"")
        newcomer_counts.append(len(newcomers.waiting_list()) - count_before)
    assert newcomer_counts == [15, 15, 15, 1, 1, 1, 1]


@in_season()
async def test_even_an_invited_newcomer_may_have_to_wait(pages: SeasonPages) -> None:
    newcomers, senders = pages.season.uploads.newcomers, pages.season.uploads.senders
    # MAX_INVITED players have already joined from Eve's address. Anyone else there must wait for the operator.
    senders.player_addresses.update(dict.fromkeys(range(100, 100 + MAX_INVITED), STRANGER_ADDRESS))

    def waiting_names() -> list[str]:
        return [newcomer.name for newcomer in newcomers.waiting_list()]

    async with visitor() as ada, visitor(STRANGER_ADDRESS) as eve:
        await pages.upload(zip_bot("One more"), player="Eve", web=eve)
        await pages.upload(zip_bot("First"), player="Ada", invitation="", web=ada)
        refusal = await pages.upload(zip_bot("First"), invitation="guessed-guessed", web=ada)
        assert (refusal.status_code, "not an invitation to this season" in faults_in(refusal)) == (403, True)
        assert await decide(pages, "ask") == 303
        await pages.upload(zip_bot("First"), web=ada)
        assert waiting_names() == ["Eve", "Ada"]
        assert await decide(pages, "invite") == 303
        assert (await pages.upload(zip_bot("First"), web=ada)).status_code == 200
        assert (member_names(pages), waiting_names()) == (["Ada"], ["Eve"])
    assert 'name="invitation" value="a&#34;b"' in (await pages.get("/upload?invitation=a%22b")).text


@in_season(games=4, at_once=1)
async def test_removed_player_plays_no_more_games(pages: SeasonPages) -> None:
    season, standings = pages.season, pages.season.ledger.standings
    _, secret, _ = await enter_players(pages, "Ada", "Eve", "Bob")
    scheduler_task = asyncio.create_task(season.scheduler.run())
    while not standings.players[2].games:
        await season.ledger.wait_for_change()
    assert [await decide(pages, "remove", 2) for _ in range(2)] == [303, 409]
    games_before = len(standings.games)
    await scheduler_task
    assert {2 in game.players for game in standings.games[games_before:]} == {False}
    assert "<bdi>Eve</bdi>" not in (await pages.get("/season")).text
    assert (await pages.get("/season/bots/2")).status_code == 404
    assert (await pages.get(f"/season/games/{standings.players[2].games[0]}")).status_code == 200
    refusal = await pages.web.post(f"{pages.base}/upload/enter", data={"player": "Eve", "secret": secret})
    assert refusal.status_code == 403
    assert season.uploads.senders.find_by_name("Eve") is None
    assert not verify_season(season.ledger.path, season.store).open


async def begin_upload(pages: SeasonPages, address: str) -> asyncio.StreamWriter:
    """Sends the beginning of an upload from `address`, and waits until the server accepts or refuses the upload."""
    port = int(pages.port)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    head = f"POST /upload HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: multipart/form-data; boundary=x\r\n"
    writer.write(f"{head}expect: 100-continue\r\ncontent-length: 1000000\r\n\r\n--x\r\n".encode())
    assert (await reader.readline()).split()[1] in (b"100", b"503")
    return writer


@in_season()
async def test_half_sent_uploads_of_strangers_delay_nobody_else(pages: SeasonPages) -> None:
    async with visitor(STRANGER_ADDRESS) as eve, visitor(STRANGER_ADDRESS) as bob, visitor("127.0.4.9") as newcomer:
        assert (await pages.upload(zip_bot("Bob's"), player="Bob", web=bob)).status_code == 200
        writers = [await begin_upload(pages, STRANGER_ADDRESS) for _ in range(FORMS_PER_ADDRESS)]
        assert (await pages.upload(b"", player="Eve", web=eve)).status_code == 503
        assert (await pages.upload(zip_bot("First"), player="Ada")).status_code == 200
        assert (await pages.upload(zip_bot("Bob's"), web=bob)).status_code == 200
        addresses = [f"127.0.{3 + number % 5 // 4}.{1 + number % 5}" for number in range(FORMS_OF_STRANGERS)]
        writers += [await begin_upload(pages, address) for address in addresses]
        assert (await pages.upload(zip_bot("New"), player="Newcomer", web=newcomer)).status_code == 200
        for writer in writers:
            writer.close()


@in_season()
async def test_stalled_upload_times_out(pages: SeasonPages) -> None:
    pages.season.form_receiver.grace_seconds = 0.05
    port = int(pages.port)
    stalled_writer = await begin_upload(pages, STRANGER_ADDRESS)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /upload HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-length: 9\r\n\r\n" % port)
    assert b" 408 " in await reader.readline()
    stalled_writer.close()
    writer.close()


@in_season()
async def test_players_take_turns_to_have_their_bots_built(pages: SeasonPages) -> None:
    async with visitor() as eve, visitor() as ada:
        for _ in range(2):
            await pages.upload(zip_bot("Eve's"), player="Eve", web=eve)
        await pages.upload(zip_bot("Ada's"), player="Ada", web=ada)
        uploads, builds = pages.season.ledger.standings.uploads, pages.season.builds
        assert "1 ahead of it" in builds.progress(uploads[3])
        assert "2 ahead of it" in builds.progress(uploads[2])
        await build_bots(pages)
        build_order = re.findall(r'"type":"bot_built","upload":(\d)', pages.season.ledger.path.read_text())
        assert build_order == ["1", "3", "2"]
        assert await activate(pages, 3) == 403

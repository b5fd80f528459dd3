"""Who may join a season, and what strangers cannot do to its players (over real ports)."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
from msgspec.structs import replace

from server.addresses import household
from server.app.season import intake
from server.season.uploads import newcomers as season_newcomers
from server.season.uploads.handed import Answers, Handed, Taken
from server.season.uploads.newcomers import Newcomer, Newcomers
from server.season.uploads.senders import MAX_INVITED
from server.verify.season import prove
from tests.season.season_server import SECONDS, Pages, bot, in_season, season_pages
from tests.season.test_uploads import activate, enter_player, faults_in, secret_in, wait_for_builds

FAR = "127.0.0.9"
"""An address on this machine, which counts as the address of a stranger."""


@contextlib.asynccontextmanager
async def browser(address: str = "127.0.0.1") -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(timeout=SECONDS, transport=transport) as web:
        yield web


async def read_form_number(pages: Pages, web: httpx.AsyncClient) -> str:
    """Gets the upload form; returns the form's number, which no other browser knows."""
    return re.findall(r'name="once" value="([\w-]+)"', (await web.get(f"{pages.base}/upload")).text)[0]


async def decide(pages: Pages, decision: str, *players: int) -> httpx.Response:
    """Sends a decision of the operator, as from the page of players."""
    form = {"do": decision, "who": [f"{player}" for player in players]}
    return await pages.web.post(f"{pages.base}/season/players", data=form, headers=pages.operator)


def names_in(pages: Pages) -> list[str]:
    return [player.name for player in pages.season.ledger.standings.members()]


@in_season()
async def test_form_that_is_sent_twice_counts_once_and_only_its_sender_gets_the_secret(pages: Pages) -> None:
    async with browser() as ada, browser() as eve:
        number, eves_number = await read_form_number(pages, ada), await read_form_number(pages, eve)
        twice = [pages.upload(bot("First"), player="Ada", once=number, web=ada) for _ in range(2)]
        first, second = await asyncio.gather(*twice)
        assert secret_in(first) == secret_in(second) != ""
        assert len(pages.season.ledger.standings.uploads) == 1
        other = await pages.upload(bot("Another"), player="Ada", once=eves_number, web=eve)
        for guess in (number, eves_number, ""):
            same = await pages.upload(bot("First"), player="Ada", once=guess, web=eve)
            assert (same.status_code, secret_in(same)) == (403, "")
            assert faults_in(same) == faults_in(other), "the answer must not reveal that the bot is the same"
            assert "season_" not in same.headers.get("set-cookie", "")


def test_repeated_form_gets_the_first_answer_again_for_a_minute() -> None:
    now = 1000.0
    answers = Answers(lambda: now)
    taken = Taken("a badge", secret="shown once")  # noqa: S106 (not a real secret)
    sent = Handed(b"zip", "Ada", form="cookie nonce")
    nameless = Handed(b"zip", "Bob")
    answers.keep(sent, taken)
    answers.keep(nameless, taken)
    now += 59
    assert answers.find(sent) is taken
    for other in (replace(sent, form="cookie other"), replace(sent, archive=b"zop"), nameless):
        assert answers.find(other) is None
    now += 2
    assert answers.find(sent) is None


@in_season(builds=True)
async def test_newcomer_without_an_invitation_waits_for_the_operator(pages: Pages) -> None:
    async with browser() as ada, browser() as eve:
        secret = secret_in(await pages.upload(bot("First"), player="Ada", invitation="", web=ada))
        assert len(secret) >= 12
        assert "waits until the organiser lets you in" in (await ada.get(f"{pages.base}/upload")).text
        better = await pages.upload(bot("Better <b>"), player="", invitation="", web=ada)
        assert (better.status_code, secret_in(better)) == (200, "")
        await pages.upload(bot("Bad"), player="Eve", invitation="", web=eve)
        assert (names_in(pages), len(pages.season.ledger.entries)) == ([], 1)
        assert (await pages.get("/season/players")).status_code == 403
        shown = (await pages.get("/season/players", **pages.operator)).text
        assert "Better &lt;b&gt;" in shown
        assert "<bdi>Eve</bdi>" in shown
        for number in (1, 2):
            refused = await pages.web.post(f"{pages.base}/season/players", data={"do": "let in", "who": number})
            assert refused.status_code == 403
        assert (await decide(pages, "let in", 1)).status_code == 303
        assert (await decide(pages, "turn away", 2)).status_code == 303
        assert (await decide(pages, "let in", 1)).status_code == 409
        await wait_for_builds(pages)
        assert (await ada.post(f"{pages.base}/upload/activate", data={"upload": "1"})).status_code == 303
        assert (names_in(pages), pages.season.ledger.standings.ranking()) == (["Ada"], [1])
        assert not pages.season.uploads.newcomers.waiting()
        assert not list(pages.season.store.newcomers.iterdir())
        fields = {"player": "ada", "secret": secret}
        assert (await eve.post(f"{pages.base}/upload/enter", data=fields)).status_code == 303


@in_season()
async def test_waiting_newcomer_joins_with_an_invitation(pages: Pages) -> None:
    async with browser() as web:
        await pages.upload(bot("First"), player="Ada", invitation="", web=web)
        wrong = await pages.upload(bot("First"), invitation="guessed-guessed", web=web)
        assert (wrong.status_code, "not an invitation to this season" in faults_in(wrong)) == (403, True)
        assert (await pages.upload(bot("First"), web=web)).status_code == 200
        assert (names_in(pages), pages.season.uploads.newcomers.waiting()) == (["Ada"], [])
        form = (await pages.get("/upload?invitation=a%22b")).text
        assert 'name="invitation" value="a&#34;b"' in form


async def test_waiting_newcomers_survive_a_restart(tmp_path: Path) -> None:
    async with season_pages(tmp_path) as pages, browser() as web:
        await pages.upload(bot("First"), player="Ada", invitation="", web=web)
    async with season_pages(tmp_path) as pages:
        assert [each.name for each in pages.season.uploads.newcomers.waiting()] == ["Ada"]
        assert (await decide(pages, "let in", 1)).status_code == 303
        assert names_in(pages) == ["Ada"]


@in_season()
async def test_one_address_cannot_fill_the_waiting_list(pages: Pages) -> None:
    async with browser(FAR) as eve, browser() as ada:
        for number in range(season_newcomers.MAX_PER_ADDRESS + 1):
            eve.cookies.clear()
            last = await pages.upload(bot(f"Bot {number}"), player=f"Eve {number}", invitation="", web=eve)
        assert (last.status_code, "Many newcomers are waiting" in faults_in(last)) == (503, True)
        assert (await pages.upload(bot("Waits"), player="Bob", invitation="", web=ada)).status_code == 200
        ada.cookies.clear()
        assert (await pages.upload(bot("First"), player="Ada", web=ada)).status_code == 200
        assert names_in(pages) == ["Ada"]


async def test_one_network_leaves_room_for_newcomers_from_other_networks(tmp_path: Path) -> None:
    newcomers, counts = Newcomers(tmp_path), []
    for network in (1, 1, 1, 1, 1, 2, 3):
        before = len(newcomers.waiting())
        for _ in range(season_newcomers.MAX_PER_ADDRESS):
            number = newcomers.next_number
            address = household(f"2001:db8:{network}:{before}::1")
            newcomer = Newcomer(number, f"Eve {number}", "", "Bot", address, 0.0, 1000)
            if newcomers.has_room(newcomer):
                await newcomers.keep(newcomer, b"")
        counts.append(len(newcomers.waiting()) - before)
    assert counts == [15, 15, 15, 1, 1, 1, 1]


@in_season()
async def test_invitation_lets_in_a_limited_number_of_players_from_one_address(pages: Pages) -> None:
    async with browser() as ada:
        uploads = pages.season.uploads
        uploads.senders.player_addresses.update(dict.fromkeys(range(100, 100 + MAX_INVITED), FAR))
        async with browser(FAR) as eve:
            await pages.upload(bot("One more"), player="Eve", web=eve)
        assert [each.name for each in uploads.newcomers.waiting()] == ["Eve"]
        assert (await decide(pages, "ask")).status_code == 303
        await pages.upload(bot("First"), player="Ada", web=ada)
        assert [each.name for each in uploads.newcomers.waiting()] == ["Eve", "Ada"]
        assert (await decide(pages, "invite")).status_code == 303
        await pages.upload(bot("First"), web=ada)
        assert names_in(pages) == ["Ada"]


@in_season(games=4, at_once=1, builds=True)
async def test_removed_player_plays_no_more_games_and_leaves_its_name_free(pages: Pages) -> None:
    season, standings = pages.season, pages.season.ledger.standings
    secrets = [await enter_player(pages, name) for name in ("Ada", "Eve", "Bob")]
    scheduling = asyncio.create_task(season.scheduler.run())
    while not standings.players[2].games:
        await season.ledger.wait_for_change()
    assert (await decide(pages, "remove", 2)).status_code == 303
    assert (await decide(pages, "remove", 2)).status_code == 409
    last = len(standings.games)
    await scheduling
    assert all(2 not in game.players for game in standings.games[last:])
    assert "<bdi>Eve</bdi>" not in (await pages.get("/season")).text
    assert (await pages.get("/season/bots/2")).status_code == 404
    assert (await pages.get(f"/season/games/{standings.players[2].games[0]}")).status_code == 200
    entered = await pages.web.post(f"{pages.base}/upload/enter", data={"player": "Eve", "secret": secrets[1]})
    assert entered.status_code == 403
    assert season.uploads.senders.find_named("Eve") is None
    assert not prove(season.ledger.path, season.store).open


async def begin_upload(pages: Pages, address: str) -> asyncio.StreamWriter:
    """Sends the beginning of an upload, and waits until the server accepts or refuses it."""
    port = int(pages.port)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    head = f"POST /upload HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: multipart/form-data; boundary=x\r\n"
    writer.write(f"{head}expect: 100-continue\r\ncontent-length: 1000000\r\n\r\n--x\r\n".encode())
    assert (await reader.readline()).split()[1] in (b"100", b"503")
    return writer


@in_season()
async def test_half_sent_uploads_of_a_stranger_delay_nobody_else(pages: Pages) -> None:
    async with browser(FAR) as eve, browser(FAR) as bob:
        assert (await pages.upload(bot("Bob's"), player="Bob", web=bob)).status_code == 200
        writers = [await begin_upload(pages, FAR) for _ in range(intake.FORMS_PER_ADDRESS)]
        assert (await pages.upload(b"", player="Eve", web=eve)).status_code == 503
        assert (await pages.upload(bot("First"), player="Ada")).status_code == 200
        assert (await pages.upload(bot("Bob's"), web=bob)).status_code == 200
        for writer in writers:
            writer.close()


@in_season()
async def test_half_sent_uploads_of_a_few_addresses_leave_slots_to_newcomers(pages: Pages) -> None:
    async with browser("127.0.4.9") as eve:
        writers = [
            await begin_upload(pages, f"127.0.{3 + number % 5 // 4}.{1 + number % 5}")
            for number in range(intake.FORMS_OF_STRANGERS)
        ]
        assert (await pages.upload(bot("Eve's"), player="Eve", web=eve)).status_code == 200
        for writer in writers:
            writer.close()


@in_season()
async def test_stalled_upload_times_out(pages: Pages) -> None:
    pages.season.intake.grace_seconds = 0.05
    port = int(pages.port)
    stalled = await begin_upload(pages, FAR)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /upload HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-length: 9\r\n\r\n" % port)
    assert b" 408 " in await reader.readline()
    stalled.close()
    writer.close()


@in_season()
async def test_players_take_turns_to_have_their_bots_built(pages: Pages) -> None:
    async with browser() as eve, browser() as ada:
        for _ in range(2):
            await pages.upload(bot("Eve's"), player="Eve", web=eve)
        await pages.upload(bot("Ada's"), player="Ada", web=ada)
        uploads, builds = pages.season.ledger.standings.uploads, pages.season.builds
        assert "1 ahead of it" in builds.progress(uploads[3])
        assert "2 ahead of it" in builds.progress(uploads[2])
        building = asyncio.create_task(builds.run())
        await wait_for_builds(pages)
        built = re.findall(r'"type":"bot_built","upload":(\d)', pages.season.ledger.path.read_text())
        assert built == ["1", "3", "2"]
        assert await activate(pages, 3) == 403
        building.cancel()

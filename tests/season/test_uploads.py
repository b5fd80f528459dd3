"""A bot that is uploaded over a real port is built, tested and activated, or refused with the reason."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest

from server.app.season.intake import BadForm, read_form
from server.season.uploads.handed import MAX_BYTES
from server.season.uploads.uploads import MAX_WAITING
from server.verify.season import prove
from tests.season.season_server import MUTE, SECONDS, Pages, bot, in_season, make_zip, season_pages

GUESSED = "not the secret of anybody"


async def wait_for_builds(pages: Pages) -> None:
    async with asyncio.timeout(SECONDS):
        await pages.season.builds.settled()


def secret_in(answer: httpx.Response) -> str:
    found = re.search(r"Your secret is <code>([\w-]+)</code>", answer.text)
    return found[1] if found else ""


def faults_in(answer: httpx.Response) -> str:
    return " ".join(re.findall(r"<p><bdi>(.*?)</bdi></p>", answer.text))


async def activate(pages: Pages, upload: int) -> int:
    return (await pages.web.post(f"{pages.base}/upload/activate", data={"upload": f"{upload}"})).status_code


async def enter_player(pages: Pages, player: str) -> str:
    """Uploads and activates the bot of a new player; returns the player's secret."""
    pages.web.cookies.clear()
    taken = await pages.upload(bot(f"Bot of {player}"), player=player)
    await wait_for_builds(pages)
    assert await activate(pages, len(pages.season.ledger.standings.uploads)) == 303
    return secret_in(taken)


@in_season(builds=True)
async def test_bot_is_uploaded_built_tested_and_activated(pages: Pages) -> None:
    taken = await pages.upload(bot("First"), player="Ada")
    secret = secret_in(taken)
    assert (taken.status_code, len(secret) >= 12) == (200, True)
    cookie = taken.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert secret not in cookie
    await wait_for_builds(pages)
    mine = (await pages.get("/upload")).text
    assert "<b><bdi>First</bdi></b>, number 1: ready" in mine
    assert "building &lt;First&gt;" in mine
    assert secret not in mine
    assert (await pages.get("/upload/tests/1/defender.log")).text == "its own words\n"
    assert "round 1/5" in (await pages.get("/upload/tests/1/public.log")).text
    assert not pages.season.ledger.standings.ranking()
    assert await activate(pages, 1) == 303
    assert pages.season.ledger.standings.ranking() == [1]
    pages.web.cookies.clear()  # another visitor
    assert (await pages.get("/upload/tests/1/defender.log")).status_code == 403
    assert await activate(pages, 1) == 403


@in_season(games=3, builds=True)
async def test_player_sends_a_new_version_from_another_browser_until_the_season_is_over(pages: Pages) -> None:
    season, standings = pages.season, pages.season.ledger.standings
    secret = await enter_player(pages, "Ada")
    await enter_player(pages, "Bob")
    pages.web.cookies.clear()
    for guess, status in (("guessed", 403), (secret, 303)):
        fields = {"player": "ada", "secret": guess}
        assert (await pages.web.post(f"{pages.base}/upload/enter", data=fields)).status_code == status
    again = await pages.upload(bot("Bot of Ada"))
    assert (again.status_code, secret_in(again)) == (200, "")
    await wait_for_builds(pages)
    assert await activate(pages, 3) == 303
    await season.scheduler.run()
    assert {upload for game in standings.games for upload in game.uploads} == {2, 3}
    assert (await pages.upload(bot("Late"))).status_code == 409
    assert not prove(season.ledger.path, season.store).open


async def test_players_page_says_why_a_build_or_a_test_game_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with season_pages(tmp_path) as pages:
        building = asyncio.create_task(pages.season.builds.run())
        await pages.upload(bot("Broken", build="fail"), player="Ada")
        await wait_for_builds(pages)
        await pages.upload(bot("Mute", MUTE))
        await wait_for_builds(pages)
        page = (await pages.get("/upload")).text
        assert "the build ended with status 1" in page
        assert "and &lt;said&gt; why" in page
        terminal = capsys.readouterr().out
        assert "cannot play: the build ended with status 1\n    building <Broken>\n    and <said> why\n" in terminal
        assert "in its test game: " in page
        assert "Make it play" not in page
        assert [await activate(pages, upload) for upload in (1, 2)] == [409, 409]
        assert not pages.season.ledger.standings.ranking()
        building.cancel()


@in_season()
async def test_bad_archives_and_names_are_refused_with_the_reason(pages: Pages) -> None:
    outside = make_zip({"bot/bot.json": '{"name": "Climber", "run": "x"}', "../../climbed": "x"})
    hostile = {
        b"": "No archive",
        b"no archive at all": "damaged",
        make_zip({"bot/bot.json": '{"name": "<b>", "run": "x", "build": 7}'}): "&#34;build&#34;",
        outside: "outside",
    }
    for archive, reason in hostile.items():
        answer = await pages.upload(archive, player="Eve")
        assert answer.status_code == 400, reason
        assert reason in faults_in(answer), faults_in(answer)
    for name in ("", "x" * 31, "Eve\u200b", "🤠"):
        assert (await pages.upload(bot("Fine"), player=name)).status_code == 400
    assert not pages.season.ledger.standings.players
    assert not list(pages.folder.rglob("*climbed*"))
    assert not list(pages.season.store.incoming.iterdir())
    assert (await pages.upload(bot("Fine"), player="Eve", secret=GUESSED)).status_code == 403
    await pages.upload(bot("Fine"), player="Eve")
    pages.web.cookies.clear()
    assert (await pages.upload(bot("Fine too"), player="EVE")).status_code == 403
    assert [player.name for player in pages.season.ledger.standings.players.values()] == ["Eve"]


@in_season()
async def test_uploads_are_limited_in_size_and_number(pages: Pages) -> None:
    too_large = await pages.upload(b"0" * (MAX_BYTES + (1 << 20)), player="Eve")
    assert too_large.status_code == 413
    assert "12 MB" in faults_in(too_large)
    for _ in range(MAX_WAITING):
        assert (await pages.upload(bot("Eager"), player="Eve")).status_code == 200
    assert (await pages.upload(bot("Eager"))).status_code == 429
    for path in ("/upload", "/upload/enter", "/upload/activate"):
        nonsense = await pages.web.post(pages.base + path, content=b"{", headers={"content-type": "text/plain"})
        assert nonsense.status_code == 400
        assert nonsense.json()["error"]


def test_malformed_form_is_refused() -> None:
    part, end = b'--limit\r\nContent-Disposition: name="a"\r\n\r\n%s\r\n', b"--limit--\r\n"
    bounded = "multipart/form-data; boundary=limit"
    for content_type, body in (
        ("application/json", b"{}"),
        ("multipart/form-data", end),
        (bounded, b"--limit\r\nX: y\r\n\r\n\r\n" + end),
        (bounded, part % b"b"),
        (bounded, part % (b"b" * 5000) + end),
        (bounded, part % b"b" * 40 + end),
    ):
        with pytest.raises(BadForm):
            read_form(content_type, body)


@in_season()
async def test_bots_of_the_same_name_are_shown_with_their_players(pages: Pages) -> None:
    sent = [
        ("Ada", "FOY", "FOY"),
        ("Ben", "FOY", "FOY (Ben)"),
        ("Mallory", "FOY (Ben)", "FOY (Ben) (Mallory)"),
        ("Peggy", "Dot (Vic)", "Dot (Vic)"),
        ("Quin", "Dot", "Dot"),
        ("Vic", "Dot", "Dot (Vic) 2"),
        ("Walt", "Dot (V1c)", "Dot (V1c) (Walt)"),
    ]

    for player, name, shown in sent:
        pages.web.cookies.clear()
        taken = await pages.upload(bot(name), player=player)
        assert taken.status_code == 200, faults_in(taken)
        assert ("is shown as" in taken.text) == (shown != name)
        if player == "Ben":
            again = await pages.upload(bot(name), player=player)
            assert again.status_code == 200, "a player must be able to use a name again for the next version"
    uploads = pages.season.ledger.standings.uploads.values()
    players = pages.season.ledger.standings.players
    assert list(dict.fromkeys((players[one.player].name, one.name) for one in uploads)) == [
        (player, shown) for player, _, shown in sent
    ]

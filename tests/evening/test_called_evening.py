"""`highnoon tournament` with bots that are called where they are, from a registration or a configuration on."""

import asyncio
import json
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from server.front.cast import CAST
from server.front.house_hosts import house_hosts
from server.game.events import BotWithdrawn, HandEnded, TournamentEnded, TournamentOpened
from server.journal import read_journal
from server.verify import verify
from tests.evening.rig import CONTROL, Terminal, write_evening

QUICKLY = '[table]\nstarting_stack = 30\nblinds = ["1/2", "3/6", "8/16"]\nhands_per_level = 4\n'


def test_an_enova_tournament_from_its_open_registration_to_the_last_one_standing(tmp_path: Path) -> None:
    evening = write_evening(tmp_path, {}, lines='contest = "enova"\nstart = "bots"')
    evening.file.write_text(evening.file.read_text() + QUICKLY)
    hall = f"http://127.0.0.1:{evening.register}/tournament"

    async def story() -> None:
        with Terminal("tournament", evening.file, "--speed", "0") as terminal:
            terminal.hears("to close it")
            assert _post(f"{hall}/close?token={CONTROL}")[0] == 409, "nobody is there yet"
            async with house_hosts("enova", CAST[:3], "7", register_at=hall.removesuffix("/tournament")):
                nobody = {"hostname": "127.0.0.1:9", "name": "Nobody"}
                assert _post(f"{hall}/register", **nobody) == (200, "Welcome to the party!")
                terminal.hears("  [4] ")
                assert _get(f"{hall}/register").count("<li>") == 4
                assert _post(f"{hall}/close?token=wrong")[0] == 403
                assert _post(f"{hall}/close?token={CONTROL}")[0] == 200
                assert terminal.ended() == 0
            assert "Nobody is not seated: /player/ready: nobody takes the call" in terminal.text

    asyncio.run(story())
    events = evening.events
    opened, ended = events[0], events[-1]
    assert isinstance(opened, TournamentOpened)
    assert isinstance(ended, TournamentEnded)
    assert {one.name for one in opened.entrants} == {"Billy the Kid", "Doc Holobyte", "Calamity Bayes"}
    assert ended.placings[0].stack == 90
    assert verify(evening.entries).finished


def test_an_arena_configuration_is_played_as_it_stands_without_the_bot_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "tournament_test.json"

    async def story() -> str:
        async with house_hosts("arena", CAST[:3], "7") as urls:
            ais = [
                {"ai_id": f"ai_{number}", "ai_name": one.name, "port": int(url.rpartition(":")[2])}
                for number, (one, url) in enumerate(zip(CAST, urls, strict=False))
            ]
            ais.append({"ai_id": "gone", "ai_name": "Gone", "port": 9})
            server = {"url": "http://localhost:9012"}
            file.write_text(json.dumps({"game_server": server, "tournament": {"rounds": 5}, "ais": ais}))
            with Terminal("tournament", file, "--speed", "0") as terminal:
                assert terminal.ended() == 0
                return terminal.text

    said = asyncio.run(story())
    assert 'Billy the Kid: {"status": "healthy"}' in said
    assert "Gone: nobody listens at http://localhost:9" in said
    (journal,) = (tmp_path / "data" / "recordings").glob("*.jsonl")
    events = [entry.event for entry in read_journal(journal).entries]
    assert [event.bot for event in events if isinstance(event, BotWithdrawn)] == [4]
    assert sum(isinstance(event, HandEnded) for event in events) == 5


def _post(url: str, **fields: str) -> tuple[int, str]:
    """Status and text of a form that is sent."""
    try:
        with urllib.request.urlopen(url, urlencode(fields).encode(), timeout=60) as reply:  # noqa: S310 (loopback)
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _get(url: str) -> str:
    request = urllib.request.Request(url, headers={"Accept": "text/html"})  # noqa: S310 (see above)
    with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310
        return str(reply.read().decode())

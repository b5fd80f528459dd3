"""No output of a stranger's program contains a secret that is planted on the organiser's machine."""

import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import psutil
import pytest
from msgspec.structs import replace

from broadcast.media.library import MediaLibrary
from broadcast.media.worker import REFUSED_STATUS
from broadcast.voice.speaker import run_speech_program
from server.bots.choose_sandbox import RunnerKind
from server.bots.sandbox.docker.runner import open_docker
from server.bots.sandbox.runner import BotCommands
from tests.bots.sandbox.boxed_bots import (
    box_environment,
    log_path,
    measure_think_ms,
    open_engine,
    open_runner,
    register_bot,
    seat_bot,
    start_bot,
    wait_for_end,
)
from tests.bots.sandbox.conftest import sandbox
from tests.support.archives import zip_of
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP, docker_host
from tests.support.bots.planted import PlantedSecret, plant_secret
from tests.support.bots.snoop import PROCESS_FILES
from tests.support.bots.submission import SNOOP
from tests.support.program import wait_until
from tests.support.programs.cluster import CALLER, cluster, output_of, rated_games, season, until, write_event

__all__ = ["docker_host", "sandbox"]
RESOLVER_LINES = [line for line in Path("/etc/resolv.conf").read_text().splitlines() if line.strip()]


@pytest.fixture
def secret() -> Iterator[PlantedSecret]:
    with plant_secret() as planted_secret:
        yield planted_secret


async def test_bot_in_a_box_finds_no_secret_and_no_other_bot(
    sandbox: RunnerKind, tmp_path: Path, secret: PlantedSecret
) -> None:
    async with open_runner(sandbox, tmp_path) as runner:
        other_bot = await seat_bot(await start_bot(runner, tmp_path, "folds", arguments=["the-others-cards"]))
        processes = psutil.process_iter(["cmdline"])
        pids = [f"pid:{each.pid}" for each in processes if "the-others-cards" in (each.info["cmdline"] or ())]
        assert pids
        box = await start_bot(runner, tmp_path, "environment", arguments=[*secret.places, *pids])
        assert await register_bot(box) == "Environment"
        assert await measure_think_ms(other_bot, 3) >= 0
    printed = log_path(tmp_path, "environment").read_text()
    _check_that_snooper_looked_everywhere(printed)
    assert "the-others-cards" not in printed
    assert "reached" not in printed
    assert not secret.find(folder=tmp_path / "logs")
    assert not [line for line in RESOLVER_LINES if line in printed]


async def test_build_and_its_program_find_no_secret(sandbox: RunnerKind, tmp_path: Path, secret: PlantedSecret) -> None:
    build_output: list[str] = []
    async with open_runner(sandbox, tmp_path) as runner:
        folder = _write_snooper(tmp_path / "bot")
        commands = BotCommands(run=_snoop_command(secret, ">&2"), build=_snoop_command(secret, "> left; cat left"))
        built_bot = await runner.build_piped("Snooper", folder, commands, build_output.append)
        bot = await runner.start_piped("Snooper", built_bot, log_path(tmp_path, "snooper"))
        assert await wait_for_end(bot) == "ended by itself (0)"
    _check_that_snooper_looked_everywhere("\n".join(build_output))
    _check_that_snooper_looked_everywhere(log_path(tmp_path, "snooper").read_text())
    assert not secret.find(*build_output, folder=tmp_path)


@pytest.mark.docker
@pytest.mark.usefixtures("docker_host")
@pytest.mark.parametrize("has_network", [False, True])
async def test_docker_build_finds_no_secret(has_network: bool, tmp_path: Path, secret: PlantedSecret) -> None:
    build_output: list[str] = []
    folder = _write_snooper(tmp_path / "bot")
    dockerfile = f"FROM python:3.11-slim\nCOPY . .\nRUN {_snoop_command(secret, '> left; cat left')}\nCMD cat left\n"
    (folder / "Dockerfile").write_text(dockerfile)
    environment = replace(box_environment(tmp_path), build_network=has_network)
    runner = await open_docker(environment)
    try:
        image = await runner.build("Snooper", folder, build_output.append)
        with open_engine() as engine:
            image_bytes = b"".join(engine.get_image(image))
    finally:
        await runner.close()
    assert "looked everywhere" in build_output
    assert b"looked everywhere" in image_bytes
    assert not secret.find(*build_output, image_bytes)


@NEEDS_BUBBLEWRAP
def test_season_and_its_workers_give_no_secret_away(tmp_path: Path, secret: PlantedSecret) -> None:
    with cluster(tmp_path / "cluster", {"ORGANISERS_PASSWORD": secret.secret}) as workers:
        workers.start_worker("worker")
        workers.await_worker("worker")
        event = write_event(tmp_path / "season", 2, 1000, 1, workers.event_lines)
        for entry in (event.parent / "P01", event.parent / "P02"):
            _write_config(_write_snooper(entry / "bot"), entry.name, secret)
        with season(event) as program:
            until(program, lambda: rated_games(event) > 0, "the first game")
            pages = _upload_snooper(event, secret)
        assert "looked everywhere" in "".join(pages)
        assert not secret.find(*pages, folder=event.parent)
    assert not secret.find(folder=tmp_path / "cluster")


def test_voice_and_media_have_no_secret(tmp_path: Path, secret: PlantedSecret, monkeypatch: pytest.MonkeyPatch) -> None:
    shell_script = "tr '\\0' '\\n' < /proc/self/environ"
    spoken_output = run_speech_program(["/bin/sh", "-c", shell_script], "howdy")
    assert b"PATH=" in spoken_output
    fake_python = tmp_path / "python"
    fake_python.write_text(f"#!/bin/sh\n/bin/tr '\\0' ' ' < /proc/self/environ >&2; exit {REFUSED_STATUS}\n")
    fake_python.chmod(0o755)
    picture = tmp_path / "face.png"
    picture.write_text(f"#EXTM3U\n{secret.places[0]}\n")
    library = MediaLibrary(tmp_path / "media")
    findings = library.prepare(avatar=picture, particle=picture, sound=picture)  # Particles fly after a win.
    monkeypatch.setattr(sys, "executable", str(fake_python))
    picture.write_text("another picture, as the first has been prepared")
    hijacked_findings = library.prepare(avatar=picture)
    assert "OPENBLAS" in str(hijacked_findings)
    assert not secret.find(spoken_output, str(findings), str(hijacked_findings), folder=library.folder)


def _check_that_snooper_looked_everywhere(printed: str) -> None:
    """Checks that the snooping program has looked at its own process and at the first process of its sandbox."""
    assert all(f"/proc/{process}/{name}: " in printed for process in ("1", "self") for name in PROCESS_FILES)
    assert "looked everywhere" in printed


def _write_snooper(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SNOOP, folder / "snoop.py")
    return folder


def _snoop_command(secret: PlantedSecret, redirection: str) -> str:
    return f"python3 snoop.py {' '.join(secret.places)} {redirection}"


def _write_config(folder: Path, name: str, secret: PlantedSecret) -> None:
    run = f"{_snoop_command(secret, '>&2')}; exec sh bot.sh"
    config = {"name": name, "build": _snoop_command(secret, ""), "run": run}
    (folder / "bot.json").write_text(json.dumps(config))


def _upload_snooper(event: Path, secret: PlantedSecret) -> Sequence[str]:
    """Uploads a snooping bot and waits until the bot is tested. Returns all pages and logs that its author can read."""
    [base] = re.findall(r"leaderboard +(http://[^/]+)", output_of(event))
    [invitation] = re.findall(r"invitation=(\S+)", output_of(event))
    folder = event.parent / "uploaded"
    _write_config(_write_snooper(folder), "Snooper", secret)
    files = {f"bot/{path.name}": path.read_text() for path in folder.iterdir()} | {"bot/bot.sh": CALLER.format(hands=1)}
    form = {"player": "Stranger", "secret": "", "invitation": invitation, "once": ""}
    with httpx.Client(base_url=base, timeout=60.0) as web:
        response = web.post("/upload", data=form, files={"bot": ("bot.zip", zip_of(files), "application/zip")})
        assert response.status_code == 200
        wait_until(lambda: ": ready" in web.get("/upload").text, lambda: web.get("/upload").text)
        own_page = web.get("/upload").text
        pages = [own_page, *(web.get(path).text for path in set(re.findall(r'href="(/[^"]*)"', own_page)))]
        logs = [web.get(f"/upload/tests/3/{side}.log").text for side in ("public", "defender", "challenger")]
    return [*pages, *logs]

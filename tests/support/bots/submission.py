"""Writes folders like those that contestants submit: Dockerfile, bot_config.json, code, pictures and a sound."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from tests.media.stranger_files import sound, tone

SNOOP = Path(__file__).with_name("snoop.py")
DOCKERFILE = """\
FROM python:3.11-slim
WORKDIR /bot
ENV PYTHONUNBUFFERED=1
COPY . .
CMD {command}
"""
HOST = "129.21.10.4"
"""The tournament's address in the sample bot's code."""


def write_player(folder: Path, *names: str, behaviour: str = "honest", has_particle_and_sound: bool = False) -> Path:
    """Writes bots of these names into "bot-1", "bot-2" and so on below `folder`. Returns `folder`."""
    for number, name in enumerate(names or ("Honest Abe",), start=1):
        write_bot(folder / f"bot-{number}", name, behaviour, has_particle_and_sound=has_particle_and_sound)
    return folder


def write_bot(
    folder: Path,
    name: str = "Honest Abe",
    behaviour: str = "honest",
    *,
    arguments: Sequence[str] = (),
    dockerfile: str = "",
    has_particle_and_sound: bool = False,  # A particle is the picture that flies when the bot wins.
) -> Path:
    """Writes into `folder` a bot that runs sample_bot.py with `behaviour` and `arguments`. Returns `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name("sample_bot.py"), folder / "bot.py")
    if behaviour == "environment":
        shutil.copyfile(SNOOP, folder / "snoop.py")
    command = json.dumps(["python", "bot.py", behaviour, *arguments])
    (folder / "Dockerfile").write_text(dockerfile or DOCKERFILE.format(command=command))
    red, green, blue = (90 + (sum(name.encode()) * factor) % 140 for factor in (7, 13, 29))
    face = Image.new("RGB", (320, 320), (red, green, blue))
    ImageDraw.Draw(face).ellipse((60, 60, 260, 290), fill=(240, 205, 160))
    face.save(folder / "mugshot.png")
    config = {"name": name, "avatar_filename": "mugshot.png"}
    if has_particle_and_sound:
        star = Image.new("RGBA", (64, 64))
        ImageDraw.Draw(star).regular_polygon((32, 32, 30), 5, fill=(250, 200, 60, 255))
        star.save(folder / "star.png")
        yeehaw = sound(tone(0.5, rate=22_050), rate=22_050, subtype="PCM_16")
        (folder / "yeehaw.wav").write_bytes(yeehaw)
        config |= {"particle_filename": "star.png", "sound_effect_filename": "yeehaw.wav"}
    (folder / "bot_config.json").write_text(json.dumps(config, ensure_ascii=False, indent=4), encoding="utf-8")
    return folder

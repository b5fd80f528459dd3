"""Writes folders like those that contestants submit: Dockerfile, bot_config.json, code, pictures and a sound."""

import json
import math
import shutil
import wave
from array import array
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

SNOOP = Path(__file__).with_name("snoop.py")
DOCKERFILE = """\
FROM python:3.11-slim
WORKDIR /bot
ENV PYTHONUNBUFFERED=1
COPY . .
CMD {command}
"""
HOST = "129.21.10.4"
"""The address hard-coded in the sample bot."""


def write_player(folder: Path, *names: str, behaviour: str = "honest", has_particle_and_sound: bool = False) -> Path:
    """Writes bots of these names into "bot-1", "bot-2" and so on below `folder`; returns `folder`."""
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
    has_particle_and_sound: bool = False,
) -> Path:
    """Writes a bot into `folder`; returns `folder`.

    `behaviour` is one of those in sample_bot.py, such as "folds"; `arguments` follow it on the bot's command line.
    """
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
        _write_tone(folder / "yeehaw.wav")
        config |= {"particle_filename": "star.png", "sound_effect_filename": "yeehaw.wav"}
    (folder / "bot_config.json").write_text(json.dumps(config, ensure_ascii=False, indent=4), encoding="utf-8")
    return folder


def _write_tone(path: Path) -> None:
    rate = 22050
    samples = array("h", [int(12000 * math.sin(2 * math.pi * 440 * step / rate)) for step in range(rate // 2)])
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, rate, len(samples), "NONE", "not compressed"))
        sound.writeframes(samples.tobytes())

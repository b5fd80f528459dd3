"""Writes folders like those that contestants submit: Dockerfile, bot_config.json, code, pictures and a sound."""

import json
import math
import shutil
import struct
import wave
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

BOT = Path(__file__).with_name("sample_bot.py")
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


def write_player(folder: Path, *names: str, behaviour: str = "honest", extras: bool = False) -> Path:
    """Writes a player's folder with bots of these names in "bot-1", "bot-2" and so on; returns the player's folder."""
    for number, name in enumerate(names or ("Honest Abe",), start=1):
        write_bot(folder / f"bot-{number}", name, behaviour, extras=extras)
    return folder


def write_bot(
    folder: Path,
    name: str = "Honest Abe",
    behaviour: str = "honest",
    *,
    arguments: Sequence[str] = (),
    dockerfile: str = "",
    extras: bool = False,
) -> Path:
    """Writes a bot's complete folder; returns it.

    `behaviour` is one of those in sample_bot.py, such as "folds"; `arguments` are the bot's other arguments. `extras`
    adds a particle and a sound.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(BOT, folder / "bot.py")
    if behaviour == "environment":
        shutil.copyfile(SNOOP, folder / "snoop.py")
    command = json.dumps(["python", "bot.py", behaviour, *arguments])
    (folder / "Dockerfile").write_text(dockerfile or DOCKERFILE.format(command=command))
    _draw_face(folder / "mugshot.png", name)
    config = {"name": name, "avatar_filename": "mugshot.png"}
    if extras:
        _draw_particle(folder / "star.png")
        _play_tone(folder / "yeehaw.wav")
        config |= {"particle_filename": "star.png", "sound_effect_filename": "yeehaw.wav"}
    (folder / "bot_config.json").write_text(json.dumps(config, ensure_ascii=False, indent=4), encoding="utf-8")
    return folder


def _draw_face(path: Path, name: str) -> None:
    red, green, blue = (90 + (sum(name.encode()) * factor) % 140 for factor in (7, 13, 29))
    image = Image.new("RGB", (320, 320), (red, green, blue))
    ImageDraw.Draw(image).ellipse((60, 60, 260, 290), fill=(240, 205, 160))
    image.save(path)


def _draw_particle(path: Path) -> None:
    image = Image.new("RGBA", (64, 64))
    ImageDraw.Draw(image).regular_polygon((32, 32, 30), 5, fill=(250, 200, 60, 255))
    image.save(path)


def _play_tone(path: Path) -> None:
    rate = 22050
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        tones = (int(12000 * math.sin(2 * math.pi * 440 * step / rate)) for step in range(rate // 2))
        sound.writeframes(b"".join(struct.pack("<h", tone) for tone in tones))

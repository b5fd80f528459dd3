"""Finds or fetches the image that a Dockerfile names. Never one by its id: that could be another contestant's bot.

Nor one that only this machine has: whatever is not official by its name is what the registry gives to everybody.
"""

import re

from server.bots.sandbox.docker.build_session import BuildFailed, BuildSession
from server.bots.sandbox.docker.engine import ENGINE_FAULTS, in_words, look_at_image
from server.bots.sandbox.docker.stream import objects

_OFFICIAL = re.compile(
    "(library/)?(almalinux|alpine|amazoncorretto|amazonlinux|archlinux|bash|buildpack-deps|busybox|clojure|dart|debian|"
    "eclipse-temurin|elixir|erlang|fedora|gcc|golang|gradle|groovy|haskell|haxe|hylang|ibm-semeru-runtimes|jruby|julia|"
    "maven|mono|node|openjdk|oraclelinux|perl|php|pypy|python|r-base|rakudo-star|rockylinux|ruby|rust|sapmachine|swift|"
    "swipl|ubuntu)[:@]"
)
"""Docker's own images of systems and languages; any other name without a slash may be the organiser's."""
_TAG = re.compile(r":[\w.-]+$")


def base_image(session: BuildSession, name: str) -> str:
    """The id of the image `name`, which has a tag or digest; it is fetched if it is not here.

    Raises BuildFailed, and what the Engine raises.
    """
    if not _OFFICIAL.match(name):
        name = _published(session, name)
    found = session.engine.images(name=name, quiet=True) or _fetched(session, name)
    if (look_at_image(session.engine, found[0])["Config"] or {}).get("OnBuild"):
        raise BuildFailed(f"{name} has ONBUILD instructions, which are not carried out. Build on another image.")
    return str(found[0])


def _published(session: BuildSession, name: str) -> str:
    """`name` with the digest that its registry gives to everybody. Raises BuildFailed where it gives none."""
    try:
        with session.request("GET", f"/distribution/{name}/json") as response:
            digest = str(response.json()["Descriptor"]["digest"])
    except ENGINE_FAULTS as error:
        why = f"{name} is no official image, and its registry does not give it to everybody"
        raise BuildFailed(f"{why} ({in_words(error)}). Build on one that it does, such as python:3.11-slim.") from None
    return f"{_TAG.sub('', name.partition('@')[0])}@{digest}"


def _fetched(session: BuildSession, name: str) -> list[str]:
    repository, _, tag = name.partition("@") if "@" in name else name.rpartition(":")
    session.hear(f"{name} is fetched from its registry.")
    with session.request("POST", "/images/create", params={"fromImage": repository, "tag": tag}) as response:
        sizes: dict[str, int] = {}
        for piece in objects(response):
            if "error" in piece:
                raise BuildFailed(f"{name} cannot be fetched: {piece['error']}")
            layer, size = str(piece.get("id")), int((piece.get("progressDetail") or {}).get("total") or 0)
            sizes[layer] = max(sizes.get(layer, 0), size)
            if sum(sizes.values()) > session.limits.build_disk_bytes:
                raise BuildFailed(f"{name} is larger than the {session.limits.build_disk_bytes >> 20} MB it may be.")
            if not piece.get("progressDetail"):
                session.hear(" ".join(str(piece[key]) for key in ("id", "status") if key in piece))
    fetched: list[str] = session.engine.images(name=name, quiet=True)
    if not fetched:
        raise BuildFailed(f"{name} cannot be fetched.")
    session.fetched.append(name)
    unpacked = sum(int(look_at_image(session.engine, each)["Size"]) for each in session.fetched)
    if unpacked > session.limits.build_disk_bytes:
        raise BuildFailed(f"{name} is larger than the {session.limits.build_disk_bytes >> 20} MB it may be.")
    return fetched

"""Finds or fetches the image that a Dockerfile names. Never one by its id: that could be another contestant's bot."""

from server.bots.sandbox.docker.build_session import BuildFailed, BuildSession
from server.bots.sandbox.docker.engine import look_at_image
from server.bots.sandbox.docker.stream import objects


def base_image(session: BuildSession, name: str) -> str:
    """The id of the image `name`, which has a tag or digest; it is fetched if it is not here.

    Raises BuildFailed, and what the Engine raises.
    """
    found = session.engine.images(name=name, quiet=True) or _fetched(session, name)
    if (look_at_image(session.engine, found[0])["Config"] or {}).get("OnBuild"):
        raise BuildFailed(f"{name} has ONBUILD instructions, which are not carried out. Build on another image.")
    return str(found[0])


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

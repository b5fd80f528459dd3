"""Tells requests that are made on this machine from those that a proxy on it passes on for somebody else."""

from starlette.types import Scope

from server.addresses import household

BEHIND_A_PROXY = "behind a proxy"
"""The address of all for whom a proxy on this machine speaks that is not believed, or that says they are here too."""
_HEADERS = ("forwarded", "via", "x-forwarded-", "x-real-ip")
"""What the names of headers begin with by which a proxy says for whom it speaks."""
_THIS_MACHINE = {household(each) for each in ("127.0.0.1", "::1")}


def is_here(address: str) -> bool:
    """Whether an address is this machine's own for itself, as OBS has it."""
    return household(address) in _THIS_MACHINE


def visitor_of(scope: Scope) -> str:
    """The address that a request counts for; "" where it comes by no network."""
    address: str = (scope.get("client") or ("",))[0]
    passed_on = is_here(address) and any(name.decode("latin-1").startswith(_HEADERS) for name, _ in scope["headers"])
    return BEHIND_A_PROXY if passed_on else address

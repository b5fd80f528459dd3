"""The answer to a request that is refused."""

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """An HTTP status and one sentence. `again`: the page should try once more by itself."""

    status: int
    words: str
    again: bool = False

"""The messages of registration that contests share: `POST /register`, and what authors may ask for in practice."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from server.contests.contest import Count, Message, Name

Port = Annotated[int, Meta(ge=1, le=65_535, description="whole number")]
TableSize = Annotated[int, Meta(ge=2, le=6, description="2 to 6")]
HandCount = Annotated[int, Meta(ge=1, le=24, description="1 to 24")]
Key = Annotated[str, Meta(pattern=r"^([\s\S]{12,})?$", description="text of at least 12 characters")]
ThinkTime = Annotated[int, Meta(ge=0, le=3000, description="0 to 3000 milliseconds")]
Strength = Annotated[int, Meta(ge=0, le=5, description="0 to 5")]


class PracticeWishes(Struct, frozen=True, kw_only=True):
    """What a bot's author may ask for in a practice game of any contest. A tournament ignores it."""

    key: Key = ""
    """In practice: your own key, which shows all your games on one page that only you can find. At least 6 of its
    characters are different. Without it every game gets a page of its own."""
    challenge: str = ""
    """In practice: the code of a challenge, an invitation to play another author's bot."""
    house_think_ms: ThinkTime = 300
    """In practice: how long each house bot may think."""
    house_strength: Strength = 0
    """In practice: the rung of the ladder at which all house bots play; 0 for each bot's own strength."""


class Register(PracticeWishes, frozen=True, kw_only=True):
    """The body of `POST /register`, a JSON object."""

    name: Name
    """In any script, without control characters, emojis and invisible characters."""
    test_game_size: TableSize = 6
    """In practice: how many bots sit at the table."""
    test_hand_count: HandCount = 6
    """In practice: how many hands are played."""
    secret: str = ""
    """In a tournament, for a bot on its author's machine: the secret from the organiser."""


class Registered(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to `register`. `portNumber` and `id` repeat the first two, as the contest's first server did."""

    port_number: Port
    """Where to connect by TCP."""
    bot_id: Count
    portNumber: Port  # noqa: N815  as it is on the connection
    id: Count
    watch_url: str | UnsetType = UNSET
    """Where the game can be watched."""
    own_url: str | UnsetType = UNSET
    """In practice: your own page, with your hole cards and what your bot did wrong."""
    house_bots: str | UnsetType = UNSET
    """In practice: how the house bots play, in words, if you asked for a strength."""
    warnings: tuple[str, ...] | UnsetType = UNSET
    """A sentence for each setting of yours that was not accepted."""


class Refused(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a registration that is refused, with a status from 400 on."""

    error: str
    """The reason, a sentence."""


REGISTERED = '{"port_number": 41234, "bot_id": 1, "portNumber": 41234, "id": 1}'
REFUSED = '{"error": "Name is required"}'


def registration(then: str) -> tuple[Message, Message, Message]:
    """The messages of a contest whose bots register by `POST /register`; `then` says what follows the answer."""
    return (
        Message("register", "bot", Register, ('{"name": "Billy the Kid"}',), then),
        Message("registered", "server", Registered, (REGISTERED,)),
        Message("refused", "server", Refused, (REFUSED,)),
    )

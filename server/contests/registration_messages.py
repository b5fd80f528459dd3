"""The registration messages that contests share: `POST /register`, and an author's choices for a practice game."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from server.contests.contest import Count, Message, Name

Port = Annotated[int, Meta(ge=1, le=65_535, description="whole number")]
TableSize = Annotated[int, Meta(ge=2, le=6, description="2 to 6")]
HandCount = Annotated[int, Meta(ge=1, le=24, description="1 to 24")]
Key = Annotated[str, Meta(pattern=r"^([\s\S]{12,})?$", description="text of at least 12 characters")]
ThinkTime = Annotated[int, Meta(ge=0, le=3000, description="0 to 3000 milliseconds")]
Strength = Annotated[int, Meta(ge=0, le=5, description="0 to 5")]


class PracticeOptionFields(Struct, frozen=True, kw_only=True):
    """The settings that a bot's author may ask for in a practice game of any contest. A tournament ignores them."""

    key: Key = ""
    """For practice: a key of your choice. All games with this key are on one page, which only you can find. The key
    must have at least 6 different characters. Without a key, every game has its own page.
    """
    challenge: str = ""
    """For practice: the code of a challenge. A challenge is an invitation to play against another author's bot."""
    house_think_ms: ThinkTime = 300
    """For practice: how long each house bot may think."""
    house_strength: Strength = 0
    """For practice: how strong all house bots are, from 1 (weakest) to 5 (strongest). With 0, each house bot plays at
    its own strength.
    """


class Register(PracticeOptionFields, frozen=True, kw_only=True):
    """The body of `POST /register`, a JSON object."""

    name: Name
    """A name in any script, but without control characters, emojis or invisible characters."""
    test_game_size: TableSize = 6
    """For practice: how many bots sit at the table."""
    test_hand_count: HandCount = 6
    """For practice: how many hands are played."""
    secret: str = ""
    """In a tournament, for a bot that runs on its author's machine: the secret that you got from the organiser."""


class Registered(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to `register`. `portNumber` and `id` repeat the first two fields, as on the original server."""

    port_number: Port
    """The TCP port to connect to."""
    bot_id: Count
    portNumber: Port  # noqa: N815 as it is spelled in the message
    id: Count
    watch_url: str | UnsetType = UNSET
    """The address at which the game can be watched."""
    own_url: str | UnsetType = UNSET
    """For practice: the address of your own page, with your bot's hole cards and its faults."""
    house_bots: str | UnsetType = UNSET
    """For practice: how the house bots play, in words, if you asked for a strength."""
    warnings: tuple[str, ...] | UnsetType = UNSET
    """A sentence for each of your settings that was not accepted."""


class Refused(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a refused registration. Its HTTP status is 400 or higher."""

    error: str
    """The reason, in a sentence."""


REGISTERED = '{"port_number": 41234, "bot_id": 1, "portNumber": 41234, "id": 1}'
REFUSED = '{"error": "Name is required"}'


def registration_messages(what_next: str) -> tuple[Message, Message, Message]:
    """Returns the messages of contests with `POST /register`. `what_next` says what follows the answer."""
    return (
        Message("register", "bot", Register, ('{"name": "Billy the Kid"}',), what_next),
        Message("registered", "server", Registered, (REGISTERED,)),
        Message("refused", "server", Refused, (REFUSED,)),
    )

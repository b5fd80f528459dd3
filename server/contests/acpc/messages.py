"""The messages of the contest ACPC: lines over TCP, protocol version 2.0.0."""

from server.contests.contest import Message, Mistake, Protocol
from server.contests.registration_messages import registration_messages

_CARD = "[2-9TJQKA][cdhs]"
_BETTING = "(?:f|c|r[0-9]+)*(?:/(?:f|c|r[0-9]+)*){0,3}"
_HOLE = f"(?:(?:{_CARD}){{2}})?"
_BOARD = f"(?:/(?:{_CARD}){{3}})?(?:/{_CARD}){{0,2}}"
_STATE = rf"MATCHSTATE:[0-9]:[0-9]+:{_BETTING}:{_HOLE}(?:\|{_HOLE}){{1,9}}{_BOARD}"
_ACTION_FAULT = "an action is f, c or r with a total, such as r300"

PROTOCOL = Protocol(
    """\
A player is a program that is started with two arguments, a host and a port, connects by TCP and sends its version.
Lines end with `\\r\\n`; a player may send `\\n` alone. Lines that start with `#` or `;` are comments.

Every player gets a state after each action, and at the start and the end of each hand:
`MATCHSTATE:position:hand:betting:cards`. Position 0 is the first player after the button: the small blind, or the big
blind if two play. Hands count from 0. In the betting, `f` is a fold, `c` a call or check, and `r300` a raise to 300,
the total that the player has put into the hand, including blinds and earlier rounds; `/` divides the rounds. The cards
are the hole cards of each position, divided by `|` and empty if you may not see them, then the board.

Only the state shows that it is your turn. Your answer repeats the state exactly, followed by a colon and your action.

For practice a bot registers by one HTTP request, and the answer names its port. In a tournament the organiser names it.

Every hand starts with 20,000 chips and the blinds 50 and 100, whatever was won and lost before. You have 10 seconds for
an answer, and 7 seconds per hand on average over the match.
""",
    (
        *registration_messages("The answer names a port: start your bot with it, and its match begins at once."),
        Message("VERSION", "bot", "VERSION:2.0.0", ("VERSION:2.0.0",), "Your first line."),
        Message("MATCHSTATE", "server", _STATE, (), "Answer if it is your turn."),
        Message(
            "action",
            "bot",
            f"{_STATE}:(?:f|c|r[0-9]+)",
            ("MATCHSTATE:1:31::|JdTc:r300", "MATCHSTATE:1:31:r300r900:|JdTc:c", "MATCHSTATE:0:7:r300:TdAs|:f"),
            "Folds; calls or checks; or raises to this total for the whole hand.",
        ),
        Message(
            "# thought",
            "bot",
            "# thought: .*",
            ("# thought: He has raised every hand.",),
            "If you like, just before an action: your reason, in words. The audience sees its first 200 characters "
            "after the hand; other players never do. To other servers this line is a comment.",
        ),
        Message(
            "# tokens",
            "bot",
            "# tokens: [0-9]+",
            ("# tokens: 812",),
            "For a language model, with a thought: the tokens that it has used since its last thought. The results "
            "show them. To other servers this line is a comment.",
        ),
        Message(
            "# cost",
            "bot",
            r"# cost: [0-9]+(?:\.[0-9]+)?",
            ("# cost: 0.0042",),
            "What these tokens have cost, in dollars.",
        ),
    ),
    (
        Mistake("call", "an answer is the state, a colon and an action", "the state is repeated"),
        Mistake("MATCHSTATE:0:99:c:2c2d|:c", "it does not repeat the current state exactly", "it must be exact"),
        Mistake("{state}:x", _ACTION_FAULT, "there are no other actions; this counts as a call"),
        Mistake("{state}:r", _ACTION_FAULT, "a raise has a total; it counts as a call"),
        Mistake(
            "{state}:r1",
            "a raise must be to 200..20000 in the whole hand, not 1",
            "it becomes the smallest legal raise",
        ),
    ),
    """\
A line that does not answer the current state is ignored, and your clock keeps running. An action that cannot be read or
applied is a call, and a raise that is too small or too large is moved to the nearest legal one. Every mistake is
recorded against your bot. Without an answer in time your bot is out: it checks or folds for the rest of the match.
""",
)

"""Storylines about figures: luck and earnings, contrasting styles, mistakes, and title odds. No I/O."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from broadcast.commentary.statistics.notices import (
    MIN_ACTS,
    MIN_HANDS,
    MIN_SHOWDOWNS,
    aggression,
    notice_for_best,
    pfr,
    share_text,
    showdown_words,
    vpip,
)
from broadcast.commentary.storylines.bot_facts import MAX_PROOF_HANDS, HandNumber
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.figures import Figures, LuckInHand
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline, importance_by_age
from broadcast.on_air.shared_types import BotStatistics
from server.text.grammar import chance_text

MIN_LUCK_BLINDS = 10
"""Luck and earnings are mentioned only if they are at least this many big blinds."""
MAX_LUCK_AGAINST_PLAY = 2
"""At most this many bots are mentioned because they earned chips despite bad luck, or lost chips despite good luck."""
MIN_STYLE_DIFFERENCE = 0.3
"""Two bots' styles are compared if their VPIPs, or their shares of bets and raises after the flop, differ by at least
this much. Both are from 0 to 1.
"""
MIN_PFR = 0.2
"""The bot that raises most often before the flop is mentioned if it raises in at least this share of its hands."""
MIN_AGGRESSION = 0.4
"""The boldest bot after the flop is mentioned if bets and raises are at least this share of its acts besides checks."""
MIN_TITLE_MOVE = 100
"""A change of the title odds is mentioned only if it is at least this many tenths of a percent."""
MIN_TITLE_LEAD, CERTAIN_TITLE_PERMILLE = 50, 990
"""A favourite for the title is mentioned if its chance is at least MIN_TITLE_LEAD higher than the next bot's. Its
chance must also be below CERTAIN_TITLE_PERMILLE. Both constants are in tenths of a percent.
"""


def figure_lines(facts: EveningFacts, figures: Figures, name: Name) -> Iterator[Storyline]:
    """Yields all storylines about figures that are true now."""
    rows = figures.statistics.rows
    yield from _luck_lines(facts, rows, figures.extreme_luck, name)
    yield from _style_lines(facts, rows, name)
    yield from _fault_lines(rows, name)
    yield from _title_lines(facts, figures.title_odds, name)


def _luck_lines(
    facts: EveningFacts,
    rows: Sequence[BotStatistics],
    extreme_luck: Mapping[int, tuple[LuckInHand, LuckInHand]],
    name: Name,
) -> Iterator[Storyline]:
    min_chips = MIN_LUCK_BLINDS * facts.big_blind
    known = [(row, row.earned) for row in rows if row.earned is not None and row.bot in facts.stacks]
    luck_against_play = [
        each for each in known if each[0].luck * each[1] < 0 and min(abs(each[0].luck), abs(each[1])) >= min_chips > 0
    ]
    for row, earned in sorted(luck_against_play, key=lambda each: -min(abs(each[0].luck), abs(each[1])))[
        :MAX_LUCK_AGAINST_PLAY
    ]:
        text = f"{name(row.bot)} is {row.luck:,} chips up on luck, and {-earned:,} down on its play."
        if earned > 0:
            text = f"{name(row.bot)} is {earned:,} chips up on its play, and {-row.luck:,} down on luck."
        best, worst = extreme_luck[row.bot]
        hands = ((best if row.luck > 0 else worst).hand,)
        yield Storyline("luck", "luck against play", (row.bot,), text, "worth telling", hands)
    lucky, unlucky = (
        [row for row, _ in known if row.luck >= min_chips],
        [row for row, _ in known if -row.luck >= min_chips],
    )
    if (
        min_chips
        and len(known) > 2
        and (most := notice_for_best("", lucky, lambda row: row.luck, lambda row: f"{row.luck:,}"))
    ):
        text = f"{name(most.bot)} has won {most.text} chips by good luck, more than anybody else still in."
        yield Storyline("luck", "luckiest", (most.bot,), text, "background", (extreme_luck[most.bot][0].hand,))
    if (
        min_chips
        and len(known) > 2
        and (most := notice_for_best("", unlucky, lambda row: -row.luck, lambda row: f"{-row.luck:,}"))
    ):
        text = f"{name(most.bot)} has lost {most.text} chips to bad luck, more than anybody else still in."
        yield Storyline("luck", "unluckiest", (most.bot,), text, "background", (extreme_luck[most.bot][1].hand,))
    stroke = max((best for best, _ in extreme_luck.values()), key=lambda each: each.chips, default=None)
    if stroke and stroke.chips >= min_chips > 0:
        text = f"{name(stroke.bot)} had the luckiest hand of the night: {stroke.chips:,} chips of pure luck."
        importance: Importance = (
            "for a pause" if importance_by_age(facts.hands_since(stroke.hand)) == "background" else "worth telling"
        )
        yield Storyline("luck", "luckiest board", (stroke.bot,), text, importance, (stroke.hand,))


def _style_lines(facts: EveningFacts, rows: Sequence[BotStatistics], name: Name) -> Iterator[Storyline]:
    rows_by_bot = {row.bot: row for row in rows if row.bot in facts.stacks}
    yield from _preflop_style_lines(facts, rows_by_bot, name)
    yield from _postflop_style_lines(facts, rows_by_bot, name)
    shown = [row for row in rows_by_bot.values() if row.showdowns >= MIN_SHOWDOWNS]
    is_good = any(2 * row.showdowns_won > row.showdowns for row in shown)
    shown = shown if is_good and len(rows_by_bot) > 2 else []  # for two bots, another storyline tells their score
    if best := notice_for_best("", shown, lambda row: row.showdowns_won / row.showdowns, showdown_words):
        text = f"{name(best.bot)} has {best.text} showdowns, the best record of the bots still in."
        hands = [hand for showdowns in facts.showdowns.values() for winner, hand in showdowns if winner == best.bot]
        yield Storyline(
            "style", "showdowns", (best.bot,), text, "for a pause", tuple(sorted({*hands})[-MAX_PROOF_HANDS:])
        )


def _preflop_style_lines(
    facts: EveningFacts, rows_by_bot: Mapping[int, BotStatistics], name: Name
) -> Iterator[Storyline]:
    rows = [row for row in rows_by_bot.values() if row.hands >= MIN_HANDS and row.pfr_chances and row.vpip_chances]
    loose, tight = (
        notice_for_best("", rows, vpip, _share_text(vpip)),
        notice_for_best("", rows, lambda row: -vpip(row), _share_text(vpip)),
    )
    if loose and tight and vpip(rows_by_bot[loose.bot]) - vpip(rows_by_bot[tight.bot]) >= MIN_STYLE_DIFFERENCE:
        few = "hardly plays any" if tight.text == "0%" else f"only {tight.text}"
        text = f"{name(loose.bot)} plays {loose.text} of its hands, and {name(tight.bot)} {few}."
        hands = _proof(facts.bots[loose.bot].vpip_hands, facts.bots[tight.bot].vpip_hands)
        yield Storyline("style", "loose against tight", (loose.bot, tight.bot), text, "background", hands)
    elif loose and len(rows_by_bot) > 2:
        text = f"{name(loose.bot)} is the loosest bot still in: it plays {loose.text} of its hands."
        hands = _proof(facts.bots[loose.bot].vpip_hands)
        yield Storyline("style", "loosest", (loose.bot,), text, "for a pause", hands)
    rows = [row for row in rows if pfr(row) >= MIN_PFR]
    if raising := notice_for_best("", rows, pfr, _share_text(pfr)):
        text = f"{name(raising.bot)} raises preflop {raising.text} of the time, more than anybody else."
        hands = _proof(facts.bots[raising.bot].pfr_hands)
        yield Storyline("style", "raises most", (raising.bot,), text, "for a pause", hands)


def _postflop_style_lines(
    facts: EveningFacts, rows_by_bot: Mapping[int, BotStatistics], name: Name
) -> Iterator[Storyline]:
    rows = [row for row in rows_by_bot.values() if row.aggressive_chances >= MIN_ACTS]
    words = _share_text(aggression)
    bold, meek = (
        notice_for_best("", rows, aggression, words),
        notice_for_best("", rows, lambda row: -aggression(row), words),
    )
    if bold and meek and aggression(rows_by_bot[bold.bot]) - aggression(rows_by_bot[meek.bot]) >= MIN_STYLE_DIFFERENCE:
        seldom = f"{name(meek.bot)} {_contrast_text(meek.text)}"
        text = f"After the flop, {name(bold.bot)} bets or raises {bold.text} of the time, {seldom}."
        hands = _proof(facts.bots[bold.bot].aggressive_hands, facts.bots[meek.bot].aggressive_hands)
        yield Storyline("style", "bold against meek", (bold.bot, meek.bot), text, "background", hands)
    elif bold and len(rows_by_bot) > 2 and aggression(rows_by_bot[bold.bot]) >= MIN_AGGRESSION:
        text = f"{name(bold.bot)} is the boldest after the flop: it bets or raises {bold.text} of the time."
        hands = _proof(facts.bots[bold.bot].aggressive_hands)
        yield Storyline("style", "boldest", (bold.bot,), text, "for a pause", hands)


def _proof(*hands: Iterable[HandNumber]) -> tuple[HandNumber, ...]:
    """Returns the latest of `hands`, in order: at most MAX_PROOF_HANDS of them."""
    return tuple(sorted({*chain(*hands)})[-MAX_PROOF_HANDS:])


def _share_text(measure: Callable[[BotStatistics], float]) -> Callable[[BotStatistics], str]:
    """Returns a function that writes the `measure` of a row in percent: "44%". The measure is from 0 to 1."""
    return lambda row: share_text(measure(row))


def _contrast_text(often: str) -> str:
    """Returns words for a share that is compared with a larger share: "only 12%", "hardly ever". `often` is the share:
    "12%".
    """
    return "hardly ever" if often == "0%" else f"only {often}"


def _fault_lines(rows: Sequence[BotStatistics], name: Name) -> Iterator[Storyline]:
    faulty = [row for row in rows if row.faults > 1]
    if most := notice_for_best("", faulty, lambda row: row.faults, lambda row: f"{row.faults}"):
        text = f"{name(most.bot)} has had {most.text} faults tonight, more than anybody else."
        yield Storyline("clocks and faults", "most faults", (most.bot,), text, "for a pause", ())


def _title_lines(facts: EveningFacts, titles: Sequence[Mapping[int, int]], name: Name) -> Iterator[Storyline]:
    if not titles or len(facts.stacks) < 2:
        return
    first, now, hand_count = titles[0], titles[-1], len(titles) - 1
    best, *others = sorted(now, key=lambda bot: -now[bot])
    if others and now[best] - now[others[0]] >= MIN_TITLE_LEAD and now[best] < CERTAIN_TITLE_PERMILLE:
        text = f"{name(best)} is the favourite for the title at {chance_text(now[best])}."
        yield Storyline("at stake", "title odds", (best,), text, "background", (facts.last_hand,))
    moves = {bot: abs(chance - first.get(bot, chance)) for bot, chance in now.items()}
    most = max(moves, key=lambda bot: (moves[bot], now[bot], bot))
    if moves[most] >= MIN_TITLE_MOVE and most in facts.stacks and hand_count > 1 and now[most] < CERTAIN_TITLE_PERMILLE:
        change = f"from {chance_text(first[most])} to {chance_text(now[most])}"
        text = f"{name(most)}'s chances of winning the title have gone {change} in {hand_count} hands."
        yield Storyline("at stake", "title odds moved", (most,), text, "worth telling", (facts.last_hand,))

"""Storylines about the bots in earlier contests, from the archive. No I/O."""

from collections.abc import Iterator

from broadcast.commentary.storylines.earlier_facts import MIN_CONTESTS, EarlierFacts, EarlierHand, OverallRecord
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline, Topic
from server.text.grammar import number_in_words, ordinal

TOPIC: Topic = "earlier contests"
MIN_STREAK, MIN_DROUGHT = 5, 20
"""A winning streak is mentioned only if it has at least MIN_STREAK hands. A drought (hands in a row without a win) is
mentioned only if it has at least MIN_DROUGHT hands.
"""
MIN_FINALS = 2
"""A storyline about finals in a row needs at least this many finals, including tonight's."""


def earlier_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    """Yields all storylines about earlier contests that are true now. `earlier` has the facts from the archive, and
    `name` returns the name of a bot.
    """
    # In deals, several tables play the same cards, and most hands are not shown. So pots and streaks are left out.
    of_tonight = () if facts.deals else (_biggest_pot_lines, _streak_lines)
    for find in (
        *of_tonight,
        _finals_lines,
        _first_time_ahead_lines,
        _contests_won_lines,
        _always_ahead_lines,
        _duel_lines,
    ):
        yield from find(facts, earlier, name)


def _biggest_pot_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    record, pot = earlier.records.get("won"), facts.records.biggest_pot
    if record and pot and pot.hand == facts.last_hand and pot.amount > record.amount:
        text = f"{name(pot.bot)} has just won {pot.amount:,} in one hand, the most in {_all_contests_text(record)}."
        yield Storyline(TOPIC, "biggest pot", (pot.bot,), text, "just now", (pot.hand,), earlier=(record.where,))


def _streak_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    """Tells winning streaks and droughts that are the longest of tonight and of all earlier contests."""
    streak, drought = earlier.records.get("streak"), earlier.records.get("drought")
    for bot in facts.alive:
        won, lost = tuple(facts.bots[bot].winning_streak), tuple(facts.bots[bot].drought)
        others = [each for other, each in facts.bots.items() if other != bot]
        most = max((each.longest_streak for each in others), default=0)
        if streak and len(won) > max(MIN_STREAK - 1, streak.amount, most):
            text = (
                f"{name(bot)} has won {number_in_words(len(won))} pots in a row, the most in "
                f"{_all_contests_text(streak)}."
            )
            yield Storyline(TOPIC, "streak", (bot,), text, "just now", won, earlier=(streak.where,))
        most = max((each.longest_drought for each in others), default=0)
        if drought and len(lost) > max(MIN_DROUGHT - 1, drought.amount, most):
            text = (
                f"{name(bot)} hasn't won a pot in {len(lost)} hands, the longest drought in "
                f"{_all_contests_text(drought)}."
            )
            yield Storyline(TOPIC, "drought", (bot,), text, "worth telling", lost, earlier=(drought.where,))


def _all_contests_text(record: OverallRecord) -> str:
    return f"all {record.contests + 1} contests here"


def _finals_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    for bot in facts.finalists:
        row = earlier.finals_in_a_row.get(bot, ())
        if len(row) + 1 >= MIN_FINALS and facts.bots[bot].stack:
            text = f"{name(bot)} is in the final for the {ordinal(len(row) + 1)} time in a row."
            importance: Importance = "worth telling" if len(row) + 1 > MIN_FINALS else "background"
            yield Storyline(TOPIC, "finals in a row", (bot,), text, importance, (), earlier=_whole_recordings(row))


def _first_time_ahead_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    """Says that a bot is ahead of another bot for the first time, because the other bot has just been eliminated."""
    for (ahead, behind), met in earlier.always_ahead.items():
        if ahead in facts.just_out and facts.bots[behind].stack:
            text = f"{name(behind)} is ahead of {name(ahead)} for the first time in {len(met) + 1} contests."
            yield Storyline(
                TOPIC,
                "first time ahead",
                (behind,),
                text,
                "worth telling",
                (facts.last_hand,),
                earlier=_whole_recordings(met),
            )


def _contests_won_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    for bot in facts.alive:
        played, won = earlier.played.get(bot, ()), earlier.won.get(bot, ())
        if len(played) >= MIN_CONTESTS and won:
            text = f"{name(bot)} has won {len(won)} of its {len(played)} earlier contests here."
            yield Storyline(TOPIC, "contests won", (bot,), text, "background", (), earlier=_whole_recordings(won))
        elif len(played) >= MIN_CONTESTS:
            text = f"{name(bot)} has won none of its {len(played)} earlier contests here."
            yield Storyline(TOPIC, "contests won", (bot,), text, "for a pause", (), earlier=_whole_recordings(played))


def _always_ahead_lines(facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    for (one, other), met in earlier.always_ahead.items():
        if not earlier.duels and facts.bots[one].stack and facts.bots[other].stack:
            text = f"{name(one)} has finished ahead of {name(other)} in all {len(met)} contests that both played."
            yield Storyline(TOPIC, "always ahead", (one, other), text, "background", (), earlier=_whole_recordings(met))


def _duel_lines(_facts: EveningFacts, earlier: EarlierFacts, name: Name) -> Iterator[Storyline]:
    """Tells the score of all earlier contests between the two bots of tonight."""
    if len(earlier.duels) < MIN_CONTESTS:
        return
    best, other = sorted(earlier.duels_won, key=lambda bot: -len(earlier.duels_won[bot]))
    won, lost, met = len(earlier.duels_won[best]), len(earlier.duels_won[other]), len(earlier.duels)
    text = f"{name(best)} has won {won} of {met} earlier games against {name(other)}."
    if won == lost:
        text = f"{name(best)} and {name(other)} have each won {won} of their {met} earlier games."
    yield Storyline(
        TOPIC, "earlier duels", (best, other), text, "background", (), earlier=_whole_recordings(earlier.duels)
    )


def _whole_recordings(recordings: tuple[str, ...]) -> tuple[EarlierHand, ...]:
    return tuple(EarlierHand(name) for name in recordings)

"""What a counter does, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.presentation import wager_title
from cardroom.presentation.numbers import counted, signed
from cardroom.protect.counts import Count, side_counts
from cardroom.protect.habits import Counter
from cardroom.protect.ramp import Ramp
from cardroom.rules.twentyone import TwentyOneRules


def short_title(count: Count) -> str:
    """The name of a count, without what explains it.

    >>> from cardroom.protect.counts import find_count
    >>> short_title(find_count("red-7"))
    'Red Seven'
    """
    return count.title if count.title == count.id else count.title.partition(":")[0].partition(",")[0]


def ramp_words(ramp: Ramp) -> str:
    """What is wagered at which count.

    >>> ramp_words(Ramp.parse("1:2,3:8"))
    '1 unit, 2 from +1, 8 from +3'
    """
    return ", ".join(
        ["1 unit", *(f"{units} from {signed(count, 0, plus=True)}" for count, units in ramp.steps)]
    )


def habit_words(counter: Counter, rules: TwentyOneRules) -> str:
    """Everything that a counter does otherwise than the plainest one, and how the wager follows the count."""
    return "; ".join(_parts(counter, rules))


def _parts(counter: Counter, rules: TwentyOneRules) -> Iterator[str]:
    def at(count: int | None) -> str:
        return signed(count or 0, 0, plus=True)

    def by(count: Count | None) -> str:
        if count is None:
            return ""
        title = short_title(count)
        return f", by {title[0].lower() + title[1:] if count.id in side_counts() else title}"

    yield f"{short_title(counter.count)}: {ramp_words(counter.ramp)}"
    if counter.spots > 1:
        yield counted(counter.spots, "spot")
    if counter.enter is not None:
        leaves = counter.enter if counter.leave is None else counter.leave
        yield f"sits down at {at(counter.enter)}, gets up below {at(leaves)}"
    if counter.deviations:
        yield f"{counted(len(counter.deviations), 'deviation')}{by(counter.play_count)}"
    if counter.insurance_from is not None:
        yield f"insurance from {at(counter.insurance_from)}{by(counter.insurance_count)}"
    for side in counter.sides:
        stake = counted(side.units, "unit")
        yield f"{wager_title(side.wager, rules)} from {at(side.from_count)}, {stake}{by(counter.side_count)}"

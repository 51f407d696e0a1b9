"""What a counter does, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardroom.presentation import wager_title
from cardroom.presentation.numbers import counted, signed, true_minus
from cardroom.protect.counts import LETTERS, Count, side_counts
from cardroom.protect.habits import Counter
from cardroom.protect.ramp import Ramp
from cardroom.rules.twentyone import TwentyOneRules

_DECKS: Final = {"quarter": "quarter of a deck", "half": "half deck", "whole": "whole deck"}
_ROUNDED: Final = {"nearest": "to the nearest", "truncate": "towards 0"}


def short_title(count: Count) -> str:
    """The name of a count, without what explains it; of tags of one's own, the tags from ace to ten.

    >>> from cardroom.protect.counts import find_count
    >>> short_title(find_count("red-7"))
    'Red Seven'
    >>> short_title(find_count("-1,0,1,1,1.5,1,0,0,0,-1"))
    'Tags −1 0 1 1 1.5 1 0 0 0 −1'
    """
    if count.title == count.id:
        return true_minus(f"Tags {' '.join(f'{float(count.tags[letter]):g}' for letter in LETTERS)}")
    return count.title.partition(":")[0].partition(",")[0]


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
        plain = count.id in side_counts() or count.title == count.id
        return f", by {title[0].lower() + title[1:] if plain else title}"

    yield f"{short_title(counter.count)}: {ramp_words(counter.ramp)}"
    if counter.running:
        yield "decides by the running count"
    elif counter.decks_known != "exact":
        yield f"decks left known to the nearest {_DECKS[counter.decks_known]}"
    if counter.rounding != "floor":
        yield f"count rounded {_ROUNDED[counter.rounding]}"
    if counter.cover is not None:
        yield f"no wager above {counter.cover} times the last one, nor below 1/{counter.cover} of it"
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
        fixed = rules.side_bets[side.wager].fixed_stake
        stake = counted(side.units, "unit") if fixed is None else str(fixed)
        yield f"{wager_title(side.wager, rules)} from {at(side.from_count)}, {stake}{by(counter.side_count)}"

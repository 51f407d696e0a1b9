"""The code of a print, in every form that was ever printed: a paper is good for as long as its ticket.

A code binds facts, never words: moments in UTC, cards as the database keeps them, amounts in cents. Whatever
time zones, wording or the look of cards become, it comes out the same. A form is never changed; a new one
gets the next number, and papers of all forms are taken.

Form 1 was bound to the words on the paper, local times among them. What the zone's law was on the day of the
print is not known any more, so the code is worked out for each of the times that the zone has had.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from cardroom.core.timezones import time_zone
from cardroom.lottery.codes import CodeKey, same_code
from cardroom.lottery.schedule import last_claim_day, parse_day
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.log import time_text
from cardroom.store.lottery import DrawRow, TicketRow

NEWEST_FORM: Final = 2
_FORM_2: Final = "cardroom/print/2"
_FORM_1: Final = "cardroom/print/1"
_GAME_SIZES: Final = (4, 5, 6)
_CARD_LETTERS: Final = 2
_HAND_LETTERS: Final = 4

LocalTime = tuple[timedelta, str]
"""The difference to UTC, and what it is called on a paper."""
_PACIFIC: Final[tuple[LocalTime, ...]] = tuple(
    (timedelta(hours=hours), name) for hours, name in ((-8, "PST"), (-7, "PDT"), (-7, "MST"))
)
_KNOWN_TIMES: Final = {"America/Vancouver": _PACIFIC}
"""The local times under which form 1 was printed, whatever zone data says today."""
_YEARS_OF_FORM_1: Final = range(2025, 2028)


def print_number(row: TicketRow) -> int:
    """Which print is in force: the first, the next one of a ticket that was altered, or printed anew."""
    return (2 if row.state == "altered" else 1) + row.reprints


def print_code(codes: CodeKey, rules: Knockout21Rules, draw: DrawRow, row: TicketRow, log_head: str) -> str:
    """The code of the print in force, in the newest form."""
    return codes.print_code(
        _FORM_2,
        codes.control_number(row.id),
        row.id,
        str(print_number(row)),
        rules.game,
        str(draw.number),
        draw.day,
        time_text(draw.scheduled_at),
        row.hands,
        row.choices,
        draw.first_cards or "",
        str(row.price_cents),
        time_text(row.sold_at),
        row.terminal,
        last_claim_day(rules, parse_day(draw.day)).isoformat(),
        draw.commitment,
        log_head,
    )


def is_code_of(
    code: str, codes: CodeKey, rules: Knockout21Rules, draw: DrawRow, row: TicketRow, log_head: str
) -> bool:
    """Whether a code is that of the print in force, in any form."""
    compact = "".join(code.split()).upper()
    good = [print_code(codes, rules, draw, row, log_head), *_form_1(codes, rules, draw, row, log_head)]
    fitting = [one for one in good if same_code(one, compact)]  # all are tried: the time tells nothing
    return bool(fitting)


def _form_1(
    codes: CodeKey, rules: Knockout21Rules, draw: DrawRow, row: TicketRow, log_head: str
) -> Iterator[str]:
    """The codes that form 1 may have had: its lines as they were worded then."""
    number = codes.control_number(row.id)
    for draw_time, sale_time in product(_local_times(rules.timezone), repeat=2):
        yield codes.print_code(
            _FORM_1,
            number,
            rules.title,
            f"Draw {draw.number}, {draw.day}, {_local(draw.scheduled_at, draw_time, '%H:%M')}",
            f"Hands {_hands(row)}",
            f"Dealer's first cards of Game 2 {_split(draw.first_cards or '', _CARD_LETTERS)}",
            f"Price ${row.price_cents // 100:,}.{row.price_cents % 100:02}",
            f"Sold {_local(row.sold_at, sale_time, '%Y-%m-%d %H:%M:%S')} at terminal {row.terminal}",
            f"Print {print_number(row)} of ticket {row.id}",
            f"Claim until {last_claim_day(rules, parse_day(draw.day)).isoformat()}",
            f"Commitment {draw.commitment}",
            f"Log {log_head}",
        )


def _local_times(zone_name: str) -> tuple[LocalTime, ...]:
    if zone_name in _KNOWN_TIMES:
        return _KNOWN_TIMES[zone_name]
    zone = time_zone(zone_name)
    seen: dict[LocalTime, None] = {}
    for year, month in product(_YEARS_OF_FORM_1, range(1, 13)):
        moment = datetime(year, month, 1, tzinfo=zone)
        seen[moment.utcoffset() or timedelta(), moment.tzname() or ""] = None
    return tuple(seen)


def _local(moment: datetime, local: LocalTime, form: str) -> str:
    offset, name = local
    return f"{moment + offset:{form}} {name}"


def _split(text: str, size: int) -> str:
    return " ".join(text[start : start + size] for start in range(0, len(text), size))


def _hands(row: TicketRow) -> str:
    """`9dQc TdTc … / Ac6c:H …`: hands by game, with the choice of each that has one."""
    hands = _split(row.hands, _HAND_LETTERS).split()
    without = _GAME_SIZES[0]
    words = hands[:without] + [
        f"{hand}:{choice}" for hand, choice in zip(hands[without:], row.choices, strict=True)
    ]
    first, second = _GAME_SIZES[0], _GAME_SIZES[0] + _GAME_SIZES[1]
    return " / ".join(" ".join(part) for part in (words[:first], words[first:second], words[second:]))

"""What a visitor sees of the lottery: draws, their own tickets, what a ticket won."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from cardroom.core.cards import parse_cards
from cardroom.engine.knockout21 import basic_choices
from cardroom.engine.knockout21.draw import Draw
from cardroom.lottery.alteration import alterable_until
from cardroom.lottery.sales import BegunPurchase
from cardroom.lottery.schedule import (
    altered_until,
    last_claim_day,
    next_sale,
    parse_day,
    sells_at,
    wall_clock,
)
from cardroom.lottery.standing import Standing, standing_of
from cardroom.lottery.tickets import PrintedTicket, SoldTicket
from cardroom.presentation.knockout21.draw import closed_words, sales_sentence
from cardroom.presentation.knockout21.game_1 import game_1_sentence
from cardroom.presentation.knockout21.tickets import (
    advance_sentence,
    advice_words,
    order_of,
    standing_words,
)
from cardroom.presentation.totals import knockout_total_words
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, HANDS_OF_GAME, POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.rules.knockout21.law import hand_total, played_hand, wins_hand
from cardroom.store import lottery as rows
from cardroom.store.lottery import DrawRow, PrizeRow, TicketRow
from cardroom.web.live.lottery import LotteryRoom


def draws_view(room: LotteryRoom, now: datetime) -> dict[str, Any]:
    """The draws in reach, which of them may be bought now, and the last ones that the wall has shown."""
    rules = room.lottery.rules
    buyable = {draw.number for draw in room.offered(now)}
    window = [draw for draw in room.window if now < draw.closes_at]
    return {
        "now": now.isoformat(),
        "price_cents": rules.ticket_price_cents,
        "game_1": game_1_sentence(rules.game_1_hit),
        "sales": {
            "open": bool(buyable),
            "opens_at": None if sells_at(rules, now) else next_sale(rules, now).isoformat(),
            "switched_off": not room.sells_here(),
            **_sales_words(room, now, is_open=bool(buyable)),
            "hours": [str(rules.sales.opens), str(rules.sales.closes)],
            "timezone": rules.timezone,
            "tickets_per_draw": rules.sales.tickets_per_draw,
            "draws": rules.sales.draws_per_transaction,
        },
        "next": _next_view(room, now),
        "on_sale": [
            {
                "draw": draw.number,
                "day": draw.day,
                "draw_at": draw.due_at.isoformat(),
                "closes_at": draw.closes_at.isoformat(),
                "first_cards": [card.text for card in parse_cards(draw.first_cards or "")],
                "tickets": room.sold.get(draw.number, 0),
                "buyable": draw.number in buyable,
                "advance_say": _advance_sentence(rules, draw, now, in_advance=draw is not window[0]),
                "commitment": draw.commitment,
            }
            for draw in window
        ],
        "last": [
            draw_summary(draw)
            for draw in room.recent
            if draw.settlement and not room.is_on_show(draw.number, now)
        ],
    }


def _sales_words(room: LotteryRoom, now: datetime, *, is_open: bool) -> dict[str, str | None]:
    rules, off = room.lottery.rules, not room.sells_here()
    opens = None if off or sells_at(rules, now) else f"{wall_clock(rules, next_sale(rules, now)):%H:%M}"
    until = str(rules.sales.closes) if is_open else None
    return {
        "say": sales_sentence(open_until=until, opens=opens, switched_off=off),
        "closed_say": None if is_open else closed_words(opens),
    }


def _advance_sentence(
    rules: Knockout21Rules, draw: DrawRow, now: datetime, *, in_advance: bool
) -> str | None:
    """Until when a ticket that is bought now may be altered, where that is not until the close."""
    until = altered_until(rules, now, parse_day(draw.day), in_advance=in_advance)
    if until is None or until >= draw.closes_at:
        return None
    return advance_sentence(draw.number, f"{wall_clock(rules, until):%H:%M}")


def _next_view(room: LotteryRoom, now: datetime) -> dict[str, Any] | None:
    """The draw that comes next, also when its sales have closed; what a lone winner of the best game would
    win at the tickets sold so far (KO21-4.7)."""
    draw = room.next_draw(now)
    if draw is None:
        return None
    sold = room.sold.get(draw.number, draw.ticket_count or 0)
    return {
        "draw": draw.number,
        "draw_at": draw.due_at.isoformat(),
        "tickets": sold,
        "closed": now >= draw.closes_at,
        "top_prize_cents": max(
            game_account(room.lottery.rules, game, max(sold, 1), 1).prize_cents for game in GAMES
        ),
    }


def draw_summary(draw: DrawRow) -> dict[str, Any]:
    """A settled draw in a line."""
    account = json.loads(draw.settlement or "{}")
    return {
        "draw": draw.number,
        "draw_at": draw.due_at.isoformat(),
        "tickets": draw.ticket_count,
        "games": account.get("games", []),
        "lucky_losers": account.get("lucky_loser_positions", []),
    }


def purchase_view(purchase: BegunPurchase) -> dict[str, Any]:
    """A purchase whose buyer chooses: its tickets with the choices made so far."""
    return {"purchase": purchase.seq, "tickets": [ticket_view(ticket) for ticket in purchase.tickets]}


def ticket_view(ticket: SoldTicket) -> dict[str, Any]:
    """A ticket, every hand with its choice and the chart's advice; number and code once it is printed."""
    advice = basic_choices(ticket.play.hands, ticket.first_cards)
    game_2 = HANDS_OF_GAME[2][0]
    hands = []
    for position in range(POSITIONS):
        choice, advised = ticket.play.choices[position], advice[position]
        game = GAME_OF_POSITION[position]
        cards = ticket.play.hands[position]
        hands.append(
            {
                "position": position,
                "game": game,
                "hand": HANDS_OF_GAME[game].index(position) + 1,
                "cards": [card.text for card in cards],
                "total": hand_total([card.value for card in cards]),
                "total_say": knockout_total_words([card.value for card in cards]),
                "choice": choice.value if choice else None,
                "advice": advised.value if advised else None,
                "advice_say": advice_words(advised) if advised else None,
                "dealer": ticket.first_cards[position - game_2].text if game == 2 else None,
            }
        )
    return {
        "id": ticket.id,
        "draw": ticket.draw,
        "draw_at": ticket.draw_at.isoformat(),
        "day": ticket.day.isoformat(),
        "sold_at": ticket.sold_at.isoformat(),
        "closes_at": ticket.closes_at.isoformat(),
        "terminal": ticket.terminal,
        "price_cents": ticket.price_cents,
        "purchase": ticket.purchase,
        "state": ticket.state,
        "alter_until": ticket.alter_until.isoformat() if ticket.alter_until else None,
        "claim_until": ticket.claim_until.isoformat(),
        "hands": hands,
        "commitment": ticket.commitment,
        "game_1": game_1_sentence(ticket.game_1_hit),
        **(_print_view(ticket) if isinstance(ticket, PrintedTicket) else {}),
    }


def _print_view(ticket: PrintedTicket) -> dict[str, Any]:
    return {
        "print": ticket.print_number,
        "log_head": ticket.log_head,
        "control_number": ticket.control_number,
        "code": ticket.code,
    }


def ticket_results(
    rules: Knockout21Rules, ticket: SoldTicket, draw: DrawRow, *, hands: int
) -> list[dict[str, Any]]:
    """How the first hands of a ticket went in its draw, Lucky Losers included; `rules` are the draw's."""
    assert draw.cards is not None
    lucky = set(json.loads(draw.settlement or "{}").get("lucky_loser_positions", []))
    results, out = [], {1: False, 2: False, 3: False}
    for position, drawn in enumerate(Draw.parse(draw.cards).positions[:hands]):
        game = GAME_OF_POSITION[position]
        start = [card.value for card in ticket.play.hands[position]]
        player = played_hand(rules.game_1_hit, game, start, ticket.play.choices[position], drawn.hit.value)
        won = wins_hand(player, [card.value for card in drawn.dealer])
        saved = not won and position in lucky and not out[game]
        results.append(
            {
                "position": position,
                "hit": drawn.hit.text,
                "took": len(player) > len(start),
                "total": hand_total(player),
                "total_say": knockout_total_words(player),
                "dealer": [card.text for card in drawn.dealer],
                "dealer_total": drawn.dealer_total,
                "in_before": not out[game],
                "won": won,
                "lucky": saved,
            }
        )
        out[game] = out[game] or not (won or saved)
    return results


def prize_view(prize: PrizeRow) -> dict[str, Any]:
    """A prize, and what became of it."""
    return {"cents": prize.amount_cents, "games": prize.games, "outcome": prize.outcome}


def ticket_lines(room: LotteryRoom, ids: Sequence[str], now: datetime) -> list[dict[str, Any]]:
    """Tickets in a list, a line each: draw, how it stands, its prize and what can be done, in their order."""
    lottery, lines = room.lottery, []
    with lottery.database.read() as connection:
        tickets = rows.tickets_by_id(connection, ids)
        prizes = rows.prizes_of_tickets(connection, ids)
        for number in sorted({ticket.draw for ticket in tickets}):
            draw = rows.find_draw(connection, number)
            assert draw is not None
            rules = lottery.rules_of(connection, draw.rules_hash)
            lines += [
                _ticket_line(room, rules, draw, ticket, prizes.get(ticket.id), now)
                for ticket in tickets
                if ticket.draw == number
            ]
    return sorted(lines, key=lambda line: order_of(line["standing"], line["draw"]))


def _ticket_line(
    room: LotteryRoom,
    rules: Knockout21Rules,
    draw: DrawRow,
    ticket: TicketRow,
    prize: PrizeRow | None,
    now: datetime,
) -> dict[str, Any]:
    withheld = room.is_on_show(draw.number, now)
    standing = standing_of(rules, draw, ticket, prize, now, withheld=withheld)
    words = standing_words(standing, _until(rules, draw, ticket, standing, now))
    tells_prize = standing not in ("stopped", "choosing", "alterable", "not yet drawn", "being drawn")
    return {
        "id": ticket.id,
        "draw": draw.number,
        "draw_at": draw.due_at.isoformat(),
        "standing": standing,
        "say": words.say,
        "action": words.action,
        "prize_cents": prize.amount_cents if prize is not None and tells_prize else None,
    }


def _until(
    rules: Knockout21Rules, draw: DrawRow, ticket: TicketRow, standing: Standing, now: datetime
) -> str:
    """Until when that can be done, by the clock of the house; with the day where it is another one."""
    if standing in ("prize", "price back"):
        return last_claim_day(rules, parse_day(draw.day)).isoformat()
    until = wall_clock(rules, draw.closes_at if standing == "choosing" else alterable_until(draw, ticket))
    same_day = until.date() == wall_clock(rules, now).date()
    return f"{until:%H:%M:%S}" if same_day else f"{until:%Y-%m-%d %H:%M:%S}"

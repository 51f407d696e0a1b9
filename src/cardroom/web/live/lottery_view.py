"""What a visitor sees of the lottery: draws, their own tickets, what a ticket won."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from cardroom.core.cards import parse_cards
from cardroom.engine.knockout21 import basic_choices
from cardroom.engine.knockout21.draw import Draw
from cardroom.lottery.sales import BegunPurchase
from cardroom.lottery.schedule import next_sale, sells_at
from cardroom.lottery.tickets import PrintedTicket, SoldTicket
from cardroom.presentation.knockout21 import game_1_sentence
from cardroom.rules.knockout21 import GAME_OF_POSITION, HANDS_OF_GAME, POSITIONS
from cardroom.rules.knockout21_law import hand_total, played_hand, wins_hand
from cardroom.store.lottery import DrawRow
from cardroom.web.live.lottery import LotteryRoom


def draws_view(room: LotteryRoom, now: datetime) -> dict[str, Any]:
    """The draws in reach, which of them may be bought now, and the last ones that the wall has shown."""
    rules = room.lottery.rules
    buyable = {draw.number for draw in room.offered(now)}
    return {
        "now": now.isoformat(),
        "price_cents": rules.ticket_price_cents,
        "game_1": game_1_sentence(rules.game_1_hit),
        "sales": {
            "open": bool(buyable),
            "opens_at": None if sells_at(rules, now) else next_sale(rules, now).isoformat(),
            "switched_off": not room.sells_here(),
            "hours": [str(rules.sales.opens), str(rules.sales.closes)],
            "timezone": rules.timezone,
            "tickets_per_draw": rules.sales.tickets_per_draw,
            "draws": rules.sales.draws_per_transaction,
        },
        "on_sale": [
            {
                "draw": draw.number,
                "day": draw.day,
                "draw_at": draw.due_at.isoformat(),
                "closes_at": draw.closes_at.isoformat(),
                "first_cards": [card.text for card in parse_cards(draw.first_cards or "")],
                "tickets": room.sold.get(draw.number, 0),
                "buyable": draw.number in buyable,
                "commitment": draw.commitment,
            }
            for draw in room.window
            if now < draw.closes_at
        ],
        "last": [
            draw_summary(draw)
            for draw in room.recent
            if draw.settlement and not room.is_on_show(draw.number, now)
        ],
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
                "choice": choice.value if choice else None,
                "advice": advised.value if advised else None,
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


def ticket_results(room: LotteryRoom, ticket: SoldTicket, draw: DrawRow) -> list[dict[str, Any]]:
    """How each hand of a ticket went in its draw, Lucky Losers included."""
    assert draw.cards is not None
    rules = room.lottery.rules
    lucky = set(json.loads(draw.settlement or "{}").get("lucky_loser_positions", []))
    results, out = [], {1: False, 2: False, 3: False}
    for position, drawn in enumerate(Draw.parse(draw.cards).positions):
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
                "dealer": [card.text for card in drawn.dealer],
                "dealer_total": drawn.dealer_total,
                "in_before": not out[game],
                "won": won,
                "lucky": saved,
            }
        )
        out[game] = out[game] or not (won or saved)
    return results

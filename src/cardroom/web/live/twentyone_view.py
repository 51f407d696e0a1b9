"""What a visitor sees of a blackjack-family table and of a finished round; no card that lies face down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from cardroom.engine import twentyone as engine
from cardroom.engine.playing import steps as steps_of
from cardroom.engine.twentyone import Action, Insure, PlayerAction
from cardroom.engine.twentyone.chips import DENOMINATIONS
from cardroom.presentation import as_they_lie, key_of, line_title
from cardroom.presentation.felt import arc_words, possible_actions, posted_bonuses, printed_names
from cardroom.presentation.outcomes import limits_words, outcomes_to_json, result_words, results_words
from cardroom.presentation.totals import total_words
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.table.twentyone import Phase, awaits, player_cut_range, view
from cardroom.table.twentyone.finished import FinishedRound
from cardroom.table.twentyone.notices import coming
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.table.twentyone.sentences import round_sentences, sentence
from cardroom.table.twentyone.wagering import undealt
from cardroom.web.live.calls_view import call_view
from cardroom.web.live.salts_view import salts_view
from cardroom.web.players.player import Player
from cardroom.web.players.purse import PlayerPurse

_PHASES: Final = {
    Phase.ROUND: "round",
    Phase.SALTS: "salts",
    Phase.SHUFFLE: "shuffle",
    Phase.CLOSED: "shuffle",
}
"""What a page calls a phase; in all others it takes wagers."""


def table_view(table: TwentyOneTable, viewer: Player, now: datetime) -> dict[str, Any]:
    """The table as one visitor may see it."""
    state = table.state
    name = table.name_of(viewer.id)
    # Of others' chips nothing is shown, so that only the viewer's own purse is asked.
    seen = view(state, name, lambda _name: PlayerPurse(viewer, now))
    awaited = awaits(state)
    frozen = table.floor.frozen
    return {
        "table": table.id,
        "game": table.game,
        "title": table.rules.title,
        "step": table.steps,
        "phase": _PHASES.get(state.phase, "wagers"),
        "enabled": table.enabled,
        "frozen": None if frozen is None else {"reason": frozen.reason},
        "floor": call_view(table.floor, viewer.name),
        "dealer": state.dealer,
        "now": now.isoformat(),
        "deal_at": table.deal_at.isoformat()
        if table.deal_at and not state.wagers_closed and frozen is None
        else None,
        "decide_by": table.due.isoformat()
        if table.due and awaited.kind == "decision" and frozen is None
        else None,
        "turn": {"player": awaited.player, "spot": awaited.spot, "hand": awaited.hand}
        if awaited.kind == "decision"
        else None,
        "spots": [
            {
                "number": spot.number,
                "player": spot.player,
                "you": spot.player is not None and spot.player == name,
                "ready": spot.player in table.ready,
                "computer": table.is_computer(spot.player),
                "stake_cents": spot.wager.stake_cents if spot.wager else 0,
                "side": dict(spot.wager.side) if spot.wager else {},
                "short": [
                    {"side": list(part.side), "words": part.refusal.reason, "clause": part.refusal.clause}
                    for part in undealt(state, spot.number)
                ],
            }
            for spot in seen.spots
        ],
        "round": round_view(seen.round, name, state.round_events, state.rules)
        if seen.round is not None
        else None,
        "round_number": state.rounds,
        "shoe": {
            "number": seen.shoe,
            "commitment": seen.commitment,
            "cards_left": seen.cards_left,
            "last_round": seen.cut_card_out,
            "discards": seen.discards,
            "cards": state.shoe.cards if seen.commitment and state.shoe else None,
            "cut_card_at": state.shoe.ends_at if seen.commitment and state.shoe else None,
            "over": len(table.shoes),
            "cut": table.cut,
            "cut_open": _cut_open(table),
            "endless": table.rules.decks == "infinite",
            "salts": salts_view(state.shoe.salts, name, table.due)
            if seen.commitment and state.shoe
            else None,
        },
        "meters": dict(seen.meters),
        "rules_hash": seen.rules_hash,
        "announcement": announcement_view(table),
        "private": table.owner is not None,
        "speed": table.style.speed,
        "waiting": [{"name": waits, "you": waits == name} for waits in seen.waiting],
        "full": all(spot.player is not None for spot in seen.spots),
        "told": table.sentences[-60:],
        "last": finished_summary(table.last, viewer) if table.last else None,
        "you": {
            "name": name or viewer.name,
            "seated": name is not None,
            "spots": list(seen.own_spots),
            "place": seen.waiting.index(name) + 1 if name in seen.waiting else None,
            "offer_until": until.isoformat() if name and (until := table.offers.until(name)) else None,
            "options": [_option(table, option) for option in seen.options] if frozen is None else [],
            "ready": name in table.ready,
            "owner": table.owner == viewer.id,
            "idle_at": idle.isoformat() if name and (idle := table.idle_at(name)) else None,
            "notices": _notices(table, viewer.id, name),
            "result": _result(table, viewer.id),
            "chips_cents": viewer.chips_cents,
            "session_minutes": viewer.session_minutes(now),
            "session_net_cents": viewer.session_net_cents,
            "in_play_cents": viewer.in_play_cents,
            "reality_check": viewer.reality_check_due(now),
        },
    }


def _cut_open(table: TwentyOneTable) -> dict[str, Any] | None:
    """Between which depths a player may cut the fresh shoe now; None where no cut is awaited."""
    if table.state.phase is not Phase.CUT:
        return None
    allowed = player_cut_range(table.rules)
    shoe = table.state.shoe
    return {
        "least_cards": allowed.least,
        "most_cards": allowed.most,
        "middle_cards": allowed.middle,
        "cards": shoe.cards if shoe else None,
        "clause": "PROC-6",
    }


def _notices(table: TwentyOneTable, player: str, name: str | None) -> list[dict[str, str]]:
    """What the viewer is told of their spots and wagers: what happened without their word, and will."""
    happened = [(words, clause, "after") for words, clause in table.notices.of(player)]
    ahead = coming(table.state, name) if name is not None else []
    notices = [*happened, *((words, clause, "before") for words, clause in ahead)]
    return [{"words": words, "clause": clause, "when": when} for words, clause, when in notices]


def _result(table: TwentyOneTable, player: str) -> dict[str, Any] | None:
    """What the viewer's last round came to, until their next wager."""
    result = table.results.get(player)
    return None if result is None else {**result, "words": result_words(result["net_cents"])}


def announcement_view(table: TwentyOneTable) -> dict[str, Any] | None:
    """The rules that the house has announced, or that came into force with this shoe, in words."""
    said = table.announcement
    if said is None:
        return None
    return {
        "at": said.at.isoformat(),
        "in_force": said.in_force,
        "needs_opening": said.needs_opening,
        "rules": [{"words": words, "clause": clause} for words, clause in said.words],
    }


def round_view(
    seen: engine.View, name: str | None, events: Sequence[engine.Event], rules: TwentyOneRules
) -> dict[str, Any]:
    """A round without what lies face down; cards from left to right as they lie (PROC-17).

    Every wager that is decided has its outcome; a stake that is still in play is in none.
    """
    open_cards = [card for card in seen.dealer if card is not None]
    outcomes = engine.wager_outcomes(events)
    return {
        "dealer": ["back" if card is None else card.text for card in as_they_lie(seen.dealer)],
        "dealer_total": total_words(open_cards) if open_cards else "",
        "phase": str(seen.phase),
        "over": seen.phase is engine.Phase.OVER,
        "spots": [
            {
                "number": spot.number,
                "player": spot.player,
                "you": name is not None and spot.player == name,
                "stake_cents": spot.stake_cents,
                "insurance_cents": spot.insurance_cents,
                "side": dict(spot.side),
                "outcomes": outcomes_to_json((one for one in outcomes if one.spot == spot.number), rules),
                "net_cents": None
                if spot.on_table_cents
                else sum(one.net_cents for one in outcomes if one.spot == spot.number),
                "hands": [
                    {
                        "cards": [card.text for card in as_they_lie(hand.cards)],
                        "total": total_words(hand.cards, from_split=hand.from_split),
                        "natural": law.is_blackjack(hand.cards, from_split=hand.from_split),
                        "stake_cents": hand.stake_cents,
                        "status": str(hand.status),
                        "doubles": hand.doubles,
                        "sideways": hand.sideways,
                        "turn": spot.number == seen.turn and place == seen.hand,
                    }
                    for place, hand in enumerate(spot.hands, start=1)
                ],
            }
            for spot in seen.spots
        ],
    }


def _option(table: TwentyOneTable, option: PlayerAction) -> dict[str, Any]:
    """An action that is offered, with its key, what it adds to the wager and what it gives up of it."""
    game = table.state.round
    assert game is not None
    spot = game.spots[game.turn]
    title, adds, gives_up = str(option).capitalize(), 0, 0
    amounts: dict[str, Any] = {}
    match option:
        case Insure():
            title, adds = "Insurance", option.stake_cents
            amounts = {
                "least_cents": min(adds, int(table.rules.limits.chip)),
                "chip_cents": int(table.rules.limits.chip),
                "clause": table.rules.clause("insurance"),
            }
        case Action():
            doubles = spot.hands[game.hand].doubles
            if option is Action.DOUBLE:
                adds = law.double_adds(table.rules, spot.stake_cents, doubles)
                title = "Double again" if doubles else title
            elif option is Action.SPLIT:
                adds = spot.stake_cents
            elif option is Action.SURRENDER:
                gives_up = spot.stake_cents - law.surrender_returns(table.rules, spot.stake_cents)
            elif option is Action.RESCUE:
                gives_up = law.rescue_loses(table.rules, spot.stake_cents, doubles)
    return {
        "action": str(option),
        "title": title,
        "key": key_of(option),
        "adds_cents": adds,
        "gives_up_cents": gives_up,
        **amounts,
    }


def layout_view(rules: TwentyOneRules) -> dict[str, Any]:
    """What stands printed on the table: limits, arcs, posted pays, side bets, and all that a hand may do."""
    limits = rules.limits
    return {
        "min_cents": int(limits.min),
        "max_cents": int(limits.max),
        "limits": limits_words(int(limits.min), int(limits.max), "PROC-2"),
        "side_min_cents": int(limits.side_min),
        "side_max_cents": int(limits.side_max),
        "side_clause": rules.clause("side_limits"),
        "chip_cents": int(limits.chip),
        "arcs": list(arc_words(rules)),
        "actions": [_printed_action(action) for action in possible_actions(rules)],
        "bonuses": [
            {
                "title": bonus.title,
                "clause": bonus.clause,
                "note": bonus.note,
                "lines": [{"line": line, "pays": pays} for line, pays in bonus.lines],
                "groups": bonus.groups,
                "hand": bonus.hand,
            }
            for bonus in posted_bonuses(rules)
        ],
        "side_bets": [
            {**_side_bet(rules, wager), "printed": name}
            for wager, name in zip(rules.offered_side_bets, _printed(rules), strict=True)
        ],
        "denominations_cents": list(DENOMINATIONS),
    }


def _printed_action(action: str) -> dict[str, str]:
    return {"action": action, "title": action.capitalize(), "key": key_of(action)}


def _printed(rules: TwentyOneRules) -> list[str]:
    return printed_names([rules.side_bets[wager].title for wager in rules.offered_side_bets])


def _side_bet(rules: TwentyOneRules, wager: str) -> dict[str, Any]:
    bet = rules.side_bets[wager]
    return {
        "wager": wager,
        "title": bet.title,
        "clause": bet.clause,
        "stake": bet.stake,
        "fixed_cents": bet.fixed_stake_cents,
        "needs": bet.needs,
        "note": bet.note,
        "lines": [{"line": line_title(line), "pays": bet.pays_words(line)} for line in bet.line_ids],
    }


def finished_summary(finished: FinishedRound, viewer: Player) -> dict[str, Any]:
    """A finished round in a line, with what the viewer won or lost in it."""
    own = next((name for name, player in finished.players.items() if player == viewer.id), None)
    return {
        "id": finished.id,
        "number": finished.number,
        "shoe": finished.shoe,
        "ended_at": finished.ended_at.isoformat(),
        "your_stake_cents": finished.staked_cents[own] if own else None,
        "your_net_cents": finished.net_cents[own] if own else None,
        "results": [
            {
                "name": name,
                "you": name == own,
                "stake_cents": finished.staked_cents[name],
                "net_cents": finished.net_cents[name],
            }
            for name in finished.players
        ],
    }


def finished_view(finished: FinishedRound, viewer: Player) -> dict[str, Any]:
    """A finished round in full: every card and decision with the table after it, and all events in words."""
    record = engine.parse_round(finished.notation, finished.rules)
    opening = record.opening
    state, started = engine.start(
        opening.rules, opening.wagers, opening.shoe, discards=opening.discards, meters=dict(opening.meters)
    )
    name = next((name for name, player in finished.players.items() if player == viewer.id), None)
    seat = state.spots[0].number
    steps = [
        {
            "round": round_view(engine.view(state, seat), name, started, state.rules),
            "events": [sentence(event, state.rules) for event in started],
        }
    ]
    so_far = list(started)
    for number, taken in enumerate(steps_of(engine.step, state, record.inputs)):
        so_far += taken.events
        steps.append(
            {
                "round": round_view(engine.view(taken.after, seat), name, so_far, state.rules),
                "events": round_sentences(taken.events, state.rules, by_clock=number in finished.by_clock),
            }
        )
    return {
        **finished_summary(finished, viewer),
        "table": finished.table,
        "game": opening.rules.game,
        "title": opening.rules.title,
        "rules_hash": opening.rules.rules_hash,
        "notation": finished.text,
        "in_shoe": finished.notation,
        "spots": opening.rules.procedure.spots,
        "sentence": result_words(finished.net_cents[name]) if name else results_words(finished.net_cents),
        "steps": steps,
    }

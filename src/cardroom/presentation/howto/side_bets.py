"""How a side bet of the blackjack family works: whatever the bet is, its own law decides every hand shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cardroom.core.cards import Card, Rank
from cardroom.presentation.bet_patterns import PLACES
from cardroom.presentation.howto.filming import YOU, film, usual_stake_cents
from cardroom.presentation.howto.guide import Film, Guide, Row, Winning, lying
from cardroom.presentation.howto.laying import DEALERS, PLAYERS, deals_of, first_of
from cardroom.presentation.howto.witnesses import Placed
from cardroom.presentation.howto.wording import NOT_FOUND, capital, clauses_behind, not_in, worth
from cardroom.presentation.money import chips
from cardroom.presentation.wagers import line_title
from cardroom.rules.bets import MeterShare, SideBet
from cardroom.rules.twentyone import TwentyOneRules

_USUAL_SIDE_CENTS: Final = 5_00
_DEALER_STANDS: Final = range(17, 21)


def _side_stakes(rules: TwentyOneRules, wager: str) -> dict[str, int]:
    """What lies on a bet, and on those that it needs or may not be above."""
    waiting, stakes = [wager], dict[str, int]()
    while waiting:
        bet = rules.side_bets[name := waiting.pop()]
        stakes[name] = side_stake_cents(rules, bet)
        waiting += [one for one in (bet.needs, bet.at_most) if one in rules.side_bets and one not in stakes]
    for _ in stakes:  # a bet may lean on another, and that on a third
        for name in stakes:
            bet = rules.side_bets[name]
            if bet.at_most in stakes and bet.stake != "fixed":
                stakes[name] = min(stakes[name], stakes[bet.at_most])
    return stakes


def side_stake_cents(rules: TwentyOneRules, bet: SideBet) -> int:
    """Five dollars, or the nearest stake that the bet takes."""
    if bet.stake == "fixed":
        return bet.fixed_stake_cents
    limits = rules.limits
    most = int(limits.side_max)
    if bet.stake == "at_most_primary":
        most = min(most, usual_stake_cents(rules))
    return max(int(limits.side_min), min(most, _USUAL_SIDE_CENTS))


def side_bet_guide(rules: TwentyOneRules, wager: str) -> Guide:
    """The page of a side bet."""
    bet, (deals, all_tried) = rules.side_bets[wager], deals_of(rules, wager)
    missing = not_in(rules) if all_tried else NOT_FOUND
    drawn = [line for line in bet.line_ids if line in deals and line != bet.progressive_line]
    shown = drawn[len(drawn) // 2] if drawn else None
    plays_itself = not bet.on_players_hand
    """A film shows hands that stand; how a hand came to its cards is no matter of the bet."""
    key = f"side_bets.{wager}."
    said = [
        words.partition(": ")[2]
        for each, words, _ in rules.sentences()
        if each.startswith(key) and not each.endswith(".offered")
    ]
    clauses = (bet.clause, *clauses_behind(rules, key[:-1]), "SIDE-6", *clauses_behind(rules, "limits"))
    return Guide(
        title=bet.title,
        idea=(*_decided(rules, bet), " ".join(f"{capital(words)}." for words in said)),
        pictures=_side_rows(bet, deals[shown]) if shown else (),
        films=(_side_film(rules, wager, deals[shown], line_title(shown)),) if shown and plays_itself else (),
        pays=tuple(_winning(rules, wager, line, deals.get(line), missing) for line in bet.line_ids),
        clauses=tuple(dict.fromkeys(clauses)),
        note=bet.note,
    )


def _decided(rules: TwentyOneRules, bet: SideBet) -> tuple[str, str]:
    """What the bet looks at, and when it is decided."""
    hidden = rules.hole_card in ("dealt", "unseen")
    places = PLACES if hidden else {**PLACES, "dealer_hole": "the dealer's second card"}
    *most, last = (places[place] for place in bet.looks_at)
    looks = f"{', '.join(most)} and {last}" if most else last
    when = "before your hand is played"
    if bet.on_dealers_hand:
        when = "when the dealer's hand is played out"
    elif bet.on_players_hand:
        when = "when your hand ends (your first one, where you split)"
    elif bet.on_third_card:
        when = "as soon as it can be; if your hand ends without a third card, one is dealt for it alone"
    elif "dealer_hole" in bet.looks_at and hidden:
        when = "when the hidden card is turned"
    elif "dealer_hole" in bet.looks_at and rules.hole_card == "none":
        when = "when the dealer's second card comes, after all have played"
    goes_on = "" if bet.on_players_hand else ", and your hand goes on as ever"
    waits = rules.hole_card == "none" and bet.waits_for_hole_card
    for_it = " The dealer takes a second card for this bet even if no hand is left." if waits else ""
    return (
        f"A bet beside the primary wager. It looks at {looks} alone.",
        f"It is decided {when}{goes_on}.{for_it}",
    )


def _winning(rules: TwentyOneRules, wager: str, line: str, deal: Placed | None, missing: str) -> Winning:
    bet, cents = rules.side_bets[wager], _side_stakes(rules, wager)[wager]
    pays = bet.pays(line, cents)
    if deal is None:
        return Winning(line_title(line), bet.pays_words(line), (), missing)
    if isinstance(pays, MeterShare):
        brings = f"from {chips(int(bet.meter_seed or 0) * pays.percent // 100)} on"
    else:
        brings = worth(cents, rules.payment(cents, pays))
    return Winning(line_title(line), bet.pays_words(line), _side_rows(bet, deal), brings)


def _side_rows(bet: SideBet, cards: Placed) -> tuple[Row, ...]:
    own = [card for role, card in cards if role.startswith("player")]
    dealers = [card for role, card in cards if role.startswith("dealer")]
    rows = [Row(YOU, lying(own))] if own else []
    if dealers:
        seen = dict(cards)
        lies: list[Card | None] = [*reversed(dealers)]
        if not bet.on_dealers_hand:
            lies = [seen.get("dealer_hole"), seen.get("dealer_up")]
        rows.append(Row("Dealer", lying(lies)))
    return tuple(rows)


def _side_film(rules: TwentyOneRules, wager: str, cards: Placed, line: str) -> Film:
    third = [card for role, card in cards if role == "player_3"]
    drawn = [card for role, card in cards if role == "dealer_draw"]
    places, shoe, taken = dict(cards), rules.shoe(), [card for _, card in cards]
    for role in (*PLAYERS, *DEALERS):
        if role not in places:
            beside = PLAYERS if role in PLAYERS else DEALERS
            other = next((places[one] for one in beside if one in places), None)
            places[role] = first_of(shoe, _stands_with(other), taken)
            taken.append(places[role])
    hole = places["dealer_hole"]
    # Without a hole card the dealer's second card comes after the play, and after a third card beside it.
    later = (*third, hole) if rules.hole_card == "none" else (hole, *third)
    order = (places["player_1"], places["dealer_up"], places["player_2"], *later, *drawn)
    return film(rules, capital(line), order, side=_side_stakes(rules, wager))


def _stands_with(other: Card | None) -> Callable[[Card], bool]:
    """Whether one stands with another card and one more, and has no blackjack."""
    return lambda card: (
        card.rank is not Rank.ACE and (other is None or card.value + other.value in _DEALER_STANDS)
    )

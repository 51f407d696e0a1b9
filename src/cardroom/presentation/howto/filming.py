"""Films of the blackjack family: rounds that the engine plays from laid cards and wishes for decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cardroom.core.cards import Card
from cardroom.engine import twentyone
from cardroom.engine.contract import CardAwaited, DecisionAwaited, Done
from cardroom.engine.twentyone.events import PRIMARY
from cardroom.presentation.card_order import as_they_lie
from cardroom.presentation.howto.captions import caption
from cardroom.presentation.howto.guide import FACE_DOWN, Film, Lying, Row, Scene
from cardroom.presentation.money import chips
from cardroom.presentation.outcomes import result_words
from cardroom.presentation.totals import total_words
from cardroom.presentation.wagers import line_title, wager_title
from cardroom.rules.twentyone import TwentyOneRules

YOU = "You"
_TEN = 10
_USUAL_STAKE_CENTS = 10_00

Wish = Sequence[str]
"""Actions by preference, such as `double`, and `hit` where that is not allowed."""


def usual_stake_cents(rules: TwentyOneRules) -> int:
    """Ten dollars, or the nearest wager that the table takes."""
    limits = rules.limits
    wanted = max(int(limits.min), min(int(limits.max), _USUAL_STAKE_CENTS))
    return wanted if wanted % int(limits.chip) == 0 else int(limits.min)


def film(
    rules: TwentyOneRules,
    title: str,
    cards: Sequence[Card],
    wishes: Sequence[Wish] = (),
    *,
    stake_cents: int | None = None,
    side: Mapping[str, int] | None = None,
) -> Film:
    """A round with these cards, in the order in which they are dealt; more come where the rules want more.

    A wish that the rules do not allow is passed over; without one the player stands and takes no insurance.
    """
    stake = stake_cents or usual_stake_cents(rules)
    state, events = twentyone.start(rules, [twentyone.SpotWager(1, YOU, stake, side)])
    log = list(events)
    names = bonus_names(rules)
    scenes = [Scene(caption(events, names, rules), _rows(state, log))]
    to_deal, wanted = iter(cards), iter(wishes)
    while not isinstance(awaited := twentyone.awaits(state), Done):
        if isinstance(awaited, CardAwaited):
            entry: twentyone.Input = _laid(state, next(to_deal, None))
        else:
            entry = _decided(awaited, next(wanted, ()))
        state, events = twentyone.step(state, entry)
        words = caption(events, names, rules, log)
        log += events
        if words:
            scenes.append(Scene(words, _rows(state, log)))
    net = twentyone.balance(log).players[YOU]
    last = scenes.pop()
    return Film(title, (*scenes, Scene(f"{last.caption} {result_words(net)}.", last.rows)))


def bonus_names(rules: TwentyOneRules) -> dict[str, str]:
    """What the engine calls a bonus 21, and what people call it: `6-7-8 of diamonds`."""
    words = {key: said for key, said, _ in rules.sentences()}
    named = "the named suit", rules.bonus_21.named_suit
    return {
        line_title(name): words[f"bonus_21.{name}"].partition(" pays")[0].replace(*named)
        for name in rules.bonus_21.paid
    }


def _laid(state: twentyone.Round, wanted: Card | None) -> Card:
    """The card that was laid; one of its value where the shoe has it no more, a ten where none was laid."""
    if wanted is not None and twentyone.why_not(state, wanted) is None:
        return wanted
    possible = [card for card, _ in twentyone.chance(state)]
    value = _TEN if wanted is None else wanted.value
    return next((card for card in possible if card.value == value), possible[0])


def _decided(turn: DecisionAwaited[twentyone.PlayerAction], wish: Wish) -> twentyone.PlayerAction:
    for words in (*wish, "no insurance", "stand"):
        for option in turn.options:
            if str(option) == words or str(option).startswith(f"{words} "):
                return option
    return turn.options[0]


def _rows(state: twentyone.Round, log: Sequence[twentyone.Event]) -> tuple[Row, ...]:
    view, beside = twentyone.view(state, 1), _other_wagers(log, state.rules)
    dealer = Row("Dealer", tuple(_dealers(view.dealer)), _open_total(view.dealer))
    (spot,) = view.spots
    several = len(spot.hands) > 1
    hands = (
        Row(
            f"{YOU}, hand {number}" if several else YOU,
            _hand(hand),
            " · ".join((_hand_words(hand), *(beside if number == 1 else ()))),
        )
        for number, hand in enumerate(spot.hands, 1)
    )
    return (dealer, *hands)


def _other_wagers(log: Sequence[twentyone.Event], rules: TwentyOneRules) -> tuple[str, ...]:
    """Side wagers and insurance: what lies there, and then what became of it."""
    words: dict[str, str] = {}
    for event in log:
        match event:
            case twentyone.WagerPlaced(stake_cents=cents):
                words[event.wager] = chips(cents)
            case twentyone.WagerTaken(stake_cents=cents):
                words[event.wager] = chips(-cents, plus=True)
            case twentyone.WagerPaid(payment_cents=cents) | twentyone.JackpotPaid(payment_cents=cents):
                words[event.wager] = chips(cents, plus=True)
            case twentyone.WagerReturned():
                words[event.wager] = "back"
            case _:
                pass
    return tuple(f"{wager_title(wager, rules)} {said}" for wager, said in words.items() if wager != PRIMARY)


def _dealers(cards: Sequence[Card | None]) -> Iterator[Lying]:
    for card in as_they_lie(cards):
        yield Lying(FACE_DOWN if card is None else card.text)


def _open_total(cards: Sequence[Card | None]) -> str:
    seen = [card for card in cards if card is not None]
    return total_words(seen) if seen else ""


def _hand(hand: twentyone.Hand) -> tuple[Lying, ...]:
    return tuple(
        Lying(card.text, sideways=place < hand.sideways) for place, card in enumerate(as_they_lie(hand.cards))
    )


def _hand_words(hand: twentyone.Hand) -> str:
    stake = chips(hand.stake_cents)
    if not hand.cards:
        return stake
    ended = "" if hand.is_open else f", {hand.status}"
    return f"{total_words(hand.cards, from_split=hand.from_split)}{ended} · {stake}"

"""How Blackjack, Spanish 21, Player's Edge 21 and each bet of theirs work, from the table's own rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

from cardroom.core.cards import Rank, Suit, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.presentation.howto.filming import YOU, bonus_names, film, usual_stake_cents
from cardroom.presentation.howto.guide import Film, Guide, Row, Winning, lying
from cardroom.presentation.howto.laying import Deal, can_be_dealt, card_of, first_of, laid_cards
from cardroom.presentation.howto.side_bets import side_bet_guide
from cardroom.presentation.howto.wording import capital, clauses_behind, dealer_row, not_in, worth
from cardroom.presentation.money import chips
from cardroom.presentation.totals import total_words
from cardroom.presentation.wagers import line_title, wager_title
from cardroom.rules.bets.insurance import InsuranceLine, standard_names
from cardroom.rules.twentyone import TwentyOneRules, law

INSURANCE: Final = "insurance"
BONUS_21: Final = "bonus-21"
SUPER_BONUS: Final = "super-bonus"

_IDEA: Final = (
    "You play against the dealer alone. Come closer to 21 than the dealer does, and never over it.",
    (
        "Number cards count their number, faces count ten, and an ace counts 1 or 11, whichever serves the "
        "hand better. A hand whose ace counts 11 is soft."
    ),
    "{} Take cards (hit), stop (stand), or double for one card more.",
    "A pair may be split into two hands. Over 21 loses at once.",
)
_SEEN: Final = {
    "dealt": "You see one of the dealer's two cards.",
    "shown": "You see both of the dealer's cards.",
    "unseen": "You see one of the dealer's two cards; nobody looks at the other before all have played.",
    "none": "You see the dealer's first card; the second comes when all have played.",
}
_FREE: Final = "It costs nothing extra: the primary wager is in it by itself."
_MOST_BONUS_CARDS: Final = 7
_SHARED: Final = ("21-1.1", "21-1.2", "21-1.3", "21-1.4", "21-1.6", "21-1.8", "21-1.9", "21-1.10")


def bets(rules: TwentyOneRules) -> tuple[str, ...]:
    """The bets and bonuses of a table that have a page of their own, in the order in which they are met."""
    return (
        *rules.offered_side_bets,
        *([INSURANCE] if rules.insurance.offered else []),
        *([BONUS_21] if rules.bonus_21.rates else []),
        *([SUPER_BONUS] if rules.super_bonus.offered else []),
    )


def guide(rules: TwentyOneRules, bet: str | None = None) -> Guide:
    """How the game works, or one of its bets."""
    if bet is None:
        return _game(rules)
    if bet not in bets(rules):
        raise MalformedInput(
            f"these rules have no {wager_title(bet, rules)}; they have {', '.join(bets(rules))}"
        )
    match bet:
        case "insurance":
            return _insurance(rules)
        case "bonus-21":
            return _bonus_21(rules)
        case "super-bonus":
            return _super_bonus(rules)
        case _:
            return side_bet_guide(rules, bet)


# The game itself.


def _game(rules: TwentyOneRules) -> Guide:
    said = {key: words for key, words, _ in rules.sentences()}
    idle = rules.idle_options() | {"hole_card"}  # which the idea of the game has in its own words
    own = ["dealer_hits_soft_17", "blackjack_pays", "player_21_always_wins", "surrender"]
    own += [key for key in rules.chosen() if key in said and key not in idle]
    return Guide(
        title=rules.title,
        idea=(
            *(words.format(_SEEN[rules.hole_card]) for words in _IDEA),
            " ".join(f"{capital(said[key])}." for key in own),
        ),
        pictures=tuple(
            Row(total_words(cards), lying(cards))
            for cards in map(parse_cards, ("As Kh", "Ad 6c", "8h 8c", "Kc 6h 9s"))
        ),
        films=tuple(_game_films(rules)),
        pays=tuple(_winning_hands(rules)),
        clauses=tuple(dict.fromkeys((*_SHARED, *clauses_behind(rules, "", "split", "double")))),
    )


def _game_films(rules: TwentyOneRules) -> Iterator[Film]:
    """A plain hand, and one for each thing that these rules let a player do besides."""
    doubles = rules.double.max_doubles > 0
    plain = parse_cards("6d 6c 5s Kh 9h 8c")
    yield film(rules, "A double that wins" if doubles else "A hand that wins", plain, [["double", "hit"]])
    if rules.split.max_hands > 1:
        pair = parse_cards("8d 6c 8s 7h 3h Kc 9s 6h")
        yield film(rules, "A pair, split", pair, [["split"], ["double", "hit"]])
    if rules.double.rescue != "none":
        stiff = parse_cards("6d 9c 5s 8h 2h")
        yield film(rules, "A double, rescued", stiff, [["double"], ["rescue"]])
    if rules.surrender != "none":
        yield film(rules, "A surrender", parse_cards("9d Kc 7s 8h"), [["surrender"]])


def _winning_hands(rules: TwentyOneRules) -> Iterator[Winning]:
    stake = usual_stake_cents(rules)
    natural, twenty = parse_cards("As Kh"), parse_cards("Kd Qs")
    for line, cards in (("blackjack, an ace and a ten as dealt", natural), ("any other win", twenty)):
        odds = law.win_odds(rules, cards, doubles=0, from_split=False)
        rows = _against(cards, parse_cards("9c Jd"))
        yield Winning(line, odds.words, rows, worth(stake, rules.payment(stake, odds)))
    yield from _bonus_lines(rules)


def _against(cards: Deal, dealer: Deal) -> tuple[Row, ...]:
    return Row(YOU, lying(cards), total_words(cards)), *dealer_row(dealer)


# Bonus 21s.


def bonus_hands(rules: TwentyOneRules) -> dict[str, Deal]:
    """For each bonus that these rules pay, a hand that the law pays it for; none where no cards make one."""
    deals: dict[str, Deal] = {}
    for cards in _hands_of_21(rules):
        bonus = law.bonus_21(rules, cards, doubles=0, from_split=False)
        if bonus is not None:
            deals.setdefault(bonus[0], cards)
    return {name: deals[name] for name in rules.bonus_21.paid if name in deals}


def _hands_of_21(rules: TwentyOneRules) -> Iterator[Deal]:
    """Hands of three to seven cards that make 21, of mixed suits and of each suit; different ranks first."""
    shoe, infinite = rules.shoe(), rules.decks == "infinite"
    for number in range(3, _MOST_BONUS_CARDS + 1):
        ranks = combinations_with_replacement([rank for rank in Rank if rank < Rank.TEN], number)
        for some in sorted(ranks, key=lambda each: -len(set(each))):
            for cards in _suited(some):
                makes_21 = law.total_of(cards)[0] == law.BLACKJACK_TOTAL
                if makes_21 and can_be_dealt(cards, shoe, infinite=infinite):
                    yield cards


def _suited(ranks: tuple[Rank, ...]) -> Iterator[Deal]:
    suits = list(Suit)
    yield tuple(card_of(rank, suits[place % len(suits)]) for place, rank in enumerate(ranks))
    for suit in suits:
        yield tuple(card_of(rank, suit) for rank in ranks)


def _bonus_lines(rules: TwentyOneRules) -> Iterator[Winning]:
    stake, hands, names = usual_stake_cents(rules), bonus_hands(rules), bonus_names(rules)
    for name in rules.bonus_21.paid:
        title = names[line_title(name)]
        if name not in hands:
            rate = rules.bonus_21.rate(name)
            yield Winning(title, rate.words if rate else "", (), not_in(rules))
            continue
        odds = law.win_odds(rules, hands[name], doubles=0, from_split=False)
        rows = (Row(YOU, lying(hands[name]), total_words(hands[name])),)
        yield Winning(title, odds.words, rows, worth(stake, rules.payment(stake, odds)))


def _bonus_21(rules: TwentyOneRules) -> Guide:
    hands = bonus_hands(rules)
    best = max(
        hands.values(),
        key=lambda cards: (-len(cards), law.win_odds(rules, cards, doubles=0, from_split=False).ratio),
        default=None,
    )
    films: tuple[Film, ...] = ()
    if best is not None:
        (first, second, *more), (up, hole) = best, _dealers_cards(rules, best)
        deal = (first, up, second, hole, *more)
        films = (film(rules, "A bonus 21", deal, [["hit"]] * len(more)),)
    said = {key: words for key, words, _ in rules.sentences()}
    return Guide(
        title=wager_title(BONUS_21),
        idea=(
            f"Some hands of 21 pay more than even money. {_FREE}",
            "A blackjack is none of them, and a hand that was doubled earns no bonus.",
            f"{capital(said['bonus_21.on_split_hands'])}. A hand that earns two is paid the better one.",
        ),
        pictures=tuple(Row(total_words(cards), lying(cards)) for cards in [*hands.values()][:3]),
        films=films,
        pays=tuple(_bonus_lines(rules)),
        clauses=clauses_behind(rules, "bonus_21"),
    )


def _dealers_cards(rules: TwentyOneRules, taken: Deal) -> Deal:
    """An up card and a hidden one with which the dealer stands, of cards that are left."""
    shoe = rules.shoe()
    nine = first_of(shoe, lambda card: card.rank is Rank.NINE, taken)
    return nine, first_of(shoe, lambda card: card.value == 10, (*taken, nine))


# Insurance.


def _insurance(rules: TwentyOneRules) -> Guide:
    stake = usual_stake_cents(rules)
    most = law.most_insurance_cents(rules, stake)
    ace = card_of(Rank.ACE, Suit.SPADES)
    deal = parse_cards("Kh As 9d Kd")
    said = {key: words for key, words, _ in rules.sentences()}
    suited, any_other = standard_names()
    named = {suited: "a dealer's blackjack of one suit", any_other: "a dealer's blackjack"}
    return Guide(
        title=wager_title(INSURANCE),
        idea=(
            "With an ace up you may bet that the dealer has a blackjack: at most half the primary wager.",
            f"{_insurance_pays(said)} {capital(said['insurance.on_paid_blackjack'])}.",
            "It wins when a ten-valued card lies under the ace, whatever you hold yourself."
            if rules.insurance.pays is not None
            else "It wins when a card that it pays lies under the ace, whatever you hold yourself.",
        ),
        pictures=(Row("Dealer", lying([None, ace]), "an ace up"),),
        films=(film(rules, "Insured", deal, [["insure"]]),),
        pays=tuple(
            Winning(
                named.get(line.name, line.name),
                line.pays.words,
                dealer_row(_insured_blackjack(rules, line)),
                worth(most, rules.payment(most, line.pays)),
            )
            for line in sorted(rules.insurance.told_apart, key=lambda line: line.name != any_other)
        ),
        clauses=clauses_behind(rules, "insurance"),
    )


def _insurance_pays(said: dict[str, str]) -> str:
    """By lines of the house's own first; else what is said of every blackjack is enough here."""
    keys = [key for key in ("insurance.lines", "insurance.pays") if key in said]
    return " ".join(f"{capital(said[key])}." for key in keys)


def _insured_blackjack(rules: TwentyOneRules, line: InsuranceLine) -> Deal:
    """A dealer's blackjack that is paid by a line, the spades' ace up where that can be."""
    shoe = rules.shoe()
    aces = [card_of(Rank.ACE, suit) for suit in reversed(Suit)]
    tens = [
        card_of(rank, suit)
        for rank in (Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)
        for suit in (Suit.SPADES, Suit.DIAMONDS, Suit.HEARTS, Suit.CLUBS)
    ]
    return next(
        (ace, ten) for ace in aces for ten in tens if shoe[ten] and rules.insurance.line(ace, ten) == line
    )


# The Super Bonus.


def _super_bonus(rules: TwentyOneRules) -> Guide:
    bonus, limits = rules.super_bonus, rules.limits
    deal = _super_bonus_deal(rules)
    sizes = [
        cents
        for cents in dict.fromkeys((int(limits.min), int(bonus.large_from)))
        if limits.min <= cents <= limits.max and cents % limits.chip == 0
    ]
    pays, films = [], []
    for cents in sizes:
        line = f"wagers from {chips(cents)}"
        if deal is None:
            pays.append(Winning(line, "", (), not_in(rules)))
            continue
        held, up = deal[:3], deal[3]
        paid = law.super_bonus_cents(rules, held, up, cents, doubles=0, from_split=False)
        rows = Row(YOU, lying(held), total_words(held)), Row("Dealer", lying([None, up]))
        pays.append(Winning(line, chips(paid), rows))
    if deal is not None:
        hole = first_of(rules.shoe(), lambda card: card.value == 10)
        one, two, three, up = deal
        films.append(
            film(rules, "The Super Bonus", (one, up, two, hole, three), [["hit"]], stake_cents=sizes[-1])
        )
    said = {key: words for key, words, _ in rules.sentences()}
    return Guide(
        title=wager_title(SUPER_BONUS),
        idea=(
            f"{capital(said['super_bonus.offered'])}. {_FREE}",
            f"A hand that was split or doubled is out of it. {capital(said['super_bonus.envy'])}.",
        ),
        pictures=pays[0].rows if pays else (),
        films=tuple(films),
        pays=tuple(pays),
        clauses=clauses_behind(rules, "super_bonus"),
    )


def _super_bonus_deal(rules: TwentyOneRules) -> Deal | None:
    """Three cards that win and an up card that is none of them; None where the shoe has too few."""
    shoe, infinite, wins = rules.shoe(), rules.decks == "infinite", law.super_bonus_hands(rules)
    laid = laid_cards(shoe)
    for one in laid:
        for held in sorted((held for held in wins if held[0] is one), key=lambda held: len(set(held))):
            for up in laid:
                dealt = min(law.drawn_orders(held))
                deal = (dealt[0], dealt[1], dealt[2], up)
                if up not in held and up.rank in wins[held] and can_be_dealt(deal, shoe, infinite=infinite):
                    return deal
    return None

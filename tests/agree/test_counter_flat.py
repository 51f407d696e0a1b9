"""The flat tables of a counter on the GPU walked by a naive twin of its kernel: the sums of the CPU."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardroom.lab.rule_sets import DOUBLE_EXPOSURE
from cardroom.protect.counts import find_count
from cardroom.protect.deviations import named_indices
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone import counter as kernel
from cardroom.sim.twentyone.counted_cuda import ARRAYS
from cardroom.sim.twentyone.counted_flat import FlatCounter
from cardroom.sim.twentyone.counter_cuda import fit, read_counted
from cardroom.sim.twentyone.counter_flat import flatten_counter
from cardroom.sim.twentyone.counter_job import ROUNDINGS, CounterJob
from cardroom.sim.twentyone.cuda import kernel_source
from cardroom.sim.twentyone.flat import SPLIT_NODE
from cardroom.sim.twentyone.job import STREAMS_PER_BATCH
from cardroom.sim.twentyone.sides import place_of_four
from cardroom.sim.twentyone.stream import seed_key, stream_states
from cardroom.sim.twentyone.team_flat import flatten_team
from cardroom.sim.twentyone.team_job import Member, TeamJob
from tests.agree.test_twentyone_flat import KIND, SUIT, Dealer
from tests.insurance_houses import HOUSES

ROUNDS = 3000
BATCH = 5
BLACKJACK = 6
MAKE_BLACKJACK = (0, 9)
RAMP = Ramp.parse("0:2,1:5,2:12")
ILLUSTRIOUS = named_indices()["illustrious"]


class Walker:
    """Rounds walked by the flat tables, a count kept in whole numbers."""

    def __init__(self, flat: FlatCounter, dealer: Dealer) -> None:
        self.sizes, self.numbers, self.dealer = flat.sizes, flat.numbers, dealer
        self.arrays: dict[str, Any] = flat.arrays
        self.next = flat.arrays["next"].reshape(-1)
        sides = self.sizes["SIDES"]
        self.histogram = np.zeros((kernel.BINS, self.sizes["RESULT_KINDS"] + 1), np.int64)
        self.sums = np.zeros((kernel.BINS, 7), np.int64)
        self.lines = np.zeros((sides, self.sizes["LINES"]), np.int64)
        self.running = self.before = self.last = self.shoes = 0
        self.seated = False
        self.drawn: list[int] = []

    def count(self, running: int, unseen: int) -> int:
        whole = round(1 / float(self.arrays["inverse"][unseen]))
        if self.sizes["ROUNDING"] == ROUNDINGS["nearest"]:
            count = (2 * running + whole) // (2 * whole)
        elif self.sizes["ROUNDING"] == ROUNDINGS["truncate"]:
            count = abs(running) // whole * (1 if running > 0 else -1)
        else:
            count = running // whole
        return min(max(count, kernel.LOWEST), kernel.HIGHEST)

    def count_now(self) -> int:
        dealer, hidden = self.dealer, self.sizes["HOLE"] - self.sizes["SEES_BOTH"]
        if dealer.end == dealer.cards:
            return self.count(self.running, dealer.cards - dealer.place + self.numbers["burn"] + hidden)
        running = self.running - self.before + self.numbers["start"]
        return self.count(running, dealer.end - dealer.place + hidden)

    def take(self) -> int:
        code = self.dealer.take()
        self.running += int(self.arrays["tags"][code & KIND])
        return code

    def draw(self, node: int) -> int:
        while node < self.sizes["ENDS"]:
            code = self.take()
            self.drawn.append(code)
            node = int(self.next[node + (code & KIND)])
        return node

    def follow(self, node: int) -> int:
        node = self.draw(node)
        while self.sizes["DECIDES"] <= node < SPLIT_NODE:
            band = self.arrays["row_of"][self.count_now() - kernel.LOWEST]
            node = self.draw(int(self.arrays["decided"][node - self.sizes["DECIDES"], band]))
        return node

    def play_spot(self, first: int, second: int, column: int, *, counts: bool) -> list[int]:
        """The ends of the hands of a spot."""
        node, hands = self.follow(int(self.arrays["deal"][int(counts), first, second, column])), 1
        waiting: list[tuple[int, int]] = []
        ends = []
        while True:
            while node == SPLIT_NODE:
                left, right = self.take() & KIND, self.take() & KIND
                hands += 1
                waiting.append((second, right))
                second = left
                node = self.follow(self.split_deal(first, second, column, hands, counts=counts))
            ends.append(node - self.sizes["ENDS"])
            if not waiting:
                return ends
            first, second = waiting.pop()
            node = self.follow(self.split_deal(first, second, column, hands, counts=counts))

    def split_deal(self, first: int, second: int, column: int, hands: int, *, counts: bool) -> int:
        table = self.arrays["split_deal"][int(counts), int(hands < self.sizes["MAX_HANDS"])]
        return int(table[first, second, column])

    def insured(self, firsts: list[int], seconds: list[int], up_code: int, hole: int) -> tuple[bool, int]:
        """Whether a spot of the counter's is asked, and what insurance brings on all that are."""
        arrays, insured, won = self.arrays, False, 0
        for first, second in zip(firsts, seconds, strict=True):
            if arrays["insurable"][first & KIND, second & KIND]:
                insured = True
                won += int(arrays["insurance"][up_code // SUIT, hole])
        return insured, won

    def play(self) -> None:
        dealer, numbers, arrays, sizes = self.dealer, self.numbers, self.arrays, self.sizes
        dealer.begin_round()
        if dealer.shoes != self.shoes:
            self.shoes = dealer.shoes
            self.running, self.seated, self.last = numbers["start"], False, 0
        self.before = self.running
        count = self.count(self.running, dealer.cards - dealer.place + numbers["burn"])
        self.seated = count >= (numbers["leave"] if self.seated else numbers["enter"])
        place = count - kernel.LOWEST
        wager = int(arrays["ramp"][place]) if self.seated else 0
        if sizes["COVERS"]:
            if wager and self.last:
                wager = min(max(wager, -(-self.last // numbers["cover"])), self.last * numbers["cover"])
            self.last = wager
        spots = sizes["OTHERS"] + sizes["SPOTS"] * self.seated
        firsts = [self.take() for _ in range(spots)]
        up_code = self.take()
        seconds = [self.take() for _ in range(spots)]
        hole = dealer.take() if sizes["HOLE"] else 0
        up = int(arrays["value_of"][up_code & KIND])
        node = int(arrays["dealer_first"][up, hole & KIND])
        blackjack = bool(sizes["LOOKS"]) and node == sizes["FINAL"] + BLACKJACK
        column = up
        if sizes["SEES_BOTH"]:
            self.running += int(arrays["tags"][hole & KIND])
            column = int(arrays["column_of"][up, hole & KIND])
        mine = range(sizes["OTHERS"], spots)
        cards_of_mine = [firsts[at] for at in mine], [seconds[at] for at in mine]
        stakes = bool(mine) and len(self.lines) > 0 and count >= min(arrays["side_from"])
        insured, won = False, 0
        if up == 0 and sizes["INSURES"] and self.seated and self.count_now() >= numbers["insure_from"]:
            insured, won = self.insured(*cards_of_mine, up_code, hole)
        hands: list[list[int]] = []
        needed = stakes and bool(sizes["PLAYS_DEALER"])
        for at in range(spots):
            first, second = firsts[at] & KIND, seconds[at] & KIND
            if blackjack:
                here = [int(arrays["looked"][first, second])]
            else:
                here = self.play_spot(first, second, column, counts=at in mine)
            needed |= any(sizes["ENDS"] + end < sizes["SETTLED"] for end in here)
            needed |= bool(sizes["ORIGINAL"]) and len(here) > 1 and up in MAKE_BLACKJACK
            hands += [here] if at in mine else []
        if sizes["HOLE"] and not sizes["SEES_BOTH"]:
            self.running += int(arrays["tags"][hole & KIND])
        self.drawn = []
        if insured and not sizes["LOOKS"]:
            if not sizes["HOLE"]:
                hole = self.take()
                self.drawn.append(hole)
                node = int(self.next[node + (hole & KIND)])
            won = self.insured(*cards_of_mine, up_code, hole)[1]
        if needed:
            node = self.draw(node)
        if not self.seated:
            self.histogram[place, -1] += 1
            return
        made = side_money = 0
        if stakes:
            codes = (firsts[mine[0]], seconds[mine[0]], up_code, hole)
            made, side_money = self.side_bets(count, *(int(arrays["card_of"][code]) for code in codes))
        final = max(0, node - sizes["FINAL"])
        ends = [end for here in hands for end in here]
        if sizes["SPOTS"] == len(ends) == 1 and not (insured or made or sizes["COVERS"]):
            self.histogram[place, arrays["result"][ends[0], final]] += 1
            return
        back = sizes["ORIGINAL"] and final == BLACKJACK  # all but the original wagers
        paid = [here[0] for here in hands] if back else ends
        won += sum(int(arrays["pay"][end, final]) for end in paid) * numbers["parts"]
        staked = sum(int(arrays["stake"][end]) for end in ends)
        money = wager * won + side_money
        self.sums[place] += [1, won, won**2, wager * staked, money, money**2, insured]

    def side_bets(self, count: int, one: int, two: int, up: int, hole: int) -> tuple[int, int]:
        """How many were made, and what they won."""
        arrays, three = self.arrays, self.sizes["SIDES_OF_THREE"]
        four = self.sizes["SIDES_OF_FOUR"]
        made = won = 0
        for bet in range(len(self.lines)):
            if count >= arrays["side_from"][bet]:
                if bet < three:
                    third = hole if arrays["third_is_hole"][bet] else up
                    line = arrays["lines_of_three"][bet, one, two, third]
                elif bet < three + four:
                    line = arrays["lines_of_four"][bet - three, place_of_four(*sorted((one, two, up, hole)))]
                else:
                    state = arrays["machine_start"][bet - three - four, one, two]
                    for at, card in (("UP_PLACE", up), ("HOLE_PLACE", hole)):
                        state = arrays["machine_take"][state, self.sizes[at], card]
                    for code in self.drawn:
                        draw, card = self.sizes["DRAW_PLACE"], int(arrays["card_of"][code])
                        state = arrays["machine_take"][state, draw, card]
                    line = arrays["machine_line"][state]
                self.lines[bet, line] += 1
                made, won = made + 1, won + int(arrays["side_nets"][bet, line])
        return made, won


def walked(job: CounterJob, rounds: int) -> tuple[Walker, Any]:
    """The first stream of a batch by the flat tables, and its tally."""
    flat = flatten_counter(job)
    state = stream_states(seed_key(job.seed), BATCH * STREAMS_PER_BATCH, 1)[0]
    walker = Walker(flat, Dealer(flat, [int(word) for word in state]))
    for _ in range(rounds):
        walker.play()
    counted = {"shoes": walker.shoes, "ran_out": 0}
    return walker, read_counted(job, flat, walker.histogram, walker.sums, counted, walker.lines)


SIDE = {"blackjack": "21+3", "spanish-21": "match-the-dealer", "players-edge-21": "match-up"}
HABITS = {
    "ramp": Counter(find_count("hi-lo"), RAMP),
    "indices, insurance, half decks": Counter(
        find_count("hi-lo"), RAMP, ILLUSTRIOUS.deviations, insurance_from=1, decks_known="half"
    ),
    "two spots and others, nearest": Counter(
        find_count("halves"), RAMP, spots=2, others=2, rounding="nearest", insurance_from=0
    ),
    "enters and leaves, truncate": Counter(
        find_count("zen"), RAMP, enter=1, leave=-1, others=2, rounding="truncate"
    ),
    "running, by colour, cover": Counter(find_count("red-7"), RAMP, running=True, cover=2),
    "side bets at their count": Counter(find_count("hi-lo"), RAMP, sides=read_sides(["21+3@0x2"])),
}


@pytest.mark.parametrize("game", SIDE)
@pytest.mark.parametrize("habits", HABITS)
@pytest.mark.parametrize(("decks", "cut_cards"), [(6, 78), (2, 2)])
def test_flat_tables_give_the_sums_of_the_kernel(game: str, habits: str, decks: int, cut_cards: int) -> None:
    """Two decks to two cards before the end: shoes run out in the middle of rounds."""
    counter = HABITS[habits]
    if counter.sides:
        counter = replace(counter, sides=read_sides([f"{SIDE[game]}@0x2"]))
    if game != "blackjack":  # others' tables know no such hands, or play them so by basic strategy
        counter = replace(counter, deviations=counter.deviations[:2])
    rules = load_rules_as(TwentyOneRules, game, {"decks": decks})
    job = counter.job(rules, seed=4, cut_cards=cut_cards, most_units=12)
    walker, tally = walked(job, ROUNDS)
    assert np.array_equal(tally, job(BATCH, ROUNDS))
    added = walker.sums.sum(axis=0)
    assert added[0] > 0  # split, insured or with side bets
    assert bool(added[-1]) == (counter.insurance_from is not None)
    assert bool(walker.histogram[:, -1].sum()) == (counter.enter is not None)
    assert bool(walker.sizes["DECISIONS"]) == bool(counter.deviations)


@pytest.mark.parametrize("name", HOUSES)
def test_insurance_by_lines_of_the_house_s_own(name: str) -> None:
    """Kings, queens and tens are told apart by what insurance pays, and by nothing else here."""
    counter = replace(HABITS["ramp"], insurance_from=-20)
    rules = load_rules_as(TwentyOneRules, "blackjack", HOUSES[name][0])
    job = counter.job(rules, seed=4, cut_cards=78, most_units=12)
    walker, tally = walked(job, ROUNDS)
    assert np.array_equal(tally, job(BATCH, ROUNDS))
    assert walker.sums.sum(axis=0)[-1] > 150


@pytest.mark.parametrize("file", ["counter.cu", "team.cu"])
def test_the_kernel_has_its_tables_in_the_order_in_which_they_are_handed_over(file: str) -> None:
    """An address in the wrong place would be a wrong table, which no twin would see."""
    text = kernel_source(file)
    struct = text[text.index("struct Tables {") : text.index("};", text.index("struct Tables {"))]
    rules = load_rules_as(TwentyOneRules, "blackjack")
    job = HABITS["ramp"].job(rules, most_units=12)
    flat = flatten_counter(job)
    if file == "team.cu":
        flat = flatten_team(TeamJob((Member(job), Member(replace(job, others=1)))))
    several = {"TOTALS": flat.sizes.get("TOTALS", 0), "COUNTERS": flat.sizes.get("COUNTERS", 0)}
    names = []
    for line in struct.splitlines()[1:]:
        for one in line.strip().rstrip(";").split(","):
            name, _, size = one.strip().split(" ")[-1].strip("*]").partition("[")
            names += [f"{name}{place}" for place in range(several[size])] if size else [name] if name else []
    assert names == [*ARRAYS, *flat.numbers]


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_shoes_of_every_thread_fit_beside_the_tables(decks: int) -> None:
    rules = load_rules_as(TwentyOneRules, "players-edge-21", {"decks": decks})
    threads, shared_bytes = fit(flatten_counter(HABITS["ramp"].job(rules, most_units=12)))
    assert threads % 32 == 0
    assert threads >= 256
    assert shared_bytes <= 227 * 1024


PUSH_22 = {"side_bets.push-22.offered": True}
TABLES: dict[str, tuple[dict[str, Any], Counter]] = {
    "no hole card": ({"hole_card": "none"}, HABITS["indices, insurance, half decks"]),
    "an unseen one, original wagers only": (
        {"hole_card": "unseen", "dealer_blackjack_takes": "original", "surrender": "early"},
        HABITS["two spots and others, nearest"],
    ),
    "no hole card, original wagers only": (
        {"hole_card": "none", "dealer_blackjack_takes": "original"},
        HABITS["two spots and others, nearest"],
    ),
    "both face up": (DOUBLE_EXPOSURE, HABITS["running, by colour, cover"]),
    "on the dealer's whole hand": (
        PUSH_22,
        replace(HABITS["enters and leaves, truncate"], sides=read_sides(["push-22@1", "21+3@2x2"])),
    ),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("decks", "cut_cards"), [(6, 78), (2, 2)])
def test_flat_tables_of_other_tables_give_the_sums_of_the_kernel(
    name: str, decks: int, cut_cards: int
) -> None:
    changes, counter = TABLES[name]
    rules = load_rules_as(TwentyOneRules, "blackjack", {**changes, "decks": decks})
    job = counter.job(rules, seed=4, cut_cards=cut_cards, most_units=12)
    walker, tally = walked(job, ROUNDS)
    assert np.array_equal(tally, job(BATCH, ROUNDS))
    assert bool(walker.sums.sum(axis=0)[-1]) == (counter.insurance_from is not None)

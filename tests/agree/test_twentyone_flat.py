"""The flat tables of the GPU walked by a naive twin of its kernel: the sums of the CPU, without a GPU."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.exact.twentyone import solve
from cardroom.lab.rule_sets import FAMILY
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.sim.twentyone import cuda as cuda_module
from cardroom.sim.twentyone import kernel
from cardroom.sim.twentyone.counted_flat import FlatCounter
from cardroom.sim.twentyone.cuda import COUNTED, cuda, kernel_source
from cardroom.sim.twentyone.dealing import Dealing
from cardroom.sim.twentyone.dice import dice, random_actions
from cardroom.sim.twentyone.flat import SPLIT_NODE, FlatGame, flatten
from cardroom.sim.twentyone.job import STREAMS_PER_BATCH, Job
from cardroom.sim.twentyone.sides import MOST_LINES, place_of_four
from cardroom.sim.twentyone.stream import seed_key, stream_states
from tests.bets_by_place import BY_PLACE

ROUNDS = 3000
BATCH = 5
KIND = 0x1F
SUIT = 0x20
WORD = 0xFFFFFFFF
DEALERS_BLACKJACK = 6
PLACES = {
    "staked": kernel.STAKED,
    "shoes": kernel.SHOES,
    "super_bonuses": kernel.SUPER_BONUSES,
    "aces_up": kernel.ACES_UP,
}


class Dealer:
    """One stream and its shoe, a card at a time."""

    def __init__(self, flat: FlatGame | FlatCounter, state: list[int]) -> None:
        self.flat = flat
        self.state = state
        self.shoe = [int(code) for code in flat.arrays["cards"]]
        self.cards = len(self.shoe)
        self.infinite = bool(flat.sizes["INFINITE"])
        self.shoes = 0
        self.served = self.place = self.begin = 0
        self.end = self.cards

    def word(self) -> int:
        """xoshiro128++."""
        a, b, c, d = self.state
        both = (a + d) & WORD
        word = ((both << 7 | both >> 25) + a) & WORD
        shifted = b << 9 & WORD
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << 11 | d >> 21) & WORD
        self.state = [a, b, c, d]
        return word

    def take(self) -> int:
        if self.infinite:
            return self.shoe[self.word() * self.cards >> 32]
        if self.place == self.end:
            assert self.begin > 0, "these shoes have discards when they run out"
            self.end, self.begin, self.place = self.begin, 0, 0
        there = self.place + (self.word() * (self.end - self.place) >> 32)
        self.shoe[self.place], self.shoe[there] = self.shoe[there], self.shoe[self.place]
        self.place += 1
        return self.shoe[self.place - 1]

    def begin_round(self) -> None:
        numbers = self.flat.numbers
        if self.infinite:
            return
        over = self.end != self.cards or self.place >= numbers["cut"]
        if self.served == 0 or over or self.served >= numbers["rounds_per_shoe"]:
            self.shoes += 1
            self.served = self.place = 0
            self.end = self.cards
            for _ in range(numbers["burn"]):
                self.take()
        self.begin = self.place
        self.served += 1


class Walker:
    """Rounds walked by the flat tables."""

    def __init__(self, flat: FlatGame) -> None:
        self.flat = flat
        self.sizes = flat.sizes
        self.next = flat.arrays["next"].reshape(-1)
        self.enter = flat.arrays["enter"]
        sides = self.sizes["SIDES"]
        self.reached = np.zeros((10, self.sizes["RESULT_KINDS"]), np.int64)
        self.split_nets = np.zeros((10, self.sizes["RESULTS"]), np.int64)
        self.counted = dict.fromkeys(COUNTED, 0)
        self.lines = np.zeros((sides, self.sizes["LINES"]), np.int64)
        self.insured = np.zeros(1 + self.sizes["INSURED_LINES"], np.int64)

    def follow(self, node: int, dealer: Dealer) -> int:
        """Take cards until a hand has ended."""
        while node < self.sizes["ENDS"]:
            node = int(self.next[node + (dealer.take() & KIND)])
        return node

    def play(self, dealer: Dealer) -> None:
        dealer.begin_round()
        node = 0
        dealt = [dealer.take() for _ in range(3 + self.sizes["HOLE"])]
        for code in dealt:
            node = int(self.next[node + (code & KIND)])
        one, up_code, two, hole = (*dealt, 0)[:4]
        up = int(self.flat.arrays["value_of"][up_code & KIND])
        card_of = self.flat.arrays["card_of"]
        seen = int(card_of[one]), int(card_of[up_code]), int(card_of[two])
        if self.sizes["SECOND"]:
            self._count_sides(*seen, None)
        else:
            self._count_sides(*seen, int(card_of[hole]))
        node = self.follow(node, dealer)
        if node == SPLIT_NODE:
            self._play_split(one, two, up, hole & KIND, dealer, seen)
            return
        if node < self.sizes["TERMINALS"]:
            node = int(self.enter[node - self.sizes["ENDS"], up, hole & KIND])
            node = self.follow(self._second(node, dealer, seen), dealer)
        self.reached[up, node - self.sizes["TERMINALS"]] += 1
        if node >= self.sizes["FIRST_INSURED"] and not self.sizes["INSURED_ALIKE"]:
            self.insured[self.flat.arrays["insured"][up_code // SUIT, hole]] += 1

    def _second(self, node: int, dealer: Dealer, seen: tuple[int, int, int]) -> int:
        """Take the dealer's second card where it comes late for side bets; the node behind it (21-1.19)."""
        if not self.sizes["SECOND"]:
            return node
        late = dealer.take()
        self._count_sides(*seen, int(self.flat.arrays["card_of"][late]), late=True)
        return int(self.next[node + (late & KIND)]) if node < self.sizes["ENDS"] else node

    def _play_split(
        self, first: int, second: int, up: int, hole: int, dealer: Dealer, seen: tuple[int, int, int]
    ) -> None:
        arrays, sizes = self.flat.arrays, self.sizes
        first, second = first & KIND, second & KIND
        column = up if sizes["COLUMNS"] == 10 else int(arrays["column_of"][up, hole])
        waiting: list[tuple[int, int]] = []
        ends: list[int] = []
        hands, node = 1, SPLIT_NODE
        while True:
            while node == SPLIT_NODE:
                left, right = dealer.take() & KIND, dealer.take() & KIND
                hands += 1
                waiting.append((second, right))
                second = left
                node = int(arrays["split_deal"][int(hands < sizes["MAX_HANDS"]), first, second, column])
            node = self.follow(node, dealer)
            ends.append(node - sizes["ENDS"])
            if not waiting:
                break
            first, second = waiting.pop()
            node = int(arrays["split_deal"][int(hands < sizes["MAX_HANDS"]), first, second, column])
        final = 0
        may_be_undone = sizes["ORIGINAL"] and up in (0, 9)
        if may_be_undone or any(arrays["needs_dealer"][end] for end in ends):
            node = self._second(int(self.enter[sizes["HAND_ENDS"], up, hole]), dealer, seen)
            node = self.follow(node, dealer)
            final = node - sizes["TERMINALS"] - sizes["RESULT_KINDS"]
        else:
            self._second(sizes["TERMINALS"], dealer, seen)
        paid = ends[:1] if sizes["ORIGINAL"] and final == DEALERS_BLACKJACK else ends
        won = sum(int(arrays["pay"][end, final]) for end in paid)
        self.split_nets[up, sizes["RESULTS"] // 2 + won] += 1
        self.counted["split_staked"] += sum(int(arrays["stake"][end]) for end in ends)

    def _count_sides(self, one: int, up: int, two: int, hole: int | None, *, late: bool = False) -> None:
        """All of them; without the second card those that the up card decides, then the others `late`."""
        arrays, three = self.flat.arrays, self.sizes["SIDES_OF_THREE"]
        for bet in range(three):
            if (late and not arrays["third_is_hole"][bet]) or (hole is None and arrays["third_is_hole"][bet]):
                continue
            third = hole if arrays["third_is_hole"][bet] else up
            self.lines[bet, arrays["lines_of_three"][bet, one, two, third]] += 1
        if hole is None:
            return
        for bet in range(self.sizes["SIDES_OF_FOUR"]):
            place = place_of_four(*sorted((one, up, two, hole)))
            self.lines[three + bet, arrays["lines_of_four"][bet, place]] += 1
        first = three + self.sizes["SIDES_OF_FOUR"]
        for bet in range(self.sizes["SIDES"] - first):
            state = arrays["machine_start"][bet, one, two]
            for place, card in (("UP_PLACE", up), ("HOLE_PLACE", hole)):
                state = arrays["machine_take"][state, self.sizes[place], card]
            self.lines[first + bet, arrays["machine_line"][state]] += 1


def walked(job: Job, rounds: int) -> tuple[Any, dict[str, int], Any, Any]:
    """Results by up card, counters, lines of insurance and side bets of the first stream of a batch, by the
    flat tables."""
    prepared = job.prepared
    flat = flatten(prepared.game, prepared.cards, prepared.results, MOST_LINES)
    state = stream_states(seed_key(job.seed), BATCH * STREAMS_PER_BATCH, 1)[0]
    dealer, walker = Dealer(flat, [int(word) for word in state]), Walker(flat)
    for _ in range(rounds):
        walker.play(dealer)
    walker.counted["shoes"] = dealer.shoes
    counted = np.array([*(walker.counted[name] for name in COUNTED), *walker.insured])
    nets, counters, insured = cuda_module._read(flat, walker.reached, walker.split_nets, counted)
    return nets, counters, insured, walker.lines


@pytest.mark.parametrize("game", FAMILY)
@pytest.mark.parametrize(
    ("decks", "dealing"),
    [
        (6, Dealing.fresh()),
        (6, Dealing(None, 78, 1)),
        (2, Dealing(None, 2, 1)),  # runs out in the middle of rounds
        (1, Dealing(4, None, 0)),
        ("infinite", Dealing.fresh()),
    ],
    ids=str,
)
def test_flat_tables_give_the_sums_of_the_kernel(game: str, decks: object, dealing: Dealing) -> None:
    rules = load_rules_as(TwentyOneRules, game, {"decks": decks})
    actions = random_actions(compile_hands(rules), dice(9))
    job = Job.of(rules, actions, seed=4, dealing=dealing)
    _same(job)


@pytest.mark.parametrize(
    ("game", "changes", "wager_cents"),
    [
        ("blackjack", {"blackjack_pays": "6:5", "rounding": "chip", "surrender": "late"}, 400),
        ("spanish-21", {"rounding": "chip", "limits.min": "1.00"}, 100),
        ("players-edge-21", {"rounding": "chip"}, 300),
        ("players-edge-21", {}, 50_000),
    ],
    ids=str,
)
def test_flat_tables_of_a_wager_in_chips_and_under_the_cap(
    game: str, changes: dict[str, object], wager_cents: int
) -> None:
    rules = load_rules_as(TwentyOneRules, game, changes)
    actions = random_actions(compile_hands(rules, wager_cents), dice(9))
    job = Job.of(rules, actions, seed=4, dealing=Dealing.fresh(), wager_cents=wager_cents)
    nets, counters, *_ = walked(job, ROUNDS)
    tallies = job.prepared.tallies(job(BATCH, ROUNDS))
    assert np.array_equal(nets, tallies.nets)
    assert counters["staked"] == tallies.counters[kernel.STAKED]


@pytest.mark.parametrize("variant", variant_names())
def test_flat_tables_of_the_variants(variant: str) -> None:
    """No hole card, both cards face up, Charlies, 21s that win at once, by their own best strategies."""
    rules = load_rules_as(TwentyOneRules, variant)
    job = Job.of(rules, solve(rules, "basic").strategy.action, seed=4, dealing=Dealing.fresh())
    _same(job)


@pytest.mark.parametrize(
    ("game", "changes", "dealing"),
    [
        ("blackjack", {"hole_card": "none", "surrender": "late", "decks": 2}, Dealing(None, 2, 1)),
        ("blackjack", {"hole_card": "none", "dealer_blackjack_takes": "original"}, Dealing.fresh()),
        (
            "spanish-21",
            {"hole_card": "none", "dealer_blackjack_takes": "original", "double.rescue": "original"},
            Dealing(4, None, 0),
        ),
        (
            "blackjack",
            {"hole_card": "unseen", "dealer_blackjack_takes": "original", "surrender": "early"},
            Dealing.fresh(),
        ),
        ("players-edge-21", {"hole_card": "unseen", "decks": "infinite"}, Dealing.fresh()),
        ("players-edge-21", {"hole_card": "none", "decks": "infinite"}, Dealing.fresh()),
        ("players-edge-21", {"hole_card": "none", "decks": 2}, Dealing(None, 2, 1)),
        (
            "blackjack",
            {"hole_card": "none", "dealer_blackjack_takes": "original", **BY_PLACE},
            Dealing(4, None, 0),
        ),
        (
            "blackjack",
            {"split.never": ["10"], "split.once": ["8"], "dealer_22_pushes": True},
            Dealing.fresh(),
        ),
    ],
    ids=str,
)
def test_flat_tables_with_options_of_the_deal(
    game: str, changes: dict[str, object], dealing: Dealing
) -> None:
    rules = load_rules_as(TwentyOneRules, game, changes)
    actions = random_actions(compile_hands(rules), dice(9))
    _same(Job.of(rules, actions, seed=4, dealing=dealing))


def _same(job: Job) -> None:
    nets, counters, insured, lines = walked(job, ROUNDS)
    tallies = job.prepared.tallies(job(BATCH, ROUNDS))
    assert np.array_equal(nets, tallies.nets)
    assert np.array_equal(lines, tallies.side_lines)
    for name, place in PLACES.items():
        assert counters[name] == tallies.counters[place], name
    counted = tallies.counters[kernel.ACES_UP + 1 :]
    assert [*insured[1:]] == [*counted[: len(insured) - 1]]
    assert not counted[len(insured) - 1 :].any()


@pytest.mark.parametrize("game", FAMILY)
def test_splits_and_bonuses_were_among_the_rounds(game: str) -> None:
    """So that the test above says something of them."""
    rules = load_rules_as(TwentyOneRules, game)
    actions = random_actions(compile_hands(rules), dice(9))
    job = Job.of(rules, actions, seed=4, dealing=Dealing.fresh())
    prepared = job.prepared
    flat = flatten(prepared.game, prepared.cards, prepared.results, MOST_LINES)
    state = stream_states(seed_key(job.seed), 0, 1)[0]
    dealer, walker = Dealer(flat, [int(word) for word in state]), Walker(flat)
    for _ in range(ROUNDS):
        walker.play(dealer)
    assert walker.split_nets.sum() > 100
    assert (walker.reached.sum(axis=0) > 0).sum() > 5


def test_without_a_gpu_there_is_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Any = None
    monkeypatch.setitem(sys.modules, "cupy", missing)
    with pytest.raises(Unavailable, match="no CuPy here; install the extra"):
        cuda()


def test_cupy_without_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoDevice(Exception):
        pass

    class Runtime:
        CUDARuntimeError = NoDevice

        def getDeviceCount(self) -> int:  # as CuPy spells it
            raise NoDevice("cudaErrorNoDevice: no CUDA-capable device is detected")

    cupy = SimpleNamespace(cuda=SimpleNamespace(runtime=Runtime()))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(Unavailable, match="CUDA finds no GPU: cudaErrorNoDevice"):
        cuda()


def test_the_kernel_s_text_is_part_of_the_package() -> None:
    assert "__global__" in kernel_source()


def test_side_bets_written_as_data_are_counted_by_the_flat_tables() -> None:
    changes = {f"side_bets.{name}.offered": True for name in ("perfect-pairs", "in-bet", "sweet-16-hearts")}
    rules = load_rules_as(TwentyOneRules, "blackjack", {**changes, **BY_PLACE})
    actions = random_actions(compile_hands(rules), dice(9))
    job = Job.of(rules, actions, seed=4, dealing=Dealing.fresh())
    nets, *_, lines = walked(job, ROUNDS)
    tallies = job.prepared.tallies(job(BATCH, ROUNDS))
    assert np.array_equal(nets, tallies.nets)
    assert np.array_equal(lines, tallies.side_lines)
    assert len(lines) == 7
    assert (lines[-2:, 1:4].sum(axis=0) > 0).all()


def test_a_side_bet_on_the_dealers_hand_is_refused_on_the_gpu_and_never_dropped() -> None:
    rules = load_rules_as(TwentyOneRules, "blackjack", {"side_bets.push-22.offered": True})
    actions = random_actions(compile_hands(rules), dice(9))
    job = Job.of(rules, actions, seed=4, dealing=Dealing.fresh())
    with pytest.raises(MalformedInput, match="are not counted on the GPU; use the backend cpu"):
        walked(job, 1)

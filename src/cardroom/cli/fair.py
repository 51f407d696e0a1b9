"""`cardroom fair`: the generator under test, its outputs for an outside tester, its known answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cardroom.cli.options import Json, SeedNumber, checked_seed, whole_number
from cardroom.cli.output import console, plain_table, print_json
from cardroom.cli.per_game import plain_typer
from cardroom.core.errors import MalformedInput

if TYPE_CHECKING:
    from cardroom.fair import Binding, Seed

app = plain_typer(help="Test the shuffle, and dump its outputs for an outside tester.")

MOST_OUTPUTS: Final = 10**9
_CHUNK_BYTES: Final = 1 << 16


@app.command("selftest")
def run_self_test() -> None:
    """Check the known answers that the derivation must give; exit code 1 names those it does not."""
    from cardroom.fair.selftest import failures

    failed = failures()
    typer.echo(f"failed: {', '.join(failed)}" if failed else "all known answers are met")
    if failed:
        raise typer.Exit(1)


@app.command("test")
def run_tests(
    shuffles: Annotated[str, typer.Option("--shuffles", help="How many shuffles of one deck.")] = "5000",
    seed: SeedNumber = None,
    as_json: Json = False,
) -> None:
    """Test final outputs (chi-square, runs, serial pairs, duplicates) at 99 % together."""
    from cardroom.fair.deals import deal, deck_of, infinite_deck
    from cardroom.fair.statistics import LEVEL, all_pass, battery

    count = whole_number(shuffles, "--shuffles", least=1000, most=10**6)
    source = _source(checked_seed(seed))
    dealt = [deal(*source("shuffle", number, deck_of("standard", 1))).cards for number in range(count)]
    cards = deal(*source("cards", 0, infinite_deck("standard")), count=min(20 * count, 10**6)).cards
    results = battery(dealt, cards)
    passed = all_pass(results)
    if as_json:
        print_json(
            {
                "shuffles": count,
                "independent_cards": len(cards),
                "level": LEVEL,
                "tests": [
                    {"test": result.name, "statistic": result.statistic, "p_value": result.p_value}
                    for result in results
                ],
                "passed": passed,
            }
        )
    else:
        table = plain_table("Test", "Statistic", "p-value", right=("Statistic", "p-value"))
        for result in results:
            table.add_row(result.name, f"{result.statistic:,.2f}", f"{result.p_value:.4f}")
        console().print(table)
        bound = LEVEL / len(results)
        console().print(
            f"{'passed' if passed else 'FAILED'}: {count:,} shuffles and {len(cards):,} independent cards;"
            f" each p-value must be above {bound:g}"
        )
    if not passed:
        raise typer.Exit(1)


@app.command("dump")
def dump(
    what: Annotated[
        Literal["raw", "integers", "cards", "shuffles"],
        typer.Argument(help="Keystream bytes, integers below a bound, independent cards, or whole shuffles."),
    ],
    count: Annotated[
        str, typer.Option("--count", help="How many bytes, integers, cards or shuffles.")
    ] = "1e6",
    below: Annotated[int, typer.Option("--below", help="The bound of the integers.", min=1, max=2**32)] = 52,
    seed: SeedNumber = None,
) -> None:
    """Write raw or scaled outputs on stdout, for an outside tester (R-3)."""
    from cardroom.core.cards import CARDS, format_cards
    from cardroom.fair.deals import deal, deck_of, infinite_deck, keystream_of

    number = whole_number(count, "--count", least=1, most=MOST_OUTPUTS)
    source = _source(checked_seed(seed))
    if what == "shuffles":
        for shoe in range(number):
            print(format_cards(deal(*source("shuffle", shoe, deck_of("standard", 1))).cards))
        return
    stream = keystream_of(*source(what, 0, infinite_deck("standard")))
    if what == "raw":
        if sys.stdout.isatty():
            raise MalformedInput("raw bytes are not for a terminal; send them to a file or a program")
        while number:
            number -= sys.stdout.buffer.write(stream.read(min(number, _CHUNK_BYTES)))
        return
    for _ in range(number):
        drawn = stream.below(len(CARDS) if what == "cards" else below)
        print(CARDS[drawn] if what == "cards" else drawn)


def _source(seed: int | None) -> Callable[[str, int, str], tuple[Seed, Binding]]:
    """How each output gets its seed and binding: fresh as for a real shoe, or repeatable from a number."""
    from cardroom.fair import Binding, fresh_seed, fresh_shoe_id, repeatable_seed
    from cardroom.games import KNOCKOUT_52
    from cardroom.rules import load_rules

    rules_hash = load_rules(KNOCKOUT_52.id).rules_hash

    def source(what: str, number: int, deck: str) -> tuple[Seed, Binding]:
        shoe_id = fresh_shoe_id() if seed is None else f"{what}-{number}"
        used = fresh_seed() if seed is None else repeatable_seed(seed, shoe_id)
        return used, Binding(KNOCKOUT_52.id, rules_hash, shoe_id, deck)

    return source

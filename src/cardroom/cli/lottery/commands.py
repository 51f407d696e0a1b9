"""`cardroom lottery`: operate Knockout 21, from the day's first commitment to the last claim."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.marked import marked
from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import print_json
from cardroom.cli.per_game import plain_typer
from cardroom.cli.signing import By, Codes, PasswordFiles, Signatures
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.games import KNOCKOUT_21
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted

if TYPE_CHECKING:
    from cardroom.lottery.house import Lottery

app = plain_typer(
    help="Operate Knockout 21: sell, alter, close, draw, settle, check, claim, report.", no_args_is_help=True
)

GAME: Final = KNOCKOUT_21.id

DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database", metavar="URL", help="sqlite:///FILE or postgresql://…", envvar="CARDROOM_DATABASE"
    ),
]
VaultFolder = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FOLDER",
        help="Where secrets are kept; else beside the database.",
        envvar="CARDROOM_VAULT",
    ),
]
Terminal = Annotated[str, typer.Option("--terminal", help="The terminal's name.")]
Key = Annotated[
    str | None,
    typer.Option(
        "--key", help="The request's own key: asked again, it has no second effect.", show_default=False
    ),
]
DrawNumber = Annotated[int, typer.Argument(metavar="DRAW", help="The draw's number.", show_default=False)]
ControlNumber = Annotated[str, typer.Argument(metavar="NUMBER", help="A control number.", show_default=False)]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--choice", metavar="HAND=H|S", help="Hit or stand for a hand from 5 to 15.", show_default=False
    ),
]
PdfFolder = Annotated[Path | None, typer.Option("--pdf", metavar="FOLDER", help="Print PDFs there.")]
PngFolder = Annotated[Path | None, typer.Option("--png", metavar="FOLDER", help="Print PNGs there.")]
DEFAULT_VAULT: Final = None
CRASH_ONE_IN: Final = 100


@contextmanager
def _open(database: str, vault: Path | None, *, only_reads: bool = False) -> Iterator[Lottery]:
    """The lottery of a database; its own records say its rules, and a new one begins with the game's own.

    What only reads the log and the books needs no vault: none is asked for and none is made.
    """
    try:
        from cardroom.store.migrate import open_database
    except ModuleNotFoundError:
        from cardroom.core.extras import missing

        raise missing("the lottery", "store") from None
    from cardroom.fair.entropy import OperatingSystem
    from cardroom.lottery.clock import SystemClock
    from cardroom.lottery.house import Lottery
    from cardroom.lottery.vault import FileVault, MemoryVault, Vault, vault_folder
    from cardroom.rules.knockout21 import Knockout21Rules
    from cardroom.store.lottery import any_ticket

    entropy = OperatingSystem()
    house_rules = house_rules_as(Knockout21Rules, GAME, None, None)
    with open_database(database, SystemClock()) as opened, marked(opened):
        own_vault: Vault
        if only_reads:
            own_vault = MemoryVault(entropy)
        else:
            own_vault = FileVault(vault or vault_folder(database), entropy)
            with opened.read() as connection:
                own_vault.require_codes(tickets_sold=any_ticket(connection))
        yield Lottery(opened, own_vault, house_rules, entropy)


def _key(key: str | None) -> str:
    from cardroom.cli.lottery.tickets import request_key

    return key or request_key()


@app.command("open-day")
def open_day(
    day: Annotated[str | None, typer.Argument(metavar="DAY", help="2025-06-14; today unless told.")] = None,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    changes: Changes = None,
    rules: RulesFile = None,
) -> None:
    """Number a day's draws, commit to their secrets, and open the first that are left for sale.

    Other rules than those in force hold from that day on; two people sign for them, but for the first ones.
    """
    from cardroom.cli.lottery.care import who_opens
    from cardroom.lottery.draws import open_day as open_the_day
    from cardroom.lottery.schedule import parse_day, wall_clock

    with _open(database, vault) as lottery:
        signatures = Signatures(lottery.database, by, password_file, code_of)
        wanted = parse_day(day) if day else wall_clock(lottery.rules, lottery.database.clock.now()).date()
        who = who_opens(lottery, signatures, wanted, changes, rules)
        numbers, opened = open_the_day(lottery, wanted, by=who)
        typer.echo(f"draws {numbers[0]} to {numbers[-1]} of {wanted.isoformat()} are committed")
        for number in opened:
            typer.echo(f"draw {number} is on sale")
        if not opened and not _left_to_sell(lottery, numbers):
            typer.echo(f"sales of every draw of {wanted.isoformat()} have closed; open the next day")


def _left_to_sell(lottery: Lottery, numbers: list[int]) -> bool:
    """Whether sales of any of some draws are still to close."""
    from cardroom.store.lottery import draws_still_to_close

    with lottery.database.read() as connection:
        waiting = draws_still_to_close(connection, lottery.database.clock.now(), "open", "committed")
    return any(draw.number in numbers for draw in waiting)


@app.command("advance")
def advance(database: DatabaseUrl = DEFAULT_DATABASE, vault: VaultFolder = DEFAULT_VAULT) -> None:
    """Do everything that is due now: open, close, seal, draw, settle, book expired prizes."""
    from cardroom.lottery import scheduler

    with _open(database, vault) as lottery:
        for line in scheduler.advance(lottery):
            typer.echo(line)


@app.command("sell")
def sell(
    tickets: Annotated[int, typer.Option("--tickets", help="Tickets per draw.")] = 1,
    draws: Annotated[int, typer.Option("--draws", help="Consecutive draws.")] = 1,
    draw: Annotated[int | None, typer.Option("--draw", help="The first draw; the next unless told.")] = None,
    terminal: Terminal = "cli",
    choose: Annotated[bool, typer.Option("--choose", help="See the hands, then choose.")] = False,
    choice: Overrides = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Take --choice for every ticket, before its hands are seen.")
    ] = False,
    key: Key = None,
    pdf: PdfFolder = None,
    png: PngFolder = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Sell tickets: with the charts' choices, or with the buyer's, made when the hands have been seen."""
    from cardroom.cli.lottery.tickets import finish_purchase, parse_choices, print_tickets, require_print
    from cardroom.lottery import sales

    overrides = parse_choices(choice or [])
    if overrides and not blind:
        raise IllegalAction(
            "no hand is dealt yet, so there is nothing to choose; --choose shows the hands and then asks, "
            "--blind takes --choice unseen",
            clause="KO21-2.6",
        )
    if blind and (choose or not overrides):
        raise MalformedInput("--blind goes with --choice, and without --choose")
    require_print(pdf, png)
    own = _key(key)
    with _open(database, vault) as lottery:
        order = sales.Order(terminal, tickets, draws, draw)
        if choose:
            sold = finish_purchase(lottery, sales.begin_purchase(lottery, order, key=own))
        else:
            sold = sales.sell(lottery, order, key=own, blind=overrides).tickets
    print_tickets(sold, pdf, png, lottery.rules, as_json=as_json, key=own)


@app.command("choose")
def choose(
    purchase: Annotated[
        int, typer.Argument(metavar="PURCHASE", help="The purchase's number.", show_default=False)
    ],
    pdf: PdfFolder = None,
    png: PngFolder = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Go on with a purchase that was begun with `sell --choose`: see the hands, choose, print."""
    from cardroom.cli.lottery.tickets import finish_purchase, print_tickets, require_print
    from cardroom.lottery.choices import purchase_so_far

    require_print(pdf, png)
    with _open(database, vault) as lottery:
        begun = purchase_so_far(lottery, purchase)
        if begun.is_finished:
            raise Conflict(
                f"purchase {purchase} is printed; each of its tickets may be altered once", clause="KO21-2.7"
            )
        sold = finish_purchase(lottery, begun)
    print_tickets(sold, pdf, png, lottery.rules, as_json=as_json)


@app.command("alter")
def alter(
    number: ControlNumber,
    choice: Overrides = None,
    key: Key = None,
    pdf: PdfFolder = None,
    png: PngFolder = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Change a ticket's choices, once and only once, before its sales close, and print it."""
    from cardroom.cli.lottery.tickets import parse_choices, print_tickets, require_print
    from cardroom.lottery import alteration

    overrides = parse_choices(choice or [])
    if not overrides:
        raise MalformedInput("say what to alter: --choice HAND=H or --choice HAND=S")
    require_print(pdf, png)
    own = _key(key)
    with _open(database, vault) as lottery:
        ticket = alteration.alter(lottery, number, overrides, key=own)
    print_tickets((ticket,), pdf, png, lottery.rules, as_json=as_json, key=own)


@app.command("reprint")
def reprint(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key that the tickets were bought with.")],
    pdf: PdfFolder = None,
    png: PngFolder = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Print the tickets of a purchase again, as they stand; a lost ticket is another matter (`lost`)."""
    from cardroom.cli.lottery.tickets import print_tickets, require_print
    from cardroom.lottery.sales import purchase_of_key
    from cardroom.lottery.tickets import PrintedTicket

    require_print(pdf, png)
    with _open(database, vault) as lottery:
        tickets = purchase_of_key(lottery, key)
    prints = tuple(ticket for ticket in tickets if isinstance(ticket, PrintedTicket))
    if len(prints) < len(tickets):
        purchase = tickets[0].purchase
        raise Conflict(
            f"purchase {purchase} is not printed yet; go on with: cardroom lottery choose {purchase}"
        )
    print_tickets(prints, pdf, png, lottery.rules, as_json=as_json, key=key)


@app.command("close")
def close(
    draw: DrawNumber, database: DatabaseUrl = DEFAULT_DATABASE, vault: VaultFolder = DEFAULT_VAULT
) -> None:
    """Close a draw's sales and seal its pool."""
    from cardroom.lottery.draws import close_sales, seal_pool

    with _open(database, vault) as lottery:
        if close_sales(lottery, draw).status == "open":
            typer.echo(f"draw {draw} has too few tickets and is put off to the next draw time (KO21-3.2)")
            return
        sealed = seal_pool(lottery, draw)
    total = dollars(sealed.total_cents or 0)
    tickets = counted(sealed.ticket_count or 0, "ticket")
    typer.echo(f"draw {draw} is sealed: {tickets}, {total}, root {sealed.root}")


@app.command("draw")
def draw(
    draw: DrawNumber,
    manual: Annotated[
        bool, typer.Option("--manual", help="Out of its time, in an emergency: two people and a reason.")
    ] = False,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    reason: Annotated[str, typer.Option("--reason", help="Why it is drawn by hand.")] = "",
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Draw the cards of a sealed draw, in a process that sees no ticket."""
    from cardroom.cli.lottery.signed import override
    from cardroom.fair.draw_process import draw_apart
    from cardroom.lottery.draws import perform_draw

    if by and not manual:
        raise MalformedInput("a draw at its time needs no signature; --manual is for one out of its time")
    with _open(database, vault) as lottery:
        if manual:
            signatures = Signatures(lottery.database, by, password_file, code_of)
            override(lottery, signatures, draw, "draw", reason)
        drawn = perform_draw(lottery, draw, drawer=draw_apart)
    typer.echo(f"draw {draw}: {drawn.cards}")


@app.command("settle")
def settle(
    draw: DrawNumber, database: DatabaseUrl = DEFAULT_DATABASE, vault: VaultFolder = DEFAULT_VAULT
) -> None:
    """Settle a drawn draw and release its prizes."""
    from cardroom.lottery.reports import draw_report
    from cardroom.lottery.settlement import settle_draw

    with _open(database, vault) as lottery:
        settle_draw(lottery, draw)
        report = draw_report(lottery, draw)
    for game in report["account"]["games"]:
        prize = dollars(game["prize_cents"])
        typer.echo(f"Game {game['game']}: {counted(game['winners'], 'winner')}, {prize} each")


@app.command("check")
def check(
    number: ControlNumber,
    code: Annotated[
        str | None, typer.Option("--code", help="The print's code, to check the print too.")
    ] = None,
    terminal: Terminal = "cli",
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Say what a ticket is worth: not found, not yet drawn, no prize, prize, paid already, expired."""
    from cardroom.lottery.claims import check_ticket

    with _open(database, vault) as lottery:
        answer = check_ticket(lottery, number, terminal=terminal, code=code)
    if as_json:
        print_json({"answer": answer.verdict, "prize_cents": answer.prize_cents, "draw": answer.draw or None})
    else:
        typer.echo(str(answer))


@app.command("claim")
def claim(
    number: ControlNumber,
    code: Annotated[str, typer.Option("--code", help="The print's code.")],
    terminal: Terminal = "cli",
    key: Key = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Pay a prize, once; exit code 1 when there is nothing to pay."""
    from cardroom.lottery.claims import pay_prize

    with _open(database, vault) as lottery:
        own = _key(key)
        answer = pay_prize(lottery, number, code, terminal=terminal, key=own)
    if answer.verdict != "prize":
        typer.echo(str(answer))
        if answer.verdict == "waits for approval":
            typer.echo(f"an operator approves it: cardroom lottery approve {answer.ticket}", err=True)
        raise typer.Exit(1)
    typer.echo(f"paid: {answer}")
    typer.echo(f"key {own}: asked again with it, nothing is paid twice", err=True)


@app.command("record")
def record(
    draw: DrawNumber, database: DatabaseUrl = DEFAULT_DATABASE, vault: VaultFolder = DEFAULT_VAULT
) -> None:
    """Print a settled draw's record, which `cardroom verify draw` checks on any machine."""
    from cardroom.lottery.record import draw_record

    with _open(database, vault, only_reads=True) as lottery:
        typer.echo(draw_record(lottery, draw), nl=False)


@app.command("proof")
def proof(
    ticket: Annotated[str, typer.Argument(metavar="TICKET", help="The ticket's id.")],
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Print the proof that a ticket is in its draw's sealed pool."""
    from cardroom.lottery.record import proof_of_ticket

    with _open(database, vault, only_reads=True) as lottery:
        print_json(proof_of_ticket(lottery, ticket))


@app.command("verify")
def verify(
    head: Annotated[
        list[str] | None, typer.Option("--head", metavar="SEQ:HASH", help="A head of the log from elsewhere.")
    ] = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Check the log, the books, the rows, the seals and the control; exit code 1 names what is wrong."""
    from cardroom.lottery.reports import check_log
    from cardroom.store.log import LogHead

    require_database(database)
    heads = [LogHead.parse(text) for text in head or []]
    with _open(database, vault, only_reads=True) as lottery:
        log_check = check_log(lottery, heads)
    for fault in log_check.faults:
        typer.echo(fault)
    if log_check.faults:
        raise typer.Exit(1)
    typer.echo(
        f"all in order: {counted(log_check.head.seq, 'record')}\nhead {log_check.head}\ncode {log_check.code}"
    )


@app.command("simulate-day")
def simulate(
    buyers: Annotated[int, typer.Option("--buyers", help="How many visits buyers make.")] = 3000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed, the same day.")] = 1,
    faults: Annotated[
        bool, typer.Option("--faults/--no-faults", help="Crashes, lost answers, wrong clock.")
    ] = True,
    check_every: Annotated[int, typer.Option("--check-every", help="Steps between full checks.")] = 3000,
    changes: Changes = None,
    rules: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Run a whole day in seconds on a database that is thrown away, and check all that must hold."""
    import dataclasses
    import tempfile

    from cardroom.lottery.simulate import simulate_day
    from cardroom.rules.knockout21 import Knockout21Rules

    house = house_rules_as(Knockout21Rules, GAME, changes, rules)
    if buyers < 0 or check_every < 1 or seed < 0:
        raise MalformedInput("--buyers and --seed are 0 or more, --check-every 1 or more")
    with tempfile.TemporaryDirectory(prefix="cardroom-day-") as folder:
        url = f"sqlite:///{Path(folder) / 'day.db'}"
        result = simulate_day(
            url,
            house,
            seed=seed,
            buyers=buyers,
            faults=faults,
            crash_one_in=CRASH_ONE_IN,
            check_every=check_every,
        )
    figures = dataclasses.asdict(result)
    if as_json:
        print_json(figures)
        return
    for name, value in figures.items():
        shown = dollars(value) if name.endswith("_cents") else f"{value:,}"
        typer.echo(f"{name.removesuffix('_cents').replace('_', ' '):15} {shown}")
    typer.echo("money conserved, no late sale, seals unchanged, prizes paid once, control and log agree")

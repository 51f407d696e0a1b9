"""`cardroom lottery rules|clock|zones|correct-expiry|rebuild`: what a lottery needs over the years."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.lottery.commands import DEFAULT_VAULT, GAME, DatabaseUrl, DrawNumber, VaultFolder, _open
from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import print_json
from cardroom.cli.signing import By, Codes, PasswordFiles, Signatures
from cardroom.core.errors import MalformedInput
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.presentation.numbers import counted

if TYPE_CHECKING:
    from cardroom.lottery.house import Lottery
    from cardroom.rules.knockout21 import Knockout21Rules

Reason = Annotated[str, typer.Option("--reason", help="Why; the log keeps it.")]


def wanted_rules(
    lottery: Lottery, day: str, changes: list[str] | None, file: Path | None
) -> Knockout21Rules | None:
    """The rules of a file, or those of a day with some changes; None where neither is given."""
    from cardroom.lottery.schedule import parse_day
    from cardroom.rules import change_rules, parse_changes
    from cardroom.rules.knockout21 import Knockout21Rules

    if file is not None:
        return house_rules_as(Knockout21Rules, GAME, changes, file)
    if not changes:
        return None
    with lottery.database.read() as connection:
        in_force = lottery.rules_on(connection, parse_day(day))
    changed = change_rules(in_force, parse_changes(changes))
    if changed.game != GAME:
        raise MalformedInput(f"--set game holds rules of {changed.game}, not of {GAME}")
    return changed


def signed_rules(
    lottery: Lottery, signatures: Signatures, rules: Knockout21Rules, from_day: date, *, reason: str
) -> list[str]:
    """Set rules from a day on: two people sign, but for the first rules of a lottery; who they were."""
    from cardroom.lottery.house_rules import has_rules, set_rules

    if has_rules(lottery):
        names = _two(signatures, "a change of rules")
    elif signatures.names:
        names = [signatures.one("operate", "the first rules").name]
    else:
        names = ["the command line"]
    set_rules(lottery, rules, from_day, by=names, reason=reason)
    return names


def who_opens(
    lottery: Lottery, signatures: Signatures, day: date, changes: list[str] | None, file: Path | None
) -> str:
    """Who opens a day, with other rules than those in force where some are given: these are set first."""
    new = wanted_rules(lottery, day.isoformat(), changes, file)
    with lottery.database.read() as connection:
        in_force = lottery.rules_on(connection, day)
    if new is not None and new != in_force:
        return " and ".join(signed_rules(lottery, signatures, new, day, reason=""))
    return signatures.one("operate", "opening a day").name if signatures.names else "the command line"


def _two(signatures: Signatures, what: str) -> list[str]:
    return sorted(signatures.two(what))


def rules(
    from_day: Annotated[
        str | None, typer.Option("--from", metavar="DAY", help="Set rules from this day on, 2025-06-14.")
    ] = None,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    reason: Reason = "",
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    changes: Changes = None,
    rules: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Show the rules and the days from which they hold, or set those of a day and all that follow it."""
    from cardroom.cli.output import changed_options, option_text
    from cardroom.lottery.house_rules import rules_by_day
    from cardroom.lottery.schedule import parse_day

    with _open(database, vault) as lottery:
        if from_day is not None:
            new = wanted_rules(lottery, from_day, changes, rules)
            if new is None:
                raise MalformedInput("say which rules: --rules FILE, or changes by --set KEY=VALUE")
            signatures = Signatures(lottery.database, by, password_file, code_of)
            signed_rules(lottery, signatures, new, parse_day(from_day), reason=reason)
        elif changes or rules:
            raise MalformedInput("say from which day on the rules hold: --from DAY")
        with lottery.database.read() as connection:
            by_day = rules_by_day(lottery, connection) or {"": lottery.rules}
    if as_json:
        print_json(
            [
                {
                    "from": day or None,
                    "rules_hash": one.rules_hash,
                    "rules": json.loads(one.canonical_text()),
                }
                for day, one in by_day.items()
            ]
        )
        return
    for day, one in by_day.items():
        typer.echo(f"{'from ' + day if day else 'from the first day'}: rules {one.rules_hash}")
        for key, (value, default) in changed_options(one).items():
            typer.echo(f"  {key} = {option_text(value)} (the game's own: {option_text(default)})")


def clock(
    accept: Annotated[
        bool, typer.Option("--accept", help="The clock is right: nobody ran the lottery. Two people sign.")
    ] = False,
    put_back: Annotated[
        bool, typer.Option("--put-back", help="The clock is right, the log's time is not. Two people sign.")
    ] = False,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    reason: Reason = "",
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Show the clock beside the log; accept a time that was not expected, or put the log's time right."""
    from cardroom.lottery.clock_care import accept_clock, clock_state, put_clock_back

    if accept and put_back:
        raise MalformedInput("either --accept or --put-back")
    with _open(database, vault) as lottery:
        signatures = Signatures(lottery.database, by, password_file, code_of)
        if accept:
            accept_clock(lottery, operators=_two(signatures, "accepting a clock"), reason=reason)
        elif put_back:
            put_clock_back(lottery, operators=_two(signatures, "putting the log's time back"), reason=reason)
        state = clock_state(lottery)
    typer.echo(f"the clock            {_moment(state.now)}")
    typer.echo(f"the log's last       {_moment(state.log_time)}")
    typer.echo(f"goes on by itself to {_moment(state.latest)}")
    typer.echo(f"the lottery waits: {state.why_not}" if state.why_not else "the lottery goes on")


def _moment(moment: datetime | None) -> str:
    from cardroom.store.log import time_text

    return "not yet" if moment is None else time_text(moment)


def zones(
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Reckon local times by this machine's time zones from now on, once every machine has them."""
    from cardroom.lottery.clock_care import change_zone_data

    with _open(database, vault) as lottery:
        who = Signatures(lottery.database, by, password_file, code_of).one("operate", "new time zones")
        before, after = change_zone_data(lottery, by=[who.name])
    typer.echo(
        f"time zones of tzdata {after}, no longer of {before}; days that are committed keep their times"
    )


def correct_expiry(
    draw: DrawNumber,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    reason: Reason = "",
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Let prizes be claimed again that were booked as expired before their time; two people sign."""
    from cardroom.lottery import claims

    with _open(database, vault) as lottery:
        signatures = Signatures(lottery.database, by, password_file, code_of)
        two = _two(signatures, "taking back an expiry")
        count = claims.correct_expiry(lottery, draw, operators=two, reason=reason)
    typer.echo(f"{counted(count, 'prize')} of draw {draw} can be claimed again")


def rebuild(
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    reason: Reason = "",
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Make rows anew from the log where they are not what it says; two people sign."""
    from cardroom.lottery.rebuilding import rebuild_rows

    with _open(database, vault) as lottery:
        signatures = Signatures(lottery.database, by, password_file, code_of)
        faults = rebuild_rows(lottery, operators=_two(signatures, "making rows anew"), reason=reason)
    for fault in faults:
        typer.echo(fault)
    typer.echo(f"made anew from the log: {counted(len(faults), 'fault')} put right")

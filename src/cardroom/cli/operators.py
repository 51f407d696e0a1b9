"""`cardroom operators`: the accounts of those who run the house."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json
from cardroom.cli.per_game import plain_typer
from cardroom.cli.signing import By, Codes, PasswordFiles, Signatures, chosen_password
from cardroom.core.errors import MalformedInput
from cardroom.core.places import DEFAULT_DATABASE

if TYPE_CHECKING:
    from cardroom.store.database import Database

app = plain_typer(
    help="Accounts of those who run the house: found, appoint, password, list.", no_args_is_help=True
)

DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database", metavar="URL", help="sqlite:///FILE or postgresql://…", envvar="CARDROOM_DATABASE"
    ),
]
NewPassword = Annotated[
    list[Path] | None,
    typer.Option(
        "--new-password-file",
        metavar="FILE",
        help="A file with the new password of each name, in their order; else it is asked for, twice.",
        show_default=False,
    ),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.", show_default=False)]


@contextmanager
def opened(database: str) -> Iterator[Database]:
    """The house's database."""
    from cardroom.lottery.clock import SystemClock
    from cardroom.store.migrate import open_database

    with open_database(database, SystemClock()) as house:
        yield house


@app.command("found")
def first_operators(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME NAME…", help="The first operators.", show_default=False)
    ],
    new_password: NewPassword = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
) -> None:
    """Make the first accounts of a house that has none: two people or more, each with their own password."""
    from cardroom.web.security.accounts import found_house, operators_of
    from cardroom.web.security.operators import parse_name
    from cardroom.web.settings import Settings

    for name in names:
        parse_name(name)
    with opened(database) as house:
        operators = operators_of(house, Settings(database=database, key=b""))
        if len(operators) or len(names) < 2:
            found_house(house, operators, [(name, "") for name in names])
        people = list(zip(names, _chosen(names, new_password), strict=True))
        made = found_house(house, operators, people)
    hours = Settings(database=database, key=b"").second_person_hours
    typer.echo(f"{' and '.join(made)} are operators; they may sign together in {hours:g} hours")


def _chosen(names: list[str], files: list[Path] | None) -> list[str]:
    if files and len(files) != len(names):
        raise MalformedInput(f"{len(files)} password files for {len(names)} names; give one for each")
    return [chosen_password(name, files[place] if files else None) for place, name in enumerate(names)]


@app.command("appoint")
def appoint(
    name: Name,
    role: Annotated[str, typer.Option("--role", help="operator, auditor or floor.")] = "operator",
    new_password: NewPassword = None,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
) -> None:
    """Give somebody an account, or another role and password; an operator signs, two for an operator."""
    from cardroom.web.security.accounts import appoint as appoint_in_house
    from cardroom.web.security.operators import parse_name, parse_role

    wanted = parse_role(role)
    with opened(database) as house:
        signatures = Signatures(house, by, password_file, code_of)
        who, second = signatures.appointers(parse_name(name), wanted)
        signatures.operators.role_before(name, wanted)
        (password,) = _chosen([name], new_password)
        appoint_in_house(house, signatures.operators, name, wanted, password, by=who, second=second)
    people = who if second is None else f"{who} and {second}"
    typer.echo(
        f"{name} is {role}, appointed by {people}; the first password is good for choosing another one"
    )


@app.command("password")
def password(
    by: By = None,
    password_file: PasswordFiles = None,
    new_password: NewPassword = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
) -> None:
    """Choose a new password of your own: `--by` is you, with the password that you have."""
    from cardroom.web.security.accounts import change_password

    with opened(database) as house:
        signatures = Signatures(house, by, password_file, code_of)
        who = signatures.known("a new password")
        (chosen,) = _chosen([who.name], new_password)
        change_password(house, who.name, chosen)
    typer.echo(f"{who.name} has a new password")


@app.command("list")
def list_operators(database: DatabaseUrl = DEFAULT_DATABASE, as_json: Json = False) -> None:
    """Everybody who has an account, with who appointed them and when."""
    from cardroom.web.security.accounts import operators_of
    from cardroom.web.settings import Settings

    require_database(database)
    with opened(database) as house:
        people = operators_of(house, Settings(database=database, key=b"")).names()
    if as_json:
        print_json(
            [
                {
                    "name": one.name,
                    "role": one.role,
                    "appointed_by": one.appointed_by,
                    "seconded_by": one.seconded_by,
                    "appointed_at": one.appointed_at.isoformat(),
                    "chose_password": one.chose_password,
                    "second_factor": one.second_factor is not None,
                }
                for one in people
            ]
        )
        return
    table = plain_table("Name", "Role", "Appointed by", "At", "Own password", "Codes")
    for one in people:
        table.add_row(
            one.name,
            one.role,
            one.appointed_by if one.seconded_by is None else f"{one.appointed_by} and {one.seconded_by}",
            f"{one.appointed_at:%Y-%m-%d %H:%M} UTC",
            "yes" if one.chose_password else "not yet",
            "yes" if one.second_factor else "no",
        )
    console().print(table)

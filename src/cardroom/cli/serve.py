"""`cardroom serve`: the card room on the web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.core.extras import require


def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; only this machine unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 for any that is free.", min=0, max=65535)] = 2121,
    database: Annotated[
        str | None, typer.Option(help="sqlite:///FILE or postgresql://…; else a file in var/.")
    ] = None,
    vault: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the lottery's secrets are kept, of this house alone; else beside the database.",
            envvar="CARDROOM_VAULT",
            show_default=False,
        ),
    ] = None,
    archives: Annotated[
        Path | None,
        typer.Option(help="The folder of archive files, where it is not the one they were written to."),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="A draw every two minutes, with simulated buyers.")
    ] = False,
    https: Annotated[
        bool, typer.Option("--https", help="Cookies for HTTPS only, behind a proxy that speaks it.")
    ] = False,
    public_url: Annotated[
        str | None,
        typer.Option(help="The address visitors know, such as https://cards.example; implies --https there."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="A proxy whose X-Forwarded-For is believed: address or network; repeatable."),
    ] = None,
    operations: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Where operations answer, and nowhere else, such as 127.0.0.1:2122; else beside the pages.",
        ),
    ] = None,
    changes_per_address: Annotated[
        float,
        typer.Option(
            help="How many wagers, decisions, tickets a second one address may send in the long run.", min=1
        ),
    ] = 20.0,
) -> None:
    """Open the card room: pages and API."""
    require("the card room on the web", "web", "fastapi", "sqlalchemy", "uvicorn")
    from cardroom.store.mark import mark_file
    from cardroom.web.security.doors import parse_address
    from cardroom.web.security.peers import parse_proxies
    from cardroom.web.server import run
    from cardroom.web.settings import Settings, default_database, key_file, key_for, parse_public_url

    address = database or default_database(demo=demo)
    run(
        Settings(
            database=address,
            key=key_for(address),
            vault=vault,
            mark=mark_file(key_file(address), address),
            archives=archives,
            host=host,
            port=port,
            demo=demo,
            warm=True,
            secure_cookies=https or (public_url or "").startswith("https:"),
            public_url=parse_public_url(public_url),
            proxies=parse_proxies(proxy or []),
            operations=parse_address(operations) if operations else None,
            changes_per_second=changes_per_address,
        )
    )

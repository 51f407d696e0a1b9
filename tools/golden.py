"""The golden set of a version: one of everything that Cardroom keeps, as data in tests/golden/<version>.

    python -m tools.golden

An evening in a small house, with a clock set by hand and chance from a number, so that the same program
writes the same bytes. The tests read, replay and verify the set of every version there is; CONTRIBUTING says
when a set may be written anew.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select

import cardroom
from cardroom.engine import knockout52
from cardroom.engine.knockout52 import Stakes
from cardroom.fair.entropy import Rehearsal
from cardroom.fair.open_shoe import opening_line, round_line
from cardroom.fair.record import CommittedShoe
from cardroom.fair.replay import replay_of
from cardroom.fair.seeds import SEED_BYTES, Seed
from cardroom.lottery.house import Lottery
from cardroom.lottery.record import draw_record, proof_of_ticket
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records import KINDS, canonical, house
from cardroom.rules import load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm
from cardroom.store import lottery as rows
from cardroom.store.database import Database
from cardroom.store.migrate import NEWEST
from cardroom.store.schema import metadata
from cardroom.store.sealing import seal, sealing_limit
from cardroom.web.memory import in_use
from tools.golden_evening import KEY, REPEATABLE, Evening, nothing_by_chance

GOLDEN: Final = Path(__file__).resolve().parents[1] / "tests" / "golden"


def dump(database: Database) -> str:
    """All rows of all tables, a line each."""
    lines = [canonical({"revision": NEWEST})]
    with database.read() as connection:
        for table in metadata.sorted_tables:
            statement = select(table).order_by(*table.primary_key)
            lines += [canonical([table.name, dict(row)]) for row in connection.execute(statement).mappings()]
    return "\n".join(lines) + "\n"


def schema(database: Database) -> tuple[str, str]:
    """The statements that made SQLite's tables, and those of its triggers."""
    statement = "SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, name"
    with database.engine.connect() as connection:
        found = [(kind, sql) for kind, sql in connection.exec_driver_sql(statement)]
    tables_first = [sql for wanted in ("table", "index") for kind, sql in found if kind == wanted]
    triggers = [sql for kind, sql in found if kind == "trigger"]
    return ";\n".join(tables_first) + ";\n", ";\n".join(triggers) + ";\n"


def broken_off() -> tuple[str, str]:
    """A shoe in play, as a record file holds it, and its envelope."""
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    seed = Seed(Rehearsal(REPEATABLE).take(SEED_BYTES))
    deck = replay_of(rules).deck(rules)
    shoe = CommittedShoe.of(rules, shoe_id="golden", deck=deck, seed=seed)
    game, _ = knockout52.start(rules, [Stakes("Ann", {"round-1": 500})])
    for card in shoe.cards()[:5]:
        game, _ = knockout52.step(game, card)
    line = round_line("golden", 0, knockout52.format_game(game, RulesForm.APART))
    return f"{opening_line(shoe, salt=b'')}\n{line}\n", f"{seed}\n"


def written_ticket(lottery: Lottery, ticket: PrintedTicket) -> dict[str, Any]:
    """A printed ticket as data: what it shows, what finds it, and its proof where its pool is sealed."""
    with lottery.database.read() as connection:
        draw = rows.find_draw(connection, ticket.draw)
    sealed = draw is not None and draw.root is not None
    return {
        "id": ticket.id,
        "control_number": ticket.control_number,
        "code": ticket.code,
        "text": ticket.text(),
        "proof": proof_of_ticket(lottery, ticket.id) if sealed else None,
    }


def write(folder: Path) -> None:
    """Write the golden set."""
    with tempfile.TemporaryDirectory() as scratch, nothing_by_chance():
        file = Path(scratch) / "golden.sqlite3"
        evening = Evening(f"sqlite:///{file}")
        evening.tables()
        evening.people()
        evening.operations()
        evening.draws()
        evening.save()
        evening.write(house.LoggedOut(name="manager"))  # one record that the checkpoint does not have
        database, lottery = evening.house.database, evening.lottery
        with database.read() as connection:
            log = list(rows.records(connection))
        missing = set(KINDS) - {record.kind for record in log}
        if missing:
            raise SystemExit(f"the golden evening has no {', '.join(sorted(missing))}")
        tables_sql, triggers_sql = schema(database)
        shoes = [str(record.content["proof"]) for record in log if record.kind == "TwentyOneShoeEnded"]
        shoes += [str(record.content["record"]) for record in log if record.kind == "Knockout52GameEnded"]
        tickets = [canonical(written_ticket(lottery, ticket)) for ticket in evening.prints]
        open_shoe, envelope = broken_off()
        texts = {
            "database.jsonl": dump(database),
            "schema.sql": tables_sql,
            "triggers.sql": triggers_sql,
            "shoes.jsonl": "".join(shoe.rstrip("\n") + "\n" for shoe in shoes),
            "broken-off.jsonl": open_shoe,
            "broken-off.envelope": envelope,
            "draw.json": draw_record(lottery, 1),
            "tickets.jsonl": "\n".join(tickets) + "\n",
            "house.json": json.dumps(
                {"key": KEY.hex(), "repeatable": REPEATABLE, "now": evening.clock.now().isoformat()}
            )
            + "\n",
            **{f"{name}.txt": text for name, text in evening.notations.items()},
        }
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, text in sorted(texts.items()):
            (folder / name).write_text(text, "utf-8")
        with database.read() as connection:
            limit = sealing_limit(connection, evening.clock.now(), evening.house.checkpoints.last())
        for _ in seal(database, folder, limit, in_use(evening.house.checkpoints)):
            pass
        database.close()


if __name__ == "__main__":
    target = GOLDEN / cardroom.__version__
    write(target)
    files = list(target.iterdir())
    size = sum(file.stat().st_size for file in files)
    print(f"wrote {len(files)} files, {size:,} bytes, into {target.relative_to(GOLDEN.parents[1])}")

"""Operations: reports of money, as data, text, CSV and PDF."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from fastapi import Query
from fastapi.responses import Response

from cardroom.lottery.finance.report import FinanceReport, finance_report
from cardroom.lottery.schedule import parse_day, wall_clock
from cardroom.web.api.knockout21 import lottery_of
from cardroom.web.api.operations import Operating
from cardroom.web.api.parts import HouseHere
from cardroom.web.house import House
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations", tags=["operations"])

Day = Annotated[str, Query(max_length=10, examples=["2025-06-14"])]
Terminal = Annotated[str, Query(max_length=64)]
Form = Literal["json", "text", "csv", "pdf"]


@router.get("/finance", response_class=Response)
async def get_finance(
    login: Operating,
    house: HouseHere,
    first: Day = "",
    last: Day = "",
    terminal: Terminal = "",
    form: Form = "json",
) -> Response:
    """The lottery's money of some days: by draws, by cash, by terminal, pools, what is owed, the balance."""
    login.require("see")
    report = await desk.run(report_of, house, first, last, terminal)
    return await desk.run(_shown, report, form)


def today(house: House) -> date:
    """The day by the wall clock of the lottery."""
    return wall_clock(lottery_of(house).lottery.rules, house.now()).date()


def report_of(house: House, first: str, last: str, terminal: str) -> FinanceReport:
    """A report of the days that somebody asked for; of today unless told."""
    first_day = parse_day(first) if first else today(house)
    last_day = parse_day(last) if last else None
    return finance_report(lottery_of(house).lottery, first_day, last_day, terminal=terminal or None)


def _shown(report: FinanceReport, form: Form) -> Response:
    import msgspec

    from cardroom.lottery.finance.show import as_csv, as_data, as_pdf, as_text

    name = f"money-{report.first_day}-{report.last_day}.{'txt' if form == 'text' else form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    match form:
        case "json":
            return Response(msgspec.json.encode(as_data(report)), media_type="application/json")
        case "text":
            return Response(as_text(report), media_type="text/plain; charset=utf-8", headers=headers)
        case "csv":
            return Response(as_csv(report), media_type="text/csv; charset=utf-8", headers=headers)
        case "pdf":
            return Response(as_pdf(report), media_type="application/pdf", headers=headers)

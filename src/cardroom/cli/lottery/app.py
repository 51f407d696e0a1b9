"""All commands of `cardroom lottery` under one name."""

from __future__ import annotations

from cardroom.cli.lottery import care, desk, lost, signed
from cardroom.cli.lottery.commands import app

__all__ = ["app"]

for command in (
    signed.void,
    signed.hold,
    signed.release,
    signed.switch,
    desk.report,
    desk.finance,
    lost.lost,
    lost.stop,
    lost.lift,
    lost.reissue,
    lost.approvals,
    lost.approve,
    lost.approval_from,
):
    app.command(command.__name__.replace("_", "-"))(command)
app.command("rules")(care.rules)
app.command("clock")(care.clock)
app.command("zones")(care.zones)
app.command("correct-expiry")(care.correct_expiry)
app.command("rebuild")(care.rebuild)

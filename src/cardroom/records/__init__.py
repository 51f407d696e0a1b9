"""Every kind of record that the log holds, typed and versioned, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from cardroom.records import desk, floor, house, lottery, players, tables
from cardroom.records.base import Record, UnknownRecord, canonical

PlayerRecord = (
    players.PlayerWelcomed
    | players.ChipsTaken
    | players.PlayerNamed
    | players.LimitSet
    | players.BreakTaken
    | players.RealityCheckSet
    | players.RealityChecked
    | players.PlayerDisabled
    | players.PlayerEnabled
)
HouseRecord = (
    house.PlayDisabled
    | house.PlayEnabled
    | house.OperatorAppointed
    | house.LoggedIn
    | house.LoggedOut
    | house.HouseFounded
    | house.PasswordChanged
    | house.SecondFactorSet
    | house.LoginRefused
    | house.CookieRefused
    | house.RequestRefused
    | house.LogChecked
    | house.SettingChanged
    | house.SecretsRetired
    | house.ClockAccepted
    | house.ClockPutBack
    | house.ZoneDataChanged
    | house.DrawVerified
    | house.OverrideRefused
    | house.DrawOverridden
)
TwentyOneRecord = (
    tables.TableRequestGranted
    | tables.TableRulesAnnounced
    | tables.TwentyOneRoundEnded
    | tables.TwentyOneShoeEnded
)
Knockout52Record = (
    tables.Knockout52ShoeCommitted
    | tables.Knockout52WagersPlaced
    | tables.Knockout52WagersClosed
    | tables.Knockout52SaltRevealed
    | tables.Knockout52DealStarted
    | tables.Knockout52CardDealt
    | tables.Knockout52GameEnded
)
FloorRecord = floor.FloorCalled | floor.FloorAnswered | floor.TableFrozen | floor.TableReleased
"""What the floor does at a table, whatever is played there."""
PlayRecord = TwentyOneRecord | Knockout52Record | FloorRecord
"""What happens at a table once it is there."""
TableOpened = tables.TwentyOneTableOpened | tables.Knockout52TableOpened
"""A table is there from now on."""
TableRecord = (
    TableOpened
    | PlayRecord
    | tables.TableClosed
    | tables.TableCleared
    | tables.RoundJudged
    | floor.RoundCorrected
)
DeskRecord = (
    desk.LostTicketSought
    | desk.TicketStopped
    | desk.StopLifted
    | desk.TicketReissued
    | desk.ApprovalAsked
    | desk.PrizeApproved
    | desk.PrizeDeclined
)
LotteryRecord = (
    lottery.DayCommitted
    | lottery.LotteryRulesSet
    | lottery.DaysWithoutDraws
    | lottery.DrawOpened
    | lottery.DrawPostponed
    | lottery.DrawClosed
    | lottery.DrawSealed
    | lottery.DrawHeld
    | lottery.DrawReleased
    | lottery.DrawDrawn
    | lottery.DrawSettled
    | lottery.LargeWinNoted
    | lottery.DrawVoided
    | lottery.TicketsSold
    | lottery.ChoicesSaved
    | lottery.ChoicesMade
    | lottery.TicketAltered
    | lottery.TicketChecked
    | lottery.ClaimRefused
    | lottery.PrizePaid
    | lottery.PrizesExpired
    | lottery.ExpiryCorrected
    | lottery.RowsRebuilt
    | DeskRecord
)
AnyRecord = PlayerRecord | HouseRecord | TableRecord | LotteryRecord
"""Whatever can stand in the log: who handles records by `match` handles all of these, or mypy says so."""

KINDS: Final[Mapping[str, type[AnyRecord]]] = {kind.__name__: kind for kind in get_args(AnyRecord)}


def record_class(kind: str) -> type[AnyRecord]:
    """The class of a kind of record; it reads stored content of every version."""
    known = KINDS.get(kind)
    if known is None:
        raise UnknownRecord(f"{kind[:60]!r} is no kind of record that this program knows")
    return known


def read_record(kind: str, content: dict[str, Any]) -> AnyRecord:
    """The record of a kind and its stored content, whatever version it was written in."""
    return record_class(kind).read(content)


__all__ = ["KINDS", "AnyRecord", "Record", "UnknownRecord", "canonical", "read_record", "record_class"]

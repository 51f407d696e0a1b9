"""What people ask of a table, each with a text that parses back: the log of a table is made of them.

>>> parse_request(format_request(PlaceWagers("Ann", 3, 400, {"21+3": 200})))
PlaceWagers(player='Ann', spot=3, stake_cents=400, side={'21+3': 200})
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Final, Literal, get_args

from cardroom.core.errors import MalformedInput

End = Literal["front", "back"]
"""The ends of a shoe."""
Departure = Literal["said so", "gone", "idle", "offer lapsed", "table closes", "floor"]
"""Why somebody leaves: by their own word, or because the house ended their stay."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open the table: inspect its decks (PROC-1), and set meters to what they showed before."""

    decks: tuple[str, ...] = ()
    """The cards of every deck; new, complete decks when not given."""
    meters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Close:
    """Close the table between rounds."""


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Change the house rules between rounds to those of a canonical text (R-47)."""

    who: str
    rules: str


@dataclass(frozen=True, slots=True)
class Sit:
    """Come to the table."""

    player: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for a spot at a full table (PROC-3)."""

    player: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table; `why` says where it was not the player's own word."""

    player: str
    why: Departure = "said so"


@dataclass(frozen=True, slots=True)
class TakeSpot:
    """Take a free spot."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class ReleaseSpot:
    """Give a spot up; or the floor takes it from its player."""

    player: str
    spot: int
    by_floor: bool = False


@dataclass(frozen=True, slots=True)
class PlaceWagers:
    """All wagers of a spot for the next round; they replace what stood there."""

    player: str
    spot: int
    stake_cents: int
    side: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClearWagers:
    """Take the wagers of a spot back before the round."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class ReturnWagers:
    """The house gives wagers of a spot back before the round: all of them, or the side wagers named."""

    spot: int
    why: str
    side: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle and commit to the result; what stands here comes from the dealer's `commit`."""

    shoe_id: str
    deck: str
    commitment: str
    sealed_seed: str
    origin: str
    takes_salts: bool = False
    """Whether the players' browsers add salts to it."""


@dataclass(frozen=True, slots=True)
class CutShoe:
    """Cut the shuffled cards; `player` is None where no player would (PROC-6)."""

    player: str | None
    cards_deep: int
    end: End = "back"
    words: str = ""
    """Anything the player wants in the shuffle, in the fair mode."""


@dataclass(frozen=True, slots=True)
class PlaceCutCard:
    """The dealer's cut from the back (PROC-6); a burn is due unless the floor says otherwise (PROC-7)."""

    cards_deep: int
    burn: bool = True


@dataclass(frozen=True, slots=True)
class ChangeDealer:
    """A dealer takes over and burns, unless the floor says otherwise (PROC-7)."""

    dealer: str
    burn: bool = True


@dataclass(frozen=True, slots=True)
class CommitSalt:
    """The hash of a player's salt, with the player's first wager from a shoe."""

    player: str
    salt_hash: str


@dataclass(frozen=True, slots=True)
class CloseWagers:
    """No more wagers on the first round of a shoe: the salts are asked for."""

    holds: bool = False
    """Whether the stakes leave the purses now; in older logs they did when the round began."""


@dataclass(frozen=True, slots=True)
class RevealSalt:
    """A salt whose hash was given before."""

    salt: str


@dataclass(frozen=True, slots=True)
class CloseSalts:
    """What was revealed goes into the shoe; who did not reveal in time is left out."""


@dataclass(frozen=True, slots=True)
class StartRound:
    """No more wagers: check them and begin."""


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal the next card of the round from the shoe."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a player says in turn, such as `hit` or `insure 2.50`."""

    player: str
    spot: int
    action: str
    by_clock: bool = False
    """Whether the time for an answer was over and the clock decided."""


Request = (
    Open
    | Close
    | ChangeRules
    | Sit
    | Wait
    | Leave
    | TakeSpot
    | ReleaseSpot
    | PlaceWagers
    | ClearWagers
    | ReturnWagers
    | Shuffle
    | CutShoe
    | PlaceCutCard
    | ChangeDealer
    | CommitSalt
    | CloseWagers
    | RevealSalt
    | CloseSalts
    | StartRound
    | DealCard
    | Act
)

_KINDS: Final[tuple[type[Request], ...]] = Request.__args__
_BY_NAME: Final = {re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower(): kind for kind in _KINDS}
_NAMES: Final = {kind: name for name, kind in _BY_NAME.items()}
_CHECKS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "str": str,
    "str | None": (str, type(None)),
    "int": int,
    "bool": bool,
    "tuple[str, ...]": list,
    "Mapping[str, int]": dict,
    "End": str,
    "Departure": str,
}
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {"End": get_args(End), "Departure": get_args(Departure)}
"""The words that a field of a kind may hold."""


def request_content(request: Request) -> dict[str, Any]:
    """A request as JSON values, without what is as usual."""
    content: dict[str, Any] = {"request": _NAMES[type(request)]}
    for item in fields(request):
        value = getattr(request, item.name)
        usual = item.default_factory() if item.default_factory is not MISSING else item.default
        if value != usual:
            content[item.name] = (
                list(value)
                if isinstance(value, tuple)
                else dict(value)
                if isinstance(value, Mapping)
                else value
            )
    return content


def format_request(request: Request) -> str:
    """A request as one line of JSON."""
    return json.dumps(request_content(request), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def parse_request(line: str | Mapping[str, Any]) -> Request:
    """Read a request, from its line or its content; nothing may be missing, extra or misshapen."""
    if isinstance(line, str):
        try:
            line = json.loads(line)
        except ValueError:
            raise MalformedInput(f"{str(line)[:60]!r} is not a request: no JSON") from None
    if not isinstance(line, Mapping) or line.get("request") not in _BY_NAME:
        raise MalformedInput(f"{str(line)[:60]!r} is not a request; the requests are {', '.join(_BY_NAME)}")
    content = {name: value for name, value in line.items() if name != "request"}
    kind = _BY_NAME[line["request"]]
    values: dict[str, Any] = {}
    for item in fields(kind):
        if item.name in content:
            values[item.name] = _checked(line["request"], item.name, str(item.type), content.pop(item.name))
        elif item.default is MISSING and item.default_factory is MISSING:
            raise MalformedInput(f"{line['request']!r} needs {item.name!r}")
    if content:
        raise MalformedInput(f"{line['request']!r} has no {', '.join(sorted(content))}")
    return kind(**values)


def _checked(request: str, name: str, wanted: str, value: Any) -> Any:
    fits = isinstance(value, _CHECKS[wanted]) and (wanted == "bool" or not isinstance(value, bool))
    if wanted in _WORDS:
        fits = value in _WORDS[wanted]
    elif wanted == "tuple[str, ...]" and fits:
        fits = all(isinstance(part, str) for part in value)
        value = tuple(value)
    elif wanted == "Mapping[str, int]" and fits:
        fits = all(isinstance(part, int) and not isinstance(part, bool) for part in value.values())
    if not fits:
        raise MalformedInput(f"{request!r}: {str(value)[:40]!r} is no {name.replace('_', ' ')}")
    return value

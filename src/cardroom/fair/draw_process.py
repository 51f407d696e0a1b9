"""The drawing process: a draw's secret and seal in, its cards out, and nothing else in reach (R-18).

It is run as a program of its own, with an empty environment: `python -I -m cardroom.fair.draw_process`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import Unavailable
from cardroom.engine.knockout21.draw import Draw
from cardroom.fair.draw import DrawnCards, DrawSeal, draw_cards
from cardroom.fair.seeds import Seed

_LONGEST_SECONDS: Final = 60


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Draw what is asked for."""
    seal = DrawSeal(
        number=int(request["number"]),
        rules_hash=str(request["rules_hash"]),
        root=bytes.fromhex(request["root"]),
        first_cards=parse_cards(request["first_cards"]),
    )
    drawn = draw_cards(Seed.parse(request["secret"]), seal)
    return {
        "cards": str(drawn.draw),
        "words_used": drawn.words_used,
        "words_rejected": drawn.words_rejected,
    }


def draw_apart(secret: Seed, seal: DrawSeal) -> DrawnCards:
    """The same as `draw_cards`, in a process that is told only this."""
    request = {
        "secret": str(secret),
        "number": seal.number,
        "rules_hash": seal.rules_hash,
        "root": seal.root.hex(),
        "first_cards": format_cards(seal.first_cards),
    }
    process = subprocess.run(
        [sys.executable, "-I", "-m", "cardroom.fair.draw_process"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        env={},
        timeout=_LONGEST_SECONDS,
        check=False,
    )
    if process.returncode != 0:
        raise Unavailable("the drawing process failed; the draw is not drawn and can be tried again")
    answer = json.loads(process.stdout)
    return DrawnCards(Draw.parse(answer["cards"]), answer["words_used"], answer["words_rejected"])


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(json.load(sys.stdin))))

"""Published figures that take a long simulation: within their errors, or with a reason that holds.

`cardroom audit` and `make thorough` play all rounds; `make test` plays fewer, with larger errors, in
which a small difference that is explained may not be seen.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardroom.lab.audit import protection, twentyone
from cardroom.lab.audit.rows import audit
from cardroom.lab.published.figures import PublishedFigure
from tests.published.long_simulations import SIMULATED
from tests.thorough import WANTED

pytestmark = pytest.mark.slow

FEWER = 8


@pytest.fixture(autouse=True, scope="module")
def _fewer_rounds() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if not WANTED:
            patch.setattr(twentyone, "SPOT_ROUNDS", twentyone.SPOT_ROUNDS // FEWER)
            patch.setattr(protection, "CUT_SHOES", protection.CUT_SHOES // FEWER)
        twentyone._spots_text.cache_clear()
        yield
        twentyone._spots_text.cache_clear()


def _rules_first(figure: PublishedFigure) -> tuple[str, str]:
    return str(figure.changes), figure.quantity


# Figures of the same rules stand together: their rounds are played once.
_SORTED: list[PublishedFigure] = sorted(SIMULATED, key=_rules_first)


@pytest.mark.parametrize(
    "figure", _SORTED, ids=lambda figure: f"{figure.quantity} {figure.printed} {len(figure.changes)}"
)
def test_published(figure: PublishedFigure) -> None:
    """A figure agrees unless a reason is registered with it; with all rounds, only where it must."""
    (line,) = audit([figure])
    if figure.difference is None:
        assert line.verdict == "agrees", line
    else:
        assert line.verdict == "explained" or (line.verdict == "agrees" and not WANTED), line

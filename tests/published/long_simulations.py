"""The published figures that take a long simulation; a file of tests has them to itself."""

from __future__ import annotations

from cardroom.lab.published.protection import FAMILY

_LONG = ("of two spots with a cut card", "cost of the cut card")
SIMULATED = [figure for figure in FAMILY if any(part in figure.quantity for part in _LONG)]

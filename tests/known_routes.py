"""What FastAPI works out for each address is worked out once in a process of the tests, not for every house.

All houses of the tests have the same routers; a house is asked for few of their addresses, each a few times.
"""

from __future__ import annotations

from typing import Any

from fastapi import routing

_known: dict[tuple[int, str, bool], tuple[Any, Any]] = {}


def take_over() -> None:
    """From now on, in this process; a route is the same where it is the same object at the same address."""
    work_out = routing._IncludedRouter._build_effective_context

    def known(self: Any, route: Any) -> Any:
        if not isinstance(route, routing.APIRoute):
            return work_out(self, route)
        context = self.include_context
        key = id(route), context.path_for(route), context.include_in_schema
        if key not in _known:
            _known[key] = route, work_out(self, route)  # with the route, whose id is then nobody else's
        return _known[key][1]

    routing._IncludedRouter._build_effective_context = known  # type: ignore[method-assign]

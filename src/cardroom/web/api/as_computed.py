"""A long answer as it is computed: which share is done and what comes now, as events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from fastapi.responses import StreamingResponse

from cardroom.core.errors import CardroomError
from cardroom.web.api.parts import Caller
from cardroom.web.computations import Computations, Key
from cardroom.web.security.limits import StreamLimit

EVENTS: Final = "text/event-stream"
_SECONDS_BETWEEN_LOOKS: Final = 0.2


def as_computed(
    computations: Computations,
    key: Key,
    work: Callable[[], Any],
    asking: Caller,
    limit: StreamLimit,
    tell: Callable[[Any], dict[str, Any]],
) -> StreamingResponse:
    """The events of a computation: shares with their words, then `done` with what is told of the answer.

    Who hangs up lets go of it, as of any other request; why there is no answer is said by `refused`.
    """
    limit.check(asking.address)
    events = held(_events(computations, key, work, asking, tell), asking, limit)
    return StreamingResponse(events, media_type=EVENTS)


async def held(events: AsyncIterator[str], asking: Caller, limit: StreamLimit) -> AsyncIterator[str]:
    """The events of a computation, of which only so many run at once."""
    with limit.held(asking.address):
        async for event in events:
            yield event


async def _events(
    computations: Computations,
    key: Key,
    work: Callable[[], Any],
    asking: Caller,
    tell: Callable[[Any], dict[str, Any]],
) -> AsyncIterator[str]:
    making = asyncio.ensure_future(computations.get(key, work, asking))
    last: tuple[float, str] | None = None
    try:
        while not making.done():
            if (now := computations.progress(key)) != last:
                last = now
                yield f"data: {json.dumps({'share': now[0], 'words': now[1]})}\n\n"
            await asyncio.wait({making}, timeout=_SECONDS_BETWEEN_LOOKS)
        answer = making.result()
    except CardroomError as error:
        yield f"event: refused\ndata: {json.dumps({'message': str(error)})}\n\n"
    else:
        yield f"event: done\ndata: {json.dumps(tell(answer))}\n\n"
    finally:
        making.cancel()

"""One shape for every error, in JSON for programs and as a page for people."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from cardroom.core.errors import CardroomError, Conflict, IllegalAction, MalformedInput, Unavailable
from cardroom.store.database import DatabaseTrouble

logger = logging.getLogger("cardroom.web")


class NotFound(CardroomError):
    """There is no such thing, or none that this visitor may see."""


class ClosedTable(Conflict):
    """The house has closed a table, since its records do not fit together."""


class Forbidden(CardroomError):
    """The visitor is known and may not do this."""


class NotLoggedIn(CardroomError):
    """Only somebody who has logged in may do this."""


class CodeNeeded(NotLoggedIn):
    """The password is right, and a code is asked for besides."""


class TooMany(CardroomError):
    """Too many requests; `retry_seconds` says when to ask again."""

    def __init__(self, message: str, *, retry_seconds: int = 1) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class TooLarge(CardroomError):
    """The request is larger than is read here."""


class TooSlow(CardroomError):
    """The request did not come in its time."""


class ErrorBody(BaseModel):
    """What went wrong, whose fault it is, and the clause behind it."""

    kind: str = Field(examples=["illegal_action"])
    message: str = Field(examples=["no wager is placed after the first card"])
    clause: str | None = Field(default=None, examples=["KO52-3"])


class ErrorAnswer(BaseModel):
    """The one shape of every error."""

    error: ErrorBody


@dataclass(frozen=True, slots=True)
class Fault:
    """How a class of errors is answered."""

    kind: str
    status: HTTPStatus
    title: str


FAULTS: Final[Mapping[type[CardroomError], Fault]] = {
    MalformedInput: Fault("malformed_input", HTTPStatus.BAD_REQUEST, "That could not be read"),
    IllegalAction: Fault("illegal_action", HTTPStatus.UNPROCESSABLE_ENTITY, "The rules do not allow that"),
    Conflict: Fault("conflict", HTTPStatus.CONFLICT, "Not now"),
    Unavailable: Fault("unavailable", HTTPStatus.SERVICE_UNAVAILABLE, "Not available"),
    NotFound: Fault("not_found", HTTPStatus.NOT_FOUND, "There is no such page"),
    Forbidden: Fault("forbidden", HTTPStatus.FORBIDDEN, "Not allowed"),
    NotLoggedIn: Fault("not_logged_in", HTTPStatus.UNAUTHORIZED, "Please log in"),
    CodeNeeded: Fault("code_needed", HTTPStatus.UNAUTHORIZED, "One thing more"),
    TooMany: Fault("too_many_requests", HTTPStatus.TOO_MANY_REQUESTS, "Too fast"),
    TooSlow: Fault("too_slow", HTTPStatus.REQUEST_TIMEOUT, "Too slow"),
    TooLarge: Fault("too_large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Too much"),
}
_NOTHING_THERE: Final = "there is nothing at this address"
_INTERNAL: Final = Fault("internal", HTTPStatus.INTERNAL_SERVER_ERROR, "Our mistake")
_BY_STATUS: Final = {fault.status: fault for fault in FAULTS.values()}

RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    int(fault.status): {"model": ErrorAnswer, "description": fault.title}
    for fault in FAULTS.values()
    if fault.status is not HTTPStatus.SERVICE_UNAVAILABLE
}
"""What every operation of the API may answer besides its own."""


def fault_of(error: CardroomError) -> Fault:
    """How an error is answered; a class that is not listed is answered like its parent."""
    return next((FAULTS[kind] for kind in type(error).__mro__ if kind in FAULTS), _INTERNAL)


def visitor_message(error: CardroomError) -> str:
    """What a visitor is told: nothing of the machine that the house runs on."""
    if isinstance(error, DatabaseTrouble):
        logger.error("%s", error.message)
        return "the house's books could not be written just now; ask again with the same key"
    return error.message


def error_json(error: CardroomError) -> JSONResponse:
    """The error for a program."""
    fault = fault_of(error)
    body = ErrorAnswer(error=ErrorBody(kind=fault.kind, message=visitor_message(error), clause=error.clause))
    headers = {"Retry-After": str(error.retry_seconds)} if isinstance(error, TooMany) else {}
    if isinstance(error, TooSlow):
        headers["Connection"] = "close"  # what may still come is no request
    return JSONResponse(body.model_dump(), fault.status, headers)


def wants_page(request: Request) -> bool:
    """Whether a person with a browser asked, not a program."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


_PLACES: Final = ("body", "query", "path", "header")
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "json_invalid": "is no JSON",
    "string_pattern_mismatch": "has a letter or sign that may not stand there",
    "string_too_short": "has at least {min_length} letters",
    "string_too_long": "has at most {max_length} letters",
    "string_type": "is a text",
    "int_parsing": "is a whole number",
    "int_type": "is a whole number",
    "int_from_float": "is a whole number",
    "float_parsing": "is a number",
    "float_type": "is a number",
    "bool_parsing": "is true or false",
    "bool_type": "is true or false",
    "greater_than_equal": "is at least {ge}",
    "greater_than": "is more than {gt}",
    "less_than_equal": "is at most {le}",
    "less_than": "is less than {lt}",
    "literal_error": "is one of {expected}",
    "enum": "is one of {expected}",
    "dict_type": "is a list of names with their values",
    "list_type": "is a list",
    "too_short": "has at least {min_length} entries",
    "too_long": "has at most {max_length} entries",
    "model_attributes_type": "is an object with its fields",
    "value_error": "{error}",
}
"""What is right, by what was found wrong; whatever else may be found is told as such."""


def words_of(finding: Mapping[str, Any]) -> str:
    """A fault that was found in a request, in words for people: where it is, and what would be right.

    >>> words_of({"type": "greater_than_equal", "loc": ("body", "decks"), "ctx": {"ge": 1}, "input": 0})
    'decks: 0 is not right; it is at least 1'
    """
    parts = () if finding["type"] == "json_invalid" else finding["loc"]
    where = ".".join(str(part) for part in parts if part not in _PLACES)
    right = _WORDS.get(finding["type"], "cannot be read").format_map(dict(finding.get("ctx", {})))
    if finding["type"] in ("missing", "extra_forbidden") or not where:
        return f"{where or 'the request'} {right}"
    if finding["type"] == "value_error":
        return f"{where}: {right}"
    content = finding["input"]
    shown = f"{str(content)[:40]!r}" if isinstance(content, str) else str(content)[:40]
    return f"{where}: {shown} is not right; it {right}"


Render = Callable[[Request, Fault, str, str | None], Awaitable[Response]]


def install(app: FastAPI, render: Render) -> None:
    """Answer every error of an app in the one shape; `render` makes the page of an error."""

    async def answer(request: Request, error: CardroomError) -> Response:
        if wants_page(request):
            return await render(request, fault_of(error), visitor_message(error), error.clause)
        return error_json(error)

    @app.exception_handler(CardroomError)
    async def _cardroom(request: Request, error: CardroomError) -> Response:
        return await answer(request, error)

    @app.exception_handler(RequestValidationError)
    async def _validation(request: Request, error: RequestValidationError) -> Response:
        finding = error.errors()[0]
        if wants_page(request) and finding["loc"][:1] == ("path",):
            return await answer(request, NotFound(_NOTHING_THERE))
        return await answer(request, MalformedInput(words_of(finding)))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, CardroomError):  # raised by us while the framework read the body
            return await answer(request, error.__cause__)
        fault = _BY_STATUS.get(HTTPStatus(error.status_code))
        if fault is None:
            status = HTTPStatus(error.status_code)
            fault = Fault(status.phrase.lower().replace(" ", "_"), status, status.phrase)
        message = _NOTHING_THERE if error.status_code == HTTPStatus.NOT_FOUND else error.detail
        if wants_page(request):
            return await render(request, fault, message, None)
        body = ErrorAnswer(error=ErrorBody(kind=fault.kind, message=message))
        return JSONResponse(body.model_dump(), fault.status, error.headers)

    @app.exception_handler(Exception)
    async def _internal(request: Request, error: Exception) -> Response:
        # The reason stays in the server's own log: it could name what the visitor must not know.
        logger.error("request failed: %s %s", request.method, request.url.path, exc_info=error)
        message = "something went wrong here, not with you; nothing was booked that was not shown"
        if wants_page(request):
            response = await render(request, _INTERNAL, message, None)
        else:
            body = ErrorAnswer(error=ErrorBody(kind=_INTERNAL.kind, message=message))
            response = JSONResponse(body.model_dump(), _INTERNAL.status)
        response.headers["Connection"] = "close"  # the server closes it after such an error
        return response

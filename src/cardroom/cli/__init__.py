"""The command line, one file per command."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Final

WRONG_INPUT: Final = 2
"""The exit code of wrong usage or input; 0 is fine, 1 is a check that found something."""
INTERRUPTED: Final = 130
"""What shells report for Ctrl-C."""
HUNG_UP: Final = 129
"""What shells report where the window was closed."""
READER_GONE: Final = 141
"""What shells report where nobody reads the output any more."""
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; whatever goes wrong is one line on stderr, never a traceback."""
    # What is multiplied is small: threads would cost more than they save. NumPy reads it when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from typer import Abort, TyperException

    from cardroom.cli.app import command
    from cardroom.cli.ascii import prepare
    from cardroom.cli.leaving import PROCESS_ENDS
    from cardroom.core.errors import CardroomError

    if arguments is None:
        PROCESS_ENDS.set()
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        prepare(stream)  # a terminal without ♠ shows an s
    try:
        result = command().main(words or ["--help"], prog_name="cardroom", standalone_mode=False)
        sys.stdout.flush()
    except CardroomError as error:
        return _refused(str(error))
    except TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "cardroom"
        return _refused(f"{error.format_message().rstrip('.')} (see {path} --help)")
    except Abort:
        return _refused("stopped: the input ended")
    except ModuleNotFoundError as error:
        from cardroom.core.extras import not_installed

        if (refusal := not_installed(error)) is None:
            raise
        return _refused(str(refusal))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # the frame of the commands exits where a pipe breaks
        sys.stdout = None  # the reader is gone, so nothing is left to flush to it
        return READER_GONE
    except OSError as error:
        if error.errno == errno.EIO:  # the terminal is gone
            sys.stdout = sys.stderr = None
            return HUNG_UP
        if error.errno not in _NO_ROOM:
            raise
        sys.stdout = None  # what it still holds cannot be written either
        return _refused(f"the output cannot be written: {error.strerror}")
    return result if isinstance(result, int) else 0


def _refused(message: str) -> int:
    line = " ".join(message.split())
    print(f"cardroom: {line}", file=sys.stderr)
    return WRONG_INPUT

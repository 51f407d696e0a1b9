"""The server's search for garbage: what is made at its start is left out for good."""

from __future__ import annotations

import gc

from cardroom.web.server import made_for_good


def test_what_is_made_for_good_is_not_searched_again() -> None:
    before = gc.get_freeze_count()
    try:
        with made_for_good():
            assert not gc.isenabled()
            kept = [[number] for number in range(1_000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(kept)
        searched = {id(one) for one in gc.get_objects()}
        assert not searched & {id(one) for one in kept}
    finally:
        gc.unfreeze()

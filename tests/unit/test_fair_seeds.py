"""Seeds: from the operating system, of 256 bits, each used once."""

from __future__ import annotations

import secrets
import subprocess
import sys

import pytest

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair import Seed, SeedBook, fresh_seed, fresh_shoe_id, repeatable_seed
from cardroom.fair.seeds import SEED_BYTES


@pytest.mark.requirement("R-6")
@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_seed_has_256_bits(length: int) -> None:
    assert SEED_BYTES * 8 == 256
    with pytest.raises(MalformedInput, match="32 bytes"):
        Seed(bytes(length))


@pytest.mark.requirement("R-9", "R-10")
def test_every_seed_is_asked_of_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    answers = iter([b"\x01" * 32, b"\x02" * 32])

    def token_bytes(length: int) -> bytes:
        asked.append(length)
        return next(answers)

    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    assert [fresh_seed().secret, fresh_seed().secret] == [b"\x01" * 32, b"\x02" * 32]
    assert asked == [32, 32]


@pytest.mark.requirement("R-8")
def test_a_repeated_seed_stops_the_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_bytes", lambda length: b"\x07" * length)
    fresh_seed()
    with pytest.raises(Conflict, match="used before"):
        fresh_seed()


@pytest.mark.requirement("R-8")
def test_a_book_knows_the_seeds_of_earlier_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = Seed(b"\x08" * 32)
    monkeypatch.setattr(secrets, "token_bytes", lambda length: b"\x08" * length)
    with pytest.raises(Conflict, match="used before"):
        fresh_seed(SeedBook([earlier.fingerprint]))


@pytest.mark.requirement("R-8")
def test_two_processes_share_no_stream() -> None:
    code = "from cardroom.fair import fresh_seed; print(*[fresh_seed() for _ in range(5)])"
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, text=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert len({seed for run in printed for seed in run}) == 10


def test_a_seed_is_not_shown_by_accident() -> None:
    seed = Seed(b"\xaa" * 32)
    for shown in (repr(seed), f"{[seed]}", seed.fingerprint):
        assert "aa" * 8 not in shown
    assert Seed.parse(str(seed)) == seed


@pytest.mark.parametrize("text", ["", "aa", "g" * 64, "AA" * 32, "aa" * 33, " " + "aa" * 32, "aa " * 32])
def test_a_seed_that_cannot_be_read(text: str) -> None:
    with pytest.raises(MalformedInput, match="64 hexadecimal digits"):
        Seed.parse(text)


def test_repeatable_seeds_repeat_and_differ() -> None:
    assert repeatable_seed(1, "game-1") == repeatable_seed(1, "game-1")
    seeds = {str(repeatable_seed(number, shoe)) for number in (0, 1, 11) for shoe in ("1", "1-1", "game-1")}
    assert len(seeds) == 9


@pytest.mark.parametrize("number", [-1, 2**64])
def test_a_repeatable_seed_has_64_bits(number: int) -> None:
    with pytest.raises(MalformedInput, match="allowed: 0 to 18446744073709551615"):
        repeatable_seed(number, "game-1")


def test_shoe_ids_differ() -> None:
    assert len({fresh_shoe_id() for _ in range(100)}) == 100

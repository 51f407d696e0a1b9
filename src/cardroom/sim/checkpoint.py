"""A file that keeps what a simulation has added up, so that it can be taken up again."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.sim.batches import Tally

_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The sum of whole batches, for one job only."""

    path: Path
    job: str
    """What makes two simulations the same: rules, strategy, seed, dealing."""

    def load(self) -> tuple[int, Tally] | None:
        """The number of batches done and their sum, or None where there is no file yet."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise MalformedInput(f"cannot read the checkpoint {self.path}: {error}") from None
        try:
            kept = json.loads(text)
            version, job, batches = kept["version"], kept["job"], int(kept["batches"])
            tally = np.array(kept["tally"], np.int64)
        except (ValueError, KeyError, TypeError, OverflowError):
            raise MalformedInput(f"{self.path} is not a checkpoint of a simulation") from None
        if version != _VERSION or job != self.job:
            raise MalformedInput(
                f"{self.path} is a checkpoint of another simulation; "
                "rules, strategy, seed and dealing must be the same, or name another file"
            )
        return batches, tally

    def save(self, batches: int, tally: Tally) -> None:
        """Put the sum in place of the last one, all or nothing."""
        kept = {"version": _VERSION, "job": self.job, "batches": batches, "tally": tally.tolist()}
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with beside.open("w", encoding="utf-8") as file:
                json.dump(kept, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            raise MalformedInput(f"cannot write the checkpoint {self.path}: {error.strerror}") from None

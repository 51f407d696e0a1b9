"""How rounds are replayed from a record, and which module does it for each game."""

from cardroom.fair.replay.contract import BURN, Replay, replay_of

__all__ = ["BURN", "Replay", "replay_of"]

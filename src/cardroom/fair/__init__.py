"""The only place where the cards of real rounds are born: commitments, shuffles, proofs."""

from cardroom.fair.commitment import Commitment, commit
from cardroom.fair.deals import Binding, Deal, deal, deck_of, infinite_deck
from cardroom.fair.record import CommittedShoe
from cardroom.fair.seeds import Seed, SeedBook, fresh_seed, fresh_shoe_id, repeatable_seed
from cardroom.fair.verify import Finding, Verdict, verify_record, verify_records

__all__ = [
    "Binding",
    "Commitment",
    "CommittedShoe",
    "Deal",
    "Finding",
    "Seed",
    "SeedBook",
    "Verdict",
    "commit",
    "deal",
    "deck_of",
    "fresh_seed",
    "fresh_shoe_id",
    "infinite_deck",
    "repeatable_seed",
    "verify_record",
    "verify_records",
]

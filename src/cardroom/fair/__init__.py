"""The only place where the cards of real rounds are born: commitments, shuffles, proofs."""

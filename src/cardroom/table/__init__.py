"""What outlives a round: seats, spots, shoes, limits, procedures, meters."""

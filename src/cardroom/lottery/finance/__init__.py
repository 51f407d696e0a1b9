"""What operator, auditor and finance read: the lottery's money of some days."""

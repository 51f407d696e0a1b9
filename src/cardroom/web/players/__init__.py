"""Players as the house knows them: chips, time, results, and the limits they set themselves."""

"""Recall: candidates in, ranked hits out. Pure functions; the engine fetches what they rank."""

"""Rules, history and memories become one prompt under a hard budget, with a receipt. Pure functions."""

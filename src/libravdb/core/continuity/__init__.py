"""What of a conversation belongs together, and how much of its end stays word for word. Pure functions."""

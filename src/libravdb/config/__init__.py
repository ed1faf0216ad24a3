"""Settings: what they are, where they come from, what they must be."""

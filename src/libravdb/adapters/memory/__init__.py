"""A store in memory: the exact twin of the one on disk, for tests and contracts."""

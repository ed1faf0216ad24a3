"""What the daemon does for each method of the wire."""

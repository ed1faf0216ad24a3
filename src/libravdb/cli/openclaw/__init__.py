"""OpenClaw from this side: puts the plugin into the host, takes it out again, and tells how both are."""

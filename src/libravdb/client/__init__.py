"""Speak to a daemon as if it were an engine."""

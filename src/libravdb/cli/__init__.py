"""The `libravdb` command: one file per group of commands, all through the same engine."""

from libravdb.cli.app import main

__all__ = ["main"]

"""The engine: fetch, call the core, write. One file per flow."""

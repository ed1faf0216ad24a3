"""Hosts that speak MCP: what is written into their configuration, and what is taken out again."""

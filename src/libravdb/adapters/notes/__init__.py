"""The files of an agent's workspace that are its notes."""

"""An agent's own notes: files of its workspace, cut into passages, and the diary of its host's dreams."""

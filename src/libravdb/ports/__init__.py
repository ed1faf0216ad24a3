"""The seams: what the engine needs from disk, models and clocks. Every implementation passes its contract suite."""

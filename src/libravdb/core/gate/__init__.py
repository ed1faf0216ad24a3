"""The gate: is a turn worth keeping beyond its session? Text and cosines in, a verdict with its reasons out."""

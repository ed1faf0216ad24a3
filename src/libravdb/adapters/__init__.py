"""Implementations of the ports, one room each: they know disk, models and networks, and nobody who uses them."""

"""Erasure that can be proved: what to look for when something is gone, and the certificate that tells of it."""

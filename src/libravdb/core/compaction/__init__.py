"""Compaction: what of a session is folded, what is protected before, and whether what replaces it is good enough.

In the order of the flow: `clusters` (what is folded together), `protect` (what is kept word for word), `sanitise` (what
a summariser gets to see), `facts` (what must survive), `support` (what a new summary leans on), `quality` (how well a
draft stands for its sources), `ladder` (smaller, or not at all), `lineage` (where it came from). Pure functions; the
engine reads, embeds and writes.
"""

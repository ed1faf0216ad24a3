"""The methods of the protocol, a file for each group; `table.py` puts them together.

A client loads only the groups that it calls.
"""

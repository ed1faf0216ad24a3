"""The daemon: the engine behind newline-delimited JSON-RPC 2.0.

`wire/methods/` is the table of methods with their params and results, `dispatch.py` runs one request and knows no
transport, `server.py` carries lines over sockets, `handlers/` serve each group of methods.
"""

"""The inspector: a web page that shows what is remembered, why it stands in a prompt, and lets people mend it.

    page/ (plain ES modules, one style sheet) ─► files (served with a strict policy) ─► a mount of the HTTP door

The page asks the daemon by JSON-RPC, as every client does, with the rights of the token it was given. It computes
nothing that the engine decides: it shows the reasons that came with the answer.
"""

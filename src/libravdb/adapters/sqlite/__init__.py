"""The store: records, vectors and full text in one crash-safe SQLite file.

`sqlite.py` is the implementation people use, `memory.py` its twin for tests. `terms.py` turns text into
words for the full-text index, `vectors.py` holds the arrays that search compares, `migrations.py` the shape
of the file and `fsck.py` the proof that it is sound.
"""

"""The entry point of `libravdbd`, also as `python -m libravdb.daemon`: what must be said before numpy is loaded, then
the daemon.

Matrix products here are small; spread over threads they spend more CPU time waiting than they save.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from libravdb.daemon.process import main

__all__ = ["main"]

if __name__ == "__main__":
    main()

"""`python -m libravdb` is the command `libravdb`."""

from libravdb.cli import main

main()

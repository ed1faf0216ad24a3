"""`python -m libravdb.daemon` is the command `libravdbd`."""

from libravdb.daemon.entry import main

main()

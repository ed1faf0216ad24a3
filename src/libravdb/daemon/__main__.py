"""`python -m libravdb.daemon` is the command `libravdbd`."""

from libravdb.daemon.main import main

main()

"""How the commands of this room end when something is wrong: in words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from zipfile import BadZipFile


def run(main: Callable[[], None], *also: type[Exception]) -> None:
    """Run a command; a file that is missing or is not what it should be, or an error of `also`, ends it in words."""
    expected: tuple[type[Exception], ...] = (BadZipFile, OSError, ValueError, *also)
    try:
        main()
    except expected as error:
        sys.exit(f"{type(error).__name__}: {error}")

"""An argument that is a path on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from libravdb.model.addresses import is_mistyped_address
from libravdb.ports.settings import is_database


class LocalPath(click.Path):
    """A path; the address of a database is refused before an error or the name of a file repeats its password."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401 - what click.Path takes
        super().__init__(path_type=Path, **more)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """The path as click reads it."""
        told = os.fspath(value)
        if isinstance(told, str) and (is_database(told) or is_mistyped_address(told)):
            self.fail("This reads like the address of a database; the path of a file is asked for.", param, ctx)
        return super().convert(value, param, ctx)

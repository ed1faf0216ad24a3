"""Names as options and arguments give them: of a user, a namespace, a collection, a session, a token."""

from __future__ import annotations

import click

from libravdb.text.unicode import mend


class _Name(click.types.StringParamType):
    """Text as it was typed. Bytes that are no UTF-8 are refused: mended as texts are, any two of them were one name."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(super().convert(value, param, ctx))
        if mend(name) != name:
            self.fail(f"{name!a} is not UTF-8, so it is no name. Write it as UTF-8.", param, ctx)
        return name


NAME_TYPE = _Name()

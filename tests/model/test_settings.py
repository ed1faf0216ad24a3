"""Other values for a section: as the configuration would take them, or refused by name."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libravdb.config import settings as every_setting
from libravdb.config.origins import Origin, ValueOrigin
from libravdb.config.values import checked
from libravdb.core.recall.settings import RecallSettings
from libravdb.errors import ConfigError, InvalidInput
from libravdb.model.settings import changed_section

ORIGIN = Origin(source=ValueOrigin.ARGUMENT, name="x")
NUMBERS = st.one_of(st.floats(), st.integers(-10, 20_000), st.sampled_from([0.0, 1.0, 2.0, 0.5, 2.5]))


@given(st.sampled_from(fields(RecallSettings)), NUMBERS)
def test_a_value_is_taken_when_the_configuration_takes_it(field: object, value: float) -> None:
    name = field.name  # type: ignore[attr-defined]  # of a dataclass
    setting = next(one for one in every_setting() if one.key == f"search.{name}")
    try:
        wanted = checked(setting, value, ORIGIN)
    except ConfigError:
        with pytest.raises(InvalidInput, match=name):
            changed_section(RecallSettings(), {name: value})
        return
    section = changed_section(RecallSettings(), {name: value})
    assert getattr(section, name) == wanted
    assert type(getattr(section, name)) is type(getattr(RecallSettings(), name))


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidInput, match="Did you mean 'dense_weight'"):
        changed_section(RecallSettings(), {"dens_wieght": 0.5})
    with pytest.raises(InvalidInput, match="Did you mean") as caught:
        changed_section(RecallSettings(), {"x" * 1_000_000: 0.5})
    assert len(str(caught.value)) < 500


def test_nothing_told_changes_nothing() -> None:
    assert changed_section(RecallSettings(), {}) == RecallSettings()

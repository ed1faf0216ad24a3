"""Configuration: every source, every refusal, and an origin for every value."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from libravdb.config import (
    MASK,
    Config,
    EmbeddingSettings,
    Kind,
    Loaded,
    MemorySettings,
    Origin,
    Setting,
    StoreSettings,
    ValueOrigin,
    env_text,
    from_host,
    load,
    lookup,
    render_value,
    settings,
)
from libravdb.config.reference import markdown
from libravdb.errors import ConfigError

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"
SECRET = "sk-very-secret-123"  # noqa: S105  a made-up key to look for where it must not be
HOME = {"HOME": "/nobody/home"}
FULL_PATH = "/srv/x"
SERVER: dict[str, object] = {"embedding.endpoint": "http://localhost:1", "embedding.model": "m"}
WRITER: dict[str, object] = {
    "summarizer.endpoint": "http://localhost:1",
    "summarizer.model": "m",
    "summarizer.model_path": "/m",
}

BRANCHES = (("gate.novelty", "gate.repetition", "gate.load"), ("gate.specificity", "gate.action", "gate.detail"))
"""Weights that sum to 1 and so cannot change alone."""

SHARES = tuple(
    tuple(f"assembly.{mode}_{claim}_share" for claim in ("hard", "soft", "tail")) for mode in ("augment", "window")
)
"""Shares that sum to at most 1 and so cannot grow at will."""

FREE = [setting for setting in settings() if setting.key not in BRANCHES[0] + BRANCHES[1]]
by_key = pytest.mark.parametrize("setting", FREE, ids=lambda setting: setting.key)
by_every_key = pytest.mark.parametrize("setting", settings(), ids=lambda setting: setting.key)


def another(setting: Setting, nth: int = 0) -> Any:
    """A valid value that is not the default; a different one for each `nth` from 0 to 3."""
    if setting.choices:
        others = [choice for choice in setting.choices if choice != setting.default]
        return others[nth % len(others)]
    if setting.kind is Kind.BOOLEAN:
        return bool(setting.default) == (nth % 2 == 1)
    if setting.kind is Kind.INTEGER:
        least = {"store.shortlist_rows_max": 2_500}.get(setting.key, 0)
        usual = 500 if setting.key == "store.rescore_rows" else int(min(1_500, setting.maximum - 10))
        return max(least, usual) + nth
    if setting.kind is Kind.NUMBER:
        step = 0.0625 if setting.key in SHARES[0] + SHARES[1] else 0.125
        return (setting.minimum if setting.minimum >= 1 else 0) + step * (nth + 1)
    if setting.key == "store.url":
        return f"postgresql://anna@localhost/memory{nth}"
    if setting.key == "ingest.time_zone":
        return f"Etc/GMT+{nth + 1}"
    if setting.key == "retention.rules":
        return [f"a{nth} turns 9d", "b* receipts 1d"][: nth + 1]
    if setting.key == "daemon.quota_overrides":
        return [f"team-{nth}* records={nth}", "x calls=9"][: nth + 1]
    if setting.kind in (Kind.TEXTS, Kind.PATHS):
        return [f"{FULL_PATH}{nth}", "/srv/y"][: nth + 1]
    return f"{FULL_PATH}{nth}"


def neighbours(setting: Setting) -> dict[str, object]:
    """What else must be set for the setting's other values to be allowed."""
    return {"embedding.backend": SERVER, "summarizer.backend": WRITER}.get(setting.key, {})


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def text_of(setting: Setting, value: object) -> str:
    return env_text(setting, tuple(value) if isinstance(value, list) else value)


def in_toml(setting: Setting, value: object) -> str:
    return f"[{setting.section}]\n{setting.name} = {json.dumps(value)}\n"


def seen(loaded: Loaded, key: str) -> Any:
    value = lookup(loaded.config, key)
    if isinstance(value, tuple):
        return [str(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def load_file(folder: Path, text: str | bytes, name: str = "config.toml", **environ: str) -> Loaded:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(file=path, environ={**HOME, **environ})


def refusal(folder: Path, text: str | bytes, name: str = "config.toml") -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_file(folder, text, name)
    assert caught.value.remedy
    assert SECRET not in str(caught.value)
    return caught.value


def refused_arguments(arguments: dict[str, object]) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(environ=HOME, arguments=arguments)
    assert caught.value.remedy
    return caught.value


def refused_environment(**environ: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(environ={**HOME, **environ})
    assert caught.value.remedy
    return caught.value


# ── precedence and origins ────────────────────────────────────────────────────────────────────────────────


def test_with_nothing_written_every_value_is_the_default_and_says_so() -> None:
    loaded = load(environ=HOME)
    expanded = replace(StoreSettings(), path=Path("/nobody/home/.clawdb/data.libravdb"))
    assert loaded.config == Config(store=expanded)
    assert set(loaded.origins) == {setting.key for setting in settings()}
    assert {str(origin) for origin in loaded.origins.values()} == {"default"}
    assert loaded.file is None


@effort(deadline=None)  # the disk may be slow
@given(data=st.data())
def test_the_strongest_source_that_is_set_wins_and_is_named_as_origin(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    setting = data.draw(st.sampled_from(FREE))
    sources = data.draw(st.sets(st.sampled_from([ValueOrigin.FILE, ValueOrigin.ENVIRONMENT, ValueOrigin.ARGUMENT])))
    order = data.draw(st.permutations(range(4)))
    given_values = {source: another(setting, nth) for source, nth in zip(sources, order, strict=False)}
    file = tmp_path_factory.mktemp("precedence") / "config.toml"
    file.write_text(in_toml(setting, given_values[ValueOrigin.FILE]) if ValueOrigin.FILE in sources else "")
    environ = dict(HOME)
    if ValueOrigin.ENVIRONMENT in sources:
        environ[setting.env] = text_of(setting, given_values[ValueOrigin.ENVIRONMENT])
    arguments = neighbours(setting)
    if ValueOrigin.ARGUMENT in sources:
        arguments = {**arguments, setting.key: given_values[ValueOrigin.ARGUMENT]}

    loaded = load(file=file, environ=environ, arguments=arguments)

    winner = next(
        (each for each in (ValueOrigin.ARGUMENT, ValueOrigin.ENVIRONMENT, ValueOrigin.FILE) if each in sources),
        ValueOrigin.DEFAULT,
    )
    expected = seen(load(environ=HOME), setting.key) if winner is ValueOrigin.DEFAULT else given_values[winner]
    assert seen(loaded, setting.key) == expected
    assert (
        loaded.origins[setting.key]
        == {
            ValueOrigin.DEFAULT: Origin(source=ValueOrigin.DEFAULT),
            ValueOrigin.FILE: Origin(source=ValueOrigin.FILE, place=str(file), name=setting.key),
            ValueOrigin.ENVIRONMENT: Origin(source=ValueOrigin.ENVIRONMENT, name=setting.env),
            ValueOrigin.ARGUMENT: Origin(source=ValueOrigin.ARGUMENT, name=setting.key),
        }[winner]
    )


def test_an_origin_reads_as_the_place_to_go_and_look() -> None:
    assert str(Origin(source=ValueOrigin.DEFAULT)) == "default"
    assert (
        str(Origin(source=ValueOrigin.FILE, place="/x/config.toml", name="store.path")) == "/x/config.toml: store.path"
    )
    assert str(Origin(source=ValueOrigin.ENVIRONMENT, name="LIBRAVDB_X")) == "environment variable LIBRAVDB_X"
    assert str(Origin(source=ValueOrigin.ARGUMENT, name="store.path")) == "argument store.path"
    assert str(Origin(source=ValueOrigin.HOST, place="OpenClaw", name="storePath")) == "OpenClaw: storePath"


def test_an_argument_that_is_none_is_not_given() -> None:
    loaded = load(environ=HOME, arguments={"search.k": None})
    assert loaded.origins["search.k"].source is ValueOrigin.DEFAULT


def test_a_wrong_value_is_refused_even_when_a_stronger_source_overrides_it() -> None:
    with pytest.raises(ConfigError, match="LIBRAVDB_SEARCH_K"):
        load(environ={**HOME, "LIBRAVDB_SEARCH_K": "many"}, arguments={"search.k": 3})


# ── each source, each key ─────────────────────────────────────────────────────────────────────────────────


@by_key
def test_a_setting_is_read_from_the_environment_by_each_of_its_names(setting: Setting) -> None:
    for name in setting.env_names:
        environ = {**HOME, name: text_of(setting, another(setting))}
        loaded = load(environ=environ, arguments=neighbours(setting))
        assert seen(loaded, setting.key) == another(setting)
        assert loaded.origins[setting.key].name == name


@by_key
def test_a_setting_is_read_from_an_argument_by_its_dotted_name(setting: Setting) -> None:
    loaded = load(environ=HOME, arguments={**neighbours(setting), setting.key: another(setting)})
    assert seen(loaded, setting.key) == another(setting)


@by_key
def test_a_setting_is_read_from_json_nested_or_flat_in_camel_or_snake_case(setting: Setting, tmp_path: Path) -> None:
    value = another(setting)
    nested = [{setting.section: {name: value}} for name in (setting.name, camel(setting.name))]
    flat = [{name: value} for name in (*setting.flat_names, *map(camel, setting.flat_names), setting.key)]
    file = tmp_path / "host.json"
    for document in (*nested, *flat):
        file.write_text(json.dumps(document))
        loaded = load(file=file, environ=HOME, arguments=neighbours(setting))
        assert seen(loaded, setting.key) == value
        (top,) = document
        assert loaded.origins[setting.key].name.startswith(top)
        handed_over = load(environ=HOME, arguments={**neighbours(setting), **from_host(document, "a host")})
        assert seen(handed_over, setting.key) == value
        assert str(handed_over.origins[setting.key]).startswith(f"a host: {top}")


@by_key
def test_the_same_value_written_back_as_shown_gives_the_same_configuration(setting: Setting, tmp_path: Path) -> None:
    shown = render_value(setting, setting.default)
    loaded = load_file(tmp_path, f"[{setting.section}]\n{setting.name} = {shown}\n")
    assert loaded.config == load(environ=HOME).config


def test_flat_names_are_unique_and_never_the_name_of_a_section() -> None:
    flat = [name for setting in settings() for name in setting.flat_names]
    assert len(flat) == len(set(flat))
    assert not set(flat) & {setting.section for setting in settings()}


@pytest.mark.parametrize(
    ("word", "meaning"),
    [(word, True) for word in ("true", "1", "yes", "on", "TRUE", " On ")]
    + [(word, False) for word in ("false", "0", "no", "off", "No")],
)
def test_a_boolean_in_the_environment_may_be_any_usual_word(word: str, meaning: bool) -> None:  # noqa: FBT001  parametrised
    loaded = load(environ={**HOME, "LIBRAVDB_EMBEDDING_NORMALIZE": word})
    assert loaded.config.embedding.normalize is meaning


def test_an_empty_variable_counts_as_not_set() -> None:
    names = [name for setting in settings() for name in setting.env_names]
    environ = dict.fromkeys([*names, "LIBRAVDB_CONFIG", "LIBRAVDB_GATING_W1C", "LIBRAVDB_NO_SUCH_THING"], "")
    assert load(environ={**HOME, **environ}) == load(environ=HOME)


@pytest.mark.parametrize("older", ["onnx-local", "custom-local"])
def test_older_words_for_the_onnx_backend_are_still_understood(older: str) -> None:
    environ = {**HOME, "LIBRAVDB_EMBEDDING_BACKEND": older, "LIBRAVDB_EMBEDDING_MODEL": "/m"}
    assert load(environ=environ).config.embedding.backend == "onnx"


def test_the_summariser_is_set_by_the_names_that_clients_know() -> None:
    names = ("BACKEND", "PROFILE", "MODEL_PATH", "TOKENIZER", "MODEL", "ENDPOINT")
    environ = {f"LIBRAVDB_SUMMARIZER_{name}": f"/{name.lower()}" for name in names}
    summarizer = load(environ={**HOME, **environ, "LIBRAVDB_SUMMARIZER_BACKEND": "onnx"}).config.summarizer
    assert (summarizer.backend, summarizer.profile, summarizer.model_path) == ("onnx", "/profile", "/model_path")
    assert (summarizer.tokenizer, summarizer.model, summarizer.endpoint) == ("/tokenizer", "/model", "/endpoint")


@pytest.mark.parametrize(
    ("older", "backend"),
    [
        ("none", "extractive"),
        ("bundled", "extractive"),
        ("onnx-local", "onnx"),
        ("custom-local", "onnx"),
        ("ollama-local", "ollama"),
    ],
)
def test_other_words_for_the_backend_of_the_summariser_are_understood(older: str, backend: str) -> None:
    environ = {**HOME, "LIBRAVDB_SUMMARIZER_BACKEND": older}
    assert load(environ=environ, arguments=WRITER).config.summarizer.backend == backend


def test_variables_of_other_programs_are_left_alone() -> None:
    assert load(environ={**HOME, "LIBRAVD": "x", "XLIBRAVDB_STORE_PATH": "x"}) == load(environ=HOME)


# ── names that are not known ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("[store]\nvector_cache = 1", "store.vector_cache", "store.vector_cache_mb"),
        ("[store]\nvectorCacheMb = 1", "store.vectorCacheMb", "store.vector_cache_mb"),
        ("[stroe]\npath = 'x'", "stroe.path", "store.path"),
        ("[embedding]\napi_kye = 'sk-very-secret-123'", "embedding.api_kye", "embedding.api_key"),
        ("[serach]", "serach", "search.k"),
        ("vector_cache_mb = 1", "vector_cache_mb", "store.vector_cache_mb"),
        ("store_path = 'x'", "store_path", "store.path"),
    ],
)
def test_an_unknown_key_in_a_file_is_refused_with_the_nearest_one(
    tmp_path: Path, text: str, written: str, meant: str
) -> None:
    error = refusal(tmp_path, text)
    assert error.key == written
    assert f"Did you mean {meant}?" in error.remedy
    assert str(tmp_path / "config.toml") in error.origin


def test_every_misspelt_key_is_answered_with_the_right_one(tmp_path: Path) -> None:
    for setting in settings():
        if len(setting.name) > 3:
            error = refusal(tmp_path, f"[{setting.section}]\n{setting.name[:-2]}{setting.name[:-3:-1]} = 1")
            assert f"Did you mean {setting.key}?" in error.remedy


@pytest.mark.parametrize(
    ("document", "meant"),
    [
        ({"embeddingBackened": "onnx"}, "embedding.backend"),
        ({"store": {"vectorCache": 1}}, "store.vector_cache_mb"),
        ({"databasePath": "x"}, "store.path"),
        ({"store.pathh": "x"}, "store.path"),
        ({"Embeding": {"apiKey": SECRET}}, "embedding.api_key"),
    ],
)
def test_an_unknown_key_from_a_host_is_refused_with_the_nearest_one(document: dict[str, object], meant: str) -> None:
    with pytest.raises(ConfigError, match=f"Did you mean {re.escape(meant)}?") as caught:
        from_host(document, "a host")
    assert "a host" in caught.value.origin
    assert SECRET not in str(caught.value)


def test_an_unknown_argument_is_refused_with_the_nearest_one() -> None:
    error = refused_arguments({"store.pth": "x"})
    assert (error.key, error.origin) == ("store.pth", "argument store.pth")
    assert "Did you mean store.path?" in error.remedy


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("LIBRAVDB_STORE_PAHT", "LIBRAVDB_STORE_PATH"),
        ("LIBRAVDB_DBPATH", "LIBRAVDB_DB_PATH"),
        ("LIBRAVDB_CONFG", "LIBRAVDB_CONFIG"),
        ("LIBRAVDB_RPC_ENDPIONT", "LIBRAVDB_RPC_ENDPOINT"),
        ("LIBRAVDB_GATING_", None),
        ("LIBRAVDB_", None),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_one(name: str, meant: str | None) -> None:
    error = refused_environment(**{name: SECRET})
    assert (error.key, error.origin) == (name, "environment")
    assert f"Did you mean {meant or 'LIBRAVDB_'}" in error.remedy
    assert SECRET not in str(error)


# ── values that do not fit ────────────────────────────────────────────────────────────────────────────────

WRONG: dict[Kind, list[object]] = {
    Kind.TEXT: [1, 1.5, True, [], {}, ["x"], "half a \ud800 character"],
    Kind.INTEGER: ["12", 1.5, True, False, [], {}, float("nan"), float("inf"), -1, 2**31, 10**5000],
    Kind.NUMBER: ["0.5", True, [], {}, float("nan"), float("inf"), -float("inf"), -0.5, 1e9, 10**400],
    Kind.BOOLEAN: ["true", "yes", 1, 0, 1.0, [], {}],
    Kind.PATH: [1, 1.5, True, [], {}, "", "a\0b"],
    Kind.TEXTS: [1, True, {}, "x", [1], [["x"]], ["half a \ud800 character"]],
    Kind.PATHS: [1, True, {}, "/x", [1], [""], ["a\0b"]],
}


@by_key
def test_a_value_of_the_wrong_type_is_refused_with_what_is_allowed(setting: Setting) -> None:
    for value in WRONG[setting.kind]:
        error = refused_arguments({setting.key: value})
        assert error.key == setting.key
        assert error.origin == f"argument {setting.key}"
        assert setting.allowed in error.problem
        assert render_value(setting, setting.default) in error.remedy
        assert len(str(error)) < 400


@by_key
def test_null_is_not_a_value(setting: Setting) -> None:
    for document in ({setting.section: {setting.name: None}}, {camel(setting.flat_names[0]): None}):
        with pytest.raises(ConfigError, match="not null"):
            from_host(document, "a host")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("LIBRAVDB_SEARCH_K", text) for text in ("many", "1.0", "1e1", "0x10", "٣", "0", "-1", "true", " ")),
        ("LIBRAVDB_SEARCH_K", "9" * 5000),
        *(("LIBRAVDB_SEARCH_DENSE_WEIGHT", text) for text in ("nan", "inf", "1e999", "half", "1.01", "-0.1")),
        *(("LIBRAVDB_EMBEDDING_NORMALIZE", text) for text in ("2", "ja", "truee")),
        *(("LIBRAVDB_EMBEDDING_BACKEND", text) for text in ("ONNX", "torch", " bundled")),
    ],
)
def test_a_variable_with_no_such_meaning_is_refused_by_its_name(name: str, text: str) -> None:
    error = refused_environment(**{name: text})
    assert error.origin == f"environment variable {name}"
    assert "must be" in error.problem


@pytest.mark.parametrize("value", [12, 12.0])
def test_a_whole_number_written_as_a_float_is_an_integer(tmp_path: Path, value: float) -> None:
    for text, name in (
        (f"[search]\nk = {value}", "c.toml"),
        (json.dumps({"search": {"k": value}}), "c.json"),
    ):
        k = load_file(tmp_path, text, name).config.search.k
        assert (k, type(k)) == (12, int)


def test_an_integer_is_a_fine_number() -> None:
    weight = load(environ=HOME, arguments={"search.dense_weight": 1}).config.search.dense_weight
    assert (weight, type(weight)) == (1.0, float)


def test_the_ends_of_a_range_are_inside_and_what_lies_beyond_is_not() -> None:
    for setting in settings():
        bound_to_another = (
            "store.shortlist",
            "store.rescore",
            *SHARES[0],
            *SHARES[1],
            *BRANCHES[0],
            *BRANCHES[1],
        )
        if setting.kind not in (Kind.INTEGER, Kind.NUMBER) or setting.key.startswith(bound_to_another):
            continue
        step = 1 if setting.kind is Kind.INTEGER else 0.01
        for end, beyond in ((setting.minimum, -step), (setting.maximum, step)):
            assert seen(load(environ=HOME, arguments={setting.key: end}), setting.key) == end
            assert setting.allowed in refused_arguments({setting.key: end + beyond}).problem


@pytest.mark.parametrize("shares", SHARES)
def test_the_shares_of_rules_and_tail_may_fill_the_prompt_and_no_more(shares: tuple[str, ...]) -> None:
    hard, soft, tail = shares
    load(environ=HOME, arguments={hard: 0.8, soft: 0.1, tail: 0.1})
    error = refused_arguments({soft: 0.8, tail: 0.15, hard: 0.15})
    assert error.key == hard
    assert f"({hard}, {soft}, {tail}) must sum to at most 1, not to 1.1 (0.15 + 0.8 + 0.15)" in error.problem
    assert f"{soft} comes from: argument {soft}, {tail} comes from: argument {tail}" in error.remedy
    assert refused_arguments({tail: 0.9}).key == tail
    assert f"{soft} comes from: default" in refused_arguments({tail: 0.9}).remedy
    assert "from 0 to 1" in refused_arguments({hard: 1.1}).problem


@pytest.mark.parametrize("claim", ["hard", "soft"])
def test_the_former_names_of_the_shares_of_rules_still_work_everywhere(claim: str, tmp_path: Path) -> None:
    former, key = f"authored.{claim}_share", f"assembly.augment_{claim}_share"
    host = {"authored": {f"{claim}Share": 0.1}}
    for loaded in (
        load(environ=HOME, arguments={former: 0.1}),
        load(environ={**HOME, f"LIBRAVDB_AUTHORED_{claim.upper()}_SHARE": "0.1"}),
        load(environ=HOME, arguments=from_host(host, "a host")),
        load_file(tmp_path, f"[authored]\n{claim}_share = 0.1"),
        load_file(tmp_path, json.dumps(host), "host.json"),
        load_file(tmp_path, json.dumps({f"authored{claim.title()}Share": 0.1}), "host.json"),
    ):
        assert lookup(loaded.config, key) == 0.1
        assert loaded.origins[key].source is not ValueOrigin.DEFAULT
    with pytest.raises(ConfigError, match="the same setting"):
        load_file(tmp_path, f"[authored]\n{claim}_share = 0.1\n[assembly]\naugment_{claim}_share = 0.2")


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_weights_of_a_branch_of_the_gate_sum_to_one(branch: tuple[str, ...]) -> None:
    first, second, third = branch
    config = load(environ=HOME, arguments={first: 0.5, second: 0.25, third: 0.25}).config
    assert [lookup(config, key) for key in branch] == [0.5, 0.25, 0.25]
    error = refused_arguments({second: 0.9})
    assert error.key == second
    assert "must sum to 1" in error.problem


def test_the_gate_is_set_by_the_names_that_clients_know() -> None:
    names = {"W1C": 0.2, "W2C": 0.3, "W3C": 0.5, "W1T": 0.1, "W2T": 0.2, "W3T": 0.7, "TECH_NORM": 2.0, "THRESHOLD": 0.4}
    environ = {f"LIBRAVDB_GATING_{name}": str(value) for name, value in names.items()}
    gate = load(environ={**HOME, **environ}).config.gate
    assert (gate.novelty, gate.repetition, gate.load) == (0.2, 0.3, 0.5)
    assert (gate.specificity, gate.action, gate.detail) == (0.1, 0.2, 0.7)
    assert (gate.technical_norm, gate.threshold) == (2.0, 0.4)


def test_a_wrong_choice_is_answered_with_all_choices() -> None:
    error = refused_arguments({"embedding.backend": "torch"})
    assert "one of bundled, onnx, openai, ollama, none, not 'torch'" in error.problem


def test_the_same_setting_twice_with_different_values_is_refused_and_both_are_named(tmp_path: Path) -> None:
    error = refused_environment(LIBRAVDB_STORE_PATH="/a", LIBRAVDB_DB_PATH="/b")
    assert error.key == "store.path"
    assert "LIBRAVDB_STORE_PATH" in str(error)
    assert "LIBRAVDB_DB_PATH" in str(error)
    error = refusal(tmp_path, '{"storePath": "/a", "store": {"path": "/b"}}', "c.json")
    assert "storePath" in str(error)
    assert "store.path" in str(error)


def test_the_same_setting_twice_with_the_same_value_is_fine() -> None:
    environ = {**HOME, "LIBRAVDB_STORE_PATH": "/data/m", "LIBRAVDB_DB_PATH": "/data/m"}
    loaded = load(environ=environ)
    assert loaded.config.store.path == Path("/data/m")
    assert loaded.origins["store.path"].name == "LIBRAVDB_STORE_PATH"


def test_a_json_key_written_twice_is_refused_as_toml_refuses_it(tmp_path: Path) -> None:
    assert "twice" in refusal(tmp_path, '{"search": {"k": 1, "k": 1}}', "c.json").problem
    assert "valid TOML" in refusal(tmp_path, "[search]\nk = 1\nk = 1").problem


# ── settings that must fit together ───────────────────────────────────────────────────────────────────────


def test_the_shortest_shortlist_is_at_most_the_longest() -> None:
    error = refused_arguments({"store.shortlist_rows": 11_000})
    assert (error.key, error.origin) == ("store.shortlist_rows", "argument store.shortlist_rows")
    assert "11000 is more than 10000" in error.problem
    error = refused_environment(LIBRAVDB_STORE_SHORTLIST_ROWS_MAX="999")
    assert error.key == "store.shortlist_rows_max"
    assert "999 is less than 2000" in error.problem
    load(environ=HOME, arguments={"store.shortlist_rows": 50, "store.shortlist_rows_max": 50})


@pytest.mark.parametrize(
    ("backend", "missing"),
    [
        ("onnx", "embedding.model"),
        ("openai", "embedding.endpoint"),
        ("openai", "embedding.model"),
        ("ollama", "embedding.endpoint"),
        ("ollama", "embedding.model"),
        ("onnx", "summarizer.model_path"),
        ("openai", "summarizer.endpoint"),
        ("openai", "summarizer.model"),
        ("ollama", "summarizer.endpoint"),
        ("ollama", "summarizer.model"),
    ],
)
def test_a_backend_without_what_it_needs_is_refused(backend: str, missing: str) -> None:
    chosen = f"{missing.partition('.')[0]}.backend"
    error = refused_arguments({**SERVER, **WRITER, chosen: backend, missing: "" if backend == "openai" else " "})
    assert error.key == missing
    assert f"{backend!r} (argument {chosen})" in error.problem
    assert "LIBRAVDB_" + missing.replace(".", "_").upper() in error.remedy


@pytest.mark.parametrize("backend", ["bundled", "none"])
def test_a_backend_that_needs_nothing_is_taken_alone(backend: str) -> None:
    assert load(environ=HOME, arguments={"embedding.backend": backend}).config.embedding.backend == backend


def test_the_fallback_user_has_a_name() -> None:
    assert refused_arguments({"memory.user": " "}).key == "memory.user"


def test_a_configuration_made_by_hand_is_held_to_the_same_rules() -> None:
    with pytest.raises(ConfigError, match=r"store\.vector_cache_mb"):
        Config(store=StoreSettings(vector_cache_mb=0))
    with pytest.raises(ConfigError, match="shortlist_rows_max"):
        Config(store=StoreSettings(shortlist_rows=11_000))
    with pytest.raises(ConfigError, match=r"store\.path"):
        Config(store=StoreSettings(path="text"))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"embedding\.model"):
        Config(embedding=EmbeddingSettings(backend="onnx"))
    with pytest.raises(ConfigError, match="one of bundled"):
        Config(embedding=EmbeddingSettings(backend="onnx-local", model="/m"))
    assert Config(memory=MemorySettings(user="ann")).memory.user == "ann"


def test_a_configuration_never_changes() -> None:
    config = Config()
    with pytest.raises(FrozenInstanceError):
        config.search.k = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        load(environ=HOME).origins["search.k"] = Origin(source=ValueOrigin.FILE)  # type: ignore[index]


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_file_named_beats_the_variable_which_beats_the_usual_place(tmp_path: Path) -> None:
    (tmp_path / ".clawdb").mkdir()
    for name, k in ((".clawdb/config.toml", 1), ("variable.toml", 2), ("named.toml", 3)):
        (tmp_path / name).write_text(f"[search]\nk = {k}")
    environ = {"HOME": str(tmp_path)}
    usual = load(environ=environ)
    assert (usual.config.search.k, usual.file) == (1, tmp_path / ".clawdb" / "config.toml")
    environ["LIBRAVDB_CONFIG"] = "~/variable.toml"
    by_variable = load(environ=environ)
    assert (by_variable.config.search.k, by_variable.file) == (2, tmp_path / "variable.toml")
    named = load(environ=environ, file=tmp_path / "named.toml")
    assert (named.config.search.k, named.file) == (3, tmp_path / "named.toml")


def test_an_empty_file_changes_nothing_and_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    assert load_file(tmp_path, "").config == load(environ=HOME).config
    assert load_file(tmp_path, b"\xef\xbb\xbf[search]\nk = 7").config.search.k == 7


@pytest.mark.parametrize("named_by", ["argument", "variable"])
def test_a_named_file_that_is_missing_is_refused_with_who_named_it(tmp_path: Path, named_by: str) -> None:
    path = tmp_path / "no.toml"
    file = path if named_by == "argument" else None
    environ = HOME if named_by == "argument" else {**HOME, "LIBRAVDB_CONFIG": str(path)}
    with pytest.raises(ConfigError, match="does not exist") as caught:
        load(file=file, environ=environ)
    assert str(path) in caught.value.origin
    assert ("argument file" if named_by == "argument" else "LIBRAVDB_CONFIG") in caught.value.origin


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a folder.*Name the file in it"):
        load(file=tmp_path, environ=HOME)
    (tmp_path / ".clawdb" / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="is a folder"):
        load(environ={"HOME": str(tmp_path)})


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.touch(mode=0o000)
    with pytest.raises(ConfigError, match="may not be read"):
        load(file=path, environ=HOME)


@pytest.mark.parametrize("name", ["a\0b.toml", "x" * 5000])
def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(file=tmp_path / name, environ=HOME)


@pytest.mark.parametrize(
    ("name", "content", "problem", "line"),
    [
        ("c.toml", b"[store]\npath = 'x\n", "is not valid TOML", 2),
        ("c.toml", b"[store]\n\napi_key = sk-very-secret-123", "is not valid TOML", 3),
        ("c.toml", b"[search]\nk = [1,\n", "is not valid TOML", 2),
        ("c.toml", b"[search]\nk = 1\n# \xff\n", "is not UTF-8", 3),
        ("c.json", b'{\n"search": {"k": 1,}\n}', "is not valid JSON", 2),
        ("c.json", b'{"embeddingApiKey": "sk-very-secret-123"', "is not valid JSON", 1),
        ("c.json", b"", "is not valid JSON", 1),
        ("c.json", b"[1]", "holds a list, not an object", 1),
        ("C.JSON", b"null", "holds null, not an object", 1),
    ],
)
def test_a_broken_file_is_refused_with_its_line(
    tmp_path: Path, name: str, content: bytes, problem: str, line: int
) -> None:
    error = refusal(tmp_path, content, name)
    assert error.key == "configuration file"
    assert problem in error.problem
    assert error.origin == f"{tmp_path / name}, line {line}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.json", '{"k": ' + "9" * 5000 + "}"),
        ("c.toml", "k = " + "9" * 5000),
        ("c.json", "[" * 200_000),
        ("c.toml", "k = " + "[" * 200_000),
    ],
    ids=["json digits", "toml digits", "json brackets", "toml brackets"],
)
def test_a_file_too_wild_to_parse_is_refused_like_a_broken_one(tmp_path: Path, name: str, text: str) -> None:
    assert refusal(tmp_path, text, name).key == "configuration file"


@pytest.mark.parametrize("text", ["store = 1", "[[store]]\npath = 'x'"])
def test_a_section_must_hold_settings(tmp_path: Path, text: str) -> None:
    error = refusal(tmp_path, text)
    assert error.key == "store"
    assert "is a section" in error.problem


@effort(deadline=None)  # the disk may be slow
@given(content=st.binary(max_size=200), name=st.sampled_from(["c.toml", "c.json"]))
def test_no_file_content_causes_anything_but_a_configuration_or_its_refusal(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(content)
    try:
        assert isinstance(load(file=path, environ=HOME).config, Config)
    except ConfigError as error:
        assert error.remedy  # noqa: PT017  either outcome is right


WORDS = st.sampled_from(["", " ", "x", "~", "~/x", "~x", "onnx", "none", "\0", "\ud800", "é" * 300, "1", "true"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


@given(
    document=st.dictionaries(
        st.sampled_from([name for each in settings() for name in (*each.flat_names, each.section)]),
        JSON_VALUES | st.dictionaries(st.sampled_from([each.name for each in settings()]), JSON_VALUES),
        max_size=3,
    )
)
def test_no_host_object_causes_anything_but_a_configuration_or_its_refusal(
    document: dict[str, object],
) -> None:
    try:
        assert isinstance(load(environ=HOME, arguments=from_host(document, "a host")).config, Config)
    except ConfigError as error:
        assert error.remedy  # noqa: PT017  either outcome is right


# ── paths ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_relative_path_in_a_file_starts_at_the_files_folder(tmp_path: Path) -> None:
    assert load_file(tmp_path, "[store]\npath = 'm/x.db'").config.store.path == tmp_path / "m" / "x.db"
    assert load_file(tmp_path, '{"dbPath": "x.db"}', "c.json").config.store.path == tmp_path / "x.db"


def test_a_relative_path_from_elsewhere_starts_where_the_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_file(tmp_path, "", LIBRAVDB_DB_PATH="x.db").config.store.path == tmp_path / "x.db"
    assert load(environ=HOME, arguments={"store.path": Path("x.db")}).config.store.path == tmp_path / "x.db"
    assert load(environ=HOME, arguments=from_host({"dbPath": "x.db"}, "h")).config.store.path == tmp_path / "x.db"
    (tmp_path / "c.toml").write_text("[store]\npath = 'y.db'")
    assert load(environ=HOME, file=Path("c.toml")).config.store.path == tmp_path / "y.db"


def test_the_tilde_is_the_home_of_the_environment_given(tmp_path: Path) -> None:
    assert load_file(tmp_path, "[store]\npath = '~/x.db'").config.store.path == Path("/nobody/home/x.db")
    assert load(environ={"USERPROFILE": "/u", "LIBRAVDB_DB_PATH": "~/x"}).config.store.path == Path("/u/x")


def test_the_model_and_tokenizer_are_paths_for_onnx_and_names_for_a_server(tmp_path: Path) -> None:
    text = "[embedding]\nmodel = 'm'\ntokenizer = '~/t.json'\nendpoint = 'http://localhost'\nbackend = "
    onnx = load_file(tmp_path, text + "'onnx'").config.embedding
    assert (onnx.model, onnx.tokenizer) == (str(tmp_path / "m"), "/nobody/home/t.json")
    openai = load_file(tmp_path, text + "'openai'").config.embedding
    assert (openai.model, openai.tokenizer) == ("m", "~/t.json")
    alone = load(environ=HOME, arguments={"embedding.backend": "onnx", "embedding.model": "/m"}).config.embedding
    assert (alone.model, alone.tokenizer) == ("/m", "")


def test_the_folder_and_the_tokenizer_of_a_summariser_are_paths_for_onnx(tmp_path: Path) -> None:
    text = "[summarizer]\nbackend = 'onnx'\nmodel_path = 'm'\ntokenizer = '~/t.json'"
    onnx = load_file(tmp_path, text).config.summarizer
    assert (onnx.model_path, onnx.tokenizer) == (str(tmp_path / "m"), "/nobody/home/t.json")


def test_without_a_home_only_what_needs_one_is_refused() -> None:
    assert load(environ={"LIBRAVDB_DB_PATH": "/x.db"}).config.store.path == Path("/x.db")
    with pytest.raises(ConfigError, match=r"store\.path \(default\).*HOME is not set.*Set HOME"):
        load(environ={})
    with pytest.raises(ConfigError, match=r"configuration file.*HOME is not set"):
        load(environ={"LIBRAVDB_DB_PATH": "/x.db", "LIBRAVDB_CONFIG": "~/c.toml"})


def test_the_home_of_another_user_is_refused_rather_than_made_a_folder() -> None:
    assert "another user" in refused_environment(LIBRAVDB_DB_PATH="~bob/x.db").problem


def test_a_path_that_is_not_utf8_is_kept_and_can_be_shown() -> None:
    loaded = load(environ={**HOME, "LIBRAVDB_DB_PATH": "/data/\udcff.db"})
    assert loaded.config.store.path == Path("/data/\udcff.db")
    assert render_value(settings()[0], loaded.config.store.path) == '"/data/\\udcff.db"'


# ── secrets ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_secret_is_masked_wherever_a_configuration_is_shown() -> None:
    written = from_host({"embedding": {"apiKey": SECRET}}, "a host")
    loaded = load(environ=HOME, arguments=written)
    assert loaded.config.embedding.api_key == SECRET
    for shown in (written, loaded, loaded.config, loaded.config.embedding):
        assert SECRET not in repr(shown)
        assert SECRET not in str(shown)
    assert f"api_key={MASK!r}" in repr(loaded)
    assert "api_key=''" in repr(Config())
    assert "backend='bundled'" in repr(loaded)


def test_a_secret_is_masked_in_its_rendering_unless_it_is_empty() -> None:
    secrets = [setting for setting in settings() if setting.secret]
    assert [secret.key for secret in secrets] == ["embedding.api_key", "summarizer.api_key", "daemon.token"]
    for secret in secrets:
        assert render_value(secret, SECRET) == MASK
        assert render_value(secret, "") == '""'


@pytest.mark.parametrize("value", [SECRET + "\udcff", [SECRET], {"key": SECRET}, 4242424242424242, 42424242.42])
def test_a_refused_secret_is_not_repeated_in_the_error(value: object) -> None:
    error = refused_arguments({"embedding.api_key": value})
    assert SECRET not in str(error)
    assert "4242" not in str(error)


def test_two_different_secrets_are_refused_without_showing_either(tmp_path: Path) -> None:
    text = json.dumps({"embeddingApiKey": SECRET, "embedding": {"apiKey": SECRET + "x"}})
    assert refusal(tmp_path, text, "c.json").key == "embedding.api_key"


# ── the page, and the cost of importing ───────────────────────────────────────────────────────────────────


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def test_the_page_holds_the_table_that_the_module_prints() -> None:
    made = re.search(r"<!-- [^>]*: begin -->\n(.*)<!-- [^>]*: end -->", PAGE.read_text(), re.DOTALL)
    assert made is not None
    assert made[1] == markdown(), "Put the output of 'python -m libravdb.config.reference' between the markers."


def test_the_module_prints_the_table_when_it_is_run() -> None:
    command = [sys.executable, "-W", "error", "-m", "libravdb.config.reference"]
    assert subprocess.run(command, capture_output=True, check=True, text=True).stdout == markdown()


@by_every_key
def test_the_page_has_one_row_per_setting_with_its_default_its_variables_and_its_help(
    setting: Setting,
) -> None:
    (row,) = (line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{setting.key}` |"))
    assert f"| `{render_value(setting, setting.default)}` |" in row
    assert all(f"`{name}`" in row for name in setting.env_names)
    assert setting.help in row
    assert setting.help.endswith(".")
    assert "|" not in setting.help


def test_the_examples_of_the_page_work(tmp_path: Path) -> None:
    (toml,) = blocks("toml")
    (host,) = blocks("json")
    (python,) = blocks("python")
    assert load_file(tmp_path, toml).config.embedding.backend == "ollama"
    assert load_file(tmp_path, host, "c.json").config.store.path == tmp_path / "memory.libravdb"
    printed = subprocess.run([sys.executable, "-c", python], capture_output=True, check=True, text=True).stdout
    assert "search.k = 20  # environment variable LIBRAVDB_SEARCH_K" in printed
    assert 'memory.user = "default"  # default' in printed


def test_the_refusal_shown_on_the_page_is_the_one_given(tmp_path: Path) -> None:
    (shown,) = blocks("text")
    error = refusal(tmp_path, "[store]\nvector_cache = 1")
    assert str(error).replace(str(tmp_path), "/home/ann/.clawdb") == shown.strip()


def test_importing_the_configuration_loads_nothing_but_itself_and_the_standard_library() -> None:
    check = (
        "import sys; before = set(sys.modules); import libravdb.config; "
        "print({name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    printed = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True, text=True).stdout
    assert printed.strip() == "{'libravdb'}"

"""A setting is declared once: in the class that its room works with, which is the section of the configuration."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import libravdb
from libravdb.app import engine_settings, open_engine
from libravdb.config import (
    AssemblySettings,
    AuthoredSettings,
    CompactionSettings,
    Config,
    EmbeddingSettings,
    GateSettings,
    IngestSettings,
    RecallSettings,
    StoreSettings,
    load,
    settings,
)
from libravdb.config.schema import sections
from libravdb.engine.engine import Engine
from libravdb.engine.settings import EngineSettings
from libravdb.errors import ConfigError, InvalidInput
from libravdb.model import AssemblyMode, Tranche
from libravdb.model.settings import Sum

SOURCE = Path(libravdb.__file__).parent


def dataclasses_of_the_package() -> set[type]:
    """Every dataclass that any module of ours defines."""
    names = [each.name for each in pkgutil.walk_packages(libravdb.__path__, "libravdb.")]
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    return {
        value
        for module in modules
        for value in vars(module).values()
        if inspect.isclass(value) and is_dataclass(value) and value.__module__.startswith("libravdb.")
    }


def has_a_declared_setting(kind: type) -> bool:
    return any("help" in each.metadata for each in fields(kind))


# ── one class ─────────────────────────────────────────────────────────────────────────────────────────────


def test_every_field_of_every_section_is_a_declared_setting_with_a_default() -> None:
    undeclared = [
        f"{room.__name__}.{each.name}"
        for room in sections().values()
        for each in fields(room)
        if "help" not in each.metadata or each.default is MISSING
    ]
    assert undeclared == []


def test_settings_are_declared_in_the_sections_of_the_configuration_and_nowhere_else() -> None:
    declaring = {kind for kind in dataclasses_of_the_package() if has_a_declared_setting(kind)}
    assert declaring == set(sections().values())
    assert len(declaring) == len(sections())  # no class serves two sections


def test_no_other_class_of_the_package_is_made_of_settings() -> None:
    """What the engine gets is a choice of sections and holds no value of its own."""
    named = {kind for kind in dataclasses_of_the_package() if kind.__name__.endswith(("Settings", "Config"))}
    others = named - set(sections().values())
    assert {kind.__name__ for kind in others} == {"Config", "EngineSettings", "HostConfig"}
    assert get_type_hints(EngineSettings).items() <= sections().items()


# ── one default ───────────────────────────────────────────────────────────────────────────────────────────


def named_literals(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """Every parameter, field or constant that gets a literal, by its name in small letters."""
    for node in ast.walk(tree):
        given: list[tuple[str, ast.expr | None]] = []
        match node:
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
                plain = [*args.posonlyargs, *args.args]
                given += [(arg.arg, value) for arg, value in zip(plain[::-1], args.defaults[::-1], strict=False)]
                given += [(arg.arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                given.append((name, value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given.append((name, value))
        for name, written in given:
            if written is not None and not any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(written)):
                try:
                    yield name.lower(), ast.literal_eval(written)
                except ValueError:
                    continue


def copies(source: str) -> list[str]:
    """Names of settings that a module gives their default a second time. 0, false and empty say nothing."""
    telling = {(each.name, each.default) for each in settings() if each.default and each.default is not True}
    return [
        f"{name} = {value!r}"
        for name, value in named_literals(ast.parse(source))
        if isinstance(value, int | float | str | tuple) and (name, value) in telling
    ]


def test_no_default_of_a_setting_is_written_a_second_time() -> None:
    found = {str(path.relative_to(SOURCE)): copies(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "copy",
    [
        "class Remote:\n    def __init__(self, *, retries: int = 2) -> None: ...",
        "async def ask(question, k=10): ...",
        "MAX_FILE_BYTES = 1_048_576",
        "class Pace:\n    debounce_ms: int = 300",
        "INCLUDE = ('**/*.md', '**/*.markdown')",
    ],
)
def test_a_copied_default_would_be_noticed(copy: str) -> None:
    assert len(copies(copy)) == 1


# ── one use ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_engine_gets_the_sections_of_the_configuration_themselves() -> None:
    config = Config()
    given = engine_settings(config)
    assert [each.name for each in fields(given) if getattr(given, each.name) is not getattr(config, each.name)] == []


def engine_with(tmp_path: Path, **rooms: Any) -> Engine:
    """An engine as everybody opens it, with some sections of its own."""
    config = Config(embedding=EmbeddingSettings(backend="none"), **rooms)
    return open_engine(replace(config, store=replace(config.store, path=tmp_path / "m.libravdb")))


def test_the_number_of_results_is_the_configured_one(tmp_path: Path) -> None:
    with engine_with(tmp_path, search=RecallSettings(k=2)) as engine:
        for number in range(5):
            engine.memories.remember(f"Ferry number {number} leaves at nine.", collection="user:anna")
        assert len(engine.search("When does the ferry leave?", namespace="anna").hits) == 2


@pytest.mark.parametrize(("threshold", "is_kept"), [(0.0, True), (1.0, False)])
def test_the_gate_keeps_from_the_configured_score_on(tmp_path: Path, threshold: float, is_kept: bool) -> None:  # noqa: FBT001  parametrised
    with engine_with(tmp_path, gate=GateSettings(threshold=threshold)) as engine:
        engine.conversations.ingest_batch(
            ["We painted the old boathouse green in May 2019."], session="s", namespace="anna"
        )
        assert bool(engine.memories.latest("user:anna", limit=5)) is is_kept


@pytest.mark.parametrize(("masks", "stored"), [(True, "[secret: "), (False, "ghp_")])
def test_secrets_are_masked_as_configured(tmp_path: Path, masks: bool, stored: str) -> None:  # noqa: FBT001  parametrised
    said = "The token is ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8, keep it."
    with engine_with(tmp_path, ingest=IngestSettings(mask_secrets=masks)) as engine:
        engine.conversations.ingest_batch([said], session="s", namespace="anna")
        assert stored in engine.memories.latest("history:anna", limit=1)[0].text


def test_texts_and_documents_are_as_long_as_configured(tmp_path: Path) -> None:
    rooms = {"store": StoreSettings(max_text_chars=20), "authored": AuthoredSettings(max_chars=10)}
    with engine_with(tmp_path, **rooms) as engine:
        with pytest.raises(InvalidInput, match=r"at most 20 .*store\.max_text_chars"):
            engine.memories.remember("x" * 21, collection="user:anna")
        with pytest.raises(InvalidInput, match=r"at most 10 .*authored\.max_chars"):
            engine.documents.author("notes.md", "x" * 11)


def test_a_prompt_is_shared_out_as_configured(tmp_path: Path) -> None:
    chosen = AssemblySettings(augment_soft_share=0.1, augment_tail_share=0.4, window_tail_share=0.6, receipts=1)
    with engine_with(tmp_path, assembly=chosen) as engine:
        for mode, tail, soft in ((AssemblyMode.AUGMENT, 400, 100), (AssemblyMode.WINDOW, 600, 100)):
            made = engine.prompts.assemble("What is new?", session="s", namespace="anna", budget=1_000, mode=mode)
            ledger = engine.prompts.explain(made.receipt, namespace="anna").receipt.ledger
            limits = {line.tranche: line.limit for line in ledger}
            assert (limits[Tranche.EXTENSION], limits[Tranche.SOFT]) == (tail, soft)


def test_a_session_is_folded_as_configured(tmp_path: Path) -> None:
    chosen = CompactionSettings(auto_tokens=0, minimum_turns=2, tail_tokens=10, target_turns=4)
    with engine_with(tmp_path, compaction=chosen) as engine:
        for number in range(12):
            text = f"On day {number} the crew of the boat repaired sail number {number} in the harbour of Porto."
            engine.conversations.ingest_batch([text], session="s", namespace="anna")
        assert engine.compaction.compact("s").clusters_formed == 3


# ── sums ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("section", "whole"),
    [(section, each) for section, room in sections().items() for each in getattr(room, "SUMS", ())],
    ids=lambda value: value if isinstance(value, str) else value.names[0],
)
def test_every_sum_that_a_section_names_is_held_by_the_configuration(section: str, whole: Sum) -> None:
    arguments: dict[str, object] = {f"{section}.{name}": 0.9 for name in whole.names}
    with pytest.raises(ConfigError, match="must sum to") as caught:
        load(environ={"HOME": "/nobody"}, arguments=arguments)
    assert all(key in str(caught.value) for key in arguments)


# ── weight ────────────────────────────────────────────────────────────────────────────────────────────────


def test_knowing_the_settings_of_a_room_loads_nothing_else_of_it() -> None:
    code = (
        "import sys; import libravdb.config; "
        "print([name for name in sys.modules if name.startswith(('libravdb.adapters.', 'libravdb.engine', "
        "'libravdb.daemon.', 'libravdb.client')) and not hasattr(sys.modules[name], '__path__')])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert sorted(ast.literal_eval(printed)) == [
        "libravdb.adapters.embedders.settings",
        "libravdb.adapters.folders.settings",
        "libravdb.adapters.summarisers.settings",
        "libravdb.daemon.settings",
    ]


def test_without_the_extra_the_settings_of_the_watcher_are_known_and_watching_is_refused_with_the_remedy() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n"
        "from libravdb.config import WatchSettings\n"
        "from libravdb.adapters.folders import require_extra\n"
        "from libravdb.errors import ExtraMissing\n"
        "assert WatchSettings().debounce_ms\n"
        "try:\n    require_extra()\nexcept ExtraMissing as error:\n    print(error)"
    )
    bare = [sys.executable, "-I", "-S", "-c", code]  # without installed packages
    printed = subprocess.run(bare, capture_output=True, check=True, text=True).stdout
    assert "pip install 'libravdb-memory[watch]'" in printed

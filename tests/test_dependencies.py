"""What is installed with the package, and what works without the extras."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement
from tests.adapters.summarisers.copiers import Copier

import libravdb
from libravdb import Memory
from libravdb.adapters.embedders.bundled import shipped_folder
from libravdb.app import load_embedder, load_summariser
from libravdb.config import EmbeddingSettings, SummarizerSettings
from libravdb.errors import ExtraMissing
from libravdb.model import SearchMode

if TYPE_CHECKING:
    from tests.conftest import BuildModel

ROOT = Path(__file__).parent.parent
SOURCE = Path(libravdb.__file__).parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(each) for each in PROJECT["dependencies"]]
EXTRAS = [Requirement(each) for several in PROJECT["optional-dependencies"].values() for each in several]
DOWNLOADERS = (
    "tokenizers",
    "huggingface_hub",
    "hf_xet",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "requests",
    "anyio",
)


def normal(name: str) -> str:
    """A package's name, however it is written."""
    return re.sub(r"[-_.]+", "-", name).lower()


def brought_along(needed: Iterable[Requirement]) -> set[str]:
    """Everything that is installed with these, on this machine."""
    found: set[str] = set()
    waiting = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    while waiting:
        name = normal(waiting.pop().name)
        if name not in found:
            found.add(name)
            further = (Requirement(each) for each in requires(name) or ())
            waiting += [each for each in further if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def test_no_downloader_and_no_http_client_is_installed_with_the_package() -> None:
    installed = brought_along(NEEDED)
    assert "numpy" in installed
    assert installed.isdisjoint(map(normal, DOWNLOADERS))


def test_every_package_that_is_installed_with_ours_is_named_in_the_docs() -> None:
    page = (ROOT / "docs" / "internals" / "dependencies.md").read_text(encoding="utf-8")
    named = {normal(name) for name in re.findall(r"`([\w.-]+)`", page)}
    assert brought_along(NEEDED) - named == set()


def test_every_package_that_we_import_is_required_or_belongs_to_an_extra() -> None:
    declared = {normal(each.name) for each in (*NEEDED, *EXTRAS)}
    known = packages_distributions()
    strangers = {
        name
        for path in SOURCE.rglob("*.py")
        for name in imported(path) - set(sys.stdlib_module_names) - {"libravdb"}
        if declared.isdisjoint(map(normal, known.get(name, [name])))
    }
    assert strangers == set()


def test_the_library_of_an_extra_is_named_in_one_file() -> None:
    assert [path.name for path in SOURCE.rglob("*.py") if "tokenizers" in imported(path)] == ["tokenizers_library.py"]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["demo"], ["doctor"]])
def test_the_program_works_where_no_downloader_can_be_imported(arguments: list[str], tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules.update(dict.fromkeys({DOWNLOADERS!r}))  # importing one now fails, as if it were not installed
sys.argv[1:] = {arguments!r}
from libravdb.cli import main
main()
"""
    environment = {"PATH": "", "HOME": str(tmp_path), "LIBRAVDB_STORE_PATH": str(tmp_path / "memory.libravdb")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "words only" not in done.stdout


# ── the extra ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def without_tokenizers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed, and nobody had asked for it yet."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    for name in ("libravdb.adapters.tokenizers_library", "libravdb.adapters.summarisers.onnx"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.usefixtures("without_tokenizers")
def test_a_local_embedder_with_another_tokenizer_asks_for_the_extra(build_model: BuildModel) -> None:
    with pytest.raises(ExtraMissing, match=r"Run pip install 'libravdb-memory\[models\]'"):
        load_embedder(EmbeddingSettings(backend="onnx", model=str(build_model())))


@pytest.mark.usefixtures("without_tokenizers")
def test_a_local_summariser_asks_for_the_extra(tmp_path: Path) -> None:
    folder = Copier().save(tmp_path / "model")
    with pytest.raises(ExtraMissing, match=r"Run pip install 'libravdb-memory\[models\]'"):
        load_summariser(SummarizerSettings(backend="onnx", model_path=str(folder)))


@pytest.mark.usefixtures("without_tokenizers")
def test_a_local_embedder_that_is_a_plain_bert_needs_no_extra(tmp_path: Path) -> None:
    shutil.copytree(shipped_folder(), tmp_path / "model")
    embedder = load_embedder(EmbeddingSettings(backend="onnx", model=str(tmp_path / "model")))
    assert embedder.embed_query("hello").shape == (384,)


@pytest.mark.usefixtures("without_tokenizers")
def test_without_the_extra_nothing_is_lost_and_answers_say_what_to_install(
    build_model: BuildModel, tmp_path: Path
) -> None:
    settings = {"embedding.backend": "onnx", "embedding.model": str(build_model())}
    with Memory.open(tmp_path / "memory.libravdb", settings=settings) as memory:
        memory.remember("the green boat sails at dawn")
        answer = memory.search("boat")
    assert [hit.record.text for hit in answer.hits] == ["the green boat sails at dawn"]
    assert answer.mode is SearchMode.LEXICAL_ONLY
    assert "pip install 'libravdb-memory[models]'" in answer.degraded

"""An embedder over a local folder with `model.onnx` and `tokenizer.json`.

The graph takes `input_ids` (and, if it wants them, `attention_mask` and `token_type_ids`) and gives one vector per
token, which we pool, or one per text. What the model really gives is measured when it is opened, by embedding one
word, and compared with what profile, manifest and configuration promise.
"""

from __future__ import annotations

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from libravdb.adapters.embedders.pooling import is_usable, layer_norm, unit, weighted_mean
from libravdb.adapters.embedders.profiles import PROFILES, UNKNOWN, EmbedderProfile
from libravdb.adapters.embedders.shared_models import LoadedModel, share_model
from libravdb.adapters.embedders.tokenizer import OTHER_MODEL, open_tokenizer
from libravdb.adapters.onnx_runtime import brief, open_session, ort
from libravdb.errors import EmbedderError, InvalidInput, ModelInvalid
from libravdb.ports.clock import no_progress
from libravdb.text.passages import RECIPE, require_text, spans, windows

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from libravdb.model import Metadata, Vector
    from libravdb.ports.clock import Progress
    from libravdb.text.sentences import Span

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
POOLINGS = ("mean", "cls")
UNIT_TOLERANCE = 1e-3


LABELS = {"libravdb-minilm-1": "libravdb-minilm", "all-minilm-l6-v2": "minilm", "nomic-embed-text-v1.5": "nomic"}
"""The readable start of a fingerprint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """Where the parts of a model are, with their sha256. `graph` is the first of `parts`; the others hold weights."""

    folder: Path
    parts: Mapping[Path, str]
    tokenizer: Path
    tokenizer_sha256: str

    @property
    def graph(self) -> Path:
        return next(iter(self.parts))

    @property
    def key(self) -> Hashable:
        """The same for the same files with the same content."""
        return tuple(self.parts.items()), self.tokenizer, self.tokenizer_sha256

    def changed(self) -> Path | None:
        """The first file that no longer has its sha256, or None; reads them all."""
        expected = {**self.parts, self.tokenizer: self.tokenizer_sha256}
        return next((path for path, sha256 in expected.items() if _sha256(path) != sha256), None)


def _open_workers() -> tuple[int, ThreadPoolExecutor]:
    """Threads that embed, one a core, and the process that they are of."""
    return os.getpid(), ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="embed")


def _closed() -> EmbedderError:
    return EmbedderError("The embedder is closed.", remedy="Open it again.")


class OnnxEmbedder:
    """Texts to vectors with a local model; see `Embedder` in `ports.py`. Safe to use from several threads."""

    def __init__(
        self, *, files: ModelFiles, profile: EmbedderProfile, dimensions: int, normalize: bool, backend: str
    ) -> None:
        self._files = files
        self._profile = profile
        self._normalize = normalize
        self._backend = backend
        model = share_model(files.key, lambda: _load_model(files))
        self._model: LoadedModel | None = model
        self._tokenizer = model.tokenizer
        self._workers = _open_workers()
        self._inputs = _inputs(model.session, files.graph)
        outputs = [output.name for output in model.session.get_outputs()]
        self._output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
        self._dimensions = self._measured_dimensions(dimensions)
        self._fingerprint = _fingerprint(files, profile, dimensions=self._dimensions, normalize=normalize)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        profile: EmbedderProfile | None = None,
        tokenizer: Path | None = None,
        dimensions: int = 0,
        normalize: bool = True,
        is_shipped: bool = False,
    ) -> Self:
        """Load and check a model folder. Raises ModelInvalid for anything that is not as promised.

        Without a profile the folder's manifest describes the model; without either, mean pooling and windows of
        256 tokens. `dimensions` asks a Matryoshka model for shorter vectors, 0 for its own length. `normalize`
        off means that the model scales its vectors itself: one that is not of length 1 is refused. The shipped
        model's manifest was written with it, so only sizes are compared; any other folder is hashed.
        """
        model = _find_model(folder)
        tokens = tokenizer if tokenizer is not None else _find_tokenizer(folder)
        manifest = _read_manifest(folder)
        profile = _resolve_profile(profile, manifest, folder)
        parts, manifested = _model_parts(model), manifest.get("files", {})
        digests = {
            path: _checked_sha256(path, manifested.get(_name_in(folder, path)), trusted=is_shipped)
            for path in (*parts, tokens)
        }
        sha256 = digests.pop(tokens)
        return cls(
            files=ModelFiles(folder=folder, parts=digests, tokenizer=tokens, tokenizer_sha256=sha256),
            profile=profile,
            dimensions=_wanted_dimensions(dimensions, profile),
            normalize=normalize,
            backend="bundled" if is_shipped else "onnx",
        )

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides the vectors, and of nothing else: not of paths, not of names."""
        return self._fingerprint

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._dimensions

    @property
    def description(self) -> Metadata:
        """What it is, and under the names of the settings what loads it again."""
        found: Metadata = {
            "backend": self._backend,
            "name": self._profile.name,
            "dimensions": self._dimensions,
            "max_tokens": self._profile.max_tokens,
            "pooling": self._profile.pooling,
            "normalize": self._normalize,
        }
        if self._backend == "bundled":
            return found
        return {
            **found,
            "profile": self._profile.name if self._profile.name in PROFILES else "",
            "model": str(self._files.folder),
            "tokenizer": str(self._files.tokenizer),
        }

    def embed_text(self, text: str) -> Vector:
        """All vectors of a text to be kept, as rows: the whole first, then its passages."""
        require_text(text)
        ids, places = self._tokenizer.encode(text)
        prefix = self._prefix(self._profile.document_prefix)
        runs = windows(len(ids), self._window(prefix))
        pieces = [
            (first + begin, first + end)
            for first, last in _token_spans(places, spans(text))
            for begin, end in windows(last - first, self._window(prefix))
        ]
        if len(pieces) == 1:
            pieces = []
        # A dictionary, because the windows of a text that is one long passage are that passage's windows too.
        vectors = {run: self._embed_ids(prefix + ids[run[0] : run[1]]) for run in dict.fromkeys(runs + pieces)}
        whole = self._mean([vectors[run] for run in runs], [end - begin for begin, end in runs])
        return np.stack([whole, *(vectors[piece] for piece in pieces)])

    def embed_texts(self, texts: Sequence[str], progress: Progress = no_progress) -> list[Vector]:
        """`embed_text` for many, one text a core at a time."""
        if len(texts) < 2:
            return self._collect(map(self.embed_text, texts), len(texts), progress)
        process, workers = self._workers
        if process != os.getpid():  # threads do not come along into a forked process
            self._workers = _, workers = _open_workers()
        try:
            results = workers.map(self.embed_text, texts)
        except RuntimeError as error:  # shut down, or no thread can be started
            if self._model is None:
                raise _closed() from error
            raise EmbedderError(f"Embedding cannot go on: {error}.", remedy="Free some memory or threads.") from error
        return self._collect(results, len(texts), progress)

    def embed_query(self, text: str) -> Vector:
        """One vector for a question, of shape (dimensions,)."""
        require_text(text)
        ids, _ = self._tokenizer.encode(text)
        prefix = self._prefix(self._profile.query_prefix)
        runs = windows(len(ids), self._window(prefix))
        vectors = [self._embed_ids(prefix + ids[begin:end]) for begin, end in runs]
        return self._mean(vectors, [end - begin for begin, end in runs])

    def probe(self) -> None:
        """Nothing to compare: the fingerprint is made from the files themselves."""

    def verify_files(self) -> None:
        """Read and hash every file again. Raises ModelInvalid when one is no longer what was loaded or shipped."""
        changed = self._files.changed()
        if changed is not None:
            raise ModelInvalid(str(changed), "is not the file that its hash was taken from", remedy=_RESTORE)

    def close(self) -> None:
        """Let go of the model; closing twice is fine."""
        self._model = None
        process, workers = self._workers
        if process == os.getpid():
            workers.shutdown(wait=False)

    @staticmethod
    def _collect(results: Iterable[Vector], total: int, progress: Progress) -> list[Vector]:
        collected: list[Vector] = []
        for vectors in results:
            collected.append(vectors)
            progress(len(collected), total)
        return collected

    def _prefix(self, prefix: str) -> list[int]:
        return self._tokenizer.encode(prefix)[0] if prefix else []

    def _window(self, prefix: list[int]) -> int:
        return max(1, self._profile.max_tokens - len(self._tokenizer.head) - len(self._tokenizer.tail) - len(prefix))

    def _mean(self, vectors: list[Vector], weights: list[int]) -> Vector:
        if len(vectors) == 1:
            return vectors[0]
        return self._directed(weighted_mean(vectors, weights))

    def _embed_ids(self, ids: list[int]) -> Vector:
        vector = self._run(ids)
        if self._profile.matryoshka:
            vector = layer_norm(vector)
        vector = vector[: self._dimensions]
        if self._normalize:
            return self._directed(vector)
        length = float(np.linalg.norm(vector))
        if not abs(length - 1) <= UNIT_TOLERANCE:
            problem = f"gives a vector of length {length:.4g}, not 1, and embedding.normalize is off"
            raise ModelInvalid(str(self._files.graph), problem, remedy="Turn embedding.normalize on.")
        return vector

    def _directed(self, vector: Vector) -> Vector:
        if not is_usable(vector):
            problem = "gives a vector that is zero or not finite"
            raise ModelInvalid(str(self._files.graph), problem, remedy=OTHER_MODEL)
        return unit(vector)

    def _run(self, ids: list[int]) -> Vector:
        """One window alone, without padding: dynamic quantisation takes its scales from the whole batch, so a
        text would get another vector in other company."""
        model = self._model
        if model is None:
            raise _closed()
        row = np.array([[*self._tokenizer.head, *ids, *self._tokenizer.tail]], dtype=np.int64)
        values = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        try:
            (output,) = model.session.run([self._output], {name: values[name] for name in self._inputs})
        except Exception as error:  # onnxruntime's errors share no class of their own
            raise ModelInvalid(str(self._files.graph), f"fails: {brief(error)}", remedy=OTHER_MODEL) from error
        return self._pooled(np.asarray(output, dtype=np.float32))

    def _pooled(self, output: Vector) -> Vector:
        if output.ndim == 2 and output.shape[0] == 1:
            given: Vector = output[0]
            return given
        if output.ndim == 3 and output.shape[0] == 1 and output.shape[1] > 0:
            pooled: Vector = output[0, 0] if self._profile.pooling == "cls" else output[0].mean(axis=0)
            return pooled
        problem = f"gives an output of shape {output.shape}, neither one vector per text nor one per token"
        raise ModelInvalid(str(self._files.graph), problem, remedy=OTHER_MODEL)

    def _measured_dimensions(self, wanted: int) -> int:
        given = self._run(self._tokenizer.encode("memory")[0]).shape[0]
        expected = self._profile.dimensions or given
        if given != expected:
            problem = f"gives vectors of {given} dimensions, but {expected} are promised by {self._profile.name!r}"
            raise ModelInvalid(str(self._files.graph), problem, remedy="Choose the profile of this model.")
        if wanted and wanted != given and not self._profile.matryoshka:
            problem = f"gives vectors of {given} dimensions, but {wanted} are asked for"
            raise ModelInvalid(str(self._files.graph), problem, remedy=f"Set embedding.dimensions to {given}.")
        return wanted or given


_RESTORE = "Restore the file from where it came, or install the package again."


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelInvalid(str(path), f"cannot be read: {error.strerror}", remedy=_RESTORE) from error


def _find_model(folder: Path) -> Path:
    for path in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if path.is_file():
            return path
    what = "has no model.onnx" if folder.is_dir() else "is not a folder"
    raise ModelInvalid(str(folder), what, remedy="Set embedding.model to a folder with model.onnx and tokenizer.json.")


def _find_tokenizer(folder: Path) -> Path:
    path = folder / "tokenizer.json"
    if not path.is_file():
        remedy = "Put the model's tokenizer.json there, or set embedding.tokenizer to its path."
        raise ModelInvalid(str(folder), "has no tokenizer.json", remedy=remedy)
    return path


def _model_parts(model: Path) -> list[Path]:
    """The graph, and the files beside it that hold weights too large for it (`model.onnx_data`, …)."""
    return [model, *sorted(path for path in model.parent.glob("model.onnx?*") if path.is_file())]


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    if not path.is_file():
        return {}
    try:
        manifest = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ModelInvalid(str(path), f"is not JSON: {brief(error)}", remedy=_RESTORE) from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files", {}), dict):
        raise ModelInvalid(str(path), "is not a JSON object with an object 'files'", remedy=_RESTORE)
    return manifest


def _resolve_profile(profile: EmbedderProfile | None, manifest: dict[str, Any], folder: Path) -> EmbedderProfile:
    """The given profile, else the manifest's; a manifest that contradicts it on dimensions is refused."""
    described = PROFILES.get(str(manifest.get("profile", "")), UNKNOWN)
    if described is UNKNOWN and manifest:
        described = replace(described, name=str(manifest.get("name", UNKNOWN.name)))
    profile = profile or _with_manifest(described, manifest, folder)
    promised = manifest.get("dimensions", profile.dimensions)
    if profile.dimensions and promised != profile.dimensions:
        problem = f"promises {promised} dimensions, but the profile {profile.name!r} has {profile.dimensions}"
        raise ModelInvalid(str(folder / "manifest.json"), problem, remedy="Choose the profile of this model.")
    if profile.pooling not in POOLINGS:
        raise ModelInvalid(str(folder), f"asks for pooling {profile.pooling!r}", remedy="Known are: mean, cls.")
    return profile


def _with_manifest(profile: EmbedderProfile, manifest: dict[str, Any], folder: Path) -> EmbedderProfile:
    values: dict[str, Any] = {}
    for key in ("dimensions", "max_tokens"):
        value = manifest.get(key, getattr(profile, key))
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ModelInvalid(str(folder / "manifest.json"), f"{key} is not a whole number", remedy=_RESTORE)
        values[key] = value
    values["pooling"] = manifest.get("pooling", profile.pooling)
    if profile.dimensions:  # a known profile: its dimensions stand, and the caller compares
        values["dimensions"] = profile.dimensions
    return replace(profile, **values)


def _wanted_dimensions(dimensions: int, profile: EmbedderProfile) -> int:
    allowed = profile.matryoshka or ((profile.dimensions,) if profile.dimensions else ())
    if dimensions and allowed and dimensions not in allowed:
        names = ", ".join(map(str, allowed))
        remedy = f"Set embedding.dimensions to one of: {names}; or to 0."
        raise InvalidInput("dimensions", f"{profile.name} cannot give {dimensions}, only {names}", remedy=remedy)
    return dimensions


def _name_in(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


def _checked_sha256(path: Path, promise: object, *, trusted: bool) -> str:
    """The sha256 of a file, which must keep what the manifest promises of it; a trusted one is only measured."""
    promised = promise if isinstance(promise, dict) else {}
    if not path.is_file():
        raise ModelInvalid(str(path), "is not there", remedy=_RESTORE)
    size = path.stat().st_size
    if promised.get("size", size) != size:
        problem = f"has {size} bytes, its manifest says {promised['size']}"
        raise ModelInvalid(str(path), problem, remedy=_RESTORE)
    sha256 = str(promised["sha256"]) if trusted and "sha256" in promised else _sha256(path)
    if promised.get("sha256", sha256) != sha256:
        raise ModelInvalid(str(path), "does not have the sha256 of its manifest", remedy=_RESTORE)
    return sha256


def _fingerprint(files: ModelFiles, profile: EmbedderProfile, *, dimensions: int, normalize: bool) -> str:
    content = {
        "recipe": RECIPE,
        "model": list(files.parts.values()),
        "tokenizer": files.tokenizer_sha256,
        "dimensions": dimensions,
        "pooling": profile.pooling,
        "max_tokens": profile.max_tokens,
        "prefixes": [profile.query_prefix, profile.document_prefix],
        "layer_norm": bool(profile.matryoshka),
        "normalize": normalize,
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return f"{LABELS.get(profile.name, 'onnx')}-{digest[:16]}"


def _load_model(files: ModelFiles) -> LoadedModel:
    return LoadedModel(tokenizer=open_tokenizer(files.tokenizer), session=_load_session(files.graph))


def _load_session(path: Path) -> ort.InferenceSession:
    try:
        return open_session(path)
    except Exception as error:  # onnxruntime's errors share no class of their own
        raise ModelInvalid(str(path), f"is no ONNX model: {brief(error)}", remedy=OTHER_MODEL) from error


def _inputs(session: ort.InferenceSession, path: Path) -> list[str]:
    names = [each.name for each in session.get_inputs()]
    strange = [name for name in names if name not in INPUTS]
    if strange or "input_ids" not in names:
        problem = f"takes the inputs {', '.join(names)}; known are {', '.join(INPUTS)}"
        raise ModelInvalid(str(path), problem, remedy=OTHER_MODEL)
    return names


def _token_spans(offsets: list[Span], passages: list[Span]) -> list[Span]:
    """For each passage its run of tokens; those between two passages are spaces and belong to none."""
    runs: list[Span] = []
    token = 0
    for start, end in passages:
        while token < len(offsets) and offsets[token][1] <= start:
            token += 1
        first = token
        while token < len(offsets) and offsets[token][0] < end:
            token += 1
        if token > first:
            runs.append((first, token))
    return runs

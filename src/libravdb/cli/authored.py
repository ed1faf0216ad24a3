"""authored add, watch, list, show, remove, lint: documents that people wrote, and the rules in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from libravdb.app import is_core_document, review_documents
from libravdb.cli.authored_watch import watch
from libravdb.cli.local_path import LocalPath
from libravdb.cli.output import Output, local_time, one_line
from libravdb.errors import DocumentTooHard, InvalidInput, NotFound
from libravdb.model import DocumentInfo, Json, Modality, NodeKind, Record, Remark, Severity, Tier
from libravdb.ports.regular_file import read_regular

if TYPE_CHECKING:
    from libravdb.cli.context import CommandContext
    from libravdb.config import Config
    from libravdb.ports.engine_api import EngineApi

MAX_BYTES = 64 * 2**20
"""A document is read whole."""

KIND = "file"
"""As `sourceKind`: added by this command."""

TIERS = {int(tier): tier.name.lower() for tier in Tier}
MODALITIES = {2: Modality.OBLIGATION, 4: Modality.PROHIBITION, 8: Modality.PERMISSION}
_FILES = click.argument("files", nargs=-1, required=True, type=LocalPath(exists=True))


@click.group()
def authored() -> None:
    """Keep documents that people wrote: notes, and files such as AGENTS.md whose rules bind.

    \b
    Examples:
      libravdb authored add AGENTS.md SOUL.md notes/
      libravdb authored list
      libravdb authored show AGENTS.md
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of one file; `problem` says why it was refused."""

    document: str
    outcome: str
    nodes: int = 0
    hard_tokens: int = 0
    soft_tokens: int = 0
    problem: str = ""
    degraded: str = ""


@authored.command()
@_FILES
@click.option("--core/--note", default=None, help="They hold rules, or do not, whatever their names say.")
@click.pass_obj
def add(session: CommandContext, files: tuple[Path, ...], *, core: bool | None) -> None:
    """Keep Markdown files, and all *.md in folders. Again is fine: what did not change is left alone.

    List items and front matter of AGENTS.md, SOUL.md, CLAUDE.md, IDENTITY.md, USER.md and the configured core_names are
    hard rules; quotes and paragraphs with a rule are soft ones. All else, and every other document, is lore.
    Leaves with 1 when a file was refused; the others are kept.

    \b
    Examples:
      libravdb authored add AGENTS.md
      libravdb authored add ~/notes
      libravdb authored add --core house-rules.md
    """
    output = session.output
    paths = list(dict.fromkeys(path.absolute() for path in _expanded(files)))
    done: list[Added] = []
    with session.engine() as engine, output.progress("Adding") as progress:
        known = engine.documents.list()
        for path in paths:
            done.append(_add(engine, path, core=core, known=known.get(str(path))))
            progress(len(done), len(paths))
        documents = engine.documents.list()
    output.warn(next((one.degraded for one in done if one.degraded), ""))
    _warn_of_total(session, documents.values())
    if output.is_json:
        output.json(done)
    else:
        _show_added(output, done)
    if any(one.problem for one in done):
        click.get_current_context().exit(1)


def _expanded(files: Sequence[Path]) -> Iterator[Path]:
    """The files themselves; of a folder every *.md, hidden folders left out."""
    for file in files:
        if not file.is_dir():
            yield file
            continue
        for folder, inner, names in os.walk(file):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            yield from (Path(folder, name) for name in sorted(names) if name.lower().endswith(".md"))


def _add(engine: EngineApi, path: Path, *, core: bool | None, known: DocumentInfo | None) -> Added:
    name = str(path)
    try:
        raw = read_regular(path, max_bytes=MAX_BYTES)
        told = {**(known.source_meta if known else {"sourceKind": KIND}), **_source_meta(path, raw)}
        done = engine.documents.author(name, _decoded(raw, name), core=core, source_meta=told)
    except (DocumentTooHard, InvalidInput) as error:
        return Added(document=name, outcome="refused", problem=str(error))
    except OSError as error:
        return Added(document=name, outcome="refused", problem=f"cannot be read: {error.strerror}")
    info = done.document
    return Added(
        document=name,
        outcome=done.outcome,
        nodes=info.nodes,
        hard_tokens=info.hard_tokens,
        soft_tokens=info.soft_tokens,
        degraded=done.degraded,
    )


def _source_meta(path: Path, raw: bytes) -> dict[str, Json]:
    return {
        "sourcePath": str(path),
        "fileHash": sha256(raw).hexdigest(),
        "sourceSize": len(raw),
        "sourceMtimeMs": path.stat().st_mtime_ns // 1_000_000,
        "hashBackend": "sha256",
    }


def _show_added(output: Output, done: Sequence[Added]) -> None:
    if not done:
        output.say("There is no Markdown file.")
        return
    rows = [
        (one.outcome, one.document, one.problem or f"{one.nodes} nodes", str(one.hard_tokens), str(one.soft_tokens))
        for one in done
    ]
    output.table(("", "document", "", "hard tokens", "soft tokens"), rows)


def _warn_of_total(session: CommandContext, documents: Iterable[DocumentInfo]) -> None:
    """All hard rules stand in every prompt, so they should fit together, not only each document by itself."""
    config = session.loaded.config
    limit = config.authored.hard_budget(config.assembly.augment_hard_share)
    total = sum(one.hard_tokens for one in documents)
    if total > limit:
        session.output.warn(
            f"The hard rules of all documents take {total:,} tokens together, more than the {limit:,} that are theirs."
        )


authored.add_command(watch)


@authored.command("list")
@click.pass_obj
def list_(session: CommandContext) -> None:
    """List the documents that are kept, with their nodes and the tokens of their rules.

    \b
    Examples:
      libravdb authored list
      libravdb --json authored list
    """
    output = session.output
    with session.engine() as engine:
        found = engine.documents.list()
    if output.is_json:
        output.json(list(found.values()))
    elif found or output.is_plain:
        rows = [
            (
                one.source_doc,
                "core" if one.core else "note",
                str(one.nodes),
                str(one.hard_tokens),
                str(one.soft_tokens),
                local_time(one.at),
            )
            for one in found.values()
        ]
        output.table(("document", "", "nodes", "hard tokens", "soft tokens", "since"), rows)
    else:
        output.say("No document is kept yet. 'libravdb authored add AGENTS.md' keeps one.")
    _warn_of_total(session, found.values())


@authored.command()
@click.argument("document")
@click.pass_obj
def show(session: CommandContext, document: str) -> None:
    """Show a document's nodes: tier, kind, line, tokens, what their rules do, and the text.

    DOCUMENT is a name as 'list' shows it, the path of a file, or the end of a name that only one document has.

    \b
    Examples:
      libravdb authored show AGENTS.md
      libravdb --json authored show notes/travel.md
    """
    output = session.output
    with session.engine() as engine:
        name = _named(document, engine.documents.list())
        nodes = engine.documents.nodes(name)
    if output.is_json:
        output.json([{"id": node.id, "text": node.text, **node.metadata} for node in nodes])
        return
    output.table(
        ("tier", "kind", "line", "tokens", "rules", "text"),
        [
            (
                TIERS.get(_number(node, "tier"), "lore"),
                (NodeKind.of(node.metadata.get("node_kind")) or "").replace("_", " "),
                str(_number(node, "line")),
                str(_number(node, "token_estimate")),
                ", ".join(word for bit, word in MODALITIES.items() if _number(node, "modality_mask") & bit),
                output.brief(node.text, 200),
            )
            for node in nodes
        ],
    )


@authored.command()
@click.argument("document")
@click.pass_obj
def remove(session: CommandContext, document: str) -> None:
    """Delete a document from memory, with all of its nodes. The file itself stays.

    \b
    Examples:
      libravdb authored remove AGENTS.md
    """
    with session.engine() as engine:
        name = _named(document, engine.documents.list())
        nodes = engine.documents.withdraw(name)
    if session.output.is_json:
        session.output.json({"document": name, "nodes": nodes})
    session.output.say(f"Removed {one_line(name)}: {nodes} nodes.")


@authored.command()
@_FILES
@click.option("--strict", is_flag=True, help="Leave with 1 on warnings too.")
@click.pass_obj
def lint(session: CommandContext, files: tuple[Path, ...], *, strict: bool) -> None:
    """Look for rules that contradict or repeat one another, that nobody can follow, or that cost too much.

    Files are read as documents that hold rules, whatever their names; of folders only those that are named so.
    Nothing is stored. Leaves with 1 when there is an error: a thing both obliged and forbidden, or hard rules over
    their budget.

    \b
    Examples:
      libravdb authored lint AGENTS.md SOUL.md
      libravdb authored lint --strict .
      libravdb --json authored lint AGENTS.md
    """
    output = session.output
    paths = list(dict.fromkeys(_ruling(files, session.loaded.config)))
    remarks = review_documents(((str(path), _text(path)) for path in paths), session.loaded.config)
    counts = {severity: sum(remark.severity is severity for remark in remarks) for severity in Severity}
    if output.is_json:
        output.json(remarks)
    for remark in () if output.is_json else remarks:
        _show_remark(output, remark)
    told = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in counts.items())
    output.say(f"{told} in {len(paths)} file{'' if len(paths) == 1 else 's'}.")
    if counts[Severity.ERROR] or (strict and counts[Severity.WARNING]):
        click.get_current_context().exit(1)


def _ruling(files: Sequence[Path], config: Config) -> Iterator[Path]:
    """The files themselves, and the core documents of folders."""
    for file in files:
        if file.is_dir():
            yield from (path for path in _expanded([file]) if is_core_document(str(path), config))
        else:
            yield file


def _text(path: Path) -> str:
    return _decoded(read_regular(path, max_bytes=MAX_BYTES), str(path))


def _decoded(raw: bytes, name: str) -> str:
    """A rule must not be read with letters missing: what is not UTF-8 is refused."""
    try:
        return raw.decode("utf-8-sig")  # some editors put a byte order mark first
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidInput(name, f"is not UTF-8 (line {line})", remedy="Save it as UTF-8, and add it again.") from error


def _show_remark(output: Output, remark: Remark) -> None:
    """As compilers tell it: the first place, how bad, what; then every place with its text."""
    first = remark.places[0]
    lines = [f"{first.file}:{first.line}: {remark.severity}: {remark.message} [{remark.kind}]"]
    lines += [f"    {spot.file}:{spot.line}: {output.brief(spot.text, 100)}" for spot in remark.places]
    for line in lines:
        output.say(one_line(line))


def _named(written: str, documents: Mapping[str, DocumentInfo]) -> str:
    """The document that is meant: by its name, by the path of its file, or by the end of its name."""
    for name in (written, str(Path(written).absolute())):
        if name in documents:
            return name
    ending = [name for name in documents if name.endswith(f"/{written}")]
    if len(ending) > 1:
        several = ", ".join(ending[:5])
        raise InvalidInput("document", f"{written!r} may be any of {several}", remedy="Say more of its path.")
    if not ending:
        raise NotFound("document", written, remedy="'libravdb authored list' shows what is there.")
    return ending[0]


def _number(node: Record, key: str) -> int:
    value = node.metadata.get(key)
    return int(value) if isinstance(value, int | float) else 0


COMMANDS: tuple[click.Command, ...] = (authored,)

"""remember, search, list, forget."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from libravdb.cli.context import CommandContext, comparison, moment, moment_to_come, pair, where
from libravdb.cli.erasure import erase
from libravdb.cli.history import chains_of, current_first, show_chains, state_of
from libravdb.cli.local_path import LocalPath
from libravdb.cli.names import NAME_TYPE
from libravdb.cli.output import Output, local_time
from libravdb.errors import InvalidInput, NotFound
from libravdb.model import Answer, Condition, Hit, Json, Note, Record, Scope
from libravdb.model.turn_metadata import SUPERSEDED_AT, SUPERSEDED_BY, SUPERSEDES, TurnMetadata
from libravdb.text.unicode import mend

_user = click.option("--user", type=NAME_TYPE, help="Whose memory; else the configured memory.user.")
_collection = click.option(
    "-c", "--collection", type=NAME_TYPE, help="A collection by its full name, instead of a user's memory."
)
_where = click.option(
    "--where",
    "comparisons",
    type=comparison,
    multiple=True,
    metavar="CONDITION",
    help="Only where metadata fulfil it: topic=release, 'priority>=3', 'due<2026-12-01', 'state!=done', 'topic?' (is"
    " there), '!topic?' (is not). May be repeated: all must hold, of several with = on one key any.",
)
_since = click.option("--since", type=moment, metavar="TIME", help="Not older than this moment.")
_until = click.option("--until", type=moment, metavar="TIME", help="Older than this moment.")


@click.command()
@click.argument("text")
@_user
@_collection
@click.option("--id", "id", type=NAME_TYPE, help="An id of your own; else one made from the text.")
@click.option("--at", type=moment, metavar="TIME", help="When it was said; now if not given.")
@click.option(
    "--expires",
    "expires_at",
    type=moment_to_come,
    metavar="TIME",
    help="Show it no more from then on, and delete it: 30d from now, or a date such as 2026-12-01.",
)
@click.option("--meta", type=pair, multiple=True, metavar="KEY=VALUE", help="Metadata, for filters. May be repeated.")
@click.option("--replace", is_flag=True, help="Take over an id that holds another text.")
@click.option("--lines", is_flag=True, help="With -: remember each line of standard input by itself.")
@click.pass_obj
def remember(
    session: CommandContext,
    text: str,
    *,
    user: str | None,
    collection: str | None,
    id: str | None,
    at: int | None,
    expires_at: int | None,
    meta: tuple[tuple[str, Json], ...],
    replace: bool,
    lines: bool,
) -> None:
    """Keep a text. The same text twice is one memory, with the metadata and the expiry of the second call.

    \b
    Examples:
      libravdb remember "We deploy on Tuesdays" --meta topic=release
      libravdb remember "Moved to Berlin" --at 2026-10-03
      libravdb remember "The guest password is on the board" --expires 30d
      cat notes.txt | libravdb remember - --lines
    """
    target = session.collection(user=user, collection=collection)
    texts = _texts(text, lines=lines)
    if id is not None and len(texts) > 1:
        raise InvalidInput("id", "cannot be given for several texts")
    notes = [
        Note(text=one, collection=target, id=id, metadata=dict(meta), at=at, expires_at=expires_at) for one in texts
    ]
    with session.engine() as engine, session.output.progress("Remembering") as progress:
        done = engine.memories.remember_many(notes, replace=replace, progress=progress)
    output = session.output
    output.warn(next((each.degraded for each in done if each.degraded), ""))
    if any("\ufffd" in mend(one) for one in texts):
        output.warn("What was no UTF-8 is kept as \ufffd; save the text as UTF-8 to keep it as it was.")
    if output.is_json:
        output.json([{"is_new": each.is_new, **record_document(each.record)} for each in done])
    elif len(done) == 1:
        what = "Remembered" if done[0].is_new else "Known already"
        output.say(f"{what}: ", (done[0].record.id, "bold"), f" in {target}")
    else:
        new = sum(each.is_new for each in done)
        output.say(f"Remembered {new} texts in {target}; {len(done) - new} were known already.")


def _texts(text: str, *, lines: bool) -> list[str]:
    """The text itself, or standard input for '-'."""
    if text != "-":
        return [text]
    read = sys.stdin.buffer.read().decode(errors="replace")
    texts = [line for line in read.splitlines() if line.strip()] if lines else [read]
    if not texts:
        raise InvalidInput("standard input", "is empty", remedy="Pipe a text into 'libravdb remember -'.")
    return texts


@click.command()
@click.argument("question")
@_user
@click.option(
    "-c", "--collection", "collections", type=NAME_TYPE, multiple=True, help="Search this collection. May be repeated."
)
@click.option("--session", "conversation", type=NAME_TYPE, help="Also search this running session.")
@click.option(
    "--scope", "scopes", type=click.Choice([str(scope) for scope in Scope]), multiple=True, help="Only these scopes."
)
@click.option("-k", type=click.IntRange(1, 1000), help="How many results.")
@click.option("--budget", type=click.IntRange(0), metavar="TOKENS", help="Only what fits so many tokens.")
@_where
@_since
@_until
@click.option("--as-of", type=moment, metavar="TIME", help="As if it were this moment: nothing later is seen.")
@click.option("--quiet", "is_quiet", is_flag=True, help="Show nothing when nothing is relevant.")
@click.option("--why", "is_explained", is_flag=True, help="Show every part of each score.")
@click.option("--history", "is_history", is_flag=True, help="Show what replaced what among the results, old to new.")
@click.pass_obj
def search(
    session: CommandContext,
    question: str,
    *,
    user: str | None,
    collections: tuple[str, ...],
    conversation: str | None,
    scopes: tuple[str, ...],
    k: int | None,
    budget: int | None,
    comparisons: tuple[Condition, ...],
    since: int | None,
    until: int | None,
    as_of: int | None,
    is_quiet: bool,
    is_explained: bool,
    is_history: bool,
) -> None:
    """Find what is remembered, by meaning and by words, and see why each was found.

    Without --collection every scope of the user's memory is searched: durable memory, the history of all sessions,
    protected guidance, authored lore and what is shared by all.

    \b
    Examples:
      libravdb search "where does Anna live?"
      libravdb search "deploy" --since 2026-10-01 --where topic=release
      libravdb search "what did we decide last week?" --where role=user --why
      libravdb search "what is urgent?" --where 'priority>=3' --where 'state!=done'
      libravdb search "where do I live?" --history
      libravdb --json search "database" -k 3
    """
    if collections and (user is not None or conversation is not None or scopes):
        raise click.UsageError("Give --collection, or --user with --session and --scope, not both.")
    with session.engine() as engine:
        answer = engine.search(
            question,
            collections=collections,
            namespace=None if collections else session.namespace(user),
            session=conversation,
            scopes=tuple(Scope(scope) for scope in scopes) or tuple(Scope),
            k=k,
            budget=budget,
            where=where(comparisons, since, until),
            as_of=as_of,
            is_quiet=is_quiet,
        )
        chains = chains_of(engine.memories, (hit.record for hit in answer.hits)) if is_history else []
    output = session.output
    output.warn(answer.degraded)
    if output.is_json:
        histories: dict[str, object] = {"history": _histories(chains)} if is_history else {}
        output.json(
            {
                "mode": answer.mode,
                "degraded": answer.degraded,
                "silence": answer.silence,
                "hits": [
                    {
                        "score": hit.score,
                        "strength": shown_strength(hit),
                        "breakdown": hit.breakdown,
                        "reasons": hit.reasons,
                        **record_document(hit.record),
                    }
                    for hit in answer.hits
                ],
                **histories,
            }
        )
    elif is_history:
        show_chains(output, chains)
    else:
        show_answer(output, answer, question=question, is_explained=is_explained)


def show_answer(output: Output, answer: Answer, *, question: str = "", is_explained: bool = False) -> None:
    """Hits with score, date, text and reasons."""
    if not answer.hits:
        output.say(f"Nothing shown: {answer.silence}." if answer.silence else "Nothing found.")
    elif output.is_plain:
        output.table(
            (),
            [
                (
                    f"{shown_strength(hit):.2f}",
                    local_time(hit.record.at),
                    hit.record.id,
                    hit.record.text,
                    "; ".join(hit.reasons),
                    *((_told(hit.breakdown),) if is_explained else ()),
                )
                for hit in answer.hits
            ],
        )
    else:
        from libravdb.cli.panels import draw_hits  # noqa: PLC0415 - for terminals only

        draw_hits(output, answer, question=question, is_explained=is_explained)


def shown_strength(hit: Hit) -> float:
    """How strong a hit is, on the scale that means the same for every question; what replaced a hit has its score."""
    return hit.breakdown.get("strength", hit.score)


def _told(breakdown: Mapping[str, float]) -> str:
    return " ".join(f"{name}={value:.3f}" for name, value in breakdown.items())


@click.command("list")
@_user
@_collection
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many, the newest first.")
@click.option("--collections", "is_collections", is_flag=True, help="List collections and their sizes instead.")
@click.option("--current", "is_current", is_flag=True, help="Leave out what newer memories made outdated.")
@click.option("--history", "is_history", is_flag=True, help="Show what replaced what, old to new.")
@_where
@_since
@_until
@click.pass_obj
def list_(
    session: CommandContext,
    *,
    user: str | None,
    collection: str | None,
    limit: int,
    comparisons: tuple[Condition, ...],
    since: int | None,
    until: int | None,
    is_collections: bool,
    is_current: bool,
    is_history: bool,
) -> None:
    """Show what is kept, the newest first; what newer memories made outdated is marked and comes last.

    \b
    Examples:
      libravdb list
      libravdb list --history
      libravdb list --where 'priority>=3' --where 'owner?'
      libravdb list --collections
      libravdb list -c session:42 --limit 100
    """
    output = session.output
    with session.engine() as engine:
        if is_collections:
            found = engine.memories.collections()
            if output.is_json:
                output.json(found)
            else:
                output.table(("collection", "records"), [(info.name, str(info.records)) for info in found])
            return
        target = session.collection(user=user, collection=collection)
        records = current_first(engine.memories.latest(target, limit=limit, where=where(comparisons, since, until)))
        chains = chains_of(engine.memories, records) if is_history else []
    records = [record for record in records if not (is_current and state_of(record))]
    if output.is_json:
        output.json(_histories(chains) if is_history else [record_document(record) for record in records])
    elif is_history:
        show_chains(output, chains)
    elif records or output.is_plain:
        output.table(("when", "id", "text"), [_row(output, record) for record in records])
    else:
        output.say(f"Nothing in {target} yet.")


@click.command()
@click.argument("ids", nargs=-1)
@_user
@_collection
@click.option(
    "--certificate",
    type=LocalPath(),
    metavar="FILE",
    help="With --user and no ids: delete all of this user, prove it, and write a signed certificate to a new file.",
)
@click.option("--name-in-certificate", "with_name", is_flag=True, help="Write the user's name into it, not a digest.")
@click.pass_obj
def forget(
    session: CommandContext,
    ids: tuple[str, ...],
    user: str | None,
    collection: str | None,
    *,
    certificate: Path | None,
    with_name: bool,
) -> None:
    """Delete memories by id, for good: text, vectors and index. With --certificate: a whole user, provably.

    \b
    Examples:
      libravdb forget mem:47cc6af11a887915
      libravdb forget note-1 note-2 -c notes
      libravdb forget --user anna --certificate anna.json
    """
    if certificate is not None:
        if ids or user is None or collection is not None:
            raise click.UsageError("--certificate is for a whole user: give --user, no ids and no --collection.")
        erase(session, user, certificate, with_name=with_name)
        return
    if not ids or with_name:
        raise click.UsageError("Name the memories to forget by their ids, or a whole user with --certificate.")
    target = session.collection(user=user, collection=collection)
    with session.engine() as engine:
        gone = engine.deletions.forget(target, ids)
    if gone == 0:
        raise NotFound("record", ", ".join(ids), remedy=f"'libravdb list -c {target}' shows what is there.")
    if session.output.is_json:
        session.output.json({"forgotten": gone})
    missing = len(set(ids)) - gone
    session.output.say(f"Forgot {gone}." + (f" {missing} were not there." if missing else ""))


def _row(output: Output, record: Record) -> tuple[str, ...]:
    state = state_of(record)
    text = output.brief(record.text, 200)
    return local_time(record.at), record.id, f"({state}) {text}" if state else text


def _histories(chains: Sequence[Sequence[Record]]) -> list[list[dict[str, object]]]:
    return [[record_document(record) for record in chain] for chain in chains]


def record_document(record: Record) -> dict[str, object]:
    """A record as JSON tells it."""
    told = TurnMetadata.of(record)
    return {
        "collection": record.collection,
        "id": record.id,
        "text": record.text,
        "metadata": record.metadata,
        "at": record.at,
        "version": record.version,
        "access_count": record.access_count,
        "is_outdated": told.is_outdated,
        SUPERSEDED_BY: told.superseded_by,
        SUPERSEDED_AT: told.superseded_at,
        SUPERSEDES: told.supersedes,
    }


COMMANDS: tuple[click.Command, ...] = (remember, search, list_, forget)

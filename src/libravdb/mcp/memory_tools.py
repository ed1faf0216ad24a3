"""What the tools do, as plain functions over a caller: they know no protocol, raise our errors and return text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from libravdb.errors import InvalidInput, NotFound
from libravdb.mcp.caller import MemoryCaller
from libravdb.mcp.entries import RESULT_CHARS, entry_of, entry_of_hit, frame, framed, quoted
from libravdb.mcp.references import FORGETTABLE, READABLE, RecordReference, parse_reference, reference_to
from libravdb.model import Hit, Record, Scope, Where
from libravdb.model.collections import durable_memory, turn_history
from libravdb.ports.engine_api import EngineApi

CANDIDATES = 8
MAX_FORGOTTEN = 20
SOURCE = "memory_remember"
"""What tells of a memory that it was kept on the model's request."""

FIND = "memory_search returns ids."


def search_memory(
    caller: MemoryCaller, query: str, *, limit: int, since: str = "", until: str = "", session: str = ""
) -> str:
    """The best hits of a question, framed as data."""
    asked = _asked("query", query)
    where = Where(since=_moment("since", since), until=_moment("until", until))
    with caller.engine() as engine:
        answer = engine.search(asked, namespace=caller.namespace, session=session or None, k=limit, where=where)
    if not answer.hits:
        told = f"Nothing relevant: {answer.silence}." if answer.silence else "Nothing found."
        return _joined(told, answer.degraded)
    return framed(map(entry_of_hit, answer.hits), notes=[answer.degraded] if answer.degraded else [])


def remember_text(caller: MemoryCaller, text: str) -> str:
    """Keep a text in durable memory, whatever the gate would say."""
    _asked("text", text)
    with caller.engine() as engine:
        done = engine.memories.remember(text, collection=durable_memory(caller.namespace), metadata={"source": SOURCE})
    told = "Remembered" if done.is_new else "Known already"
    return _joined(f"{told}: {reference_to(done.record)}", done.degraded)


def forget_memories(caller: MemoryCaller, *, ids: Sequence[str] = (), query: str = "") -> str:
    """Delete what is named by its ids; a query only returns candidates."""
    if bool(ids) == bool(query.strip()):
        raise InvalidInput(
            "ids",
            "give either ids or query",
            remedy="First a query, to see candidates; then, when the user has said which are meant, their ids.",
        )
    return _forget_ids(caller, ids) if ids else _candidates(caller, query)


def _candidates(caller: MemoryCaller, query: str) -> str:
    with caller.engine() as engine:
        answer = engine.search(query, namespace=caller.namespace, scopes=FORGETTABLE, k=CANDIDATES)
    if not answer.hits:
        return "Nothing found, and nothing deleted."
    note = "Nothing was deleted. Ask the user which of these are meant, then call memory_forget with their ids."
    return framed(map(entry_of_hit, answer.hits), notes=[note])


def _forget_ids(caller: MemoryCaller, ids: Sequence[str]) -> str:
    if len(ids) > MAX_FORGOTTEN:
        raise InvalidInput("ids", f"are {len(ids)}", remedy=f"Give at most {MAX_FORGOTTEN} at a time.")
    with caller.engine() as engine:
        found = {each: _forgettable(engine, caller, each) for each in dict.fromkeys(ids)}
        gone = [record for record in found.values() if record is not None]
        for collection in (durable_memory(caller.namespace), turn_history(caller.namespace)):
            named = [record.id for record in gone if record.collection == collection]
            if named:
                engine.deletions.forget(collection, named)
    missing = [each for each, record in found.items() if record is None]
    if not gone:
        raise NotFound("memory", ", ".join(missing), remedy=f"Nothing was deleted. {FIND}")
    told = ", ".join(str(reference_to(record)) for record in gone)
    return _joined(f"Forgotten: {told}.", f"Not found: {', '.join(missing)}." if missing else "")


def _forgettable(engine: EngineApi, caller: MemoryCaller, id: str) -> Record | None:
    reference = parse_reference(id)
    if reference.scope is not None and reference.scope not in FORGETTABLE:
        raise InvalidInput(
            "ids", f"{id!r} cannot be forgotten by its id", remedy="Use ids that begin with durable/ or history/."
        )
    return _found(engine, caller, reference, FORGETTABLE)


def expand_record(caller: MemoryCaller, id: str, *, offset: int = 0, max_tokens: int) -> str:
    """The turns that a summary stands for, word for word; of anything else the whole text, part by part."""
    reference = parse_reference(id)
    with caller.engine() as engine:
        if reference.scope is Scope.SUMMARY:
            turns = engine.compaction.expand(
                reference.id, session=reference.session, namespace=caller.namespace, max_tokens=max_tokens
            )
            if turns:
                return _turns(turns)
            raise NotFound("summary", id, remedy=f"{FIND} Or raise max_tokens.")
        record = _found(engine, caller, reference, READABLE)
    if record is None:
        raise NotFound("memory", id, remedy=FIND)
    if offset > len(record.text):
        raise InvalidInput(
            "offset", f"is {offset}, and the text has {len(record.text)} characters", remedy="Start at 0."
        )
    return frame(entry_of(record).shown(start=offset, most=max_tokens * 4))


def _turns(turns: Sequence[Record]) -> str:
    return frame("".join(entry_of(turn).shown(most=RESULT_CHARS) for turn in turns))


def explain_prompt(caller: MemoryCaller, *, receipt: str = "", id: str = "") -> str:
    """Why a prompt was assembled as it was, or why something does not stand in it."""
    with caller.engine() as engine:
        if id:
            record = parse_reference(id).id
            told = engine.prompts.why_not(record, namespace=caller.namespace, receipt=receipt or None)
            return quoted(told)
        account = engine.prompts.explain(receipt or None, namespace=caller.namespace)
    lines = (
        f"Receipt {account.id}",
        f"Asked: {account.prompt}" if account.prompt else "",
        *account.bar,
        *account.words,
    )
    return quoted("\n".join(line for line in lines if line), how="The rest is in the command 'libravdb explain'.")


def assemble_context(caller: MemoryCaller, prompt: str, *, budget: int, session: str = "") -> str:
    """All that memory has to say on a prompt, under a budget of tokens, as the engine frames it."""
    with caller.engine() as engine:
        made = engine.prompts.assemble(
            _asked("prompt", prompt), session=session or own_session(caller), namespace=caller.namespace, budget=budget
        )
    told = f"{made.tokens} of {made.budget} tokens. Receipt {made.receipt}: memory_explain tells why."
    return _joined(made.text.rstrip("\n") or "Memory has nothing to say on this.", told, made.degraded)


def own_session(caller: MemoryCaller) -> str:
    """The session of a host that names none; nobody else's has this name."""
    return f"mcp:{caller.namespace}"


def recall_topic(caller: MemoryCaller, topic: str) -> str:
    """A message of the user that brings along what memory holds on a topic."""
    found = search_memory(caller, topic, limit=CANDIDATES)
    question = f"What do you know about this from earlier: {topic.strip()}"
    return f"{question}\n\n{found}\n\nAnswer from it, and say so where it is silent."


def show_profile(caller: MemoryCaller) -> str:
    """What is known and current about the user."""
    with caller.engine() as engine:
        lines = engine.profile.show(namespace=caller.namespace).lines
    if not lines:
        return "Nothing is known yet."
    return quoted(
        "\n".join(f"{line.kind}{f' ({line.subject})' if line.subject else ''}: {line.text}" for line in lines)
    )


def find_record(caller: MemoryCaller, id: str) -> tuple[RecordReference, Record]:
    """A record by its name or id. Raises NotFound."""
    with caller.engine() as engine:
        record = _found(engine, caller, parse_reference(id), READABLE)
    if record is None:
        raise NotFound("memory", id, remedy=FIND)
    return reference_to(record), record


def search_hits(caller: MemoryCaller, query: str) -> tuple[Hit, ...]:
    """Hits that can be fetched one by one."""
    with caller.engine() as engine:
        answer = engine.search(_asked("query", query), namespace=caller.namespace, scopes=READABLE, k=CANDIDATES)
    return answer.hits


def _found(
    engine: EngineApi, caller: MemoryCaller, reference: RecordReference, scopes: Sequence[Scope]
) -> Record | None:
    """The record in the scope that is named, else in the first that has it."""
    wanted = scopes if reference.scope is None else [each for each in scopes if each is reference.scope]
    read = (engine.memories.read(reference.id, namespace=caller.namespace, scope=scope) for scope in wanted)
    return next((record for record in read if record is not None), None)


def _asked(field: str, text: str) -> str:
    if not text.strip():
        raise InvalidInput(field, "is empty", remedy="Say it in a few words.")
    return text


def _moment(field: str, text: str) -> int | None:
    if not text.strip():
        return None
    try:
        return int(datetime.fromisoformat(text.strip()).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(
            field, f"{text[:40]!r} is no date", remedy="Write it as 2026-10-31 or 2026-10-31T14:00."
        ) from error


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)

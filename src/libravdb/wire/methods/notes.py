"""An agent's own notes: which workspace they are in, and the diary of its host's dreams. Unknown fields are refused."""

from __future__ import annotations

from dataclasses import dataclass

from libravdb.model import DreamPromotion, NoteFolder
from libravdb.wire.methods.engine import Counted
from libravdb.wire.methods.method import AnyMethod, Method, MethodPace, NoParams


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchNotesParams:
    """`namespace`: the agent whose notes they are. `folder`: its workspace, an absolute path on the daemon's machine."""

    namespace: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwatchNotesParams:
    namespace: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoteDiaryParams:
    """`text`: what the diary says. `sourceDoc`: its name; the same one again replaces what it gave before. `isDry`:
    only tell."""

    namespace: str
    source_doc: str
    text: str
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFoldersResult:
    folders: tuple[NoteFolder, ...]


# fmt: off
WATCH_NOTES = Method(name="watch_notes", params=WatchNotesParams, result=NoteFolder, about="From now on keep the notes of an agent's workspace (MEMORY.md, memory/**/*.md, and the diary DREAMS.md) in step with its files, in the place of any workspace before. Answers when they were looked at once; remembered when the daemon starts again.", is_strict=True, is_repeatable=True, pace=MethodPace.LONG)
UNWATCH_NOTES = Method(name="unwatch_notes", params=UnwatchNotesParams, result=Counted, about="Forget the notes of an agent and where they are; the files stay.", is_strict=True, is_repeatable=True)
LIST_NOTES = Method(name="list_notes", params=NoParams, result=NoteFoldersResult, about="The workspaces whose notes are kept in step, with what is known of each and what is wrong.", is_strict=True, is_repeatable=True)
PROMOTE_DIARY = Method(name="promote_diary", params=PromoteDiaryParams, result=DreamPromotion, verb="notes.promote", arguments={"text": "diary"}, about="Read a diary of dreams and keep what asks for it and deserves it; each line is told with the reason why not.", is_strict=True, is_repeatable=True)

NOTE_METHODS: tuple[AnyMethod, ...] = (WATCH_NOTES, UNWATCH_NOTES, LIST_NOTES, PROMOTE_DIARY)
# fmt: on

"""The plan that brings documents in step with files, for any of both."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from libravdb.adapters.folders.reconcile import KIND, Known, ReconcilePlan, is_core, reconcile, suspects
from libravdb.adapters.folders.scan import FolderScan, Refused, SeenFile

ROOT = "/notes"
PATHS = st.sampled_from([f"{ROOT}/{name}" for name in ("a", "b", "c", "d/a", "d/b", "d/e/a")])
DIGESTS = st.sampled_from(["one", "two", "three"])
TIMES = st.sampled_from([1_000_000, 2_000_000])


@st.composite
def knowns(draw: st.DrawFn) -> dict[str, Known]:
    return draw(
        st.dictionaries(
            PATHS | st.just("/elsewhere/x"),
            st.builds(
                Known,
                size=st.integers(0, 2),
                mtime_ms=TIMES,
                digest=DIGESTS,
                core=st.booleans(),
                at=st.just(9_000_000),
                kind=st.sampled_from([KIND, KIND, "file"]),
            ),
        )
    )


@st.composite
def surveys(draw: st.DrawFn) -> FolderScan:
    files = draw(
        st.dictionaries(
            PATHS,
            st.builds(
                SeenFile,
                path=st.just(""),
                root=st.just(ROOT),
                size=st.integers(0, 2),
                mtime_ns=TIMES.map(lambda ms: ms * 1_000_000),
                core=st.booleans(),
                digest=DIGESTS,
            ),
        )
    )
    refused = draw(st.sets(PATHS, max_size=2)) - set(files)
    unknown = draw(st.sets(st.sampled_from([ROOT, f"{ROOT}/d"]), max_size=1))
    return FolderScan(
        files={path: replace(file, path=path) for path, file in files.items()},
        refused=[Refused(path=path, reason="why") for path in sorted(refused)],
        unknown=[Refused(path=path, reason="why") for path in sorted(unknown)],
    )


def carried_out(known: dict[str, Known], plan: ReconcilePlan) -> dict[str, Known]:
    """What is known after the plan."""
    after = dict(known)
    for gone in (*plan.removed, *(each.old for each in plan.renamed)):
        del after[gone]
    for file in (*plan.added, *plan.changed, *plan.touched, *(each.new for each in plan.renamed)):
        after[file.path] = Known(
            size=file.size,
            mtime_ms=file.mtime_ns // 1_000_000,
            digest=file.digest,
            core=is_core(file, known.get(file.path)),
            at=9_000_000,
            kind=known[file.path].kind if file.path in known else KIND,
        )
    return after


@given(knowns(), surveys())
def test_afterwards_documents_say_what_the_files_say_and_a_second_plan_is_empty(
    known: dict[str, Known], seen: FolderScan
) -> None:
    after = carried_out(known, reconcile(known, seen, within=[ROOT]))
    for path, file in seen.files.items():
        assert (after[path].digest, after[path].core) == (file.digest, is_core(file, known.get(path)))
    again = reconcile(after, seen, within=[ROOT])
    assert set(again.unchanged) == set(seen.files)
    assert (again.added, again.changed, again.touched, again.renamed, again.removed) == ((), (), (), (), ())


@given(knowns(), surveys())
def test_every_file_and_every_document_of_ours_has_exactly_one_fate(known: dict[str, Known], seen: FolderScan) -> None:
    plan = reconcile(known, seen, within=[ROOT])
    files = [file.path for file in (*plan.added, *plan.changed, *plan.touched)]
    files += [*plan.unchanged, *(each.new.path for each in plan.renamed)]
    assert sorted(files) == sorted(seen.files)
    fileless = {path for path, each in known.items() if each.is_ours and path not in seen.files}
    fates = [*plan.removed, *plan.kept, *(each.old for each in plan.renamed)]
    assert sorted(fates) == sorted(path for path in fileless if path.startswith(ROOT))


@given(knowns(), surveys())
def test_nothing_is_withdrawn_that_is_not_ours_not_below_or_not_certainly_gone(
    known: dict[str, Known], seen: FolderScan
) -> None:
    plan = reconcile(known, seen, within=[ROOT])
    closed = {each.path for each in (*seen.unknown, *seen.refused)}
    for path in (*plan.removed, *(each.old for each in plan.renamed)):
        assert known[path].is_ours
        assert path.startswith(f"{ROOT}/")
        assert not any(path == folder or path.startswith(f"{folder}/") for folder in closed)


@given(knowns(), surveys())
def test_a_rename_keeps_the_content_and_uses_each_old_name_once(known: dict[str, Known], seen: FolderScan) -> None:
    plan = reconcile(known, seen, within=[ROOT])
    olds = [each.old for each in plan.renamed]
    assert len(olds) == len(set(olds))
    for each in plan.renamed:
        assert known[each.old].digest == each.new.digest
    lost = {known[path].digest for path in plan.removed}
    assert not lost & {file.digest for file in (*plan.added, *plan.changed)}


@given(knowns(), surveys(), PATHS)
def test_a_look_at_one_path_concerns_that_path_only(known: dict[str, Known], seen: FolderScan, path: str) -> None:
    seen.files = {name: file for name, file in seen.files.items() if name == path}
    plan = reconcile(known, seen, within=[path])
    assert {*plan.removed, *plan.kept} <= {path}


@given(knowns(), surveys())
def test_a_file_is_read_unless_size_time_and_core_are_as_known(known: dict[str, Known], seen: FolderScan) -> None:
    read = {file.path for file in suspects(known, seen.files.values())}
    for path, file in seen.files.items():
        each = known.get(path)
        is_same = each is not None and (each.size, each.mtime_ms * 1_000_000, each.core) == (
            file.size,
            file.mtime_ns,
            is_core(file, each),
        )
        assert (path in read) != is_same


def test_a_file_that_was_read_right_after_it_changed_is_read_again() -> None:
    file = SeenFile(path="/notes/a", root=ROOT, size=1, mtime_ns=5_000_000 * 1_000_000)
    document = Known(size=1, mtime_ms=5_000_000, digest="x", core=False, at=5_000_300)
    assert list(suspects({"/notes/a": document}, [file])) == [file]
    assert list(suspects({"/notes/a": replace(document, at=5_002_000)}, [file])) == []

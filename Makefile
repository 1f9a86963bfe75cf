# `make play` and `make test` are all a newcomer needs.
PYTHON ?= python3
DEALS ?= 1000
NUMBER ?= 7
KILLS ?= 30
# Modules are compiled once: the bot's process begins sooner, and so does every bot that a test starts.
export PYTHONDONTWRITEBYTECODE =
BIN := .venv/bin
STAMP := .venv/.stamp

.DEFAULT_GOAL := help
.PHONY: help play run test jitter soak crash evening season lint format bench lock clean

help: ## list what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

# The stamp is younger than the lock only when .venv holds exactly what the lock names.
$(STAMP): requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tiplu needs Python 3.11 or newer; set PYTHON=...")'
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock
	touch $(STAMP)

play: $(STAMP) ## start the playground and the bot on this machine, no account needed; PORT=8090 names a port
	@$(BIN)/python -m playground $(if $(PORT),--port $(PORT))

run: $(STAMP) ## serve Discord itself; needs DISCORD_TOKEN in .env
	$(BIN)/python -m bot

test: $(STAMP) ## every test of the default run
	$(BIN)/python -m pytest -n 2 --dist loadgroup

jitter: $(STAMP) ## the tests over the wire while wire, disk and machine dawdle; NUMBER=8 for other places
	$(BIN)/python -m pytest -n 2 --dist loadgroup --jitter $(NUMBER) tests/e2e tests/browser tests/playground

soak: $(STAMP) ## a thousand deals of computer players, every event checked; DEALS=100000 for more
	$(BIN)/python -m tests.soak --deals $(DEALS)

crash: $(STAMP) ## end the bot's process again and again in the midst of everything; KILLS=300 NUMBER=8 for more
	$(BIN)/python -m tests.crash --number $(NUMBER) --kills $(KILLS)

evening: $(STAMP) ## a small evening over the wire, then one of twenty tables; NUMBER=8 for another one
	EVENING=1 $(BIN)/python -m pytest tests/e2e/test_evening.py
	$(BIN)/python -m tests.evening --number $(NUMBER)

season: $(STAMP) ## whole seasons of leagues over the wire: pods with finals, divisions, a Swiss of forty
	SEASON=1 $(BIN)/python -m pytest -s tests/e2e/test_whole_season.py

lint: $(STAMP) ## ruff and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(STAMP) ## let ruff rewrite the files
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Some rivals come as source only, and nobody but the benchmarks needs them.
.venv/.bench: requirements-bench.lock $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	touch .venv/.bench

bench: .venv/.bench ## all benchmarks, each beside its rivals
	for b in benchmarks/[a-z]*.py; do $(BIN)/python $$b || exit 1; done

lock: ## renew requirements.lock (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra dev -o requirements.lock pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra bench -c requirements.lock -o requirements-bench.lock pyproject.toml

clean: ## remove what was built; keeps var/, where the games are
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis

# `make play` and `make test` are all a newcomer needs.
PYTHON ?= python3
DEALS ?= 1000
NUMBER ?= 7
KILLS ?= 30
COUNT ?= 100000
# Modules are compiled once: the bot's process begins sooner, and so does every bot that a test starts.
export PYTHONDONTWRITEBYTECODE =
BIN := .venv/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# Each stamp is younger than its lock when .venv holds what the lock names: for playing, for the tests, for the benchmarks.
PLAY := .venv/.play
DEV := .venv/.dev
BENCH := .venv/.bench

.DEFAULT_GOAL := help
.PHONY: help play run test jitter soak crash fuzz evening load season lint format bench million lock clean

help: ## list what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(PLAY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tiplu needs Python 3.11 or newer; set PYTHON=...")'
	@echo "Building .venv (once, about a minute) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(PIP) --only-binary :all: -r requirements.lock
	@touch $@

$(DEV): requirements-dev.lock $(PLAY)
	@echo "Adding the tools of the tests to .venv (once, about two minutes) ..."
	@$(PIP) --only-binary :all: -r requirements-dev.lock
	@touch $@

# Some rivals come as source only, and nobody but the benchmarks needs them.
$(BENCH): requirements-bench.lock $(DEV)
	@echo "Adding the rivals of the benchmarks to .venv (once) ..."
	@$(PIP) -r requirements-bench.lock
	@touch $@

play: $(PLAY) ## start the playground and the bot on this machine, no account needed; PORT=8090 names a port, GAMES=FILE a file
	@$(BIN)/python -m playground $(if $(PORT),--port $(PORT)) $(if $(GAMES),--database $(GAMES))

run: $(PLAY) ## serve Discord itself; needs DISCORD_TOKEN in .env
	$(BIN)/python -m bot

test: $(DEV) ## every test of the default run
	$(BIN)/python -m pytest -n 2 --dist loadgroup

jitter: $(DEV) ## the tests over the wire while wire, disk and machine dawdle; NUMBER=8 for other places
	$(BIN)/python -m pytest -n 2 --dist loadgroup --jitter $(NUMBER) tests/e2e tests/browser tests/playground

soak: $(DEV) ## a thousand deals of computer players, every event checked; DEALS=100000 for more
	$(BIN)/python -m tests.soak --deals $(DEALS)

crash: $(DEV) ## end the bot's process again and again in the midst of everything; KILLS=300 NUMBER=8 for more
	$(BIN)/python -m tests.crash --number $(NUMBER) --kills $(KILLS)

fuzz: $(DEV) ## forged interactions by the hundred thousand: nothing of another's may change; COUNT=1000 NUMBER=8 for others
	$(BIN)/python -m tests.fuzz --number $(NUMBER) --count $(COUNT)

evening: $(DEV) ## a small evening over the wire, then one of twenty tables; NUMBER=8 for another one
	EVENING=1 $(BIN)/python -m pytest tests/e2e/test_evening.py
	$(BIN)/python -m tests.evening --number $(NUMBER)

load: $(DEV) ## how many presses a second are answered in time, and what each costs; RATE=50 SECONDS=15 TABLES=60 HAMMER=1
	$(BIN)/python -m tests.load --number $(NUMBER) $(if $(RATE),--rate $(RATE)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TABLES),--tables $(TABLES)) $(if $(HAMMER),--hammer)

season: $(DEV) ## whole seasons of leagues over the wire: pods with finals, divisions, a Swiss of forty
	SEASON=1 $(BIN)/python -m pytest -s tests/e2e/test_whole_season.py

lint: $(DEV) ## ruff and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(DEV) ## let ruff rewrite the files
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH) ## all benchmarks, each beside its rivals
	for b in benchmarks/[a-z]*.py; do $(BIN)/python $$b || exit 1; done

million: $(DEV) ## how fast boards, history and standings are answered from a file of a million deals
	$(BIN)/python benchmarks/boards.py 1000000 5000 300

LOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)

lock: ## renew the locks from pyproject.toml (needs uv: pip install uv); UPGRADE=1 for the newest versions
	$(LOCK) -o requirements.lock pyproject.toml
	$(LOCK) --group dev -c requirements.lock -o requirements-dev.lock
	$(LOCK) --group bench -c requirements.lock -c requirements-dev.lock -o requirements-bench.lock

clean: ## remove what was built; keeps var/, where the games are
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis

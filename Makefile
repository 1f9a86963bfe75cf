# A newcomer needs only `make play` and `make test`.
PYTHON ?= python3
DEALS ?= 1000
NUMBER ?= 7
CUTS ?= 1000
HOURS ?= 8
# Keep compiled modules: the bot starts sooner, and so does every bot that a test starts.
export PYTHONDONTWRITEBYTECODE =
BIN := .venv/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# A stamp that is newer than its lock means that .venv has the packages of the lock: for playing, for the tests, for the benchmarks,
# for bills of materials and audits, for the fuzzer of the parsers, and for mutants.
PLAY := .venv/.play
DEV := .venv/.dev
BENCH := .venv/.bench
SUPPLY := .venv/.supply
FUZZ := .venv/.fuzz
MUTATION := .venv/.mutation

.DEFAULT_GOAL := help
.PHONY: help play cluster run wheel test thorough entered coverage mutate wire steady jitter soak crash moments powercut takeover fuzz fuzztext machine canary evening chaos endurance load scaling season acts lint format bench million image docs sbom audit licences release lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(PLAY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tiplu needs Python 3.11 or newer; set PYTHON=...")'
	@echo "Building .venv (once, about a minute) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(PIP) --only-binary :all: -r requirements.lock
	@touch $@

$(DEV): requirements-dev.lock $(PLAY)
	@echo "Adding the test tools to .venv (once, about two minutes) ..."
	@$(PIP) --only-binary :all: -r requirements-dev.lock
	@touch $@

# Two rivals come as source only, and only the benchmarks need them. pip builds them with whatever tools the index offers.
$(BENCH): requirements-bench.lock $(DEV)
	@echo "Adding the rivals of the benchmarks to .venv (once) ..."
	@$(PIP) --only-binary :all: --no-binary pyvips,rlcard -r requirements-bench.lock
	@touch $@

$(SUPPLY): requirements-supply.lock $(PLAY)
	@echo "Adding the tools for package audits to .venv (once) ..."
	@$(PIP) --only-binary :all: -r requirements-supply.lock
	@touch $@

$(FUZZ): requirements-fuzz.lock $(DEV)
	@echo "Adding the fuzzer to .venv (once) ..."
	@$(PIP) --only-binary :all: -r requirements-fuzz.lock
	@touch $@

$(MUTATION): requirements-mutation.lock $(DEV)
	@echo "Adding the mutation tool to .venv (once) ..."
	@$(PIP) --only-binary :all: -r requirements-mutation.lock
	@touch $@

play: $(PLAY) ## start the playground and the bot on this machine, no account needed; PORT=8090 sets a port, GAMES=FILE a file
	@$(BIN)/python -m playground $(if $(PORT),--port $(PORT)) $(if $(GAMES),--database $(GAMES))

cluster: $(DEV) ## start two bots on one PostgreSQL server, with a page to kill and start them while you play; PORT=8090 BOTS=4
	@$(BIN)/python -m playground.cluster $(if $(PORT),--port $(PORT)) $(if $(BOTS),--bots $(BOTS))

run: $(PLAY) ## serve Discord; needs DISCORD_TOKEN in .env
	$(BIN)/python -m bot

wheel: $(DEV) ## build a package in dist/, for `pipx install dist/tiplu-*.whl` on another machine
	$(BIN)/python -m hatchling build -t wheel -d dist

# Tests without processes and sockets run first, on two cores. The others run last, one at a time (tests/gate.py).
PYTEST = PYTHONHASHSEED=0 $(BIN)/python -m pytest
ALL_CORES = -n 2 --dist loadgroup
UNLIMITED = -o timeout=900 -o session_timeout=

test: $(DEV) ## the gate: run every test that a change must pass; DATABASE=postgres keeps the games in a PostgreSQL server that the tests start
	PYTHONHASHSEED=0 $(BIN)/python -m tests.gate

thorough: $(DEV) ## the same with every case of the long tables; takes half as long again
	ORACLE_HANDS=300 $(PYTEST) $(ALL_CORES) $(UNLIMITED) -m "not real and not by_name"

wire: $(DEV) ## run the whole bot over real sockets in real time, with real processes and the page in a browser
	$(PYTEST) $(ALL_CORES) $(UNLIMITED) --sockets -m "not thorough" tests/e2e tests/processes tests/playground tests/browser

steady: $(DEV) ## repeat the gate in random order next to a busy core, and list every test that ever failed; RUNS=5 NUMBER=8 for other orders, REAL=1 for only those with processes and sockets
	$(BIN)/python -m tests.steady --number $(NUMBER) $(if $(RUNS),--runs $(RUNS)) $(if $(REAL),--real)

entered: $(DEV) ## count the files and functions that a discard, /leaderboard and a pod's match pass through
	$(PYTEST) -s tests/e2e/test_entered.py

coverage: $(DEV) ## run the tests of marriage/ and league/ with fixed examples; fails if they miss a branch
	@mkdir -p var
	CI=1 $(PYTEST) $(ALL_CORES) $(UNLIMITED) --cov --cov-report term tests/marriage tests/league tests/docs/test_documents.py

mutate: $(MUTATION) ## check that the tests notice small faults in marriage/ and league/; continues where it stopped; MODULE=marriage/scoring for a part
	$(BIN)/python -m tests.mutation $(MODULE) $(if $(PROCESSES),--processes $(PROCESSES))

jitter: $(DEV) ## run the tests over the wire with random delays of wire, disk and machine; NUMBER=8 for other places
	$(PYTEST) $(ALL_CORES) $(UNLIMITED) --jitter $(NUMBER) -m "not thorough and not by_name" tests/e2e tests/browser tests/playground

soak: $(DEV) ## play a thousand more deals of computer players and check every event; DEALS=100000 for more
	$(BIN)/python -m tests.soak --deals $(DEALS)

crash: $(DEV) ## kill the bot's process again and again while people play; KILLS=300 NUMBER=8 for more, DATABASE=postgres with a server
	$(BIN)/python -m tests.crash --number $(NUMBER) --kills $(or $(KILLS),30)

moments: $(DEV) ## cut bots off between any two of their steps, in one process on a virtual clock; plays days that the tally does not have; KILLS=20000 NUMBER=8 for more
	PYTHONHASHSEED=0 $(BIN)/python -m tests.crash.moments --number $(NUMBER) --kills $(or $(KILLS),10000)

powercut: $(DEV) ## cut the power at every barrier and in between while the bot plays, and open what the disk may have kept; CUTS=5000 NUMBER=8 for more
	$(BIN)/python -m tests.powercut --number $(NUMBER) --cuts $(CUTS)

takeover: $(DEV) ## kill and start bots that share one PostgreSQL server while people play; BOTS=4 SECONDS=600 TABLES=30 NUMBER=8
	$(BIN)/python -m tests.takeover --number $(NUMBER) $(if $(BOTS),--bots $(BOTS)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TABLES),--tables $(TABLES))

fuzz: $(DEV) ## send a hundred thousand forged interactions and check that they change nothing of other people; continues where it stopped; COUNT=1000 NUMBER=8
	$(BIN)/python -m tests.fuzz --number $(NUMBER) --count $(or $(COUNT),100000)

fuzztext: $(FUZZ) ## fuzz every parser of user text, guided by the code that it reaches; SECONDS=3600 for longer, READER=moments for some
	$(BIN)/python -m tests.fuzz.text $(if $(SECONDS),--seconds $(SECONDS)) $(if $(READER),--reader $(READER))

machine: $(DEV) ## run tables, leagues, restarts, clocks and erasures in random order, with checks after each step; EXAMPLES=500 STEPS=60 for more
	EXAMPLES=$(or $(EXAMPLES),200) STEPS=$(or $(STEPS),50) $(PYTEST) $(UNLIMITED) tests/machine

canary: $(DEV) ## play deals through the real bot and search every outgoing byte for hidden cards; COUNT=10000 NUMBER=8 for others
	$(BIN)/python -m tests.canary --number $(NUMBER) --count $(or $(COUNT),10000)

evening: $(DEV) ## play a small evening over the wire, then one of twenty tables; NUMBER=8 for another one
	EVENING=1 $(PYTEST) $(UNLIMITED) --sockets tests/e2e/test_evening.py
	$(BIN)/python -m tests.evening --number $(NUMBER)

chaos: $(DEV) ## play twenty tables, a league's round and the deal of the day under random faults of all kinds, an hour on a virtual clock; MINUTES=120 NUMBER=8, REAL=1 for ten minutes of real time, also with DATABASE=postgres
	PYTHONHASHSEED=0 $(BIN)/python -m tests.chaos --number $(NUMBER) $(if $(REAL),--real) $(if $(MINUTES),--minutes $(MINUTES))

endurance: $(DEV) ## play thirty tables for eight hours of the bot's clock and check that its memory does not grow; HOURS=1 NUMBER=8 for others
	$(BIN)/python -m tests.endurance --number $(NUMBER) --hours $(HOURS)

load: $(DEV) ## measure how many presses a second the bot answers in time, and what each costs; RATE=50 SECONDS=15 TABLES=60 HAMMER=1 MASTERS=1, DATABASE=postgres BOTS=2 AT_TABLE=75
	$(BIN)/python -m tests.load --number $(NUMBER) $(if $(BOTS),--bots $(BOTS)) $(if $(AT_TABLE),--at-table $(AT_TABLE)) $(if $(RATE),--rate $(RATE)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TABLES),--tables $(TABLES)) $(if $(MASTERS),--masters) $(if $(HAMMER),--hammer)

scaling: $(DEV) ## tabulate the load that a file, and PostgreSQL with one, two and four bots can bear; RATE=20 SECONDS=15 TABLES=24 AT_TABLE=75
	$(BIN)/python -m tests.load.scaling --number $(NUMBER) $(if $(AT_TABLE),--at-table $(AT_TABLE)) $(if $(RATE),--rate $(RATE)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(TABLES),--tables $(TABLES))

season: $(DEV) ## play whole seasons on a virtual clock: 200 in pods, a Swiss of 40, 40 divisions, 24 teams, an arena of 64; KIND=swiss for one
	$(BIN)/python -m tests.season $(KIND)

acts: $(DEV) ## let players and staff act at random in 300 seasons, and check that each ends by itself; COUNT=1000 NUMBER=8 for others
	PYTHONHASHSEED=0 $(BIN)/python -m tests.season.acts --number $(NUMBER) --count $(or $(COUNT),300)

lint: $(DEV) ## run ruff and pyright
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(DEV) ## let ruff rewrite the files
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

BENCHMARKS := analysis attendance boards calibration duplicate engine fair_play players pods ratings render solver starting store ties

bench: $(BENCH) ## run all benchmarks, each against its rivals
	for b in $(BENCHMARKS); do $(BIN)/python -m benchmarks.$$b || exit 1; done

million: $(DEV) ## measure how fast boards, history and standings are answered from a file of a million deals
	$(BIN)/python -m benchmarks.boards 1000000 5000 300

image: $(DEV) ## perform the steps of the Dockerfile without containers and check the health of the bot; hadolint reads the file if it is installed
	if [ -x $(BIN)/hadolint ]; then $(BIN)/hadolint deploy/Dockerfile; fi
	$(BIN)/python -m tests.deploy.image_steps

docs: $(DEV) ## build the site of the documents into site/; fails on a broken link
	$(BIN)/mkdocs build --strict

sbom: $(SUPPLY) ## write a CycloneDX bill of materials of the bot to dist/, without the network
	@mkdir -p dist
	$(BIN)/cyclonedx-py requirements requirements-postgres.lock --pyproject pyproject.toml --output-reproducible -o dist/tiplu.cdx.json
	$(BIN)/python -m tests.supply materials dist/tiplu.cdx.json

audit: $(SUPPLY) ## check all locked packages for known vulnerabilities; exits with 2 if there are any, or if it could not check
	$(BIN)/python -m tests.supply audit $(wildcard requirements*.lock)

licences: $(SUPPLY) ## write docs/licences.md from the metadata of the packages
	$(BIN)/python -m tests.supply licences

# Extras stay in the locks: pip takes a package with an extra for another one, which would not be pinned.
LOCK = uv pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)

release: ## tag the version of pyproject.toml, if its changelog entry and the files of its schema exist
	$(PYTHON) deploy/release.py

lock: ## renew the locks from pyproject.toml (needs uv: pip install uv); UPGRADE=1 for the newest versions
	$(LOCK) -o requirements.lock pyproject.toml
	$(LOCK) --extra postgres -c requirements.lock -o requirements-postgres.lock pyproject.toml
	$(LOCK) --group dev -c requirements.lock -o requirements-dev.lock
	$(LOCK) --group bench -c requirements.lock -c requirements-dev.lock -o requirements-bench.lock
	$(LOCK) --group fuzz -c requirements.lock -c requirements-dev.lock -o requirements-fuzz.lock
	$(LOCK) --group supply -c requirements.lock -c requirements-dev.lock -c requirements-bench.lock -o requirements-supply.lock
	$(LOCK) --group mutation -c requirements.lock -c requirements-dev.lock -c requirements-bench.lock -c requirements-supply.lock -o requirements-mutation.lock

clean: ## remove build results; keeps var/, which has the games
	rm -rf .venv dist site .pytest_cache .ruff_cache .hypothesis

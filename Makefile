# make quickstart: a fresh machine to the first table.   make test: all checks (README: "Test").
PYTHON ?= python3
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: quickstart setup test test-all lock

quickstart: setup
	webassay run

setup: .venv/ready

# pip makes the environment exactly what the lock says; `doctor --install` finds or gets a browser.
.venv/ready: envs/requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "webassay needs Python 3.11 or newer: make setup PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r envs/requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/webassay doctor --install
	touch $@

# two tests at a time, those of one file in one process, which share what they have made
TOGETHER := -n 2 --dist loadfile --no-loadscope-reorder

test: setup
	pytest -m "not slow" $(TOGETHER)

test-all: setup
	pytest -m "not slow" $(TOGETHER)
	pytest -m slow

# after a change of pyproject.toml; no index address goes into the files. The second is what `snakemake bench` measures,
# the others what tests drive and ask: an agent of others, NUTS (also analysis.backend=numpyro), a judge of RO-Crates.
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header
lock:
	$(LOCK) pyproject.toml --extra dev --output-file envs/requirements.lock
	echo webarena-verified==1.2.3 | $(LOCK) - --no-annotate --output-file envs/webarena_verified.lock
	echo browser-use==0.13.14 | $(LOCK) - --no-annotate --output-file envs/browser_use.lock
	echo numpyro==0.22.0 | $(LOCK) - --no-annotate --output-file envs/numpyro.lock
	echo roc-validator==0.13.0 | $(LOCK) - --no-annotate --output-file envs/rocrate_validator.lock

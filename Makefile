# High Noon: every command there is. Each target sets up what it needs, once; `make demo` and `make test` work in a new clone.
#
#   make demo ARGS="--speed 8"      arguments for the program
#   make test ARGS="-k side_pots"   arguments for pytest
#   PYTHON=/path/to/python3.12      this Python, instead of the first that works

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install setup programs demo test quick check bundle wheels bench lock
MAKEFLAGS += --no-print-directory

# Prefers the system's own Python if that can make a .venv. It was compiled with profiles, and runs all this a fifth
# faster than a Python compiled by a version manager. Runs each candidate, because a version manager may put a stand-in
# on the path for a Python that it has not installed.
NAMES = python3.11 python3.12 python3.13 python3
WILL_DO = import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell { \
	for python in $(NAMES:%=/usr/bin/%); do $$python -c 'import ensurepip, venv; $(WILL_DO)' && echo $$python && exit; done; \
	for python in $(NAMES); do $$python -c '$(WILL_DO)' && command -v $$python && exit; done; } 2>/dev/null </dev/null)
SETUP = $(or $(PYTHON),$(error Python 3.11, 3.12 or 3.13 is needed: apt-get install python3, or set PYTHON)) .ci/setup.py
IN_VENV = .venv/bin/python -m
NO_TESTS = 5

help:  ## what can be made
	@sed -nE 's/^([a-z]+): .*## (.*)/make \1\t\2/p' Makefile | expand -t 14

install:  ## what the program needs, in .venv: nothing else, and nothing by apt
	@$(SETUP) install

setup:  ## what developers need, in .venv; names the programs that some tests lack here
	@$(SETUP) setup

programs:  ## the programs that some tests need, by apt: FFmpeg, Chromium, Docker, nginx and others (as root, on Debian)
	@$(SETUP) programs

demo:  ## a whole contest of twelve house bots, broadcast live
	@$(SETUP) demo
	@exec $(IN_VENV) server demo $(ARGS)

# Tests marked `alone` run one by one: OBS draws without a graphics card, and bots of a season have one second to answer.
# Tests that start containers come last, because a browser abandons its downloads whenever a container changes the
# machine's network.
test:  ## all tests
	@$(SETUP) test
	@$(IN_VENV) pytest -m "not docker and not alone" $(ARGS) || [ $$? = $(NO_TESTS) ]
	@$(IN_VENV) pytest -m alone -n 1 $(ARGS) || [ $$? = $(NO_TESTS) ]
	@$(IN_VENV) pytest -m docker $(ARGS) || [ $$? = $(NO_TESTS) ]

quick:  ## the tests that need no browser, no Docker and no other program
	@$(SETUP) quick
	@exec $(IN_VENV) pytest -m "not browser and not programs and not docker and not obs" $(ARGS)

# The types on Windows and macOS, without bubblewrap's boxes, which only Linux has.
ELSEWHERE = --exclude 'server/bots/sandbox/(bubblewrap/(?!unpack)|docker/socket_opener|process_tree|namespace_)' \
	server broadcast assets .ci/setup.py .ci/packing.py .ci/javascript.py

check:  ## format, lint and types of Python, JavaScript and CSS
	@$(SETUP) check
	$(IN_VENV) ruff format --check .
	$(IN_VENV) ruff check .
	$(IN_VENV) mypy
	$(IN_VENV) mypy --platform win32 --cache-dir .mypy_cache/win32 $(ELSEWHERE)
	$(IN_VENV) mypy --platform darwin --cache-dir .mypy_cache/darwin $(ELSEWHERE)
	.venv/bin/node static/node_modules/typescript/bin/tsc --project static
	cd static && ../.venv/bin/node node_modules/@biomejs/biome/bin/biome check --error-on-warnings .

bundle:  ## the pages' scripts and sheets in one file each, as viewers on slow lines and a wheel need them
	@$(SETUP) bundle

wheels:  ## whether pip finds all packages for Windows, macOS and Linux; downloads 1 GB
	@$(SETUP) check
	@$(IN_VENV) assets.make.wheels

bench:  ## measurements, one after the other; BENCH=promises for one of them
	@$(SETUP) bench
	@$(IN_VENV) tests.bench "$(or $(BENCH),*)" $(ARGS)

# The lock files are valid for Python 3.11 to 3.13. They contain no addresses: pip and npm use their own registries.
# `make lock LOCK="uv pip compile --upgrade"` takes newer versions; without --upgrade, only what pyproject.toml changed.
# The first file has what the program and its build need; the second also has the development tools.
LOCK = uv pip compile
LOCKED = $(LOCK) --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" pyproject.toml
lock:  ## renew the lock files (needs uv)
	$(LOCKED) --extra dev --output-file requirements-dev.lock
	echo 'setuptools' | $(LOCKED) - --constraints requirements-dev.lock --output-file requirements.lock
	cd static && npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

# Two commands matter: `make book` reads the course, `make test` proves it. Both set up what they need.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
READY  := $(VENV)/.ready
PORT   ?= 8000

.DEFAULT_GOAL := help
.PHONY: help setup book site audit zip wheel test check lint run diffs bench clean

help:  ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (a few minutes the first time)"
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[show,gpu,book,test]"
	@touch $(READY)

setup: $(READY)  ## create .venv with the pinned environment

site: $(READY)  ## build the site into _build/html
	@$(VENV)/bin/jupyter-book build . -W -n --keep-going -q > /dev/null && echo "Built _build/html"

book: site  ## build the site and serve it here
	@$(RUN) -m book.serve $(PORT)

audit: site  ## measure every page: weight, paint, Lighthouse's scores, accessibility (RUNS=3 for medians)
	@$(RUN) -m book.audit --runs $(or $(RUNS),1)

zip: site  ## the site and the notebooks in one file, to read without a network
	@$(RUN) -m book.pack

wheel: $(READY)  ## the package as a wheel, in dist/
	@$(RUN) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist . && ls dist/*.whl

bench: $(READY)  ## time and weigh attn beside torch, the figures, the exercises (some minutes; best on an idle machine)
	@$(RUN) -m bench
	@$(RUN) -m bench.frames
	@$(RUN) -m bench.exercises

clean:  ## remove the built site
	@rm -rf _build

run: $(READY)  ## execute the notebooks again and store their outputs
	@$(RUN) tools/notebooks.py run

lint: $(READY)  ## style of Python (ruff) and of the figures' JavaScript (deno)
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(VENV)/bin/deno fmt --quiet --check
	@$(VENV)/bin/deno lint --quiet

check: lint  ## the quick tests: style, mathematics, house rules (no browser)
	@$(RUN) -m pytest tests --ignore tests/browser -n 2 --dist loadfile

# Notebooks run twice: once to compare pictures, markup and metadata byte for byte, once under nbval, strictly.
test: lint site  ## every test: the quick ones, the pages in a browser, the notebooks
	@$(RUN) -m pytest tests -n 2 --dist loadfile --no-loadscope-reorder -rs
	@$(RUN) tools/notebooks.py check
	@$(RUN) tools/notebooks.py nbval

diffs:  ## let git show notebooks as prose, code and outputs
	@git config diff.notebook.textconv "$(PYTHON) tools/nb_text.py"
	@echo "git diff now shows notebooks as text"

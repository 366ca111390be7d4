# `make help` lists what there is.

PYTHON := .tools/venv/bin/python
PYTEST := $(PYTHON) -m pytest
# make check builds beside the ordinary build, so that its stricter flags do not rebuild that one each time.
STRICT := env BLUETHROAT_STRICT=1 swift
STRICT_BUILD := --scratch-path .build-check

# Tests that wait in real time: for a socket, a thread, a process, a clock. They run after all others and one at a time,
# since a test that computes a thousand runs beside them takes their processors away.
REAL_TIME := CentralTests|KeyFobWorldTests|LiveTests|OverflowWorldTests|TestingTests|BondDatabaseTests|ControlPanelTests|CoreBluetoothTests|HCITransportsTests|HTTPServingTests|KeyFobPhoneTests|LiveLoopTests|ListeningTests|LivePhonesTests|MoneyBankTests|PeripheralFuturesTests|bluethroatTests
# Both passes of what is built: $(call swift_tests,swift test).
swift_tests = $(call virtual_time_tests,$(1)) && $(call real_time_tests,$(1))
virtual_time_tests = $(1) --skip-build --skip '^($(REAL_TIME))\.'
real_time_tests = $(1) --skip-build --no-parallel --filter '^($(REAL_TIME))\.'

SEEDS ?= 100
INPUTS ?= 1000000
SECONDS ?= 60
RUNS ?= 5
LOOPS ?= 4
SWIFT_SOURCES := Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources) \
	Fuzzing/Package.swift Fuzzing/Sources/FuzzHarness $(wildcard Fuzzing/Sources/*Fuzz/Entry.swift) \
	Shims/Package.swift Shims/Sources Shims/Tests $(wildcard Examples/*/Package.swift Examples/*/Sources Examples/*/Tests)

.DEFAULT_GOAL := help
.PHONY: help run build test nightly test-swift test-interop test-mpi stress test-browser pictures bench-panel test-shims test-examples check format swarm fuzz fuzz-coverage bench build-tools tools clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build-tools ## the key fob on the air, with its HCI port; more options in ARGS="--seed 7 --capture air.pcapng"
	swift build --product bluethroat
	@"$$(swift build --show-bin-path)/bluethroat" keyfob $(ARGS)

build: build-tools ## the bluethroat command, debug
	swift build --product bluethroat

test: build-tools tools ## everything: Swift tests, then other people's stacks, tshark and a browser against the built command
	swift build --build-tests
	$(call swift_tests,swift test)
	$(PYTEST) Tests/Repository Tests/Interop Tests/Browser

test-swift: build-tools ## the Swift tests alone: no Python, no network
	swift build --build-tests
	$(call swift_tests,swift test)

# The suites of the engine: what reads bytes of peers, and what keeps keys.
# Without its search for leaks, which takes what a static array holds for lost: Swift marks some pointers with bits.
SANITIZED ?= ByteCodingTests|BluetoothCryptoTests|HCITests|AirPacketsTests|LinkLayerTests|HostTests|SimulationTests

nightly: build-tools tools ## all seeds and inputs; 100,000 clients of one world; the engine's suites under the address sanitizer, SANITIZED=HostTests for one
	swift build --build-tests
	BLUETHROAT_EFFORT=all $(call virtual_time_tests,swift test)
	BLUETHROAT_EFFORT=all $(call real_time_tests,swift test)
	BLUETHROAT_EFFORT=all $(PYTEST) Tests/Interop
	BLUETHROAT_CLIENTS=100000 swift test --skip-build --filter 'ReclaimingTests|ClientTurnoverTests'
	swift build --build-tests --sanitize=address --scratch-path .build-asan
	ASAN_OPTIONS=detect_leaks=0 swift test --skip-build --sanitize=address --scratch-path .build-asan --filter '^($(SANITIZED))\.'

test-interop: build-tools tools ## Bumble and tshark alone; PYTEST_ARGS="-k capture" for some of it
	swift build --product bluethroat
	swift build --product crypto-answers
	swift build --product pairing-peer
	swift build --product app-peer
	$(PYTEST) Tests/Interop $(PYTEST_ARGS)

stress: build-tools tools ## RUNS=5 times what waits in real time, beside LOOPS=4 processes that never rest
	swift build --build-tests
	Scripts/stress $(RUNS) $(LOOPS) "$(call real_time_tests,swift test)" "$(PYTEST) Tests/Interop $(PYTEST_ARGS)"

test-mpi: build-tools tools ## a world on processes that Open MPI joins: a build of its own, with the trait MPI
	swift build -c release --disable-default-traits --traits MPI --scratch-path .build-mpi --product rank-town
	RANK_TOWN=.build-mpi/release/rank-town $(PYTEST) Tests/MPI $(PYTEST_ARGS)

test-browser: build-tools tools ## the control panel in Chromium alone; its pictures are in Tests/Browser/.artefacts
	swift build --product bluethroat
	$(PYTEST) Tests/Browser $(PYTEST_ARGS)

pictures: build-tools tools ## takes the pictures of the control panel that are in docs/images anew
	swift build --product bluethroat
	BLUETHROAT_PICTURES=docs/images $(PYTEST) Tests/Browser -k picture

bench-panel: build-tools tools ## how quick the control panel is, by Chromium's own tracing, and what it costs
	swift build --product bluethroat
	BLUETHROAT="$$(swift build --show-bin-path)/bluethroat" $(PYTHON) Tests/Browser/measure.py

test-shims: ## the modules os and Combine for Linux, a package of their own
	swift test --package-path Shims

# Packages with the same traits share a build: other traits are other flags for each file.
test-examples: build-tools ## packages as an app's would be, with their tests; the first build takes some minutes
	for example in $(filter-out Examples/Worlds/,$(wildcard Examples/*/)); do swift test --package-path $$example --scratch-path .build-examples || exit 1; done
	swift test --package-path Examples/Worlds --scratch-path .build-worlds
	BLUETHROAT_OLD_NAMES=1 swift test --package-path Tests/Outside/OldNames --scratch-path .build-worlds

# Each step of make check says at the end how long it took.
TIMES := .build-check/times.tsv
STEP := Scripts/step $(TIMES)

check: build-tools tools ## what a change must pass, and what CI runs: format, layer rules, no warnings, tests, 20 swarm seeds, shims, examples, figures
	@mkdir -p $(dir $(TIMES)) && rm -f $(TIMES)
	$(STEP) format swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	$(STEP) layers Scripts/check-layers
	$(STEP) "drawing of the targets" Scripts/draw-targets --check
	$(STEP) "build without a warning" $(STRICT) build $(STRICT_BUILD) --build-tests
	$(STEP) "tests in virtual time" $(call virtual_time_tests,$(STRICT) test $(STRICT_BUILD))
	$(STEP) "tests in real time" $(call real_time_tests,$(STRICT) test $(STRICT_BUILD))
	BLUETHROAT="$$($(STRICT) build $(STRICT_BUILD) --show-bin-path)/bluethroat" $(STEP) "tests from outside, and in a browser" $(PYTEST) Tests/Repository Tests/Interop Tests/Browser
	$(STEP) "swarm of 20 seeds" env BLUETHROAT_SWARM_SEEDS=20 $(STRICT) test $(STRICT_BUILD) --skip-build --filter Swarm
	$(STEP) "ranks over MPI" $(MAKE) test-mpi
	$(STEP) shims $(MAKE) test-shims
	$(STEP) examples $(MAKE) test-examples
	Scripts/figures --times $(TIMES)

format: ## rewrites the Swift sources the way check wants them
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

swarm: build-tools ## worlds with loss, drift and moving devices: SEEDS=1000 of them, or the one of SEED=42
	BLUETHROAT_SWARM_SEEDS=$(SEEDS) $(if $(SEED),BLUETHROAT_SWARM_SEED=$(SEED)) swift test --filter Swarm

fuzz: build-tools ## INPUTS=1000000 random inputs for each decoder and the HCI port
	BLUETHROAT_FUZZ_INPUTS=$(INPUTS) swift test --filter Fuzz

fuzz-coverage: build-tools ## looks for inputs that reach new code, with libFuzzer: TARGET=att-server SECONDS=60, or all in turn
	Scripts/fuzz-coverage --seconds $(SECONDS) $(TARGET)

bench: build-tools tools ## speed and memory, beside a Bumble pair measured in the same run; ARGS="--only read" for some of it
	swift run -c release --package-path Benchmarks --scratch-path .build-bench bench --bumble $(PYTHON) $(ARGS)

build-tools: # what the build needs besides Swift
	@Scripts/setup-build-tools

tools: # what the tests need besides Swift
	@Scripts/setup-test-tools

clean: ## removes what was built; the test tools in .tools stay
	rm -rf .build .build-asan .build-check .build-bench .build-count .build-examples .build-worlds .build-outside .build-fuzz

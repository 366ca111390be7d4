# `make help` lists what there is.

PYTHON := .tools/venv/bin/python
PYTEST := $(PYTHON) -m pytest
# SwiftPM passes the traits to the compiler in the order of a hash: another one each time, and all is compiled again.
SWIFT := SWIFT_DETERMINISTIC_HASHING=1 swift
BUILD := $(SWIFT) build
# make check builds beside the ordinary build, so that its stricter flags do not rebuild that one each time.
STRICT := env BLUETHROAT_STRICT=1 $(SWIFT)
STRICT_BUILD := --scratch-path .build-check

# Tests that wait in real time: for a socket, a thread, a process, a clock. They run after all others and one at a time,
# since a test that computes a thousand runs beside them takes their processors away.
REAL_TIME := CentralTests|KeyFobWorldTests|LiveTests|OverflowWorldTests|TestingTests|BondDatabaseTests|ControlPanelTests|CoreBluetoothTests|CoreBluetoothMockTests|CoreBluetoothMockTestingTests|AttachingTests|HCITransportsTests|HTTPAskingTests|HTTPServingTests|KeyFobPhoneTests|LiveLoopTests|ListeningTests|LivePhonesTests|MoneyBankTests|PeripheralFuturesTests|bluethroatTests
# Both passes of what is built: $(call swift_tests,swift test --skip-build).
swift_tests = $(call virtual_time_tests,$(1)) && $(call real_time_tests,$(1))
virtual_time_tests = $(1) --skip '^($(REAL_TIME))\.'
real_time_tests = $(1) --no-parallel --filter '^($(REAL_TIME))\.'

# What holds the pages, the tree and the command to each other, from outside; and the Python package for firmware's tests,
# in a run of its own, as it would be elsewhere.
OUTSIDE := Tests/Repository Tests/Interop Tests/Browser
client_tests = $(PYTEST) -c Clients/python/pyproject.toml Clients/python/tests $(PYTEST_ARGS)

# Where make install puts the command: PREFIX=$HOME/.local needs no rights. DESTDIR stands before it in packages.
PREFIX ?= /usr/local
DESTDIR ?=
# The libraries of Swift are installed beside the program, and looked for nowhere else.
INSTALLED := $(BUILD) -c release --product bluethroat -Xswiftc -no-toolchain-stdlib-rpath --scratch-path .build-install

# Modules with a DocC catalogue: $(call documentation,swift package). The plugin is resolved with this variable only.
DOCUMENTED := BluethroatTesting CoreBluetooth BluethroatSimulation
documentation = Scripts/documentation .build-docs/pages "env BLUETHROAT_DOCS=1 $(1)" $(DOCUMENTED)

SEEDS ?= 100
INPUTS ?= 1000000
SECONDS ?= 60
RUNS ?= 5
LOOPS ?= 4
SWIFT_SOURCES := Package.swift Sources Plugins Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources) \
	Fuzzing/Package.swift Fuzzing/Sources/FuzzHarness $(wildcard Fuzzing/Sources/*Fuzz/Entry.swift) \
	Shims/Package.swift Shims/Sources Shims/Tests $(wildcard Examples/*/Package.swift Examples/*/Sources Examples/*/Tests)

.DEFAULT_GOAL := help
.PHONY: help run build test nightly test-swift test-interop test-linux-host test-mpi stress test-browser pictures bench-panel test-shims test-examples check check-steps check-computes check-waits check-virtual-time check-swarm check-shims check-mpi check-examples check-real-time check-repository check-outside format swarm fuzz fuzz-coverage bench build-tools libcrypto tools clean test-clients docs install uninstall

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build-tools ## the key fob on the air, with its HCI port; more options in ARGS="--seed 7 --capture air.pcapng"
	$(BUILD) --product bluethroat
	@"$$(swift build --show-bin-path)/bluethroat" keyfob $(ARGS)

build: build-tools ## the bluethroat command, debug
	$(BUILD) --product bluethroat

install: build-tools ## a release build with man pages and completions to PREFIX=/usr/local; it needs Python 3.8
	$(INSTALLED)
	Scripts/install --from "$$($(INSTALLED) --show-bin-path)" --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

uninstall: ## removes from PREFIX=/usr/local what make install has put there
	Scripts/install --uninstall --prefix "$(PREFIX)" --destdir "$(DESTDIR)"

test: build-tools tools ## everything: Swift tests, then other people's stacks, tshark and a browser against the built command
	$(BUILD) --build-tests
	$(call swift_tests,swift test --skip-build)
	Scripts/mock-suite "$$(swift build --show-bin-path)" --runs 3 --processes 2
	$(PYTEST) $(OUTSIDE)
	$(client_tests)

test-swift: build-tools ## the Swift tests alone: no Python, no network
	$(BUILD) --build-tests
	$(call swift_tests,swift test --skip-build)

# The suites of the engine: what reads bytes of peers, and what keeps keys.
# Without its search for leaks, which takes what a static array holds for lost: Swift marks some pointers with bits.
SANITIZED ?= ByteCodingTests|BluetoothCryptoTests|HCITests|AirPacketsTests|LinkLayerTests|HostTests|SimulationTests

nightly: build-tools tools ## all seeds and inputs; 100,000 clients of one world; Linux as a host in QEMU; each fuzz target for a moment; each protection taken out once; the engine's suites under the address sanitizer, SANITIZED=HostTests for one
	$(BUILD) --build-tests
	BLUETHROAT_EFFORT=all $(call virtual_time_tests,swift test --skip-build)
	BLUETHROAT_EFFORT=all $(call real_time_tests,swift test --skip-build)
	BLUETHROAT_EFFORT=all $(PYTEST) Tests/Interop
	BLUETHROAT_CLIENTS=100000 swift test --skip-build --filter 'ReclaimingTests|ClientTurnoverTests'
	Scripts/mock-suite "$$(swift build --show-bin-path)" --runs 1000 --processes 8
	$(AGAIN) test-linux-host
	Scripts/fuzz-coverage --seconds 10 --figures .build-fuzz/nightly.tsv
	Scripts/check-protections --together
	$(BUILD) --build-tests --sanitize=address --scratch-path .build-asan
	ASAN_OPTIONS=detect_leaks=0 swift test --skip-build --sanitize=address --scratch-path .build-asan --filter '^($(SANITIZED))\.'

test-interop: build-tools tools ## Bumble and tshark alone; PYTEST_ARGS="-k capture" for some of it
	$(BUILD) --product bluethroat
	$(BUILD) --product crypto-answers
	$(BUILD) --product pairing-peer
	$(BUILD) --product app-peer
	$(PYTEST) Tests/Interop $(PYTEST_ARGS)

test-linux-host: build-tools tools ## Linux as a host: Debian's kernel and BlueZ in QEMU, on vhci, a pseudo-terminal and the user channel; wants qemu-system-x86
	$(BUILD) --product bluethroat
	BLUETHROAT="$${BLUETHROAT:-$$(swift build --show-bin-path)/bluethroat}" $(PYTEST) -n 0 Tests/LinuxHost $(PYTEST_ARGS)

stress: build-tools tools ## RUNS=5 times what waits in real time, beside LOOPS=4 processes that never rest
	$(BUILD) --build-tests
	Scripts/stress $(RUNS) $(LOOPS) "$(call real_time_tests,swift test --skip-build)" "$(PYTEST) Tests/Interop $(PYTEST_ARGS)"

test-mpi: build-tools tools ## a world on processes that Open MPI joins: a build of its own, with the trait MPI
	test -f Package.resolved || $(SWIFT) package resolve
	@# With fewer traits fewer packages are needed, and the others' versions would be forgotten.
	$(BUILD) --force-resolved-versions -c release --disable-default-traits --traits MPI --scratch-path .build-mpi --product rank-town
	$(BUILD) --force-resolved-versions --traits Command,SwiftCrypto,MPI --scratch-path .build-mpi --product bluethroat
	RANK_TOWN=.build-mpi/release/rank-town MPI_BLUETHROAT=.build-mpi/debug/bluethroat $(PYTEST) Tests/MPI $(PYTEST_ARGS)

test-browser: build-tools tools ## the control panel in Chromium alone; its pictures are in Tests/Browser/.artefacts
	$(BUILD) --product bluethroat
	$(PYTEST) Tests/Browser $(PYTEST_ARGS)

test-clients: build-tools tools ## the Python package for tests of firmware alone; PYTEST_ARGS="-k virtual" for some of it
	$(BUILD) --product bluethroat
	$(client_tests)

pictures: build-tools tools ## takes the pictures of the control panel that are in docs/images anew
	$(BUILD) --product bluethroat
	BLUETHROAT_PICTURES=docs/images $(PYTEST) Tests/Browser -k picture

bench-panel: build-tools tools ## how quick the control panel is, by Chromium's own tracing, and what it costs
	$(BUILD) --product bluethroat
	BLUETHROAT="$$(swift build --show-bin-path)/bluethroat" $(PYTHON) Tests/Browser/measure.py

test-shims: ## the modules os and Combine for Linux, a package of their own
	swift test --package-path Shims

# Packages with the same traits share a build: other traits are other flags for each file.
test-examples: build-tools libcrypto ## packages as an app's would be, with their tests; the first build takes some minutes
	for example in $(filter-out Examples/Worlds/,$(dir $(wildcard Examples/*/Package.swift))) Tests/Outside/OpenSSL; do $(SWIFT) test --package-path $$example --scratch-path .build-examples || exit 1; done
	$(SWIFT) test --package-path Examples/Worlds --scratch-path .build-worlds
	BLUETHROAT_OLD_NAMES=1 $(SWIFT) test --package-path Tests/Outside/OldNames --scratch-path .build-worlds

# Each step of make check says at the end how long it took. One with inputs is skipped if it has passed with the same ones
# before: the files there, tools, variables. BLUETHROAT_CHECK=all, as in .ci/run, skips nothing.
TIMES := .build-check/times.tsv
STEP := Scripts/step $(TIMES)
# What failed, in a few lines.
FAILED := .build-check/failed
# What Swift tests are made of and read: all but what other steps are for.
TESTED := . :!Shims :!Benchmarks :!.ci :!Tests/Repository :!Tests/Browser
# The other tests, with the command that they run.
ASKED := Package.swift Makefile README.md Sources Examples docs Tests Scripts
# Without the name of make in it, so that `make -n` only prints what it would do.
AGAIN = $(MAKE)
# What is built is only read from here on, by several at once.
CHECKED_TEST := Scripts/test-built .build-check/debug
CHECKED = BLUETHROAT="$$($(STRICT) build $(STRICT_BUILD) --ignore-lock --show-bin-path)/bluethroat"
# What computes leaves the processors to what waits: docs/decisions/229-what-computes-beside-what-waits.md.
COMPUTES := $(if $(shell command -v chrt),chrt --idle 0,nice -n 10)

check: build-tools tools ## what a change must pass, and what CI runs: format, layer rules, no warnings, tests, 20 swarm seeds, shims, examples, figures
	@mkdir -p $(dir $(TIMES)) && rm -f $(TIMES) $(FAILED) && touch $(dir $(TIMES))begun
	@$(AGAIN) check-steps || { test ! -f $(FAILED) || cat $(FAILED); exit 1; }
	Scripts/figures --times $(TIMES)

check-steps:
	$(STEP) format swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	$(STEP) layers Scripts/check-layers
	$(STEP) "drawing of the targets" Scripts/draw-targets --check
	$(STEP) "list of the decisions" Scripts/index-decisions --check
	$(STEP) "build without a warning" $(STRICT) build $(STRICT_BUILD) --build-tests
	$(STEP) --inputs "Scripts/check-fuzz-programs Fuzzing Sources Tests" "programs of the fuzzer" Scripts/check-fuzz-programs .build-check
	$(AGAIN) --jobs=2 --keep-going --output-sync=target check-computes check-waits

# One after the other, each with its output when it ends.
check-computes: check-examples
check-waits: check-outside

check-virtual-time:
	$(COMPUTES) $(STEP) --inputs "$(TESTED)" "tests in virtual time" $(call virtual_time_tests,$(CHECKED_TEST))
check-swarm: check-virtual-time
	$(COMPUTES) $(STEP) --inputs "$(TESTED)" "swarm of 20 seeds" env BLUETHROAT_SWARM_SEEDS=20 $(CHECKED_TEST) --filter Swarm
check-shims: check-swarm
	$(COMPUTES) $(STEP) --inputs "Makefile Shims" shims $(AGAIN) test-shims
check-mpi: check-shims
	$(COMPUTES) $(STEP) --inputs "Makefile Package.swift Scripts/rank-costs Sources Tests/MPI Tests/Programs" "ranks over MPI" $(AGAIN) test-mpi
check-examples: check-mpi
	$(COMPUTES) $(STEP) --inputs "Makefile Package.swift Sources Examples Tests/Outside Tests/BluetoothCryptoTests Tests/Programs/crypto-answers" examples $(AGAIN) test-examples

check-real-time:
	$(STEP) --inputs "$(TESTED)" "tests in real time" $(call real_time_tests,$(CHECKED_TEST))
check-repository: check-real-time
	$(CHECKED) $(STEP) --inputs . "tests of the repository" $(PYTEST) Tests/Repository
check-outside: check-repository
	$(CHECKED) $(STEP) --inputs "$(ASKED)" "tests from outside, and in a browser" $(PYTEST) $(filter-out Tests/Repository,$(OUTSIDE))
	$(CHECKED) $(STEP) --inputs "$(ASKED) Clients" "the Python package" $(client_tests)

docs: build-tools ## DocC pages of the modules that have a catalogue, in .build-docs/pages; a warning is an error
	$(call documentation,swift package)

format: ## rewrites the Swift sources the way check wants them
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

swarm: build-tools ## worlds with loss, drift and moving devices: SEEDS=1000 of them, or the one of SEED=42
	$(BUILD) --build-tests
	BLUETHROAT_SWARM_SEEDS=$(SEEDS) $(if $(SEED),BLUETHROAT_SWARM_SEED=$(SEED)) swift test --skip-build --filter Swarm

fuzz: build-tools ## INPUTS=1000000 random inputs for each decoder and the HCI port
	$(BUILD) --build-tests
	BLUETHROAT_FUZZ_INPUTS=$(INPUTS) swift test --skip-build --filter Fuzz

fuzz-coverage: build-tools ## looks for inputs that reach new code, with libFuzzer: TARGET=att-server SECONDS=60, or all in turn
	Scripts/fuzz-coverage --seconds $(SECONDS) $(TARGET)

bench: build-tools tools ## speed and memory, beside a Bumble pair measured in the same run; ARGS="--only read" for some of it
	$(SWIFT) run -c release --package-path Benchmarks --scratch-path .build-bench bench --bumble $(PYTHON) $(ARGS)

build-tools: # what the build needs besides Swift
	@Scripts/setup-build-tools

libcrypto: # what packages with `traits: []` need besides Swift
	@Scripts/setup-build-tools libcrypto

tools: # what the tests need besides Swift
	@Scripts/setup-test-tools

clean: ## removes what was built; the test tools in .tools stay
	rm -rf .build .build-asan .build-check .build-bench .build-count .build-examples .build-worlds .build-outside .build-fuzz .build-install .build-docs .build-mpi

# NovaSDK. `make run` shows it, `make test` tests it, `make help` lists the rest.

export JOBS ?= 2
# Every build of this package goes through Tools/swift, whose options decide what is compiled again.
BUILD := Tools/swift build
KERNELS := $(BUILD) -c release --scratch-path .build-bench
ifeq ($(shell uname), Linux)
KERNELS += --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
endif
# What the tests write is searched for the secret that they sign in with.
TEST := Tools/run-tests Tools/swift test
SHOW ?= followers mock-user-id --mock --limit 10
# Where `make install` puts the programs: $(PREFIX)/bin.
PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help run test test-generator check test-examples openapi-check python-check wheel-check sbom-check \
  container-check exports-check shards-check commands-check diff-check fastapi-check grpc-check mcp-check gateway-check \
  otlp-check musl-check websocket-check conformance-check generator-check contributing-check docs site site-check \
  faults fleet-table ways-in test-tsan test-asan fuzz mutate build release api-check install uninstall package \
  package-check reproducible format lint check-layers generate generate-check bench bench-check fleet-bench \
  dependencies test-dependencies bench-dependencies clean

help: ## List what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-16s %s\n", $$1, $$2 }'

run: dependencies ## Show the first followers of the sample user, in mock mode, and build nova serve
	@$(BUILD) --product nova
	@"$$($(BUILD) --show-bin-path)/nova" $(SHOW)
	@echo "Building nova-serve, which is nova serve ..."
	@$(BUILD) --product nova-serve

test: test-dependencies ## Run the tests, the examples and the code in the documentation; TEST_DEPTH=full: every case
	@Tools/run-tests --self-test
	@Tools/test-examples --after $(TEST)
	@$(MAKE) --no-print-directory test-generator

test-generator: test-dependencies ## Test the generator, and compare its messages with Google's protobuf
	Tools/swift test --package-path Tools/nova-generate
	@Tools/install-dependencies python3-venv
	@Tools/check-generator --skip-build

check: ## Run everything that a change must pass, and print how long each step took
	@Tools/install-dependencies chromium-driver
	@Tools/check $(CHECK)

test-examples: ## Build and run the examples, and the code in README.md and docs/
	@Tools/test-examples

openapi-check: dependencies ## Check what nova openapi writes, and call nova serve with requests made from it
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/check-openapi --bin "$$($(BUILD) --show-bin-path)"

python-check: dependencies ## Run the Python examples of the documentation: a script, pytest, a recording, and Schemathesis
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/check-python --bin "$$($(BUILD) --show-bin-path)"

wheel-check: ## Install the Python wheel of .build/bin into a fresh environment, and run its fixtures with pytest
	@Tools/install-dependencies python3-venv
	@Tools/check-wheel

sbom-check: ## Compare the bills of materials with the programs in .build/bin; needs make release SYMBOLS=1
	@Tools/install-dependencies python3-venv minisign
	@Tools/check-sbom
	@Tools/check-signature

container-check: ## Run each step of the images and of compose.yaml in a chroot; needs make release, and root
	@Tools/install-dependencies python3-venv debootstrap dpkg-dev iproute2
	@Tools/check-container

exports-check: dependencies ## Verify the pact with Pact's verifier, and load fixtures into PostgreSQL
	@Tools/install-dependencies python3-venv postgresql
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/check-exports --bin "$$($(BUILD) --show-bin-path)"

shards-check: dependencies ## Run the recipes of docs/fleet-shards.md, and read fixtures as Parquet
	@Tools/install-dependencies python3-venv parallel
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/check-shards --bin "$$($(BUILD) --show-bin-path)"

# What the pages themselves call: curl, jq, and programs that other tools of this file install.
commands-check: dependencies ## Run every command in README.md, docs/ and Examples/; PAGE=docs/x.md: of one page
	@Tools/install-dependencies python3-venv curl jq git man-db protobuf-compiler libprotobuf-dev
	@Tools/check-commands --self-test
	@Tools/check-commands $(if $(PAGE),--page $(PAGE))
	@$(if $(PAGE),,$(BUILD) --target NovaTesting)
	@$(if $(PAGE),,Tools/check-own-services)

diff-check: dependencies ## Compare nova contract diff with buf breaking
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova
	@Tools/check-diff --bin "$$($(BUILD) --show-bin-path)"

fastapi-check: dependencies ## Check that nova contract check finds planted bugs of a FastAPI gateway
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/check-fastapi --bin "$$($(BUILD) --show-bin-path)" $(addprefix --bug ,$(BUGS))

grpc-check: dependencies ## Call nova serve over gRPC with grpcio, grpcurl, and buf
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova-serve
	@Tools/check-grpc --bin "$$($(BUILD) --show-bin-path)"

mcp-check: dependencies ## Use nova mcp with the official Python client of the Model Context Protocol
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova
	@Tools/check-mcp --bin "$$($(BUILD) --show-bin-path)"

gateway-check: dependencies ## Check the mock behind Envoy, which turns HTTP/JSON into gRPC calls
	@Tools/install-dependencies python3-venv
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/check-gateway --bin "$$($(BUILD) --show-bin-path)"

otlp-check: test-dependencies ## Check what the example OpenTelemetry exports against OpenTelemetry's definitions
	@Tools/install-dependencies python3-venv
	@Tools/test-examples OpenTelemetry
	@Tools/check-otlp --self-test
	@Tools/check-otlp --bin "$$($(BUILD) --show-bin-path)"

musl-check: dependencies ## Check the sources against the C library musl; needs Debian
	@Tools/check-musl --self-test
	@Tools/check-musl $(if $(QUICK),--quick)

# websocket-check is a target only for this, so that no other build has it.
websocket-check: dependencies ## Run Autobahn's test suite against the WebSocket client and server; needs Python 2.7
	@Tools/check-websocket --install
	@NOVA_WEBSOCKET_CHECK=1 $(BUILD) --product websocket-check
	@Tools/check-websocket --bin "$$($(BUILD) --show-bin-path)"

# conformance-check is a target only for this, so that no other build has it.
conformance-check: test-dependencies ## Run Google's conformance suite of protobuf over the binary format and JSON; needs Debian
	@Tools/install-dependencies g++
	@Tools/check-conformance --install
	@NOVA_CONFORMANCE=1 $(BUILD) --product conformance-check
	@Tools/check-conformance --bin "$$($(BUILD) --show-bin-path)"

generator-check: test-dependencies ## Compare generated messages with Google's protobuf, in JSON and in the binary format, both ways
	@Tools/install-dependencies python3-venv
	@Tools/check-generator

contributing-check: test-dependencies ## Add the RPC of CONTRIBUTING.md to a copy, and compile it against the debug build
	@$(BUILD)
	@Tools/check-contributing

docs: dependencies ## Build the API reference into .build/docs
	@Tools/docs

# The site has the guides of docs/ and the API reference; it needs no server of its own, and works below any path.
site: docs ## Build the documentation's site into .build/site; SITE_URL=https://… adds a sitemap
	@Tools/install-dependencies python3-venv
	@Tools/site $(if $(SITE_BASE),--base-path "$(SITE_BASE)") $(if $(SITE_URL),--base-url "$(SITE_URL)")

site-check: site ## Check the site's links and HTML, open it in Chromium, and check what is generated for it
	@Tools/install-dependencies chromium
	@$(BUILD) --product nova
	@$(BUILD) --product nova-serve
	@Tools/write-commands --self-test
	@Tools/write-commands --bin "$$($(BUILD) --show-bin-path)" --check
	@Tools/record-terminal --self-test
	@Tools/record-terminal --bin "$$($(BUILD) --show-bin-path)" --check
	@Tools/draw-architecture --self-test
	@Tools/draw-architecture --check
	@Tools/check-site

faults: test-dependencies ## Run the fault suite and write its table into docs/reliability.md
	UPDATE_DOCS=1 $(TEST) --filter FaultSuiteTests

fleet-table: test-dependencies ## Write the table of failures and their outcomes into docs/fleet.md
	UPDATE_DOCS=1 $(TEST) --filter OutcomeTableTests

ways-in: test-dependencies ## Run the contract suite over every way in, and write its table into docs/contract-suite.md
	UPDATE_DOCS=1 $(TEST) --filter WaysInTests

test-tsan: test-dependencies ## Run the tests under the thread sanitizer
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tools/tsan-suppressions $(TEST) --sanitize=thread --scratch-path .build-tsan

# The leak checker takes what the test runner keeps until the end for leaks.
test-asan: test-dependencies ## Run the tests under the address sanitizer
	ASAN_OPTIONS=detect_leaks=0:suppressions=$(CURDIR)/Tools/asan-suppressions $(TEST) --sanitize=address --scratch-path .build-asan

# FUZZ_SECONDS, FUZZ_SEED, FUZZ_RUNS, FUZZ_TARGET and FUZZ_INPUT: see Tools/fuzz/run.
fuzz: dependencies ## Fuzz everything that reads external input, a minute per target; see docs/contributing.md
	@Tools/fuzz/run

mutate: test-dependencies ## Mutate the sources, and report mutations that no test detects
	@Tools/mutate

build: dependencies ## Build everything for debugging
	$(BUILD) --build-tests

release: dependencies ## Build nova and nova-serve for release, stripped, into .build/bin; SYMBOLS=1 keeps their symbols beside them
	@Tools/build-release $(if $(SYMBOLS),--symbols)

api-check: ## Fail if the Swift API or Proto/ breaks programs for the last release; see Tools/check-api
	@Tools/install-dependencies python3-venv
	@Tools/check-api

install: release ## Install nova, nova-serve, their manual pages and completions below $(PREFIX), (default: /usr/local)
	@Tools/install --bin .build/bin "$(DESTDIR)$(PREFIX)"

uninstall: ## Remove what make install has put below $(PREFIX)
	@Tools/install --remove "$(DESTDIR)$(PREFIX)"

# lintian, diffoscope and dpkg-dev check and describe packages; the clean Debian for them is made by debootstrap.
package: dependencies ## Make the packages of this version in .build/packages: an archive, Debian packages, and more
	@Tools/install-dependencies dpkg-dev
	@Tools/package

package-check: dependencies ## Check the packages in a clean Debian: install, upgrade, purge, repository; needs root
	@Tools/install-dependencies dpkg-dev lintian debootstrap apt-utils gnupg strace iproute2 systemd python3-venv
	@Tools/check-packages --self-test
	@Tools/build-release --symbols nova-serve
	@Tools/check-packages

reproducible: dependencies ## Build the packages of HEAD twice, from clean clones, and compare every byte; takes half an hour
	@Tools/install-dependencies dpkg-dev diffoscope-minimal
	@Tools/check-reproducible

format: ## Format the sources
	@Tools/format

lint: ## Fail where a source is not formatted
	@Tools/format --check

check-layers: ## Fail where a module or a folder uses a higher one, or a house rule is broken
	@Tools/check-layers
	@Tools/check-style
	@Tools/check-version

generate: ## Write the generated sources anew from Proto/ and APIConfig.json
	@Tools/generate

generate-check: test-dependencies ## Fail when a generated source is not what Proto/ and APIConfig.json say
	@Tools/generate --check

# BENCH="codec startup --rounds 3": see Benchmarks/run.
BENCH ?=
bench: bench-dependencies ## Measure everything beside what else could be used, and write docs/benchmarks.md
	@Benchmarks/run $(BENCH)

# FLEET="outbox --writes 20000": see Benchmarks/fleet.
FLEET ?= all
fleet-bench: dependencies ## Measure what machines of a fleet share, on Redis and PostgreSQL, as docs/fleet-*.md have it
	@Tools/install-dependencies nginx-light postgresql redis-server
	@cd Benchmarks && $${SWIFT:-swift} build -j $(JOBS) -c release --product FleetBenchmark
	@Benchmarks/fleet $(FLEET)

# The kernels are a target only for this, so that no other build has them. They contain Swift's libraries, whose
# instructions are counted, too.
# UPDATE=1 writes the counted figures into Benchmarks/figures.json.
bench-check: dependencies ## Fail when fixed work costs 5 % more instructions or allocations than committed
	@Tools/bench-check --self-test
	@Tools/install-dependencies valgrind
	@NOVA_BENCH_KERNELS=1 $(KERNELS) --product bench-kernels
	@Tools/bench-check --bin "$$($(KERNELS) --show-bin-path)" $(if $(UPDATE),--update)

dependencies:
	@Tools/install-dependencies libcurl4-openssl-dev libssl-dev pkg-config

# nginx and openssl are the real TLS server of the transport's tests; protoc is for the generator and for fixtures, as is
# sqlite3. strace kills a program at a chosen system call. The shells try completion, man and groff the manual pages.
# `nova --jq` runs jq. Redis, PostgreSQL, and PgBouncer are what machines share state on; the tests start servers of their
# own, and iproute2 puts their programs on two machines. grpcio is the other side of gRPC's tests.
test-dependencies:
	@Tools/install-dependencies libcurl4-openssl-dev libssl-dev pkg-config nginx-light openssl protobuf-compiler \
	  libprotobuf-dev python3-venv sqlite3 strace zsh fish man-db groff jq redis-server postgresql pgbouncer iproute2
	@Tools/grpc-peer --install

# nginx, gRPC's C++ library and wrk are servers and loads beside our own; perf and strace count system calls, and perf
# takes samples.
bench-dependencies: dependencies
	@Tools/install-dependencies curl g++ libgrpc++-dev linux-perf nginx-light openssl protobuf-compiler \
	  protobuf-compiler-grpc strace time valgrind wrk

clean: ## Remove what was built
	rm -rf .build .build-* Tools/nova-generate/.build Benchmarks/.build Examples/.build Examples/*/.build

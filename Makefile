# The project's commands; `make help` lists them, CONTRIBUTING.md explains them.
SWIFT ?= swift
# One set of flags for every debug build, so that no target builds anew what another has built.
STRICT = -Xswiftc -warnings-as-errors
# That no two accesses to a variable overlap is checked while testing, where it finds the same; the check is an eighth
# of what a request costs.
RELEASE = -c release --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked
# The client is linked statically as a whole: it starts in half the time. Its flags need a folder of their own.
CLIENT = -c release --scratch-path .build/client -Xswiftc -static-executable --product jukectl
# The suites in which threads meet.
THREADED = BaseTests|LoaderTests|StoreTests|ListThreadTests|DecodeThread|DecodeInbox|OutputTests|ReplySlotTests|SubscriptionModel
PREFIX ?= /usr/local
WORKERS ?= 4
MEASURES ?= 1,2,3,4,5,6,7,8,9,11,12,13,14,20,21
export SWIFT
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
export SWIFT_BACKTRACE = enable=no

TESTS = Tests/EndToEnd
VENV = .build/venv

# The compiler does not see that the contract is embedded: what embeds it is built anew after a change.
EMBEDS = Sources/Control/Commands/Contract.swift

.PHONY: help play build test check soak bench install clean format lint debug unit tsan asan venv end-to-end setup-build setup-test

## help: lists what make can do
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

## play: hears it at once: builds, starts a daemon of its own, plays a tune (or URL=…), ends by itself
play: export URL := $(URL)
play:
	@contrib/play "$$URL"

## build: the release, with the Swift runtime linked statically
build: setup-build $(EMBEDS)
	$(SWIFT) build $(RELEASE)
	$(SWIFT) build $(CLIENT)

## check: the quick gate: format lint, warnings as errors, unit and module tests
check: setup-test lint debug unit

## test: installs what tests need, builds, runs all tests
test: setup-test debug unit tsan venv end-to-end

## soak: the same with the long runs in full, and asan
soak: export SOAK = 1
soak: export PYTEST_TIMEOUT = 14400
soak: test asan

## bench: measures the release beside MPD, mpv and Mopidy, into docs/performance.md: make bench MEASURES=1,3
bench: build
	contrib/setup bench
	python3 bench/run_all.py --only "$(MEASURES)"

## format: rewrites the sources in the project's format
format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

## install: puts the release below $(DESTDIR)$(PREFIX): make install PREFIX=/usr/local
install: build
	contrib/install --prefix "$(PREFIX)" --destdir "$(DESTDIR)" \
		--daemon "$$($(SWIFT) build $(RELEASE) --show-bin-path)/jukeboxd" \
		--client "$$($(SWIFT) build $(CLIENT) --show-bin-path)/jukectl"

## clean: removes everything that was built
clean:
	rm -rf .build

lint:
	$(SWIFT) format lint --recursive --strict Package.swift Sources Tests

$(EMBEDS): protocol/openrpc.json
	touch Sources/CContract/include/CContract.h $@

debug: $(EMBEDS)
	$(SWIFT) build --build-tests $(STRICT)

# What failed is said once more at the end, where it is looked for.
FAILED = { code=$$?; grep -a '✘' $(1) | grep -a -v 'Suite\|Test run' | tail -n 40; exit $$code; }

unit:
	$(SWIFT) test --skip-build $(STRICT) 2>&1 | tee .build/unit.log || $(call FAILED,.build/unit.log)

# What threads share, under ThreadSanitizer: a build of its own; one test at a time, since all is slow in it.
tsan: export TSAN_OPTIONS = suppressions=$(CURDIR)/Tests/thread-sanitizer.supp
tsan:
	$(SWIFT) test --scratch-path .build/tsan --sanitize=thread --no-parallel --skip DoNotClick \
		--filter '$(THREADED)' 2>&1 | tee .build/tsan.log || $(call FAILED,.build/tsan.log)

## asan: the unit and module tests under AddressSanitizer, in a build of its own
# Without leaks: what lives as long as the daemon does is never taken down in a test either. Without the sandbox: its
# limit of memory is less than what the sanitizer reserves.
asan: export ASAN_OPTIONS = detect_leaks=0
asan: setup-test $(EMBEDS)
	$(SWIFT) test --scratch-path .build/asan --sanitize=address --skip 'SandboxTests|RemoteDecoderTests|RemoteLiveTests|RemoteBreakdownTests' 2>&1 | tee .build/asan.log \
		|| $(call FAILED,.build/asan.log)

venv: $(VENV)/.ready

$(VENV)/.ready: $(TESTS)/requirements.txt
	python3 -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# Most of them wait for sound in real time, so that more run at once than there are cores.
end-to-end:
	$(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --dist worksteal $(TESTS)

setup-build:
	@contrib/setup build

setup-test:
	@contrib/setup test

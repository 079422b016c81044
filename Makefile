# The project's commands; CONTRIBUTING.md explains them.
SWIFT ?= swift
STRICT = -Xswiftc -warnings-as-errors
export SWIFT_BACKTRACE = enable=no

.PHONY: check format lint debug unit build

## check: the quick gate: format lint, warnings as errors, unit tests
check: lint debug unit

lint:
	$(SWIFT) format lint --recursive --strict Package.swift Sources Tests

debug:
	$(SWIFT) build --build-tests $(STRICT)

unit:
	$(SWIFT) test --skip-build $(STRICT)

## format: rewrites the sources in the project's format
format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

## build: the release, with the Swift runtime linked statically
build:
	$(SWIFT) build -c release --static-swift-stdlib

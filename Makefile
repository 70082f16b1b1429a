# NovaSDK: `make run` shows it, `make test` tests it, `make help` lists the rest.

SWIFT ?= swift
JOBS ?= 2
SWIFT_BUILD_FLAGS ?= -j $(JOBS)
PROTOC ?= protoc
GENERATE := Tools/nova-generate

.PHONY: generate generate-check

generate: ## Write the generated sources anew from Proto/
	@Tools/generate

generate-check: ## Fail when a generated source is not what Proto/ says
	@Tools/generate --check

# SPDX-License-Identifier: MIT
# The commands that the README promises; CMakeLists.txt builds.
PREFIX ?= /usr/local
WERROR ?= OFF
# empty: those of cmake/KoshuCuda.cmake
CUDA_ARCHITECTURES ?=

.PHONY: build demo check check-all coverage install clean help

build: ## builds koshu (build/release)
	@scripts/install-deps build
	@cmake --preset release -DKOSHU_TESTS=OFF \
		-DKOSHU_CUDA_ARCHITECTURES="$(CUDA_ARCHITECTURES)" >/dev/null
	@cmake --build --preset release

demo: ## installs what is missing, builds, runs a simulation to its pictures
	@scripts/demo

check: ## installs what is missing, builds, and runs every test
	@scripts/check -DKOSHU_WERROR=$(WERROR)

check-all: ## what is too long for make check: at most an hour on 2 cores
	@scripts/check-all -DKOSHU_WERROR=$(WERROR)

coverage: ## which lines of the library do the tests run?
	@scripts/coverage

install: build ## installs into PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

clean: ## removes what was built, and the demo's pictures
	@rm -rf build demo

help: ## prints this
	@sed -n 's/^\([a-z-]*\):[^#]*## /make \1\t/p' Makefile

# SPDX-License-Identifier: MIT
# The commands that the README promises; CMakeLists.txt builds.
#
# build/release has one configuration, made by whichever command comes first, and
# none of them changes it: so each file is compiled once. Only what is given by
# name does, and stays:
#     make check WERROR=ON               warnings are errors
#     make CUDA_ARCHITECTURES="90;100"   as CMAKE_CUDA_ARCHITECTURES; none: anew
#                                        those of the GPUs that answer here;
#                                        where none does, "80-real;90"
PREFIX ?= /usr/local
given := $(foreach name,WERROR CUDA_ARCHITECTURES,\
	$(if $(filter-out undefined,$(origin $(name))),"-DKOSHU_$(name)=$($(name))"))

.PHONY: build demo demo-cosmology demo-turbulence check check-all coverage install wheel package docs clean help

build: ## builds koshu (build/release)
	@scripts/install-deps build
	@scripts/build release all $(given)

demo: ## installs what is missing, builds, runs a simulation to its pictures
	@scripts/demo

demo-cosmology: ## the same: a universe from z = 49 to today, 64^3 particles
	@scripts/demo-cosmology

demo-turbulence: ## the same: turbulence that decays, by two methods, 32^3
	@scripts/demo-turbulence

check: ## installs what is missing, builds, and runs every test
	@scripts/check $(given)

check-all: ## what is too long for make check: at most an hour on 2 cores, and two of mutants
	@scripts/check-all $(given)

coverage: ## which lines of the library do the tests run?
	@scripts/coverage

install: build ## installs into PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

wheel: ## Python wheels (build/wheel/dist), each tested; PYTHONS="python3.12 ..."
	@scripts/install-deps check
	@scripts/wheel $(given)

package: build ## a Debian package (build/package), for this distribution
	@scripts/package build/release build/package

docs: ## one site of all pages, with the references, offline (build/site)
	@scripts/docs

clean: ## removes what was built, and the demos' pictures
	@rm -rf build demo demo-cosmology demo-turbulence

help: ## prints this
	@sed -n 's/^\([a-z-]*\):[^#]*## /make \1\t/p' Makefile

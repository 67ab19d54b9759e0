# SPDX-License-Identifier: MIT
# Everything koshu links; scripts/install-deps installs it all.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
pkg_check_modules(CYAML REQUIRED IMPORTED_TARGET libcyaml)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

# SPDX-License-Identifier: MIT
# Everything libkoshu links; scripts/install-deps installs it all.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
# serial HDF5 first: where the MPI one is installed too, hdf5 may mean either
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
pkg_check_modules(CYAML REQUIRED IMPORTED_TARGET libcyaml)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

# No public header includes a header of these: a program that links the shared
# library needs none of them, one that links the static library all.
set(KOSHU_DEPENDENCIES
  OpenMP::OpenMP_C Threads::Threads PkgConfig::HWLOC PkgConfig::HDF5
  PkgConfig::CYAML PkgConfig::JANSSON PkgConfig::XXHASH m)

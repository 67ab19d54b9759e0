# SPDX-License-Identifier: MIT
# The libraries that libkoshu links; scripts/install-deps installs them all.
#
# No public header includes their headers: a program that links the shared
# library needs none of them, one that links the static library needs all.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
set(KOSHU_DEPENDENCIES OpenMP::OpenMP_C Threads::Threads m ${CMAKE_DL_LIBS})

# koshu_package(NAME MODULE...): makes the target PkgConfig::NAME from the first
# module that pkg-config knows. KOSHU_PACKAGES collects "NAME MODULE".
macro(koshu_package name)
  pkg_search_module(${name} REQUIRED IMPORTED_TARGET ${ARGN})
  list(APPEND KOSHU_DEPENDENCIES PkgConfig::${name})
  list(APPEND KOSHU_PACKAGES "${name} ${${name}_MODULE_NAME}")
  string(JOIN " " KOSHU_LDFLAGS ${KOSHU_LDFLAGS} ${${name}_LDFLAGS})
endmacro()

koshu_package(HWLOC hwloc)
# serial HDF5 first: where the MPI version is installed as well, hdf5 may be
# either
koshu_package(HDF5 hdf5-serial hdf5)
koshu_package(YAML yaml-0.1)
koshu_package(JANSSON jansson)
koshu_package(XXHASH libxxhash)

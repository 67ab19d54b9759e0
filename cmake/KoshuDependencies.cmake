# SPDX-License-Identifier: MIT
# Everything libkoshu links; scripts/install-deps installs it all.
#
# No public header includes a header of these: a program that links the shared
# library needs none of them, one that links the static library all.
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
set(KOSHU_DEPENDENCIES OpenMP::OpenMP_C Threads::Threads m ${CMAKE_DL_LIBS})

# koshu_package(NAME MODULE...): the first of the modules that pkg-config
# knows, as the target PkgConfig::NAME. KOSHU_PACKAGES lists "NAME MODULE".
macro(koshu_package name)
  pkg_search_module(${name} REQUIRED IMPORTED_TARGET ${ARGN})
  list(APPEND KOSHU_DEPENDENCIES PkgConfig::${name})
  list(APPEND KOSHU_PACKAGES "${name} ${${name}_MODULE_NAME}")
  string(JOIN " " KOSHU_LDFLAGS ${KOSHU_LDFLAGS} ${${name}_LDFLAGS})
endmacro()

koshu_package(HWLOC hwloc)
# serial HDF5 first: where the MPI one is installed too, hdf5 may mean either
koshu_package(HDF5 hdf5-serial hdf5)
koshu_package(YAML yaml-0.1)
koshu_package(JANSSON jansson)
koshu_package(XXHASH libxxhash)

# SPDX-License-Identifier: MIT
# MPI, if ranks are built: sets KOSHU_HAVE_MPI. No public header includes mpi.h:
# programs pass communicators as integers (koshu/ranks.h).
set(KOSHU_MPI AUTO CACHE STRING
    "build ranks: ON, OFF, or AUTO, where an MPI library is found")
set(KOSHU_HAVE_MPI FALSE)
if(NOT KOSHU_MPI STREQUAL "OFF")
  # MPI-3: Fortran handles, error texts, thread levels
  find_package(MPI 3.0 QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(KOSHU_HAVE_MPI TRUE)
  elseif(NOT KOSHU_MPI STREQUAL "AUTO")
    message(FATAL_ERROR "KOSHU_MPI is ${KOSHU_MPI}, but no MPI library was "
      "found: install libopenmpi-dev, or set MPI_C_COMPILER to its mpicc")
  endif()
endif()

# The library to link; only src/devices/mpi.c is compiled with MPI's headers.
set(KOSHU_MPI_LIBRARY)
if(KOSHU_HAVE_MPI)
  set(KOSHU_MPI_LIBRARY MPI::MPI_C)
  string(JOIN " " KOSHU_LDFLAGS ${KOSHU_LDFLAGS} ${MPI_C_LIBRARIES})
  message(STATUS "Ranks: MPI ${MPI_C_VERSION}, ${MPI_C_COMPILER}")
else()
  message(STATUS "Ranks: not built")
endif()

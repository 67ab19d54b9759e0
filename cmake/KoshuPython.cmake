# SPDX-License-Identifier: MIT
# The Python package, where it can be built: sets KOSHU_HAVE_PYTHON. It needs
# Python's headers, a C++ compiler and nanobind from PyPI, which
# scripts/python-env installs in .deps/python; that interpreter is used if it
# exists.
set(KOSHU_PYTHON AUTO CACHE STRING
    "have a target koshu_python: ON, OFF, or AUTO, where nanobind is found")
set(KOSHU_HAVE_PYTHON FALSE)
set(KOSHU_NO_PYTHON "KOSHU_PYTHON is OFF")
if(NOT KOSHU_PYTHON STREQUAL "OFF")
  set(own ${PROJECT_SOURCE_DIR}/.deps/python/bin/python)
  set(debug ${PROJECT_SOURCE_DIR}/.deps/python-debug/bin/python)
  if(KOSHU_SANITIZE AND EXISTS ${debug})
    set(own ${debug})
  endif()
  if(NOT Python_EXECUTABLE AND EXISTS ${own})
    set(Python_EXECUTABLE ${own})
  endif()
  find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module
    OPTIONAL_COMPONENTS Development.SABIModule)
  if(NOT Python_FOUND)
    set(KOSHU_NO_PYTHON "no headers of Python 3.10 or newer: apt-get install python3-dev")
  else()
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
      OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(KOSHU_NO_PYTHON "${Python_EXECUTABLE} has no nanobind: scripts/python-env")
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(Python_FOUND AND nanobind_ROOT AND NOT CMAKE_CXX_COMPILER)
    set(KOSHU_NO_PYTHON "no C++ compiler: apt-get install g++")
  elseif(Python_FOUND AND nanobind_ROOT)
    enable_language(CXX)
    find_package(nanobind CONFIG REQUIRED)
    set(KOSHU_HAVE_PYTHON TRUE)
  endif()
  if(NOT KOSHU_HAVE_PYTHON AND NOT KOSHU_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "KOSHU_PYTHON is ${KOSHU_PYTHON}, but there is ${KOSHU_NO_PYTHON}")
  endif()
endif()

if(KOSHU_HAVE_PYTHON)
  message(STATUS "Python: ${Python_VERSION}, ${Python_EXECUTABLE}")
  add_subdirectory(python)
else()
  message(STATUS "Python: not built (${KOSHU_NO_PYTHON})")
endif()

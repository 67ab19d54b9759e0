# SPDX-License-Identifier: MIT
# For `pip install .`, which installs no system packages: if some Debian or
# Ubuntu packages are missing, prints the command that installs them. They may
# be present in another form, so this does not stop the build; a later error
# will show what is really missing.
find_program(DPKG_QUERY dpkg-query)
if(SKBUILD AND DPKG_QUERY)
  execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/install-deps --list build
    OUTPUT_VARIABLE packages OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" packages "${packages}")
  # pip brings its own cmake and ninja, and a wheel supports no ranks
  list(REMOVE_ITEM packages cmake ninja-build make git libopenmpi-dev help2man)
  if(Python_EXECUTABLE)
    execute_process(RESULT_VARIABLE no_headers COMMAND ${Python_EXECUTABLE} -c
      "import os, sysconfig; os.stat(sysconfig.get_path('include') + '/Python.h')"
      ERROR_QUIET)
    if(no_headers)
      list(APPEND packages python3-dev)
    endif()
  endif()
  set(missing)
  foreach(package ${packages} g++)
    execute_process(COMMAND ${DPKG_QUERY} -W -f "\${db:Status-Status}" ${package}
      OUTPUT_VARIABLE state ERROR_QUIET)
    if(NOT state STREQUAL "installed")
      string(APPEND missing " ${package}")
    endif()
  endforeach()
  if(missing)
    message(NOTICE "koshu is made with packages that are not installed here:\n"
      "  apt-get install${missing}")
  endif()
endif()

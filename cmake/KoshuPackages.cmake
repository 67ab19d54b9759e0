# SPDX-License-Identifier: MIT
# For `pip install .`, which installs no packages of the system: where some of
# Debian's or Ubuntu's are missing, the line that installs them. They may be there
# in another form, so this alone stops nothing; what fails later shows it.
find_program(DPKG_QUERY dpkg-query)
if(SKBUILD AND DPKG_QUERY)
  execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/install-deps --list build
    OUTPUT_VARIABLE packages OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" packages "${packages}")
  # pip brings its own cmake and ninja; a wheel has no ranks
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

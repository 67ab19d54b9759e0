# SPDX-License-Identifier: MIT
# The tests, if they are built. They are not part of `all`: with or without
# them, `make` compiles the same files in the same way, and `cmake --build
# DIRECTORY --target koshu_tests` adds those of the tests.
if(KOSHU_TESTS STREQUAL "AUTO")
  pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
elseif(KOSHU_TESTS)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()

# Adds the targets of a directory, and of those below it, to koshu_tests.
function(koshu_tests_of directory)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  if(targets)
    add_dependencies(koshu_tests ${targets})
  endif()
  foreach(subdirectory ${below})
    koshu_tests_of(${subdirectory})
  endforeach()
endfunction()

if(KOSHU_TESTS AND CMOCKA_FOUND)
  enable_testing()
  add_subdirectory(tests EXCLUDE_FROM_ALL)
  add_custom_target(koshu_tests)
  add_dependencies(koshu_tests koshu_app # everything that is installed
    koshu koshu_cunbody koshu_g6 koshu_static koshu_cunbody_static koshu_g6_static)
  koshu_tests_of(${PROJECT_SOURCE_DIR}/tests)
else()
  message(STATUS "Tests: not built")
endif()

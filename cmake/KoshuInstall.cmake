# SPDX-License-Identifier: MIT
# cmake --install: program, libraries, headers, CMake package, pkg-config files,
# manual pages, shell completions, guides and examples.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/koshu)
install(TARGETS koshu_app RUNTIME)
# Two export sets, so that only users of the static library need the packages
# that it links.
install(TARGETS koshu koshu_cunbody koshu_g6 EXPORT koshuTargets)
install(TARGETS koshu_static koshu_cunbody_static koshu_g6_static
  EXPORT koshuStaticTargets)
foreach(set koshuTargets koshuStaticTargets)
  install(EXPORT ${set} NAMESPACE koshu:: DESTINATION ${package_dir})
endforeach()

install(DIRECTORY include/koshu include/koshu-cunbody include/koshu-g6
  TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/koshu/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/koshu)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/koshu
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(DIRECTORY share/koshu/interactions
  DESTINATION ${CMAKE_INSTALL_DATADIR}/koshu FILES_MATCHING PATTERN "*.pipe")
install(DIRECTORY bench/papers
  DESTINATION ${CMAKE_INSTALL_DATADIR}/koshu FILES_MATCHING PATTERN "*.csv")
install(FILES share/completions/koshu.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME koshu)
install(FILES share/completions/_koshu
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES share/completions/koshu.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE TYPE DOC)
install(DIRECTORY docs TYPE DOC FILES_MATCHING PATTERN "*.md" PATTERN "*.png")

configure_package_config_file(cmake/koshuConfig.cmake.in
  ${PROJECT_BINARY_DIR}/koshuConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/koshuConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/koshuConfig.cmake
              ${PROJECT_BINARY_DIR}/koshuConfigVersion.cmake
        DESTINATION ${package_dir})

# Manual pages are generated from the program's help when installing, not in
# each build.
find_program(HELP2MAN help2man)
if(HELP2MAN)
  install(CODE "execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND
    ${PROJECT_SOURCE_DIR}/scripts/man-pages $<TARGET_FILE:koshu_app>
    ${PROJECT_BINARY_DIR}/man1)")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR}
    FILES_MATCHING PATTERN "koshu*.1")
else()
  message(STATUS "Manual pages: not installed: there is no help2man")
endif()

# Paths in the .pc files are relative to the file's own location, so that an
# installed tree can be moved.
cmake_path(SET pc_dir /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH pc_dir BASE_DIRECTORY /prefix OUTPUT_VARIABLE from)
string(REGEX REPLACE "[^/]+" ".." KOSHU_PC_UP "${from}")
foreach(name koshu koshu-cunbody koshu-g6 sapporo_light)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

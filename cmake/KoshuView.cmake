# SPDX-License-Identifier: MIT
# libwebsockets, if the live view is built: sets KOSHU_HAVE_VIEW.
set(KOSHU_VIEW AUTO CACHE STRING
    "build the live view: ON, OFF, or AUTO, where libwebsockets is found")
set(KOSHU_HAVE_VIEW FALSE)
if(NOT KOSHU_VIEW STREQUAL "OFF")
  pkg_check_modules(WEBSOCKETS QUIET IMPORTED_TARGET libwebsockets>=4.1)
  set(KOSHU_HAVE_VIEW ${WEBSOCKETS_FOUND})
  if(NOT KOSHU_HAVE_VIEW AND NOT KOSHU_VIEW STREQUAL "AUTO")
    message(FATAL_ERROR "KOSHU_VIEW is ${KOSHU_VIEW}, but libwebsockets was not "
      "found: install libwebsockets-dev")
  endif()
endif()
if(KOSHU_HAVE_VIEW)
  koshu_package(WEBSOCKETS libwebsockets)
else()
  message(STATUS "Live view: not built")
endif()

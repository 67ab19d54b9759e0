# SPDX-License-Identifier: MIT
# Warnings, sanitizers, coverage: on the target koshu_flags, which every
# target of koshu links.
add_library(koshu_flags INTERFACE)
target_compile_definitions(koshu_flags INTERFACE _GNU_SOURCE)
target_compile_options(koshu_flags INTERFACE
  -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes
  -Wmissing-prototypes -Wvla -Wno-psabi -fno-math-errno)
if(KOSHU_WERROR)
  target_compile_options(koshu_flags INTERFACE -Werror)
endif()
if(KOSHU_SANITIZE)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=all
            -fno-omit-frame-pointer)
  target_compile_options(koshu_flags INTERFACE ${flags})
  target_link_options(koshu_flags INTERFACE ${flags})
endif()
if(KOSHU_COVERAGE)
  target_compile_options(koshu_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(koshu_flags INTERFACE --coverage)
endif()

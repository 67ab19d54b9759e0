# SPDX-License-Identifier: MIT
# Warnings, floating-point rules, sanitizers and coverage, on the target
# koshu_flags, which every target of koshu links.
#
# One program runs on every processor of an architecture, so there is no -march
# here: the simd backend compiles its kernels once per instruction set and
# chooses at run time. Identical runs must give identical bits, so there is no
# -ffast-math, and a product and a sum are fused only in files that set
# -ffp-contract=fast for themselves: elsewhere the bits would depend on whether
# the compiler's target has a fused instruction.
set(compile -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes
  -Wmissing-prototypes -Wvla -Wno-psabi -fno-math-errno -ffp-contract=off)
set(link)
if(CMAKE_C_COMPILER_ID MATCHES Clang)
  # a loop that clang cannot vectorise is slower there, not wrong
  list(APPEND compile -Wno-pass-failed)
endif()
if(KOSHU_WERROR)
  list(APPEND compile -Werror)
endif()
if(KOSHU_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
  list(APPEND compile ${sanitize} -fno-omit-frame-pointer)
  list(APPEND link ${sanitize})
endif()
if(KOSHU_FUZZER)
  list(APPEND compile -fsanitize=fuzzer-no-link)
endif()
if(KOSHU_COVERAGE)
  list(APPEND compile --coverage -fprofile-update=atomic -DKOSHU_COVERAGE)
  list(APPEND link --coverage)
endif()

add_library(koshu_flags INTERFACE)
target_compile_definitions(koshu_flags INTERFACE _GNU_SOURCE)
target_compile_options(koshu_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:C>:${compile}>")
target_link_options(koshu_flags INTERFACE ${link})

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# SPDX-License-Identifier: MIT
# What to compile the CUDA backend for: the GPUs that answer here, or, where none
# does (the login node of a cluster), 8.x and 9.0. The last of the list also as
# PTX, which the driver of a later GPU compiles when koshu starts there, once: a
# third architecture would take a minute of every build for it.

# koshu_cuda_architectures(VARIABLE)
function(koshu_cuda_architectures variable)
  execute_process(
    COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE here ERROR_QUIET)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch
    OUTPUT_VARIABLE known ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" here "${here}")
  string(REPLACE "." "" here "${here}")
  list(REMOVE_DUPLICATES here)
  list(SORT here COMPARE NATURAL)
  # one that is too old, or that this compiler does not know: not for these alone
  foreach(architecture ${here})
    if(architecture LESS 80 OR NOT known MATCHES "compute_${architecture}[^0-9]")
      set(here)
    endif()
  endforeach()
  if(here)
    list(POP_BACK here newest)
    list(TRANSFORM here APPEND -real)
    list(APPEND here ${newest})
  else()
    set(here 80-real 90)
  endif()
  set(${variable} "${here}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: MIT
# The architectures for which the CUDA backend is compiled: those of the GPUs in
# this machine or, without any (as on a cluster's login node), 8.x and 9.0. The
# last one is also compiled to PTX, which the driver of a later GPU compiles
# once, when koshu first starts there. A third architecture would add a minute
# to every build.

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
  # if one is too old or unknown to this compiler, build for the defaults
  # instead
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

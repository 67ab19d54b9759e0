# SPDX-License-Identifier: MIT
# The CUDA compiler, if the CUDA backend is built: sets KOSHU_HAVE_CUDA.
#
# The runtime is linked statically, so that the program also starts on a machine
# without a driver, where the backend then has no device. 80 is the oldest
# architecture that the backend supports.
set(KOSHU_CUDA_ARCHITECTURES "" CACHE STRING
    "as CMAKE_CUDA_ARCHITECTURES; empty: those of the GPUs that answer, 80-real;90 where none does")
option(KOSHU_CUDA_TUNE "build the kernel shapes that `koshu tune` compares" ON)
set(KOSHU_HAVE_CUDA FALSE)
if(NOT KOSHU_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(KOSHU_HAVE_CUDA TRUE)
  elseif(NOT KOSHU_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "KOSHU_CUDA is ${KOSHU_CUDA}, but no CUDA compiler was "
      "found: put nvcc on the PATH, or set CUDACXX to it")
  endif()
endif()

if(KOSHU_HAVE_CUDA)
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
  # Chosen when a build directory is first configured, and kept in its cache, so
  # that later commands, perhaps with another GPU present, recompile nothing.
  if(NOT KOSHU_CUDA_ARCHITECTURES)
    include(KoshuCudaArchitectures)
    koshu_cuda_architectures(chosen)
    set_property(CACHE KOSHU_CUDA_ARCHITECTURES PROPERTY VALUE "${chosen}")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${KOSHU_CUDA_ARCHITECTURES}")
  find_package(CUDAToolkit REQUIRED)
  # stdc++: CUB includes <iostream>, whose initialiser is in every object
  list(APPEND KOSHU_DEPENDENCIES CUDA::cudart_static stdc++)
  string(APPEND KOSHU_LDFLAGS
    " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt")
  message(STATUS "CUDA backend: for ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "CUDA backend: not built")
endif()

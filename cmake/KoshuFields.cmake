# SPDX-License-Identifier: MIT
# Fast Fourier transforms, if fields are built: sets KOSHU_HAVE_FIELDS. Only
# libkoshu-fields and the program use them, so FFTW, which is under the GPL, is
# never linked into libkoshu.
set(KOSHU_FFT AUTO CACHE STRING
    "transforms of fields: FFTW, KISS (KISS FFT, BSD licence), OFF, AUTO, the first of
these that is found, or PERMISSIVE, AUTO without FFTW, which is GPL")
set_property(CACHE KOSHU_FFT PROPERTY STRINGS AUTO FFTW KISS PERMISSIVE OFF)
set(KOSHU_HAVE_FIELDS FALSE)
set(KOSHU_FFT_NAME)
if(KOSHU_FFT MATCHES "^(AUTO|FFTW)$")
  pkg_check_modules(FFTW QUIET IMPORTED_TARGET fftw3 fftw3f)
  if(FFTW_FOUND)
    set(KOSHU_FFT_NAME fftw)
    set(KOSHU_FFT_LIBRARY PkgConfig::FFTW)
  endif()
endif()
if(NOT KOSHU_FFT_NAME AND KOSHU_FFT MATCHES "^(AUTO|PERMISSIVE|KISS)$")
  pkg_check_modules(KISSFFT QUIET IMPORTED_TARGET kissfft-float)
  if(KISSFFT_FOUND)
    set(KOSHU_FFT_NAME kiss)
    set(KOSHU_FFT_LIBRARY PkgConfig::KISSFFT)
  endif()
endif()
if(KOSHU_FFT_NAME)
  set(KOSHU_HAVE_FIELDS TRUE)
  message(STATUS "Fields: built, transforms by ${KOSHU_FFT_NAME}")
elseif(KOSHU_FFT MATCHES "^(AUTO|PERMISSIVE|OFF)$")
  message(STATUS "Fields: not built")
else()
  message(FATAL_ERROR "KOSHU_FFT is ${KOSHU_FFT}, which was not found: install "
    "libfftw3-dev (FFTW) or libkissfft-dev (KISS)")
endif()

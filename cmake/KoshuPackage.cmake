# SPDX-License-Identifier: MIT
# cpack: a Debian package of everything that is installed, below /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME koshu)
set(CPACK_PACKAGE_CONTACT "koshu developers <koshu@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "N-body engine: direct sums, trees and FMM")
set(CPACK_PACKAGE_DESCRIPTION
"koshu makes models of star clusters and other self-gravitating systems,
integrates them in time with forces from direct sums, a tree or the fast
multipole method, and draws the results. This package holds the program, the
libraries libkoshu, libkoshu-g6 and libkoshu-cunbody with headers, and guides.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot, ffmpeg, openmpi-bin")
include(CPack)

# SPDX-License-Identifier: MIT
"""The version that AMUSE prints with the references."""
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version_of

try:
    version = _version_of("amuse-koshu")
except PackageNotFoundError:  # not installed, but used from its sources
    version = "not installed"

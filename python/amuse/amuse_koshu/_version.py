# SPDX-License-Identifier: MIT
"""What AMUSE prints beside the references."""
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version_of

try:
    version = _version_of("amuse-koshu")
except PackageNotFoundError:  # not installed: used from its sources
    version = "not installed"

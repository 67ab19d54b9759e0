# SPDX-License-Identifier: MIT
"""Passes log messages of koshu's library to the logger "koshu" of Python."""
from __future__ import annotations

import logging

logger = logging.getLogger("koshu")
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO,
           "warning": logging.WARNING}


def log(level: str, message: str) -> None:
    """Called by the extension, from whichever thread computes."""
    logger.log(_LEVELS.get(level, logging.WARNING), "%s", message)

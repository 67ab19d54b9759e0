# SPDX-License-Identifier: MIT
"""What koshu's library logs goes to the logger "koshu" of Python's logging."""
from __future__ import annotations

import logging

logger = logging.getLogger("koshu")
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO,
           "warning": logging.WARNING}


def log(level: str, message: str) -> None:
    """Called by the extension, from whatever thread computes."""
    logger.log(_LEVELS.get(level, logging.WARNING), "%s", message)

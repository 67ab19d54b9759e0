# SPDX-License-Identifier: MIT
"""Exceptions: one for each kind of failure in koshu's library."""
from __future__ import annotations


class Error(Exception):
    """A failure of koshu. Its text says what was expected, what was found, and
    where.

    `status` is the name of the C library's status, such as
    "KOSHU_ERROR_BAD_INPUT".
    """

    status = ""


class InvalidArgumentError(Error, ValueError):
    """An argument is outside its allowed range."""


class BadInputError(Error, ValueError):
    """The input cannot be used."""


class BadFormatError(Error, ValueError):
    """A file violates its format."""


class NotFoundError(Error, LookupError):
    """There is no such file, name or key."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""


class FileError(Error, OSError):
    """Reading or writing a file failed."""


class UnsupportedError(Error, NotImplementedError):
    """This build, this backend or this format cannot do it."""


class NoDeviceError(Error, RuntimeError):
    """The requested backend has no device here."""


class DeviceError(Error, RuntimeError):
    """A device reported an error."""


class NotFiniteError(Error, ValueError):
    """A number of a particle is infinite or NaN."""


class ExternalError(Error, RuntimeError):
    """An external program or library failed."""


class InternalError(Error, RuntimeError):
    """A bug in koshu."""


_OF_STATUS = {
    "KOSHU_ERROR_INVALID_ARGUMENT": InvalidArgumentError,
    "KOSHU_ERROR_BAD_INPUT": BadInputError,
    "KOSHU_ERROR_BAD_FORMAT": BadFormatError,
    "KOSHU_ERROR_NOT_FOUND": NotFoundError,
    "KOSHU_ERROR_OUT_OF_MEMORY": OutOfMemoryError,
    "KOSHU_ERROR_IO": FileError,
    "KOSHU_ERROR_UNSUPPORTED": UnsupportedError,
    "KOSHU_ERROR_NO_DEVICE": NoDeviceError,
    "KOSHU_ERROR_DEVICE": DeviceError,
    "KOSHU_ERROR_NOT_FINITE": NotFiniteError,
    "KOSHU_ERROR_EXTERNAL": ExternalError,
    "KOSHU_ERROR_INTERNAL": InternalError,
}
for _name, _type in _OF_STATUS.items():
    _type.status = _name


def of_status(name: str) -> type[Error]:
    """The exception for a status; Error itself for an unknown one of a later
    koshu."""
    return _OF_STATUS.get(name, Error)

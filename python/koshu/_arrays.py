# SPDX-License-Identifier: MIT
"""Checks the arrays of callers and converts them for the extension. An error
says in one sentence what is wrong."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import NotFiniteError

Float = npt.NDArray[np.float64]
Whole = npt.NDArray[np.uint64]

_CPU = 1  # in DLPack


def _is_on_device(array: Any) -> bool:
    where = getattr(array, "__dlpack_device__", None)
    if where is not None:
        return bool(where()[0] != _CPU)
    return hasattr(array, "__cuda_array_interface__")


def _copied(array: Any, name: str) -> npt.NDArray[Any]:
    """Copies an array from a device by a method of its own library: cupy,
    torch, numba or jax."""
    for way in ("get", "cpu", "copy_to_host", "__array__"):
        if hasattr(array, way):
            return np.asarray(getattr(array, way)())
    raise TypeError(f"{name} lies in the memory of a device, and has no way "
                    f"to the host that koshu knows (get, cpu, copy_to_host): "
                    f"copy it first")


def _on_host(array: Any, name: str) -> npt.NDArray[Any]:
    """Converts any array to one of numpy."""
    if isinstance(array, np.ndarray):
        return array
    if _is_on_device(array):
        return _copied(array, name)
    if hasattr(array, "__dlpack__") and not hasattr(array, "__array__"):
        return np.from_dlpack(array)
    try:
        return np.asarray(array)
    except ValueError as error:
        raise ValueError(f"{name} is no array of numbers: {error}") from None


def _doubles(array: Any, name: str) -> Float:
    a = _on_host(array, name)
    if a.dtype == np.float64 and a.flags.aligned and a.dtype.isnative:
        return a
    if a.dtype.kind not in "fiub":
        raise TypeError(f"{name} has the dtype {a.dtype}: real numbers are "
                        f"expected")
    return np.require(a, np.float64, "A")


def vectors(array: Any, name: str, n: int | None = None) -> Float:
    """Checks for the shape (n, 3)."""
    a = _doubles(array, name)
    if a.ndim != 2 or a.shape[1] != 3 or (n is not None and a.shape[0] != n):
        raise ValueError(f"{name} has the shape {a.shape}: expected "
                         f"({'n' if n is None else n}, 3)")
    return a


def numbers(array: Any, name: str, n: int | None = None) -> Float:
    """Checks for the shape (n,); a single number is repeated n times."""
    a = _doubles(array, name)
    if a.ndim == 0 and n is not None:
        a = np.full(n, a)
    if a.ndim != 1 or (n is not None and a.shape[0] != n):
        raise ValueError(f"{name} has the shape {a.shape}: expected "
                         f"({'n' if n is None else n},)")
    return a


def check_finite(a: Float, name: str) -> None:
    """Raises NotFiniteError that names the first element which is infinite or
    NaN."""
    bad = np.argwhere(~np.isfinite(a))
    if len(bad):
        raise NotFiniteError(f"{name}{bad[0].tolist()} is {a[tuple(bad[0])]}: "
                             f"every number of it must be finite")


def table(array: Any, name: str, columns: int, names: str) -> Float:
    """Checks for the shape (n, columns); contiguous. names: of the columns,
    for messages."""
    a = _doubles(array, name)
    if a.ndim != 2 or a.shape[1] != columns:
        raise ValueError(f"{name} has the shape {a.shape}: expected "
                         f"(n, {columns}), of {names}")
    return np.ascontiguousarray(a)


def _check_range(a: npt.NDArray[Any], name: str, of: np.iinfo[Any]) -> None:
    if of.min == 0 and a.min() < 0:
        raise ValueError(f"{name} has a negative number")
    if a.min() < of.min or a.max() > of.max:
        raise ValueError(f"{name} has a number beyond {of.min} to {of.max}")


def whole(array: Any, name: str, dtype: Any, n: int | None = None
          ) -> npt.NDArray[Any]:
    """Checks for integers of the shape (n,); contiguous."""
    a = _on_host(array, name)
    if a.dtype.kind not in "iu":
        raise TypeError(f"{name} has the dtype {a.dtype}: whole numbers are "
                        f"expected")
    if a.ndim != 1 or (n is not None and a.shape[0] != n):
        raise ValueError(f"{name} has the shape {a.shape}: expected "
                         f"({'n' if n is None else n},)")
    if a.size and not np.can_cast(a.dtype, dtype):
        _check_range(a, name, np.iinfo(dtype))
    return np.ascontiguousarray(a, dtype)

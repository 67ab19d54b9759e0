# SPDX-License-Identifier: MIT
"""What is created is freed, and what is in use stays alive.

KOSHU_LEAK_CALLS: how often each call is made, 1000; make check-all makes 1e5.
"""
import ctypes
import gc
import os
import sys
import threading

import numpy as np
import pytest

import koshu

CALLS = int(os.environ.get("KOSHU_LEAK_CALLS", 1000))
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")


class MallInfo(ctypes.Structure):
    """struct mallinfo2 of glibc 2.33."""
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
        "uordblks", "fordblks", "keepcost")]


def in_use():
    """Bytes in malloc, and blocks in Python's own allocator."""
    gc.collect()
    info = ctypes.CDLL(None).mallinfo2
    info.restype = MallInfo
    now = info()
    return now.uordblks + now.hblkhd, sys.getallocatedblocks()


def repeat(call, calls):
    """Collects garbage every 1000 calls: objects waiting for it would make
    nanobind's map of live objects grow, by 24 kB."""
    for k in range(calls):
        call()
        if k % 1000 == 999:
            gc.collect()


def growth(call, calls=CALLS):
    """Bytes and blocks that each call leaves behind, not counting what the
    first calls keep for reuse."""
    repeat(call, min(calls, 1000))
    before = in_use()
    repeat(call, calls)
    return [(b - a) / calls for a, b in zip(before, in_use())]


# If one call in ten leaks malloc's smallest block, that is 3 bytes a call;
# caches grow by whole chunks.
def leaks(grown, calls=CALLS):
    return grown[0] > 3 + 4096 / calls or grown[1] > 0.1 + 200 / calls


def forces():
    koshu.forces(np.ones((4, 3)) * np.arange(4)[:, None], 1.0, softening=0.1)


def tree_on_targets():
    koshu.forces(np.eye(3), 1.0, softening=0.1, solver="tree",
                 targets=np.ones((2, 3)))


def store():
    p = koshu.models.plummer(16)
    kept = p.position
    with p.edit("velocity") as e:
        e.velocity += 1
    del p
    assert kept.shape == (16, 3)


def j_store():
    s = koshu.JStore(8)
    s.set(np.eye(8, 3), np.ones(8))
    s.forces(np.ones((1, 3)), softening=0.1)


def simulation():
    sim = koshu.Simulation(koshu.models.plummer(8), softening=0.1)
    sim.call(lambda of: None if of is sim else False)  # a reference cycle
    sim.run(until=0.001)


def failure():
    for wrong, type_of in (((np.ones((2, 2)), 1.0), ValueError),
                           ((np.full((2, 3), np.nan), 1.0), koshu.Error),
                           ((["a"], 1.0), TypeError)):
        with pytest.raises(type_of):
            koshu.forces(*wrong)
    with pytest.raises(koshu.Error):
        koshu.Context(backend="abacus")


def files(path):
    p = koshu.models.plummer(8)

    def write_and_read():
        koshu.write(path, p)
        assert koshu.read(path).particles.position.shape == (8, 3)
    return write_and_read


needs_malloc = pytest.mark.skipif(
    SANITIZED or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="another malloc than glibc's")


@needs_malloc
@pytest.mark.parametrize("call", [forces, tree_on_targets, store, j_store,
                                  simulation, failure], ids=lambda f: f.__name__)
def test_leaks(call):
    grown = growth(call)
    assert not leaks(grown), grown


@needs_malloc
@pytest.mark.parametrize("name", ["p.gad", "p.hdf5", "p.csv"])
def test_leaks_of_files(tmp_path, name):
    calls = max(CALLS // 10, 100)  # each call waits for the disk
    grown = growth(files(tmp_path / name), calls)
    assert not leaks(grown, calls), grown


@needs_malloc
@pytest.mark.parametrize("size", [24, 1000])  # in Python's allocator, in malloc
def test_a_leak_is_seen(size):
    kept = []
    assert leaks(growth(lambda: kept.append(bytes(size)), 5000), 5000)


# ---- lifetimes --------------------------------------------------------------


def test_references_of_results():
    x, m = np.random.default_rng(1).normal(size=(8, 3)), np.ones(8)
    before = sys.getrefcount(x), sys.getrefcount(m)
    a = koshu.forces(x, m).acceleration
    del a
    assert (sys.getrefcount(x), sys.getrefcount(m)) == before


def test_arrays_outlive_what_made_them():
    sim = koshu.Simulation(koshu.models.plummer(64), softening=0.1)
    sim.run(until=0.01)
    position = sim.particles.position
    copy = np.array(position)
    del sim
    gc.collect()
    others = [koshu.models.plummer(64, seed=k) for k in range(2, 30)]
    assert np.array_equal(position, copy) and len(others) == 28


# ---- threads ----------------------------------------------------------------


def run_of(seed, solver, results):
    sim = koshu.Simulation(koshu.models.plummer(300, seed=seed),
                           softening=0.05, solver=solver)
    sim.run(until=0.05)
    results[seed] = np.array(sim.particles.position)


def test_two_threads_with_two_simulations():
    """Each gets the same bits as when running alone."""
    solvers = {1: "direct", 2: "tree", 3: "fmm", 4: "tree"}
    alone, together = {}, {}
    for seed, solver in solvers.items():
        run_of(seed, solver, alone)
    for pair in ((1, 2), (3, 4), (2, 3)):
        threads = [threading.Thread(target=run_of,
                                    args=(k, solvers[k], together))
                   for k in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k in pair:
            assert np.array_equal(together.pop(k), alone[k]), solvers[k]


def test_one_context_by_two_threads():
    """The second thread waits; both get the same as when running alone."""
    c = koshu.Context(threads=1)
    x = np.random.default_rng(2).normal(size=(200, 3))
    wanted = koshu.forces(x, 1.0, context=c).acceleration
    wrong = []

    def many():
        for _ in range(50):
            if not np.array_equal(koshu.forces(x, 1.0, context=c).acceleration,
                                  wanted):
                wrong.append(1)

    threads = [threading.Thread(target=many) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

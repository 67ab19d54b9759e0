# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import koshu


def relative(a, b):
    return (np.linalg.norm(a - b, axis=-1) / np.linalg.norm(b, axis=-1)).max()


# single: 5e-7 (koshu/force.h), here with eps 0.05 and 500 particles
@pytest.mark.parametrize("precision, error", [
    ("single", 2e-6), ("mixed", 2e-6), ("double", 1e-13)])
def test_direct(cloud, reference, precision, error):
    x, m = cloud
    a, potential = reference(x, m, 0.05)
    f = koshu.forces(x, m, solver=koshu.Direct(softening=0.05,
                                               precision=precision))
    assert f.acceleration.shape == (500, 3) and f.potential.shape == (500,)
    assert relative(f.acceleration, a) < error
    assert np.abs(f.potential / potential - 1).max() < error


# defaults: a tree code's largest error is many times its median of 1e-4
@pytest.mark.parametrize("solver, error", [("tree", 2e-2), ("fmm", 1e-3)])
def test_methods(cloud, reference, solver, error):
    x, m = cloud
    f = koshu.forces(x, m, softening=0.05, solver=solver)
    assert relative(f.acceleration, reference(x, m, 0.05)[0]) < error


def test_options_reach_the_tree(cloud, reference):
    x, m = cloud
    a = reference(x, m, 0.05)[0]
    coarse, fine = (
        np.median(np.linalg.norm(koshu.forces(
            x, m, solver=koshu.Tree(softening=0.05, theta=theta,
                                    opening_criterion="geometric", n_crit=1)
        ).acceleration - a, axis=1)) for theta in (1, 0.2))
    assert fine < coarse / 10


def test_accuracy(cloud, reference):
    x, m = cloud
    f = koshu.forces(x, m, softening=0.05, accuracy=1e-4)
    assert relative(f.acceleration, reference(x, m, 0.05)[0]) < 1e-3


def test_accuracy_far_from_the_origin(cloud, reference):
    """Direct sums in single precision round the positions."""
    x, m = cloud
    far = x + [1e5, 0, 0]
    f = koshu.forces(far, m, softening=0.05, accuracy=1e-4)
    assert relative(f.acceleration, reference(far, m, 0.05)[0]) < 1e-3


def test_layouts_give_the_same_bits(cloud):
    x, m = cloud
    wanted = koshu.forces(x, m).acceleration
    wide = np.zeros((1000, 6))
    wide[::2, ::2] = x
    for same in (np.asfortranarray(x), wide[::2, ::2], x[::-1][::-1],
                 x.astype(">f8"), x.tolist()):
        assert np.array_equal(koshu.forces(same, m).acceleration, wanted)
    x.flags.writeable = False
    assert np.array_equal(koshu.forces(x, m).acceleration, wanted)
    assert np.array_equal(koshu.forces(x, 1 / 512).acceleration,
                          koshu.forces(x, np.full(500, 1 / 512)).acceleration)


def test_targets(cloud, reference):
    x, m = cloud
    x2, m2 = np.vstack([x, [[2.0, 0, 0]]]), np.append(m, 0)
    f = koshu.forces(x, m, softening=0.1, targets=[[2.0, 0, 0]],
                     solver=koshu.Direct(precision="double"))
    a, potential = reference(x2, m2, 0.1)
    assert f.acceleration[0] == pytest.approx(a[-1], rel=1e-12)
    assert f.potential[0] == pytest.approx(potential[-1], rel=1e-12)


# single: 5e-7; FMM: the tolerance; tree: many times its median of 1e-4
@pytest.mark.parametrize("solver, error", [
    (koshu.FMM(softening=0.1), 1e-4),
    (koshu.FMM(softening=0.1, tolerance=1e-9, precision="double"), 1e-8),
    (koshu.Tree(softening=0.1), 2e-2)])
def test_targets_of_a_tree(cloud, reference, solver, error):
    x, m = cloud
    places = np.vstack([x[:300] + 0.01, x[:1], 1e3 + x[:99]])
    exact = koshu.forces(x, m, targets=places,
                         solver=koshu.Direct(0.1, "double"))
    f = koshu.forces(x, m, targets=places, solver=solver)
    assert f.acceleration.shape == (400, 3) and f.potential.shape == (400,)
    assert relative(f.acceleration, exact.acceleration) < error
    assert np.abs(f.potential / exact.potential - 1).max() < error


def test_no_targets(cloud):
    for solver in "direct", "tree", "fmm":
        f = koshu.forces(*cloud, targets=np.empty((0, 3)), solver=solver)
        assert f.acceleration.shape == (0, 3) and f.potential.shape == (0,)


@pytest.mark.parametrize("accuracy", [1e-3, 1e-4])
def test_accuracy_of_a_tree(accuracy):
    """The relative criterion needs accelerations, so two sums are made; with
    only one, the error for 1e-4 would be 2e-4."""
    p = koshu.models.plummer(20000)
    x, m = np.array(p.position), np.array(p.mass)
    chosen = koshu.choose(len(x), accuracy)
    if not isinstance(chosen, koshu.Tree):
        pytest.skip(f"here {chosen} is chosen")
    a = koshu.forces(x, m, softening=0.01, accuracy=accuracy).acceleration
    some = slice(0, len(x), 20)
    exact = koshu.forces(x, m, targets=x[some] + 1e-12, solver=koshu.Direct(
        softening=0.01, precision="double")).acceleration
    error = (np.linalg.norm(a[some] - exact, axis=1)
             / np.linalg.norm(exact, axis=1))
    assert accuracy / 10 < (error ** 2).mean() ** 0.5 < accuracy


def test_targets_with_an_accuracy():
    """A tree is not chosen for few targets among many particles."""
    c = koshu.context()
    few, many = np.zeros((1, 3)), np.zeros((200000, 3))
    chosen = [koshu._solvers.choose_on(many, places, 1e-4, c)
              for places in (few, many, None)]
    assert isinstance(chosen[0], koshu.Direct)
    assert not isinstance(chosen[1], koshu.Direct)
    assert not isinstance(chosen[2], koshu.Direct)


def test_sets(cloud, reference):
    x, m = cloud
    f = koshu.force_sets([0, 100, 200], [0, 100, 500],
                         np.vstack([x[:100], x[100:200]]), x, m,
                         id=np.r_[0:100, 0:100], softening=0.1,
                         precision="double")
    a = np.vstack([reference(x[:100], m[:100], 0.1)[0],
                   reference(x[100:], m[100:], 0.1)[0][:100]])
    assert relative(f.acceleration, a) < 1e-12
    with pytest.raises(ValueError, match="offsets end with 9 and 9"):
        koshu.force_sets([0, 9], [0, 9], x, x, m)


def test_nwalk(cloud, reference):
    x, m = cloud
    xi = np.column_stack([x, np.full(500, 0.01)]).astype(np.float32)
    xj = np.column_stack([x, m]).astype(np.float32)
    accp = koshu.nwalk(xi, xj, [0, 500], [0, 500])
    assert relative(accp[:, :3], reference(x, m, 0.1)[0]) < 1e-4


@pytest.mark.parametrize("accuracy", [None, 1e-3])
def test_nothing(accuracy):
    none = np.empty((0, 3))
    f = koshu.forces(none, np.empty(0), accuracy=accuracy)
    assert f.acceleration.shape == (0, 3) and f.potential.shape == (0,)
    f = koshu.forces(none, np.empty(0), accuracy=accuracy, targets=none + 1)
    assert f.acceleration.shape == (0, 3)


def test_whole_numbers_that_are_too_large():
    x = np.ones((1, 4), np.float32)
    with pytest.raises(ValueError, match="ioff has a number beyond"):
        koshu.nwalk(x, x, [0, 2 ** 32 + 1], [0, 1])
    with pytest.raises(ValueError, match="id has a number beyond"):
        koshu.force_sets([0, 1], [0, 1], x[:, :3], x[:, :3], [1],
                         id=np.array([2 ** 64 - 1], np.uint64))


class OnDevice:
    def __dlpack_device__(self):
        return 2, 0  # CUDA

    def __dlpack__(self, **_):
        raise AssertionError("must not be used")


class Copied(OnDevice):
    """Arrays like those of cupy, torch, numba and jax, each with its own way
    to the host."""

    def __init__(self, array, way):
        setattr(self, way, lambda: array)


class OnHost:
    """An array that supports DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def test_dlpack(cloud):
    x, m = cloud
    assert np.array_equal(koshu.forces(OnHost(x), m).acceleration,
                          koshu.forces(x, m).acceleration)
    with pytest.raises(TypeError, match="x lies in the memory of a device"):
        koshu.forces(OnDevice(), m)
    a = np.from_dlpack(koshu.forces(x, m).acceleration)
    assert a.shape == (500, 3)


@pytest.mark.parametrize("way", ["get", "cpu", "copy_to_host", "__array__"])
def test_arrays_of_devices(cloud, way):
    x, m = cloud
    assert np.array_equal(
        koshu.forces(Copied(x, way), Copied(m, way)).acceleration,
        koshu.forces(x, m).acceleration)


BAD = np.ones((4, 3))


@pytest.mark.parametrize("x, m, kind, message", [
    (np.ones((4, 2)), 1, ValueError, r"x has the shape \(4, 2\)"),
    (np.ones(3), 1, ValueError, r"expected \(n, 3\)"),
    (BAD, np.ones(3), ValueError, r"m has the shape \(3,\): expected \(4,\)"),
    (BAD * 1j, 1, TypeError, "x has the dtype complex128"),
    (np.array([["a"] * 3]), 1, TypeError, "x has the dtype <U1"),
    (None, 1, TypeError, "x has the dtype object"),
    ([[1, 2, 3], [4, 5]], 1, ValueError, "x is no array of numbers"),
    (np.where(np.arange(12).reshape(4, 3) == 7, np.nan, 1.), 1,
     koshu.NotFiniteError, r"x\[2, 1\] is nan"),
    (BAD, [1, 1, np.inf, 1], koshu.NotFiniteError, r"m\[2\] is inf"),
])
@pytest.mark.parametrize("solver", ["direct", "tree"])
def test_bad_arrays(x, m, kind, message, solver):
    if kind is koshu.NotFiniteError and solver == "tree":
        message = "nan|inf"
    with pytest.raises(kind, match=message) as raised:
        koshu.forces(x, m, solver=solver)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("options, kind, message", [
    ({"softening": -1}, koshu.InvalidArgumentError, "softening"),
    ({"softening": "a"}, TypeError, "softening: expected a number, got 'a'"),
    ({"solver": "magic"}, ValueError, "there is no solver 'magic'"),
    ({"solver": 3}, TypeError, "solver is a int"),
    ({"solver": koshu.Tree(theta=7)}, koshu.InvalidArgumentError, "theta"),
    ({"solver": koshu.Tree(n_crit=-1)}, TypeError, "n_crit: expected a whole number"),
    ({"solver": koshu.Direct(precision="half")}, koshu.NotFoundError,
     "single, mixed"),
    ({"accuracy": 7}, koshu.InvalidArgumentError, "accuracy"),
])
def test_bad_options(cloud, options, kind, message):
    with pytest.raises(kind, match=message) as raised:
        koshu.forces(*cloud, **options)
    assert "\n" not in str(raised.value)


def test_results_outlive_what_made_them(cloud):
    x, m = cloud
    with koshu.Context(threads=1):
        a = koshu.forces(x, m, solver="tree").acceleration
    b = koshu.forces(x, m, solver="tree").acceleration
    for _ in range(50):
        koshu.models.plummer(500)
    assert np.array_equal(a, b)

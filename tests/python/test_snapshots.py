# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import koshu


# formats with floats keep 24 bits
@pytest.mark.parametrize("ending, error", [
    (".hdf5", 0), (".csv", 0), (".gad", 1e-7), (".gad1", 1e-7),
    (".tipsy", 1e-7)])
def test_formats(tmp_path, ending, error):
    p = koshu.models.king(200)
    path = tmp_path / f"king{ending}"
    koshu.write(path, p, time=2.5)
    s = koshu.read(path)
    assert s.n == len(s.particles) == 200
    assert np.abs(s.particles.position - p.position).max() <= 20 * error
    assert np.array_equal(s.particles.id, p.id)
    if ending != ".csv":
        assert s.time == 2.5
    i = koshu.inspect(path)
    assert i.n == 200 and i.particles is None
    assert i.format == koshu.format_of(path) == s.format


def test_units_and_more(tmp_path):
    p = koshu.models.plummer(50)
    koshu.Solver("direct").forces(p)
    path = tmp_path / "a.h5"
    koshu.write(path, p, time=1, units=koshu.Units("pc, Msun, km/s"),
                softening=0.1, step=7, potential=True,
                parameters="initial: {n: 50}\n")
    s = koshu.read(path)
    assert s.has_units and s.units == koshu.Units("pc, Msun, km/s")
    assert s.softening == 0.1 and s.step == 7 and s.has_potential
    assert s.parameters == "initial: {n: 50}\n"
    assert np.array_equal(s.particles.potential, p.potential)


def test_bad_files(tmp_path):
    with pytest.raises(koshu.NotFoundError, match="none.hdf5"):
        koshu.read(tmp_path / "none.hdf5")
    (tmp_path / "bad.hdf5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"x" * 100)
    with pytest.raises(koshu.Error, match="bad.hdf5") as raised:
        koshu.read(tmp_path / "bad.hdf5")
    assert raised.value.status.startswith("KOSHU_ERROR_")
    with pytest.raises(koshu.NotFoundError, match=".csv"):
        koshu.write(tmp_path / "a.xyz", koshu.models.plummer(5))
    with pytest.raises(koshu.FileError, match="cannot|No such"):
        koshu.write(tmp_path / "no" / "a.csv", koshu.models.plummer(5))
    p = koshu.models.plummer(5)
    with p.edit("mass") as e:
        e.mass[2] = -1
    with pytest.raises(koshu.BadInputError, match="particle 2"):
        koshu.write(tmp_path / "a.csv", p)
    assert not (tmp_path / "a.csv").exists()

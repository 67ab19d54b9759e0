# SPDX-License-Identifier: MIT
"""Particles, simulations and runs on several ranks; started by mpirun."""
import sys
import tempfile

import numpy as np

import koshu

N = 100


def check_arrays(context):
    rng = np.random.default_rng(1)
    x, v = rng.random((N, 3)), rng.random((N, 3))
    p = koshu.Particles(position=x, mass=1 / N, velocity=v,
                        id=np.arange(N) + 7)
    own = context.slice_of(N)
    assert p.total == N and len(p) == own.stop - own.start < N
    for q in (p, p.copy()):
        assert np.array_equal(q.position, x[own])
        assert np.array_equal(q.velocity, v[own])
        assert np.array_equal(q.id, np.arange(N)[own] + 7)


def simulate(solver):
    sim = koshu.Simulation(koshu.models.plummer(N), solver=solver,
                           softening=1 / 16,
                           integrator=koshu.Leapfrog(dt=1 / 64))
    before = sim.diagnostics()
    sim.run(until=0.25)
    return before, sim.diagnostics()


def check_simulations(alone):
    for solver in ("direct", "tree", "fmm"):
        here = simulate(solver)
        with alone:
            one = simulate(solver)
        for a, b in zip(here, one):
            assert abs(a.total - b.total) < 1e-4, (solver, a.total, b.total)


def check_runs(directory):
    values = {"initial.model": "plummer", "initial.n": N,
              "solver.softening": "1/16", "integrator.dt": "1/64",
              "integrator.end": "1/8", "output.directory": directory}
    run = koshu.Run(None, values)
    run.run()
    assert run.time == 1 / 8 and run.particles.total == N
    # the end of a run copies its particles
    assert len(run.particles) < N


def main():
    context = koshu.Context(threads=1)
    alone = koshu.Context(threads=1)
    context.initialise_ranks()
    assert context.ranks > 1
    with context:
        check_arrays(context)
        check_simulations(alone)
        with tempfile.TemporaryDirectory() as directory:
            check_runs(directory + "/out")
    print("rank", context.rank, "passed")


if __name__ == "__main__":
    sys.exit(main())

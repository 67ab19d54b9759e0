/* SPDX-License-Identifier: MIT */
/*
 * The fourth-order Hermite scheme with block time steps, for one coordinate or
 * one particle (Makino & Aarseth 1992; Hut, Makino & McMillan 1995); see
 * kernels.h for how this file is included.
 *
 *     x, v, a, j    position, velocity, acceleration, jerk
 *     0, 1          at the start and the end of a step dt
 *
 * No include guard: once per number type.
 */

/* ---- predictor ----------------------------------------------------------- */

/* Taylor series in Horner's form; the compiler computes dt / 2, dt / 3 and dt /
 * 4 once for all axes. Written as products because a division costs as much as
 * twenty of them. */

KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_predict_x)(KOSHU_REAL x, KOSHU_REAL v, KOSHU_REAL a,
                               KOSHU_REAL j, KOSHU_REAL dt)
{
    return x + dt * (v + dt * 0.5 * (a + dt * (1.0 / 3) * j));
}

KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_predict_v)(KOSHU_REAL v, KOSHU_REAL a, KOSHU_REAL j,
                               KOSHU_REAL dt)
{
    return v + dt * (a + dt * 0.5 * j);
}

/* The same with the fourth derivative of the position, s ("snap"). */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_predict_x_snap)(KOSHU_REAL x, KOSHU_REAL v, KOSHU_REAL a,
                                    KOSHU_REAL j, KOSHU_REAL s, KOSHU_REAL dt)
{
    return KOSHU_TYPED(hermite_predict_x)(x, v, a, j + dt * 0.25 * s, dt);
}

KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_predict_v_snap)(KOSHU_REAL v, KOSHU_REAL a, KOSHU_REAL j,
                                    KOSHU_REAL s, KOSHU_REAL dt)
{
    return KOSHU_TYPED(hermite_predict_v)(v, a, j + dt * (1.0 / 3) * s, dt);
}

/* ---- corrector ----------------------------------------------------------- */

/*
 * In the time-symmetric form, which is the same from both ends of the step:
 * iterated to convergence it is time-symmetric (Hut, Makino & McMillan 1995,
 * eqs. 6, 7). The velocity comes first because the position needs it.
 */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_correct_v)(KOSHU_REAL v0, KOSHU_REAL a0, KOSHU_REAL j0,
                               KOSHU_REAL a1, KOSHU_REAL j1, KOSHU_REAL dt)
{
    return v0 + dt * ((a0 + a1) * 0.5 + dt * (1.0 / 12) * (j0 - j1));
}

KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_correct_x)(KOSHU_REAL x0, KOSHU_REAL v0, KOSHU_REAL a0,
                               KOSHU_REAL v1, KOSHU_REAL a1, KOSHU_REAL dt)
{
    return x0 + dt * ((v0 + v1) * 0.5 + dt * (1.0 / 12) * (a0 - a1));
}

/* ---- time steps ---------------------------------------------------------- */

/* Third derivative of the acceleration, times dt^3; it is constant for the
 * interpolation through both ends (Makino & Aarseth 1992, eq. 11). */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_crackle)(KOSHU_REAL a0, KOSHU_REAL j0, KOSHU_REAL a1,
                             KOSHU_REAL j1, KOSHU_REAL dt)
{
    return 12 * (a0 - a1) + 6 * dt * (j0 + j1);
}

/* Second derivative of the acceleration at the end of the step, times dt^2 (eq.
 * 10, plus dt times the third derivative). */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_snap)(KOSHU_REAL a0, KOSHU_REAL j0, KOSHU_REAL a1,
                          KOSHU_REAL j1, KOSHU_REAL dt)
{
    return 6 * (a0 - a1) + dt * (2 * j0 + 4 * j1);
}

/*
 * Aarseth's criterion, squared, from the lengths of the acceleration and its
 * derivatives (Makino & Aarseth 1992, eq. 7):
 *
 *     dt^2 = eta (|a| |snap| + |jerk|^2) / (|jerk| |crackle| + |snap|^2)
 *
 * Infinite or NaN where the derivatives vanish: any step will do.
 */
KOSHU_HD KOSHU_REAL
KOSHU_TYPED(hermite_aarseth)(KOSHU_REAL eta, KOSHU_REAL a, KOSHU_REAL jerk,
                             KOSHU_REAL snap, KOSHU_REAL crackle)
{
    return eta * (a * snap + jerk * jerk) / (jerk * crackle + snap * snap);
}

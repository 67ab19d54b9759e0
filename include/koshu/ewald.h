/* SPDX-License-Identifier: MIT */
/*
 * Sums of 1 / r over charges and dipoles in a cubic box and all its periodic
 * images, by Ewald summation in double precision. This is the reference for the
 * much faster sums of koshu/laplace.h in a periodic box.
 *
 *     potential(x) = sum_j q_j psi(x - y_j) - p_j grad psi(x - y_j),
 *     psi(r) = sum_n erfc(a |r + n L|) / |r + n L| - pi / (a^2 L^3)
 *              + 4 pi / L^3 sum_(k != 0) exp(-k^2 / 4 a^2) / k^2 cos(k r)
 *
 * where n runs over vectors of three integers and k = 2 pi n / L; gradient and
 * Hessian are derivatives of the potential. psi does not depend on the
 * splitting parameter a, and its mean over the box is 0. It is the limit of
 * ever larger spheres of boxes in a conductor ("tinfoil"), with a uniform
 * neutralising background if the charges do not sum to 0: what cosmology uses,
 * with masses as charges and the gradient as acceleration.
 *
 * A source at the position of a target, or at an image of it, contributes only
 * through its other images: psi(r) - 1 / r at r = 0, which is
 * -2.837297479480620 / L, and no gradient; its Hessian is 4 pi / (3 L^3) times
 * the unit matrix, and the gradient of a dipole - 4 pi / (3 L^3) p.
 *
 * With softening, 1 / r is replaced by 1 / (r^2 + eps^2)^(1/2) for all images:
 * with s_n^2 = |r + n L|^2 + eps^2
 *
 *     psi(r) = sum_n erfc(a s_n) / s_n - pi / (a^2 L^3) E_2(a^2 eps^2)
 *              + 2 pi / L^3 sum_(k != 0) cos(k r)
 *                int_0^a exp(-t^2 eps^2 - k^2 / (4 t^2)) / t^3 dt
 *
 * Threads: a context and the arrays given to it are used by one thread at a
 * time; the context's threads do the work. Results do not depend on their
 * number, bit for bit.
 *
 * Source: Ewald 1921 (Ann. Phys. 369, 253); de Leeuw, Perram & Smith 1980
 * (Proc. R. Soc. A 373, 27), eq. 1.3 with an infinite dielectric constant
 * outside; Hernquist, Bouchet & Suto 1991 (ApJS 75, 231), eq. 2.14, for the
 * background; Aguado & Madden 2003 (J. Chem. Phys. 119, 7471) for dipoles.
 */
#ifndef KOSHU_EWALD_H
#define KOSHU_EWALD_H

#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/laplace.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_ewald_options {
    size_t size;      /* of this struct */
    double box;       /* edge of the box, L: 1e-90 to 1e90 */
    double splitting; /* a L, 0.5 to 50; 0: the fastest */
    double softening; /* Plummer's eps, a length: 0 to L / 2 */
};

/* Box 1, splitting 0, no softening. */
KOSHU_DECLARE_DEFAULT(koshu_ewald_options)

/*
 * Sums over all sources and their images at all targets; targets NULL: at the
 * sources themselves. Positions are taken modulo L. The time grows as (N
 * M)^(3/4) for N sources and M targets.
 * Shapes: as for koshu_laplace_sums().
 * Units: potential charge / length, gradient charge / length^2, Hessian charge
 * / length^3, dipole charge length.
 * Error: 1e-14 for potential and gradient, and 1e-11 for the Hessian or with
 * dipoles, relative to the sum of the absolute values of the terms;
 * tests/unit/solve/test_ewald.c.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an option is out of its range, a
 * pointer is NULL (options may be); KOSHU_ERROR_NOT_FINITE: a position, a
 * charge or a dipole is infinite or NaN; KOSHU_ERROR_UNSUPPORTED: a struct is
 * of a later koshu; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_ewald_sums(struct koshu_context *context,
                 const struct koshu_laplace_points *sources,
                 const struct koshu_laplace_points *targets,
                 const struct koshu_ewald_options *options,
                 const struct koshu_laplace_result *result);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * External fields: forces on particles beside their own gravity, of a galaxy
 * that is a formula, or its tide. Several are added.
 *
 * Potentials phi(x) per unit mass, with r the distance from the centre, x, y, z
 * beside it, R^2 = x^2 + y^2, and G = 1; accelerations are -grad phi:
 *
 * KOSHU_EXTERNAL_KIND_POINT_MASS:     phi = -M / r
 * KOSHU_EXTERNAL_KIND_PLUMMER:        phi = -M / sqrt(r^2 + a^2) (Plummer 1911)
 * KOSHU_EXTERNAL_KIND_MIYAMOTO_NAGAI: phi = -M / sqrt(R^2 + (a + sqrt(z^2 +
 * b^2))^2) (Miyamoto & Nagai 1975, PASJ 27, 533)
 * KOSHU_EXTERNAL_KIND_LOGARITHMIC:    phi = v^2/2 ln((a^2 + R^2 + z^2/q^2) /
 * a^2), without the / a^2 where a = 0 (Binney & Tremaine 2008, eq. 2.71a)
 * KOSHU_EXTERNAL_KIND_NFW:            phi = -m ln(1 + r/a) / r with
 *     m = M / (ln(1 + c) - c / (1 + c)), so that the mass inside c a is M
 *     (Navarro, Frenk & White 1996, ApJ 462, 563)
 * KOSHU_EXTERNAL_KIND_UNIFORM:        phi = -g . x
 * KOSHU_EXTERNAL_KIND_FORMULA:        phi is a text of the user's own, like
 *     "-G*M / sqrt(x^2 + y^2 + (z/q)^2)": numbers, x, y, z, the constants given
 *     beside it, + - * / ^ and brackets, sqrt, exp, log, sin, cos, tan, atan,
 *     sinh, cosh, tanh. Accelerations and jerks are its exact derivatives, by
 *     automatic differentiation (Griewank & Walther 2008). A formula is data:
 *     nothing is compiled, and nothing but these is computed
 * KOSHU_EXTERNAL_KIND_TIDE: the tide of a galaxy in the frame of a circular
 * orbit of radius R0 and speed v, which turns with Omega = v / R0 about the z
 * axis; x points away from the centre of the galaxy, y where the orbit goes:
 *
 *         a = (4 Omega^2 - kappa^2) x e_x - nu^2 z e_z - 2 Omega e_z x v
 *
 *     (Binney & Tremaine 2008, section 8.3.2), with the slope s of the
 *     rotation curve, d ln v / d ln R, and the density rho of the galaxy at
 *     the orbit, by Poisson's equation:
 *
 *         kappa^2 = 2 (1 + s) Omega^2,  nu^2 = 4 pi rho - 2 s Omega^2
 *
 *     s = -1/2, rho = 0 is a point mass, s = 0 a flat curve.
 *
 * In the frame that turns, the energy T + W + sum m phi is Jacobi's integral,
 * with phi = -(4 Omega^2 - kappa^2) x^2 / 2 + nu^2 z^2 / 2: the centrifugal
 * force is in it, Coriolis' does no work. It is conserved, as the energy is in
 * the other fields.
 *
 * With a koshu_integrator (koshu_integrator_set_external): the leapfrog kicks
 * by the fields, and drifts on the circles of Coriolis' force, exactly, so that
 * it stays symplectic and time-reversible; the Hermite scheme adds
 * accelerations and jerks to the sums, and corrects with the velocity that
 * comes out, so that it stays of fourth order. Fields are computed by the host;
 * particles that are kept on a GPU are copied to it and back each step.
 *
 * Threads: a field object is used by any number of threads at a time.
 */
#ifndef KOSHU_EXTERNAL_H
#define KOSHU_EXTERNAL_H

#include <stddef.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/units.h>

#ifdef __cplusplus
extern "C" {
#endif

enum koshu_external_kind {
    KOSHU_EXTERNAL_KIND_POINT_MASS,
    KOSHU_EXTERNAL_KIND_PLUMMER,
    KOSHU_EXTERNAL_KIND_MIYAMOTO_NAGAI,
    KOSHU_EXTERNAL_KIND_LOGARITHMIC,
    KOSHU_EXTERNAL_KIND_NFW,
    KOSHU_EXTERNAL_KIND_UNIFORM,
    KOSHU_EXTERNAL_KIND_TIDE,
    KOSHU_EXTERNAL_KIND_FORMULA
};

/* Of a formula. Never grows, and so has no size. */
struct koshu_external_constant {
    const char *name; /* letters, digits and _, a letter first */
    double value;     /* finite */
};

/* Members that the kind does not have are ignored. */
struct koshu_external_field {
    size_t size; /* of this struct */
    enum koshu_external_kind kind;
    double centre[3];     /* 0 */
    double mass;          /* M > 0; point-mass, plummer, miyamoto-nagai, nfw */
    double a;             /* > 0; miyamoto-nagai, logarithmic: >= 0 */
    double b;             /* > 0; miyamoto-nagai */
    double speed;         /* v > 0; logarithmic; tide: of either sign, < 0: it
                             goes round the other way */
    double q;             /* > 0; logarithmic; 1 */
    double concentration; /* c > 0; nfw */
    double acceleration[3]; /* g; uniform */
    double radius;          /* R0 > 0; tide */
    double slope;           /* s >= -1; tide; 0 */
    double density;         /* rho >= 0; tide; negative: of a spherical galaxy,
                               nu = Omega; -1 */
    const char *potential;  /* formula: its text */
    size_t n_constants;     /* formula; 0 */
    const struct koshu_external_constant *constants; /* G is 1 unless given */
};

/* A point mass of mass 0 at the origin, and the defaults above. */
KOSHU_DECLARE_DEFAULT(koshu_external_field)

struct koshu_external;

/* "point-mass", "plummer", "miyamoto-nagai", "logarithmic", "nfw", "uniform",
 * "tide", "formula"; NULL past the last. */
KOSHU_API const char *koshu_external_kind_name(enum koshu_external_kind value);

/*
 * The kind of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has the name, the message lists them;
 * KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_external_kind_find(struct koshu_context *context, const char *name,
                         enum koshu_external_kind *value);

/*
 * Makes the sum of n fields, at least one.
 * Ownership: the fields are copied; the caller destroys *external, after the
 * integrators that use it and before the context.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a member of a field is out of its
 * range, two tides, n = 0, NULL; KOSHU_ERROR_BAD_INPUT: a formula that cannot
 * be read, the message says where; KOSHU_ERROR_UNSUPPORTED: a field of a later
 * koshu; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_external_create(struct koshu_context *context, size_t n,
                      const struct koshu_external_field *fields,
                      struct koshu_external **external);

/*
 * The same from a text: kinds, each with its values behind it, separated by
 * commas,
 *
 *     plummer mass=1e10 Msun, a=0.4 kpc, nfw mass=1e12 Msun, a=16 kpc,
 *     concentration=12
 *
 * Names are those of the members above; x, y, z: the centre; gx, gy, gz: g.
 * Numbers without a unit are in `units`. Of a formula, other names are its
 * constants, numbers with a unit or without, in `units`; G is mass_factor:
 *
 *     formula potential=-G*M / sqrt(x^2 + y^2 + (z/q)^2), M=1e10 Msun, q=0.8
 *
 * Units: mass_factor is what a mass in them is multiplied by to be one with
 * G = 1; 1 where G is 1.
 * Ownership: as koshu_external_create().
 * Status: KOSHU_ERROR_BAD_INPUT: no such kind or name, a value that is none,
 * one that is missing; the message names it; what koshu_external_create()
 * returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_external_parse(struct koshu_context *context, const char *text,
                     const struct koshu_units *units, double mass_factor,
                     struct koshu_external **external);

/* NULL is allowed. */
KOSHU_API void koshu_external_destroy(struct koshu_external *external);

/* Omega of the frame; 0 without a tide, and for NULL.
 * Units: 1 / time, with G = 1. */
KOSHU_API double koshu_external_rotation(const struct koshu_external *external);

/*
 * Accelerations, jerks (their change along the velocity) and potentials at n
 * places. At rest (velocity NULL), accelerations are without Coriolis' force,
 * and jerks are 0.
 * Shapes: position[n][3], velocity[n][3] or NULL; acceleration[n][3],
 * jerk[n][3], potential[n]: results, each may be NULL. Jerks are those of a
 * particle on which nothing else acts.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: external or, with n > 0, position is
 * NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_external_evaluate(const struct koshu_external *external, size_t n,
                        const double *position, const double *velocity,
                        double *acceleration, double *jerk, double *potential);

/*
 * sum m phi over the particles of all ranks; compensated, the same bits on any
 * number of threads and ranks. Collective.
 * Units: G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL; KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_DEVICE: a copy from a device failed.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_external_energy(const struct koshu_external *external,
                      struct koshu_particles *particles, double *energy);

#ifdef __cplusplus
}
#endif

#endif

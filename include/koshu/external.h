/* SPDX-License-Identifier: MIT */
/*
 * External fields: forces on particles in addition to their own gravity, from a
 * galaxy given by a formula, or its tide. Several fields add up.
 *
 * Potentials phi(x) per unit mass, with x, y, z relative to the centre, r the
 * distance from it, R^2 = x^2 + y^2, and G = 1; accelerations are -grad phi.
 * Kinds, KOSHU_EXTERNAL_KIND_...:
 *
 *     POINT_MASS      phi = -M / r
 *     PLUMMER         phi = -M / sqrt(r^2 + a^2) (Plummer 1911)
 *     MIYAMOTO_NAGAI  phi = -M / sqrt(R^2 + (a + sqrt(z^2 + b^2))^2)
 *                     (Miyamoto & Nagai 1975, PASJ 27, 533)
 *     LOGARITHMIC     phi = v^2/2 ln((a^2 + R^2 + z^2/q^2) / a^2), without the
 *                     / a^2 if a = 0 (Binney & Tremaine 2008, eq. 2.71a)
 *     NFW             phi = -m ln(1 + r/a) / r with
 *                     m = M / (ln(1 + c) - c / (1 + c)), so that M is the mass
 *                     inside c a (Navarro, Frenk & White 1996, ApJ 462, 563)
 *     UNIFORM         phi = -g . x
 *     FORMULA         phi is a text given by the user, like
 *                     "-G*M / sqrt(x^2 + y^2 + (z/q)^2)": numbers, x, y, z,
 *                     constants given with it, + - * / ^ and brackets, sqrt,
 *                     exp, log, sin, cos, tan, atan, sinh, cosh, tanh.
 *                     Accelerations and jerks are exact derivatives, by
 *                     automatic differentiation (Griewank & Walther 2008).
 *                     A formula is data: it is not compiled, and can do
 *                     nothing else
 *     TIDE            the tide of a galaxy in the frame of a circular orbit of
 *                     radius R0 and speed v, which rotates with Omega = v / R0
 *                     about the z axis; x points away from the centre of the
 *                     galaxy, y along the orbit:
 *
 *         a = (4 Omega^2 - kappa^2) x e_x - nu^2 z e_z - 2 Omega e_z x v
 *
 *     (Binney & Tremaine 2008, section 8.3.2), where the slope of the rotation
 *     curve, s = d ln v / d ln R, and the galaxy's density rho at the orbit
 *     give, by Poisson's equation,
 *
 *         kappa^2 = 2 (1 + s) Omega^2,  nu^2 = 4 pi rho - 2 s Omega^2
 *
 *     s = -1/2, rho = 0 is a point mass, s = 0 a flat rotation curve.
 *
 * In the rotating frame the energy T + W + sum m phi is the Jacobi integral,
 * with phi = -(4 Omega^2 - kappa^2) x^2 / 2 + nu^2 z^2 / 2, which includes the
 * centrifugal force; the Coriolis force does no work. It is conserved, like the
 * energy in the other fields.
 *
 * Fields can be added to a koshu_integrator (koshu_integrator_set_external).
 * The leapfrog kicks with the fields, and drifts exactly on the circles of the
 * Coriolis force, so that it stays symplectic and time-reversible. The Hermite
 * scheme adds accelerations and jerks to the sums, and corrects with the
 * resulting velocity, so that it stays of fourth order. Fields are computed by
 * the host; particles kept on a GPU are copied to the host and back at each
 * step.
 *
 * Threads: a field object may be used by any number of threads at a time.
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

/* A constant of a formula. The struct never grows, so it has no size. */
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
    double speed;         /* v > 0; logarithmic; tide: of either sign, < 0:
                             orbit in the other sense */
    double q;             /* > 0; logarithmic; 1 */
    double concentration; /* c > 0; nfw */
    double acceleration[3]; /* g; uniform */
    double radius;          /* R0 > 0; tide */
    double slope;           /* s >= -1; tide; 0 */
    double density;         /* rho >= 0; tide; negative: spherical galaxy, nu
                               = Omega; -1 */
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
 * Finds the kind with a name; context may be NULL.
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
 * Makes a sum of fields from a text, which lists kinds, each followed by its
 * values, separated by commas,
 *
 *     plummer mass=1e10 Msun, a=0.4 kpc, nfw mass=1e12 Msun, a=16 kpc,
 *     concentration=12
 *
 * Names are those of the members above; x, y, z: the centre; gx, gy, gz: g.
 * Numbers without a unit are in `units`. In a formula, other names are its
 * constants: numbers with or without a unit, converted to `units`; G is
 * mass_factor:
 *
 *     formula potential=-G*M / sqrt(x^2 + y^2 + (z/q)^2), M=1e10 Msun, q=0.8
 *
 * Units: mass_factor converts a mass in `units` to one for which G = 1; it is 1
 * if G is 1 in `units`.
 * Ownership: as koshu_external_create().
 * Status: KOSHU_ERROR_BAD_INPUT: an unknown kind or name, an invalid or missing
 * value; the message names it; what koshu_external_create() returns.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_external_parse(struct koshu_context *context, const char *text,
                     const struct koshu_units *units, double mass_factor,
                     struct koshu_external **external);

/* NULL is allowed. */
KOSHU_API void koshu_external_destroy(struct koshu_external *external);

/* Omega of the rotating frame; 0 without a tide, and for NULL.
 * Units: 1 / time, with G = 1. */
KOSHU_API double koshu_external_rotation(const struct koshu_external *external);

/*
 * Computes accelerations, jerks (their rates of change along the velocity) and
 * potentials at n positions. Without velocities (NULL) the Coriolis force is
 * left out and jerks are 0.
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

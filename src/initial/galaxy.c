/* SPDX-License-Identifier: MIT */
/* A disk galaxy with a bulge and a halo: see struct koshu_initial_options. */
#include <math.h>

#include "base/base.h"
#include "initial/disk.h"
#include "initial/spherical.h"

struct galaxy {
    struct koshu_initial_options options;
    struct koshu_disk disk;
    struct koshu_spherical bulge, halo;
};

static double
halo_fraction(const struct koshu_initial_options *o)
{
    return fmax(0, 1 - o->disk_fraction - o->bulge_fraction);
}

/* ---- mass and density ---------------------------------------------------- */

/* Hernquist 1990, of scale length a: rho ~ 1 / (r (r + a)^3) */
static struct koshu_law_at
hernquist(double r, double a)
{
    const double s = r + a;
    return (struct koshu_law_at){1 / (r * s * s * s), -1 - 3 * r / s,
                                 -3 * a * r / (s * s)};
}

static struct koshu_mass_at
mass_of_hernquist(double r, double a)
{
    const double s = r + a;
    return (struct koshu_mass_at){r * r / (s * s),
                                  a / (2 * M_PI * r * s * s * s)};
}

/* The disk as a sphere with the same mass within each radius. */
static struct koshu_mass_at
mass_of_disk(double r)
{
    return (struct koshu_mass_at){-expm1(-r) - r * exp(-r),
                                  exp(-r) / (4 * M_PI * r)};
}

/* Disk, bulge and halo together. */
static struct koshu_mass_at
mass_of_all(const void *user, double r)
{
    const struct koshu_initial_options *o = user;
    const struct koshu_mass_at disk = mass_of_disk(r),
                               bulge = mass_of_hernquist(r, o->bulge_length),
                               halo = mass_of_hernquist(r, o->halo_length);
    const double fd = o->disk_fraction, fb = o->bulge_fraction,
                 fh = halo_fraction(o);
    return (struct koshu_mass_at){
            fd * disk.mass + fb * bulge.mass + fh * halo.mass,
            fd * disk.density + fb * bulge.density + fh * halo.density};
}

static double
mass_beside_disk(const void *user, double r)
{
    const struct koshu_initial_options *o = user;
    return mass_of_all(o, r).mass - o->disk_fraction * mass_of_disk(r).mass;
}

/* ---- the model ----------------------------------------------------------- */

static koshu_status
solve_sphere(struct koshu_context *context,
             const struct koshu_initial_options *o, double length,
             struct koshu_spherical *table)
{
    const struct koshu_spherical_law law = {hernquist, length, 1e-5 * length,
                                            1e5 * length};
    return koshu_spherical_solve_among(context, &law, mass_of_all, o, table);
}

static koshu_status
solve(struct koshu_context *context, struct galaxy *g)
{
    const struct koshu_initial_options *o = &g->options;
    const struct koshu_disk_options disk = {.mass = o->disk_fraction,
                                            .height = o->disk_height,
                                            .q = o->toomre_q,
                                            .beside = mass_beside_disk,
                                            .user = o};
    koshu_disk_solve(&disk, &g->disk);
    if (o->bulge_fraction > 0)
        KOSHU_TRY(solve_sphere(context, o, o->bulge_length, &g->bulge));
    if (halo_fraction(o) > 0)
        KOSHU_TRY(solve_sphere(context, o, o->halo_length, &g->halo));
    return KOSHU_OK;
}

static koshu_status
prepare(struct koshu_context *context,
        const struct koshu_initial_options *options, void **table)
{
    struct galaxy *g = koshu_alloc(1, sizeof *g);
    if (!g) return koshu_fail_memory(context, sizeof *g, "a galaxy");
    g->options = *options;
    const koshu_status status = solve(context, g);
    if (status == KOSHU_OK)
        *table = g;
    else
        koshu_free(g);
    return status;
}

static void
draw_of_disk(const struct galaxy *g, struct koshu_body *body)
{
    const struct koshu_initial_options *o = &g->options;
    struct koshu_random *place = &body->position, *speed = &body->velocity;
    const double R =
            koshu_disk_radius(o->mass_fraction * koshu_random_uniform(place));
    const double azimuth = 2 * M_PI * koshu_random_uniform(place);
    const double z =
            o->disk_height * atanh(2 * koshu_random_uniform(place) - 1);
    const struct koshu_disk_at at = koshu_disk_moments(&g->disk, R, fabs(z));
    const double vR = at.sigma_R * koshu_random_gaussian(speed);
    const double vphi = at.mean + at.sigma_phi * koshu_random_gaussian(speed);
    const double c = cos(azimuth), s = sin(azimuth);
    body->x[0] = R * c;
    body->x[1] = R * s;
    body->x[2] = z;
    body->v[0] = vR * c - vphi * s;
    body->v[1] = vR * s + vphi * c;
    body->v[2] = at.sigma_z * koshu_random_gaussian(speed);
}

/* Draws particles in pairs at opposite points, so that the few far out in the
 * halo do not shift the centre of mass away from the disk. */
static void
draw_of_sphere(const struct koshu_initial_options *o,
               const struct koshu_spherical *sphere, uint64_t first,
               struct koshu_body *body)
{
    const uint64_t second = (body->particle - first) % 2;
    const uint64_t of = body->particle - second;
    body->position = koshu_random_start(o->seed, of, KOSHU_DRAW_POSITION);
    body->velocity = koshu_random_start(o->seed, of, KOSHU_DRAW_VELOCITY);
    koshu_spherical_draw(sphere, o->mass_fraction, body);
    for (int k = 0; second && k < 3; k++) {
        body->x[k] = -body->x[k];
        body->v[k] = -body->v[k];
    }
}

/* Disk first, then bulge, then halo. The particles kept get the mass of the
 * whole model, so the field is stronger by 1 / mass_fraction and speeds grow by
 * its square root. */
static void
draw(const struct koshu_initial_options *options, struct koshu_body *body)
{
    const struct galaxy *g = body->table;
    const double n = (double)options->n, fb = options->bulge_fraction;
    const uint64_t disk = (uint64_t)llround(options->disk_fraction * n),
                   bulge = (uint64_t)llround((options->disk_fraction + fb) * n);
    if (body->particle < disk || (fb == 0 && halo_fraction(options) == 0))
        draw_of_disk(g, body);
    else if (body->particle < bulge)
        draw_of_sphere(options, &g->bulge, disk, body);
    else
        draw_of_sphere(options, &g->halo, bulge, body);
    for (int k = 0; k < 3; k++) body->v[k] /= sqrt(options->mass_fraction);
}

/* ---- options ------------------------------------------------------------- */

struct range {
    const char *name;
    double value, low, high;
    bool low_open, high_open;
};

static koshu_status
check_range(struct koshu_context *context, const struct range *r)
{
    const bool low = r->low_open ? r->value > r->low : r->value >= r->low;
    const bool high = r->high_open ? r->value < r->high : r->value <= r->high;
    if (low && high) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%s = %g: it must be in %c%g, %g%c", r->name, r->value,
                      r->low_open ? '(' : '[', r->low, r->high,
                      r->high_open ? ')' : ']');
}

static koshu_status
check(struct koshu_context *context, const struct koshu_initial_options *o)
{
    const struct range ranges[] = {
            {"disk_fraction", o->disk_fraction, 0, 1, true, false},
            {"bulge_fraction", o->bulge_fraction, 0, 1, false, true},
            {"disk_height", o->disk_height, 0.01, 1, false, false},
            {"toomre_q", o->toomre_q, 0, 10, true, false},
            {"bulge_length", o->bulge_length, 0.01, 100, false, false},
            {"halo_length", o->halo_length, 0.01, 100, false, false}};
    KOSHU_TRY(koshu_check_mass_fraction(context, o));
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
        KOSHU_TRY(check_range(context, &ranges[k]));
    if (o->disk_fraction + o->bulge_fraction <= 1 + 1e-12) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "disk_fraction = %g, bulge_fraction = %g: together they "
                      "are at most 1; the halo has the rest",
                      o->disk_fraction, o->bulge_fraction);
}

const struct koshu_model_ops koshu_model_galaxy = {
        .summary = "exponential disk with a bulge and a halo (Hernquist), "
                   "scale length 1",
        .check = check,
        .prepare = prepare,
        .draw = draw,
};

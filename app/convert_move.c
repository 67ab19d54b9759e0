/* SPDX-License-Identifier: MIT */
/* Moves, rotates and scales particles; centres. */
#include <math.h>
#include <string.h>

#include "convert.h"

/* ---- centres ------------------------------------------------------------- */

/* The mass-weighted mean of three arrays, from the k-th on. */
static koshu_status
mean_of(const struct changing *c, size_t k, double mean[3])
{
    struct koshu_particle_view v;
    struct koshu_sum mass = {0}, sum[3] = {{0}};
    KOSHU_TRY(koshu_particles_on_host(c->s->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < v.n; i++) koshu_sum_add(&mass, v.mass[i]);
    for (size_t d = 0; d < 3; d++) {
        const double *x = koshu_particle_array(&v, k + d);
        for (size_t i = 0; i < v.n; i++)
            koshu_sum_add(&sum[d], v.mass[i] * x[i]);
        mean[d] = koshu_sum_value(sum[d]) / koshu_sum_value(mass);
    }
    if (koshu_sum_value(mass) > 0) return KOSHU_OK;
    return refuse_value(c, "the particles have no mass");
}

koshu_status
find_centre(const struct changing *c, const char *name, double centre[3])
{
    double radius;
    if (strcmp(name, "mass") == 0) return mean_of(c, KOSHU_ARRAY_X, centre);
    KOSHU_TRY(koshu_core(c->s->particles, centre, &radius));
    if (isfinite(centre[0] + centre[1] + centre[2])) return KOSHU_OK;
    return refuse_value(c, "the particles have no density centre");
}

/* ---- moves --------------------------------------------------------------- */

/* Adds a vector to three arrays, from the k-th on. */
static koshu_status
add(const struct changing *c, size_t k, const double by[3])
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(c->s->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t d = 0; d < 3; d++) {
        double *x = koshu_particle_array(&v, k + d);
        for (size_t i = 0; i < v.n; i++) x[i] += by[d];
    }
    return KOSHU_OK;
}

koshu_status
shift_positions(const struct changing *c)
{
    double by[3];
    KOSHU_TRY(read_quantities(c, c->text, KOSHU_QUANTITY_LENGTH, 3, by));
    return add(c, KOSHU_ARRAY_X, by);
}

koshu_status
boost_velocities(const struct changing *c)
{
    double by[3];
    KOSHU_TRY(read_quantities(c, c->text, KOSHU_QUANTITY_VELOCITY, 3, by));
    return add(c, KOSHU_ARRAY_VX, by);
}

koshu_status
move_centre(const struct changing *c)
{
    double x[3], v[3];
    if (strcmp(c->text, "mass") != 0 && strcmp(c->text, "density") != 0)
        return refuse_value(c, "expected mass or density");
    KOSHU_TRY(find_centre(c, c->text, x));
    KOSHU_TRY(mean_of(c, KOSHU_ARRAY_VX, v));
    for (int d = 0; d < 3; d++) {
        x[d] = -x[d];
        v[d] = -v[d];
    }
    KOSHU_TRY(add(c, KOSHU_ARRAY_X, x));
    return add(c, KOSHU_ARRAY_VX, v);
}

/* ---- rotations ----------------------------------------------------------- */

/* Reads "z,90" or "1,1,0,30": a unit vector and an angle in degrees. */
static koshu_status
read_rotation(const struct changing *c, double axis[3], double *degrees)
{
    double angle;
    const char *x = "xyz", *is = c->text[0] ? strchr(x, c->text[0]) : NULL;
    const char *last = strrchr(c->text, ',');
    int end = 0;
    memset(axis, 0, 3 * sizeof *axis);
    if (is && c->text[1] == ',' && last == c->text + 1)
        axis[is - x] = 1;
    else if (sscanf(c->text, "%lf,%lf,%lf,%n", &axis[0], &axis[1], &axis[2],
                    &end) != 3 ||
             !last || last + 1 != c->text + end)
        return refuse_value(c, "expected an axis and degrees, such as z,90 or "
                               "1,1,0,30");
    KOSHU_TRY(read_number(c, last + 1, &angle));
    const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (!(length > 0 && isfinite(length)))
        return refuse_value(c, "the axis has no direction");
    for (int d = 0; d < 3; d++) axis[d] /= length;
    *degrees = angle;
    return KOSHU_OK;
}

/* The matrix of a rotation (Rodrigues). Multiples of 90 degrees are exact. */
static void
find_matrix(const double u[3], double degrees, double m[3][3])
{
    const double turn = fmod(degrees, 360), angle = turn * M_PI / 180;
    const bool quarter = fmod(turn, 90) == 0;
    const double c = quarter ? rint(cos(angle)) : cos(angle),
                 s = quarter ? rint(sin(angle)) : sin(angle);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        m[a][a] = c + u[a] * u[a] * (1 - c);
        m[a][b] = u[a] * u[b] * (1 - c) - u[d] * s;
        m[a][d] = u[a] * u[d] * (1 - c) + u[b] * s;
    }
}

static void
rotate_arrays(const double m[3][3], size_t n, double *x, double *y, double *z)
{
    for (size_t i = 0; i < n; i++) {
        const double a[3] = {x[i], y[i], z[i]};
        x[i] = m[0][0] * a[0] + m[0][1] * a[1] + m[0][2] * a[2];
        y[i] = m[1][0] * a[0] + m[1][1] * a[1] + m[1][2] * a[2];
        z[i] = m[2][0] * a[0] + m[2][1] * a[1] + m[2][2] * a[2];
    }
}

koshu_status
rotate_particles(const struct changing *c)
{
    double axis[3], degrees = 0, m[3][3];
    struct koshu_particle_view v;
    KOSHU_TRY(read_rotation(c, axis, &degrees));
    KOSHU_TRY(koshu_particles_on_host(c->s->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    find_matrix(axis, degrees, m);
    rotate_arrays(m, v.n, v.x, v.y, v.z);
    rotate_arrays(m, v.n, v.vx, v.vy, v.vz);
    return KOSHU_OK;
}

/* ---- scales -------------------------------------------------------------- */

static koshu_status
scale_arrays(const struct changing *c, size_t first, size_t n)
{
    double by;
    struct koshu_particle_view v;
    KOSHU_TRY(read_number(c, c->text, &by));
    if (n == 1 && by < 0) return refuse_value(c, "masses are not negative");
    KOSHU_TRY(koshu_particles_on_host(c->s->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t k = first; k < first + n; k++) {
        double *values = koshu_particle_array(&v, k);
        for (size_t i = 0; i < v.n; i++) values[i] *= by;
    }
    return KOSHU_OK;
}

koshu_status
scale_mass(const struct changing *c)
{
    return scale_arrays(c, KOSHU_ARRAY_MASS, 1);
}

koshu_status
scale_position(const struct changing *c)
{
    return scale_arrays(c, KOSHU_ARRAY_X, 3);
}

koshu_status
scale_velocity(const struct changing *c)
{
    return scale_arrays(c, KOSHU_ARRAY_VX, 3);
}

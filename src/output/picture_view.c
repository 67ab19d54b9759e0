/* SPDX-License-Identifier: MIT */
/* The view of a picture: checks, and the choice of centre and width. */
#include <koshu/picture.h>

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "output/output.h"
#include "particles/particles.h"

static const char *const axis_names[] = {"x", "y", "z"};
KOSHU_ENUM_NAMES(koshu_axis, "an axis", axis_names)

static const char *const weight_names[] = {"mass", "number", "light"};
KOSHU_ENUM_NAMES(koshu_weight, "a weight", weight_names)

/* The exponent is the usual power law of the mass-luminosity relation. */
double
koshu_weight_of(enum koshu_weight weight, double mass)
{
    return weight == KOSHU_WEIGHT_NUMBER  ? 1
           : weight == KOSHU_WEIGHT_LIGHT ? mass * mass * mass * sqrt(mass)
                                          : mass;
}

KOSHU_DEFINE_DEFAULT(koshu_density_options, .min = NAN, .max = NAN,
                     .units = KOSHU_HENON_UNITS)
KOSHU_DEFINE_DEFAULT(koshu_picture_view, .axis = KOSHU_AXIS_Z, .half_width = 1,
                     .pixels = 640)

static koshu_status
check_centre(struct koshu_context *context, const double centre[3])
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(centre[k]))
            return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "the centre of a picture must be finite, got %g",
                              centre[k]);
    return KOSHU_OK;
}

/* The name of an enum's number is NULL if the number is invalid. */
static koshu_status
check_choices(struct koshu_context *context,
              const struct koshu_picture_view *view)
{
    if (!koshu_axis_name(view->axis))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the line of sight is axis number %d, not one of "
                          "x (0), y (1), z (2)",
                          (int)view->axis);
    if (koshu_weight_name(view->weight)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "the weight of a picture is number %d, not one of "
                      "mass (0), number (1), light (2)",
                      (int)view->weight);
}

static koshu_status
check_view(struct koshu_context *context, const struct koshu_picture_view *view)
{
    KOSHU_TRY(check_choices(context, view));
    if (!(view->half_width > 0) || !isfinite(view->half_width))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the half-width of a picture must be positive and "
                          "finite, got %g",
                          view->half_width);
    if (view->pixels < KOSHU_PICTURE_PIXELS_MIN ||
        view->pixels > KOSHU_PICTURE_PIXELS_MAX)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a picture has %d to %d pixels per side, got %zu",
                          KOSHU_PICTURE_PIXELS_MIN, KOSHU_PICTURE_PIXELS_MAX,
                          view->pixels);
    return check_centre(context, view->centre);
}

koshu_status
koshu_picture_view_read(struct koshu_context *context,
                        const struct koshu_picture_view *given,
                        struct koshu_picture_view *view)
{
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_picture_view, given, view));
    return check_view(context, view);
}

koshu_status
koshu_picture_options_read(struct koshu_context *context, size_t n_panels,
                           const struct koshu_density_options *given,
                           struct koshu_density_options *options,
                           struct koshu_picture_view *view)
{
    KOSHU_TRY(
            KOSHU_READ_OPTIONS(context, koshu_density_options, given, options));
    KOSHU_TRY(koshu_picture_view_read(context, options->view, view));
    options->view = view;
    if (n_panels > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "a picture needs at least one panel, got none");
}

koshu_status
koshu_picture_particles(struct koshu_particles *particles,
                        struct koshu_particle_view *view)
{
    KOSHU_TRY(koshu_particles_check(particles));
    return koshu_particles_on_host(particles,
                                   KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                   KOSHU_ACCESS_READ, view);
}

static koshu_status
fail_massless(struct koshu_particles *particles)
{
    return koshu_fail(koshu_particles_context(particles), KOSHU_ERROR_BAD_INPUT,
                      "none of the %zu particles has mass: there is no "
                      "centre and no surface density to draw",
                      koshu_particles_count(particles));
}

koshu_status
koshu_picture_view_centre(struct koshu_particles *particles, double centre[3])
{
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(NULL, centre);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_picture_particles(particles, &v));
    double sum[3] = {0}, mass = 0;
    for (size_t i = 0; i < v.n; i++) {
        mass += v.mass[i];
        sum[0] += v.mass[i] * v.x[i];
        sum[1] += v.mass[i] * v.y[i];
        sum[2] += v.mass[i] * v.z[i];
    }
    if (!(mass > 0)) return fail_massless(particles);
    for (int k = 0; k < 3; k++) centre[k] = sum[k] / mass;
    return KOSHU_OK;
}

/*
 * Squared radii are binned by the leading bits of their binary form, exponent
 * and six bits of mantissa: bins are 1/64 wide, and their order is that of the
 * radii.
 */
enum { DROPPED_BITS = 46, BINS = 1 << 17 };

static size_t
bin_of(double r2)
{
    uint64_t bits;
    memcpy(&bits, &r2, sizeof bits);
    return bits >> DROPPED_BITS;
}

static double
upper_edge(size_t bin)
{
    uint64_t bits = (uint64_t)(bin + 1) << DROPPED_BITS;
    double r2;
    memcpy(&r2, &bits, sizeof r2);
    return bin == 0 ? 0 : r2;
}

static void
fill_bins(const struct koshu_particle_view *v, const double centre[3],
          double *bins)
{
    for (size_t i = 0; i < v->n; i++) {
        double dx = v->x[i] - centre[0], dy = v->y[i] - centre[1],
               dz = v->z[i] - centre[2];
        bins[bin_of(dx * dx + dy * dy + dz * dz)] += v->mass[i];
    }
}

/* Negative where there is no mass, NaN where a square overflows. */
static double
radius_of(const double *bins, double fraction)
{
    double total = 0, below = 0, radius = -1;
    for (size_t k = 0; k < BINS; k++) total += bins[k];
    for (size_t k = 0; k < BINS && below < fraction * total; k++) {
        below += bins[k];
        if (bins[k] > 0) radius = sqrt(upper_edge(k));
    }
    return radius;
}

static koshu_status
find_radius(struct koshu_particles *particles, const double centre[3],
            double fraction, double *radius)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_picture_particles(particles, &v));
    double *bins = koshu_alloc(BINS, sizeof *bins);
    if (!bins)
        return koshu_fail_memory(koshu_particles_context(particles),
                                 BINS * sizeof *bins, "radii of a picture");
    fill_bins(&v, centre, bins);
    *radius = radius_of(bins, fraction);
    koshu_free(bins);
    return *radius < 0 ? fail_massless(particles) : KOSHU_OK;
}

koshu_status
koshu_picture_view_radius(struct koshu_particles *particles,
                          const double centre[3], double fraction,
                          double *radius)
{
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(NULL, centre);
    KOSHU_REQUIRE(NULL, radius);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_TRY(check_centre(context, centre));
    if (!(fraction > 0 && fraction <= 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "the fraction of the mass must lie in (0, 1], got "
                          "%g",
                          fraction);
    KOSHU_TRY(find_radius(particles, centre, fraction, radius));
    if (!isnan(*radius)) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "particles are so far from (%g, %g, %g) that their "
                      "distance cannot be squared; choose another centre, or "
                      "other units",
                      centre[0], centre[1], centre[2]);
}

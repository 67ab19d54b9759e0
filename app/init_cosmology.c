/* SPDX-License-Identifier: MIT */
/* koshu init cosmology: cosmological initial conditions, in a box or a
 * sphere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <koshu/snapshot.h>
#include <koshu/units.h>

#include "app.h"
#include "init.h"
#include "init_size.h"
#include "linear_power.h"
#include "options.h"

static const char doc[] =
        "Makes initial conditions of a cold dark matter universe, in a "
        "periodic box or a sphere, and writes them to an HDF5 snapshot from "
        "which `koshu run` starts. The same seed gives the same large scales "
        "at any resolution.\v"
        "Lengths are comoving Mpc/h, masses 1e10 Msun/h, as in GADGET's files. "
        "docs/cosmology.md has an example from here to groups.";

struct arguments {
    struct koshu_universe_options universe;
    struct koshu_power power;
    struct linear_options linear;
    struct size_texts size;
    double omega_lambda; /* NAN: flat */
    double redshift;
    const char *word, *output;
    int threads;
    bool force;
};

static void
parse_sequence(struct argp_state *state, const char *option, char *text,
               void *member)
{
    OPTION_FIND(state, option, text, koshu_sequence_find,
                (enum koshu_sequence *)member);
}

#define OF(member) FIELD(struct arguments, member)

static const struct command_option option_table[] = {
        {"n", 'n', "N", "particles along an edge of the box, N^3 in all (64)",
         OF(universe.n), .min = 2},
        {"box", 'b', "L",
         "edge of the periodic box, in Mpc/h, or with a unit, '100 Mpc/h' or "
         "'140 Mpc' (100)",
         OF(size.box)},
        {"radius", 'r', "R",
         "instead of a box, a sphere of this radius, in Mpc/h, or as '136.28 "
         "Mpc', with nothing outside; N is then that of the cube around it",
         OF(size.radius)},
        {"redshift", 'z', "Z", "initial redshift (49)", OF(redshift),
         .closed = true},
        {"seed", 's', "S", "seed of the random numbers (1)",
         OF(universe.phases.seed)},
        {"fixed", 0, NULL,
         "take amplitudes from the spectrum; only phases are random",
         OF(universe.phases.fixed)},
        {"paired", 0, NULL, "reverse the sign of the seed's field",
         OF(universe.phases.paired)},
        {"sequence", 0, "R",
         "random number generator: philox, or n-genic for the same waves as "
         "N-GenIC and 2LPTic (philox)",
         OF(universe.phases.sequence), .parse = parse_sequence},
        {"order", 0, "P", "order of the displacements: 1 (Zel'dovich) or 2 (2)",
         OF(universe.order), .min = 1},
        {"output", 'o', "FILE", "the snapshot, .hdf5", OF(output)},
        {"force", 0, NULL, "overwrite a file that is there already", OF(force)},
        {"threads", 't', "T", "CPU threads (one per core)", OF(threads),
         .parse = parse_threads},
        {.text = "The universe:", .group = 1},
        {"omega-m", 0, "O", "density of matter (0.31)",
         OF(universe.cosmology.omega_m), .group = 1},
        {"omega-lambda", 0, "O", "density of dark energy (1 - omega-m: flat)",
         OF(omega_lambda), .min = -INFINITY, .group = 1},
        {"omega-b", 0, "O", "density of baryons, for the spectrum (0.049)",
         OF(power.matter.omega_b), .closed = true, .group = 1},
        {"omega-r", 0, "O", "density of radiation (0)",
         OF(universe.cosmology.omega_r), .closed = true, .group = 1},
        {"h", 0, "H", "the Hubble constant in 100 km/s/Mpc (0.68)",
         OF(universe.cosmology.h), .group = 1},
        {"w", 0, "W", "pressure over density of dark energy (-1)",
         OF(universe.cosmology.w), .min = -INFINITY, .group = 1},
        {.text = "Its spectrum:", .group = 2},
        {"spectrum", 0, "T",
         "eisenstein-hu, no-wiggle (the same without oscillations), bbks "
         "(eisenstein-hu)",
         OF(linear.spectrum), .group = 2},
        {"table", 0, "FILE",
         "instead: k [h/Mpc] and P(k) [(Mpc/h)^3] at z = 0, as CLASS and CAMB "
         "write them",
         OF(linear.table), .group = 2},
        {"n-s", 0, "N", "the spectral index (0.965)", OF(power.matter.n_s),
         .group = 2},
        {"sigma-8", 0, "S",
         "rms of the density in spheres of 8 Mpc/h at z = 0 (0.81; with "
         "--table: the table's)",
         OF(linear.sigma_8), .group = 2},
        {"a-s", 0, "A", "instead: the primordial amplitude at 0.05/Mpc",
         OF(linear.a_s), .group = 2},
        {0}};

static void
check(struct argp_state *state, void *values)
{
    struct arguments *a = values;
    if (!a->output) argp_error(state, "name the snapshot to write: -o FILE");
    if (a->size.box && a->size.radius)
        argp_error(state, "--box and --radius: give one of them");
    if (!a->size.box) a->size.box = "100";
    check_linear_options(state, &a->linear, &a->power);
    if (a->universe.order > 2)
        argp_error(state, "--order %d: there are 1 and 2", a->universe.order);
}

/* ---- the universe ------------------------------------------------------- */

static koshu_status
choose(struct koshu_context *context, struct arguments *a)
{
    struct koshu_cosmology *c = &a->universe.cosmology;
    c->omega_lambda = isnan(a->omega_lambda) ? 1 - c->omega_m - c->omega_r
                                             : a->omega_lambda;
    KOSHU_TRY(koshu_cosmology_check(context, c));
    KOSHU_TRY(init_size(context, &a->size, &a->universe));
    KOSHU_TRY(choose_linear_power(context, c, &a->linear, &a->power));
    a->universe.power = &a->power;
    a->universe.a = 1 / (1 + a->redshift);
    return KOSHU_OK;
}

/* ---- what is written ---------------------------------------------------- */

static koshu_status
check_output(struct koshu_context *context, const struct arguments *a)
{
    enum koshu_format format;
    KOSHU_TRY(koshu_format_of_path(context, a->output, &format));
    if (format == KOSHU_FORMAT_HDF5)
        return refuse_to_overwrite(context, a->output, a->force);
    return koshu_fail(
            context, KOSHU_ERROR_BAD_INPUT,
            "%s: a universe is written to HDF5 only: name a file .hdf5",
            a->output);
}

static koshu_status
write_file(struct koshu_context *context, const struct arguments *a,
           struct koshu_particles *particles)
{
    const struct koshu_universe_options *u = &a->universe;
    struct koshu_snapshot_info info = koshu_snapshot_info_default();
    KOSHU_TRY(koshu_units_find(context, "Mpc, 1e10 Msun, km/s", &info.units));
    info.format = KOSHU_FORMAT_HDF5;
    info.time = u->a;
    info.box_size = u->radius > 0 ? 0 : u->box;
    info.omega_m = u->cosmology.omega_m;
    info.omega_lambda = u->cosmology.omega_lambda;
    info.hubble = u->cosmology.h;
    return koshu_snapshot_write(particles, a->output, &info, NULL);
}

static void
print_made(struct koshu_context *context, const struct arguments *a, size_t n,
           const struct koshu_universe_report *r)
{
    const double few = 1e-3;
    const bool is_cut =
            koshu_power_sigma_missing(&a->power, 8) > KOSHU_SIGMA_MISSING_MAX;
    printf("cosmology  n = %zu  %s %.6g Mpc/h  z = %.4g  sigma_8 %s %.4f  rms "
           "displacement %.3f of the lattice  -> %s\n",
           n, a->universe.radius > 0 ? "radius" : "box",
           a->universe.radius > 0 ? a->universe.radius : a->universe.box,
           a->redshift, is_cut ? ">" : "=", koshu_power_sigma(&a->power, 8),
           r->rms, printable(a->output));
    if (r->crossed > few)
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "%.2g %% of neighbouring particles have crossed, which "
                  "perturbation theory cannot follow: begin earlier, with a "
                  "larger --redshift",
                  100 * r->crossed);
}

static koshu_status
make_and_write(struct koshu_context *context, struct arguments *a)
{
    struct koshu_particles *particles;
    struct koshu_universe_report made;
    KOSHU_TRY(check_output(context, a));
    KOSHU_TRY(choose(context, a));
    KOSHU_TRY(koshu_universe_create(context, &a->universe, &particles, &made));
    const koshu_status status = write_file(context, a, particles);
    if (status == KOSHU_OK)
        print_made(context, a, koshu_particles_total(particles), &made);
    koshu_particles_destroy(particles);
    return status;
}

int
init_cosmology(int argc, char **argv)
{
    const struct command_line line = {.arguments = "cosmology -o FILE",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = FIELD(struct arguments, word),
                                      .word_is = "model",
                                      .check = check};
    struct arguments a = {
            .universe = {.cosmology = {0.31, 0, 0, -1, 0.68, 100},
                         .phases = {.seed = 1},
                         .n = 64,
                         .order = 2},
            .power = {.matter = {0.31, 0.049, 0.68, 0.965, 2.7255}},
            .omega_lambda = NAN,
            .redshift = 49};
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(NULL, a.threads);
    if (!context) return EXIT_FAILED;
    const koshu_status status = make_and_write(context, &a);
    koshu_power_free(&a.power);
    return end_command(context, status);
}

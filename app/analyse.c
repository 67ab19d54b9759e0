/* SPDX-License-Identifier: MIT */
/* koshu analyse: spectra and groups of snapshots; flows. */
#include "analyse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app.h"
#include "options.h"

static const char doc[] =
        "Analyses snapshots. Star clusters: radii, times, profiles, binaries, "
        "mass segregation. Periodic boxes: the power spectrum of the density, "
        "compared with linear theory if the file states a cosmology; groups of "
        "particles (friends of friends). Flows in a box (vortex particles or "
        "spectral): energy spectrum, structure functions, the second invariant "
        "of velocity derivatives. Several snapshots must be of one box; their "
        "growth is compared with that of linear theory. Power spectra and "
        "groups can be computed on several ranks, started by mpirun.\v"
        "Lengths are in the file's units; cosmological ones comoving, in "
        "Mpc/h. docs/clusters.md, docs/cosmology.md and docs/turbulence.md say "
        "what is computed.\n\n"
        "Examples:\n"
        "  koshu analyse cluster/snapshot_*.hdf5 --cluster -o cluster.csv\n"
        "  koshu analyse cluster/snapshot_0003.hdf5 --binaries -o "
        "binaries.csv\n"
        "  koshu analyse universe/snapshot_0003.hdf5 --power-spectrum\n"
        "  koshu analyse universe/snapshot_*.hdf5 --power-spectrum -o "
        "power.csv --picture power.png\n"
        "  koshu analyse universe/snapshot_0003.hdf5 --groups -o groups.hdf5\n"
        "  koshu analyse universe/snapshot_0003.hdf5 --power-spectrum --groups "
        "--mass-function -o today\n"
        "  koshu analyse turbulence/snapshot_*.hdf5 --structure-functions";

#define OF(member) FIELD(struct analyse_arguments, member)

static const struct command_option option_table[] = {
        {"power-spectrum", 'p', NULL, "measure P(k) of the density",
         OF(power_spectrum)},
        {"groups", 0, NULL, "find groups by friends of friends", OF(groups)},
        {"mass-function", 'm', NULL,
         "count groups by mass, dn/dlnM, compared with Watson et al. 2013 "
         "(friends of friends) and Tinker et al. 2008 (M200m)",
         OF(mass_function)},
        {"cluster", 'c', NULL,
         "measure a star cluster: radii, times, bound mass, binaries, "
         "segregation; koshu plot draws the rows that -o writes",
         OF(cluster)},
        {"profiles", 0, NULL,
         "measure its density, mass, dispersion and anisotropy in shells",
         OF(profiles)},
        {"binaries", 0, NULL, "find its binaries and hierarchies",
         OF(binaries)},
        {"energy-spectrum", 0, NULL, "measure E(k) of a flow",
         OF(energy_spectrum)},
        {"structure-functions", 0, NULL,
         "measure S_2(r) and S_3(r) of the velocity of a flow", OF(structure)},
        {"second-invariant", 0, NULL, "measure II = u_i,j u_j,i of a flow",
         OF(invariant)},
        {"output", 'o', "FILE",
         "write the results to a file: .csv, or .hdf5 for the groups of one "
         "snapshot; with more than one of --power-spectrum, --groups and "
         "--mass-function FILE.power.csv, FILE.groups.hdf5 and FILE.masses.csv",
         OF(output)},
        {"picture", 0, "FILE", "draw them, .png", OF(picture)},
        {"force", 0, NULL, "overwrite a file that is there already", OF(force)},
        {"threads", 't', "T", "CPU threads (one per core)", OF(threads),
         .parse = parse_threads},
        {"backend", 'b', "B",
         "auto, cpu or cuda, for finding groups; auto uses a GPU, if there is "
         "one, from 4 million particles (auto)",
         OF(backend)},
        {.text = "Power spectrum:", .group = 1},
        {"grid", 'g', "N",
         "cells of the mesh along an edge (twice as many as particles)",
         OF(grid), .min = KOSHU_SPECTRUM_GRID_MIN, .max = KOSHU_MESH_MAX,
         .group = 1},
        {"fold", 0, "F",
         "extend to F times the largest k, by a second mesh of the particles "
         "folded into 1/F of the box along each edge (1: no)",
         OF(fold), .min = 1, .max = KOSHU_FOLD_MAX, .group = 1},
        {"assignment", 0, "A",
         "assignment of particles to the mesh: cic, tsc or pcs, 2, 3 or 4 "
         "points along an edge (pcs)",
         OF(assignment), .parse = parse_assignment_of_mesh, .group = 1},
        {"single-mesh", 0, NULL,
         "do without the second mesh, shifted by half a cell, that removes "
         "aliases",
         OF(single_mesh), .group = 1},
        {.text = "Star clusters:", .group = 5},
        {"shells", 0, "N",
         "number of shells of profiles, each of at least 10 systems (20)",
         OF(shells), .min = 1, .group = 5},
        {"massive", 0, "N",
         "number of heaviest systems whose distances are compared with those "
         "of others (10)",
         OF(massive), .min = 2, .max = 1000, .group = 5},
        {.text = "Second invariant:", .group = 4},
        {"level", 0, "L",
         "value of the surface that --picture shows, in units of the rms of II",
         OF(level), .min = -INFINITY, .group = 4},
        {.text = "Groups:", .group = 3},
        {"linking", 0, "B",
         "linking length, in units of the mean particle separation",
         OF(linking), .group = 3},
        {"min-members", 0, "N", "smallest number of particles of a group",
         OF(least), .min = 1, .group = 3},
        {"members", 0, NULL, "write the ids of the members too", OF(members),
         .group = 3},
        {.text = "Linear theory, with the file's Omega_m, Omega_Lambda, h; "
                 "give the values that koshu init cosmology was given:",
         .group = 2},
        {"spectrum", 0, "T", "eisenstein-hu, no-wiggle, bbks (eisenstein-hu)",
         OF(linear.spectrum), .group = 2},
        {"table", 0, "FILE",
         "instead: k [h/Mpc] and P(k) [(Mpc/h)^3] at z = 0, as CLASS and CAMB "
         "write them",
         OF(linear.table), .group = 2},
        {"sigma-8", 0, "S",
         "rms of the density in spheres of 8 Mpc/h at z = 0 (0.81; with "
         "--table: the table's)",
         OF(linear.sigma_8), .group = 2},
        {"a-s", 0, "A", "instead: the primordial amplitude at 0.05/Mpc",
         OF(linear.a_s), .group = 2},
        {"omega-b", 0, "O", "density of baryons (0.049)",
         OF(power.matter.omega_b), .closed = true, .group = 2},
        {"n-s", 0, "N", "the spectral index (0.965)", OF(power.matter.n_s),
         .group = 2},
        {"omega-r", 0, "O", "density of radiation (0)", OF(omega_r),
         .closed = true, .group = 2},
        {"w", 0, "W", "pressure over density of dark energy (-1)", OF(w),
         .min = -INFINITY, .group = 2},
        {0}};

/* How many measures of boxes are requested. */
static int
is_of_structure(const struct analyse_arguments *a)
{
    return a->power_spectrum + a->groups + a->mass_function;
}

/* How many measures of flows. */
static int
is_of_flow(const struct analyse_arguments *a)
{
    return a->energy_spectrum + a->structure + a->invariant;
}

/* How many measures of star clusters. */
static int
is_of_cluster(const struct analyse_arguments *a)
{
    return a->cluster + a->profiles + a->binaries;
}

static bool
ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

static void
check_ending(struct argp_state *state, const struct analyse_arguments *a)
{
    const char *ending = a->groups ? ".hdf5" : ".csv";
    if (a->output && is_of_structure(a) < 2 && !ends_with(a->output, ending))
        argp_error(state, "-o: '%s' does not end in %s, which is written",
                   a->output, ending);
}

static void
check(struct argp_state *state, void *values)
{
    struct analyse_arguments *a = values;
    if (a->files.n == 0) argp_error(state, "name the snapshots to analyse");
    if ((is_of_structure(a) > 0) + is_of_flow(a) + is_of_cluster(a) != 1)
        argp_error(state, "say what to measure: some of --power-spectrum, "
                          "--groups and --mass-function, or of a star cluster "
                          "one of --cluster, --profiles and --binaries, or of "
                          "a flow one of --energy-spectrum, "
                          "--structure-functions and --second-invariant");
    if (a->groups && a->output && a->files.n > 1)
        argp_error(state,
                   "-o: groups of one snapshot are written to one file, "
                   "and %zu are named",
                   a->files.n);
    if (a->cluster && a->picture)
        argp_error(state, "--picture: is of profiles and binaries; koshu plot "
                          "draws the rows that -o writes");
    if ((a->groups || a->mass_function) && !a->power_spectrum && a->picture)
        argp_error(state, "--picture: is of power spectra and flows; koshu "
                          "plot draws snapshots");
    check_ending(state, a);
    if (a->picture && !ends_with(a->picture, ".png"))
        argp_error(state,
                   "--picture: '%s' does not end in .png, which is written",
                   a->picture);
    check_linear_options(state, &a->linear, &a->power);
}

/* FILE or, where several things are measured, FILE.ENDING. */
static koshu_status
name_output(struct koshu_context *context, const struct analyse_arguments *a,
            bool wanted, const char *ending, char path[KOSHU_PATH_SIZE])
{
    const bool one = is_of_structure(a) < 2;
    if (!wanted || !a->output) return KOSHU_OK;
    const int n = snprintf(path, KOSHU_PATH_SIZE, "%s%s", a->output,
                           one ? "" : ending);
    if (n < KOSHU_PATH_SIZE) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "-o: a path of %d bytes is longer than %d", n,
                      KOSHU_PATH_SIZE - 1);
}

static koshu_status
name_outputs(struct koshu_context *context, struct analyse_arguments *a)
{
    KOSHU_TRY(name_output(context, a, a->power_spectrum, ".power.csv",
                          a->to.spectrum));
    KOSHU_TRY(name_output(context, a, a->groups, ".groups.hdf5", a->to.groups));
    return name_output(context, a, a->mass_function, ".masses.csv",
                       a->to.masses);
}

/* Checked first, so that nothing is measured for files that cannot be
 * written. */
static koshu_status
check_names(struct koshu_context *context, const struct analyse_arguments *a,
            size_t n, const char *const written[])
{
    for (size_t k = 0; k < a->files.n; k++)
        for (size_t i = 0; i < n; i++)
            if (written[i] && written[i][0] &&
                same_file(a->files.word[k], written[i]))
                return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                                  "'%s' is to be analysed, and is also to be "
                                  "written; choose another name for that",
                                  a->files.word[k]);
    return KOSHU_OK;
}

static koshu_status
check_outputs(struct koshu_context *context, const struct analyse_arguments *a)
{
    const char *const written[] = {is_of_structure(a) ? NULL : a->output,
                                   a->to.spectrum, a->to.groups, a->to.masses,
                                   a->picture};
    const size_t n = sizeof written / sizeof *written;
    KOSHU_TRY(check_names(context, a, n, written));
    if (is_of_flow(a) && koshu_ranks_count(context) > 1)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "flows are measured by one rank: start it without "
                          "mpirun");
    if (koshu_ranks_rank(context) > 0) return KOSHU_OK;
    for (size_t i = 0; i + 1 < n; i++)
        if (written[i] && written[i][0])
            KOSHU_TRY(refuse_to_overwrite(context, written[i], a->force));
    return a->picture ? refuse_to_draw_over(context, a->picture, a->force)
                      : KOSHU_OK;
}

koshu_status
analyse(struct koshu_context *context, const struct analyse_arguments *a)
{
    struct analysis analysis = {.context = context, .a = a};
    KOSHU_TRY(
            koshu_ranks_collective_status(context, check_outputs(context, a)));
    const koshu_status status = is_of_flow(a) ? analyse_flows(&analysis)
                                : is_of_cluster(a)
                                        ? analyse_clusters(&analysis)
                                        : analyse_structure(&analysis);
    if (analysis.has_linear) koshu_power_free(&analysis.linear);
    return status;
}

struct analyse_arguments
analyse_defaults(void)
{
    return (struct analyse_arguments){
            .fold = 1,
            .assignment = KOSHU_ASSIGNMENT_PCS,
            .level = -2,
            .linking = 0.2,
            .least = 20,
            .shells = 20,
            .massive = 10,
            .power = {.matter = {0.31, 0.049, 0.68, 0.965, 2.7255}},
            .w = -1};
}

int
command_analyse(int argc, char **argv)
{
    const struct command_line line = {.arguments = "FILE...",
                                      .doc = doc,
                                      .options = option_table,
                                      .word = OF(files),
                                      .check = check};
    struct analyse_arguments a = analyse_defaults();
    options_parse(&line, argc, argv, &a);
    struct koshu_context *context = make_context(a.backend, a.threads);
    if (!context) return EXIT_FAILED;
    a.files.n = koshu_snapshot_names_once(context, a.files.n, a.files.word);
    koshu_status status = name_outputs(context, &a);
    if (status == KOSHU_OK) status = analyse(context, &a);
    const int code = end_command(context, status);
    free(a.files.word);
    return code;
}

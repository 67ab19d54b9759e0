/* SPDX-License-Identifier: MIT */
/* koshu bench turbulence: the second application of Hamada09. */
#include "bench/cases/turbulence.h"

#include <stdio.h>

#include "bench/cases.h"

static const char doc[] =
        "Turbulence by vortex particles, against a spectral method, as Hamada "
        "et al. 2009: the time of the FMM's vortex velocities against N (Fig. "
        "11) with the operations of a step (Table 1); decay of energy (Fig. "
        "13), spectra (Fig. 14) and the second invariant of the velocity "
        "derivatives (Fig. 15) of one turbulence by both methods.\v"
        "Vortices are random in a cube of edge 2 pi, strengths up to 1 / N, "
        "core radius 2 pi N^(-1/3). `velocity` is the time of velocities, "
        "`step` that with the gradients that stretching needs, a the exponent "
        "of N^a through the velocities so far; GFlop/s are 133 operations of "
        "each pair of the near field over the time of a step, as the paper "
        "counts; errors are those of velocities, and of stretching (err_str), "
        "against direct sums, of up to 256 particles, in free space.\n\n"
        "The flow is that of examples/turbulence.yaml with steps of 0.1; --set "
        "changes any of "
        "its parameters. II is u_i,j u_j,i; the parts of the volume are those "
        "where it lies below so many rms of the spectral method's. --plot "
        "draws all figures on one page; surfaces are those where II is at -2 "
        "rms.\n\n"
        "Examples:\n"
        "  koshu bench turbulence --plot turbulence.png\n"
        "  koshu bench turbulence --flow --points 64 --plot flow.png\n"
        "  koshu bench turbulence --fmm --backend cuda --n "
        "1e4,1e5,1e6,16777216 --periodic\n"
        "  koshu bench turbulence --step --points 512 --set "
        "flow.precision=single --backend cuda";

static koshu_status
run_flows(struct bench *b, struct turbulence_run runs[2])
{
    static const char *const methods[] = {"spectral", "vortex"};
    for (int k = 0; k < 2; k++)
        KOSHU_TRY(turbulence_run_make(b, methods[k], &runs[k]));
    return turbulence_compare(b, runs);
}

static koshu_status
run(struct bench *b)
{
    const struct turbulence_options *o = b->own;
    struct turbulence_times times = {0};
    struct turbulence_run runs[2] = {{0}};
    koshu_status status = KOSHU_OK;
    if (o->step) return turbulence_step(b);
    if (!o->flow) status = turbulence_fmm(b, &times);
    if (status == KOSHU_OK && !o->fmm) status = run_flows(b, runs);
    if (status == KOSHU_OK && o->base.plot)
        status = turbulence_draw(b, &times, o->fmm ? NULL : runs);
    for (int k = 0; k < 2; k++) turbulence_run_free(&runs[k]);
    return status;
}

/* true, because run() has drawn the picture. */
static bool
draws_itself(const struct bench *b)
{
    (void)b;
    return true;
}

static koshu_status
is_drawn(struct bench *b)
{
    (void)b;
    return KOSHU_OK;
}

#define OWN(member) BENCH_OPTION(struct turbulence_options, member)

static const struct command_option own[] = {
        {"fmm", 0, NULL, "times of velocities alone", OWN(fmm)},
        {"flow", 0, NULL, "the flow by both methods alone", OWN(flow)},
        {"step", 0, NULL, "the time of a step of the spectral method alone",
         OWN(step)},
        {"order", 0, "P", "order of the expansions, 1 to 20", OWN(order),
         .min = 1, .max = 20},
        {"theta", 0, "T",
         "radii of two cells over their distance, where they act by expansions",
         OWN(theta), .max = 1},
        {"reach", 0, "R", "of the core, in core radii", OWN(reach), .min = 1,
         .max = 8, .closed = true},
        {"periodic", 0, NULL, "velocities in a periodic box", OWN(periodic)},
        {"points", 0, "N", "of the flow, along an edge of its box", OWN(points),
         .min = 12, .max = 1024},
        {"turnovers", 0, "T", "times L / u' that the flow decays for",
         OWN(turnovers), .min = 0.5, .max = 30, .closed = true},
        {"set", 0, "KEY=VALUE",
         "one parameter of the flow: flow.overlap=1; may be repeated",
         OWN(settings), .parse = append_setting},
        {0}};

static void
check(struct argp_state *state, void *options)
{
    const struct turbulence_options *o = options;
    if (o->fmm + o->flow + o->step > 1)
        argp_error(state, "--fmm, --flow and --step: each is one without the "
                          "others");
    if (o->step && o->base.plot)
        argp_error(state, "--plot: --step has no figure");
}

static const struct turbulence_options defaults = {
        .base = {.n = {5, {1000, 2000, 4000, 8000, 16000}},
                 .seed = 1,
                 .repeats = 1},
        .order = 10,
        .theta = 0.5,
        .reach = 5,
        .points = 24,
        .turnovers = 10};

const struct bench_case bench_turbulence = {
        .name = "turbulence",
        .items =
                (const struct bench_item[]){
                        {"Hamada09", "Fig. 11", "the FMM of vortices against N",
                         "--fmm --plot fmm.png"},
                        {"Hamada09", "Fig. 13", "decay of kinetic energy",
                         "--flow --plot flow.png"},
                        {"Hamada09", "Fig. 14", "energy spectra",
                         "--flow --plot flow.png"},
                        {"Hamada09", "Fig. 15", "the second invariant",
                         "--flow --plot flow.png"},
                        {"Hamada09", "Table 1",
                         "operations of a pair of vortices", "--fmm"},
                        {0}},
        .summary = "turbulence by vortex particles and by a spectral method",
        .doc = doc,
        .takes = BENCH_TAKES_N | BENCH_TAKES_PRECISION | BENCH_TAKES_THREADS |
                 BENCH_TAKES_ERROR | BENCH_TAKES_REPEATS | BENCH_TAKES_SEED,
        .options = own,
        .defaults = &defaults,
        .options_size = sizeof defaults,
        .check = check,
        .papers = (const char *const[]){"hamada09-turbulence", NULL},
        .run = run,
        .draws = draws_itself,
        .draw = is_drawn,
};

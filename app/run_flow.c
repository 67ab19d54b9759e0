/* SPDX-License-Identifier: MIT */
/* `koshu run` for flows. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <koshu/version.h>

#include "app.h"
#include "run.h"

static void
print_title(const struct report *out)
{
    if (out->quiet) return;
    const char *title = out->values->title;
    printf("koshu %s%s%s\n", koshu_version(), title[0] ? ": " : "",
           printable(title));
}

static void
print_turbulence(const struct koshu_turbulence *t)
{
    printf("turbulence u' = %.4g, L = %.4g, T = L/u' = %.4g, Re_lambda = %.4g, "
           "k_max eta %.3g%s\n",
           t->speed, t->length, t->turnover, t->reynolds, t->resolution,
           t->resolution < 1 ? ": below 1, the smallest eddies are not resolved"
                             : "");
}

static void
print_begin(const struct report *out, const struct koshu_flow *f)
{
    char text[160];
    if (out->quiet) return;
    f->ops->describe(f->state, sizeof text, text);
    printf("flow       %s\n", text);
    printf("box        ");
    printf(f->box > 0 ? "periodic, edge %g\n" : "%g: free space\n", f->box);
    if (f->turbulence.speed > 0) print_turbulence(&f->turbulence);
    printf("viscosity  %g\n", f->viscosity);
    printf("steps      dt = %g, from time %g to %g\n", f->values->integrator.dt,
           f->time, f->values->integrator.end);
    printf("output     %s\n", printable(f->values->directory));
    fflush(stdout);
}

/* The fraction that is done of the run since its start or restart. */
static double
part_done(const struct koshu_flow *f)
{
    const double end = f->values->integrator.end;
    return (f->time - f->first_time) / (end - f->first_time);
}

static void
print_step(struct report *out, const struct koshu_flow *f)
{
    const double seconds = koshu_now() - f->run.wall_begin, part = part_done(f);
    char left[32];
    printf("%sstep %" PRIu64 "  time %g of %g", out->terminal ? "\r" : "",
           f->steps, f->time, f->values->integrator.end);
    if (f->row[1] > 0) /* in the last row of energy.csv; none after a restart */
        printf("  energy %.6g", f->row[1]);
    printf("  %.3f s a step", f->run.step_seconds);
    if (part > 0)
        printf("  %s left", duration_text(seconds * (1 - part) / part, left));
    printf(out->terminal ? "\033[K" : "\n");
    fflush(stdout);
}

static void
print_progress_of(struct report *out, const struct koshu_flow *f)
{
    const double seconds = koshu_now() - f->run.wall_begin;
    const bool due = seconds >= out->next_seconds ||
                     (!out->terminal && part_done(f) >= out->next_part);
    if (out->quiet || !due) return;
    out->next_seconds = seconds + (out->terminal ? 0.2 : 10);
    out->next_part = part_done(f) + 0.1;
    print_step(out, f);
}

static void
print_end(const struct report *out, const struct koshu_flow *f)
{
    char seconds[32];
    if (out->quiet) return;
    if (out->terminal) printf("\n");
    printf("ended      %s: step %" PRIu64 ", time %g, %" PRIu64
           " steps in %s\n",
           koshu_stop_text(f->run.stop), f->steps, f->time,
           f->steps - f->first_step,
           duration_text(koshu_now() - f->run.wall_begin, seconds));
    if (f->run.stop != KOSHU_STOP_END)
        printf("next       koshu run %s --restart\n", printable(out->file));
}

static koshu_status
make_steps(struct report *out, struct koshu_flow *f)
{
    while (f->run.stop == KOSHU_STOP_NONE) {
        KOSHU_TRY(koshu_flow_advance(f));
        print_progress_of(out, f);
    }
    return koshu_flow_finish(f);
}

int
run_flow(struct koshu_context *context, const struct koshu_parameters *p,
         bool force, struct report *out)
{
    struct koshu_flow *f = NULL;
    signal(SIGPIPE, SIG_IGN);
    signals_catch();
    print_title(out);
    report_start(out);
    koshu_status status = koshu_flow_create(context, p, flow_fields(),
                                            out->restarted, force, &f);
    const bool began = f != NULL;
    if (f) signals_stop_flow(f);
    if (f) print_begin(out, f);
    if (f) status = make_steps(out, f);
    signals_restore();
    if (status == KOSHU_OK) print_end(out, f);
    const int code = report(context, status);
    koshu_flow_destroy(f);
    return code == EXIT_DONE || !began ? code : EXIT_FAILED;
}

int
estimate_flow(struct koshu_context *context, const struct koshu_parameters *p,
              uint64_t memory)
{
    struct koshu_estimate e;
    const koshu_status status =
            koshu_flow_estimate(context, p, flow_fields(), &e);
    if (status != KOSHU_OK) return report(context, status);
    report_flow_estimate(koshu_parameters_values(p), &e, memory);
    return EXIT_DONE;
}

/* SPDX-License-Identifier: MIT */
/* The parts of `koshu run`. */
#ifndef KOSHU_APP_RUN_H
#define KOSHU_APP_RUN_H

#include <signal.h>
#include <stdbool.h>

#include <koshu/simulation.h>
#include <koshu/view.h>

#include "fields.h"
#include "internal.h"

/* "--threads", and what was given; NULL: it was not. */
struct report_option {
    const char *name, *value;
};

/* What a run prints on standard output. */
struct report {
    bool quiet;    /* nothing */
    bool terminal; /* the progress line is rewritten */
    bool restarted;
    double began;                     /* when the command did */
    double next_seconds, next_part;   /* of the next progress line */
    const char *file;                 /* the parameter file and what was */
    const struct word_list *settings; /* set over it, for advice */
    struct report_option options[5];  /* given besides; the last has no name */
    const struct koshu_parameter_values *values;
};

/* ---- run_header.c -------------------------------------------------------- */

/* Before the simulation is there: its first forces may take a while. */
void report_title(const struct report *report);
void report_begin(struct report *report, struct koshu_simulation *simulation);

/* Lines of the header: what, how many, how. */
void print_units(const struct koshu_units *units);
void print_particles(const struct koshu_parameter_values *v, uint64_t n);
void print_forces(const struct koshu_parameter_values *v);
void print_steps(const struct koshu_parameter_values *v, double begin);

/* ---- run_ranks.c --------------------------------------------------------- */

/* How many ranks there are, on how many hosts, and which domains of a tree or
 * an FMM are neighbours there; nothing of one rank. Collective. */
void print_ranks(struct koshu_context *context,
                 const struct koshu_parameter_values *v);

/* The same before a run: also of switches, and of a grid that is not for this
 * number of ranks. Collective. */
void print_placement(struct koshu_context *context,
                     const struct koshu_parameter_values *v);

/* What a run would take, measured by the first rank alone. Collective. */
KOSHU_MUST_CHECK koshu_status
estimate_on_first(struct koshu_context *context,
                  const struct koshu_parameters *parameters,
                  struct koshu_estimate *estimate);

/* ---- run_summary.c, run_tree.c ------------------------------------------- */

/* The summary; and on standard error, quiet or not, that energy was not kept.
 */
void report_end(struct report *report, struct koshu_simulation *simulation);

/* Lists, stages, errors and rates of the tree, where there is one. */
void print_tree(struct koshu_simulation *simulation);

/* ---- run_next.c ---------------------------------------------------------- */

/* Commands that go on from here. */
void print_next(const struct report *report, enum koshu_stop stop,
                const struct koshu_progress *p, struct koshu_context *context);

/* ---- run_times.c --------------------------------------------------------- */

/* A table of where the wall time went. */
void print_times(const struct report *report,
                 const struct koshu_simulation *simulation);

/* ---- run_report.c -------------------------------------------------------- */

/* The next progress line is the first. */
void report_start(struct report *report);
void report_progress(struct report *report,
                     const struct koshu_simulation *simulation);
/* The progress line is left as it is: something else is to be printed. */
void report_break(const struct report *report);

/* memory: bytes that the ranks of a host, or a run on one, may have. */
void report_estimate(const struct koshu_parameter_values *values,
                     const struct koshu_estimate *estimate, uint64_t memory,
                     int ranks);
void report_flow_estimate(const struct koshu_parameter_values *values,
                          const struct koshu_estimate *estimate,
                          uint64_t memory);

/* All zeros where it cannot be had: for NULL. */
struct koshu_progress run_progress(const struct koshu_simulation *simulation);
void
print_progress(const struct report *report, const struct koshu_progress *p);

/* What energy_error is: "dE/E", in a periodic box "dE/T". */
const char *energy_name(const struct koshu_progress *progress);

/* "0.3 s", "12 min 34 s", "3 h 25 min", "2 d 3 h"; "1.5 KiB" */
const char *duration_text(double seconds, char text[32]);
const char *bytes_text(uint64_t n, char text[32]);

/* "11 snapshots", "1 snapshot" */
void print_count(const char *before, uint64_t n, const char *thing);

/* ---- run_signals.c ------------------------------------------------------- */

/* From here on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 is a request to
 * stop, and a second one kills. Those that are ignored stay so. Called before
 * the simulation is created: its files appear, and tell others that they may
 * send a signal, before each rank is done with that. */
void signals_catch(void);
/* What is requested, or has been, stops this simulation at its next step. */
void signals_stop(struct koshu_simulation *simulation);
struct koshu_flow;
struct koshu_flow_fields;
void signals_stop_flow(struct koshu_flow *flow);
/* As they were before signals_catch(), if none has come. */
void signals_restore(void);
/* Has one come? */
bool signals_requested(void);

/* ---- run_analyse.c ------------------------------------------------------ */

/* What is measured of each snapshot of a run. */
struct run_measures {
    bool spectrum, groups;
    uint64_t first, done; /* snapshots: before this part of the run, in it */
};

/* Before a run. KOSHU_ERROR_BAD_INPUT: it is in no box;
 * KOSHU_ERROR_UNSUPPORTED.
 */
KOSHU_MUST_CHECK koshu_status
run_analyse_check(struct koshu_context *context,
                  const struct koshu_parameter_values *values,
                  const struct run_measures *measures);

void run_analyse_begin(const struct koshu_simulation *simulation,
                       bool restarted, struct run_measures *measures);

/* Those written since the last call. Collective. */
void run_analyse_update(struct run_measures *measures,
                        const struct koshu_simulation *simulation);

/* ---- run_view.c --------------------------------------------------------- */

/* A live view at a port, 0 for any, or at the path of a socket; NULL:
 * there is none. Prints its address. Collective. */
KOSHU_MUST_CHECK koshu_status run_view_open(struct koshu_context *context,
                                            const char *place, bool control,
                                            const char *directory,
                                            struct koshu_view **view);

/* After a step, and at the end: waits where a pause is requested. Collective.
 */
void
run_view_update(struct koshu_view **view, struct koshu_simulation *simulation);

/* ---- run_flow.c --------------------------------------------------------- */

/* The whole of it; the exit status. */
int run_flow(struct koshu_context *context, const struct koshu_parameters *p,
             bool force, struct report *out);

/* What it would take is printed; the exit status. */
int estimate_flow(struct koshu_context *context,
                  const struct koshu_parameters *p, uint64_t memory);

/* ---- run_fields.c, no_fields.c ------------------------------------------ */

/* What flows need of libkoshu-fields; NULL: it was not built. */
const struct koshu_flow_fields *flow_fields(void);

/* ---- run_farewell.c ------------------------------------------------------ */

/* From here on the first rank says so where mpirun ends the run. Collective. */
void farewell_prepare(struct koshu_context *context, const char *directory);
/* In a signal handler: if the signal is mpirun's. */
void farewell(const siginfo_t *signal);

#endif

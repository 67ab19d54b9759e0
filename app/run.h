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

/* An option such as "--threads" and its value; NULL: not given. */
struct report_option {
    const char *name, *value;
};

/* What a run prints on standard output. */
struct report {
    bool quiet;    /* print nothing */
    bool terminal; /* the progress line is rewritten */
    bool restarted;
    double began;                     /* when the command was started */
    double next_seconds, next_part;   /* of the next progress line */
    const char *file;                 /* the parameter file, */
    const struct word_list *settings; /* the settings that override it, */
    struct report_option options[5];  /* other options; the last has no name */
    const struct koshu_parameter_values *values;
};

/* ---- run_header.c -------------------------------------------------------- */

/* To be called before the simulation is created: its first forces may take a
 * while. */
void report_title(const struct report *report);
void report_begin(struct report *report, struct koshu_simulation *simulation);

/* Print lines of the header: what is run, on what, and how. */
void print_units(const struct koshu_units *units);
void print_particles(const struct koshu_parameter_values *v, uint64_t n);
void print_forces(const struct koshu_parameter_values *v);
void print_steps(const struct koshu_parameter_values *v, double begin);

/* ---- run_ranks.c --------------------------------------------------------- */

/* Prints how many ranks and hosts there are and, for a tree or an FMM, which
 * neighbouring domains share a host. Nothing on one rank. Collective. */
void print_ranks(struct koshu_context *context,
                 const struct koshu_parameter_values *v);

/* The same before a run; also names switches, and a grid for another number of
 * ranks. Collective. */
void print_placement(struct koshu_context *context,
                     const struct koshu_parameter_values *v);

/* Prints what a run would take, measured by the first rank alone.
 * Collective. */
KOSHU_MUST_CHECK koshu_status
estimate_on_first(struct koshu_context *context,
                  const struct koshu_parameters *parameters,
                  struct koshu_estimate *estimate);

/* ---- run_summary.c, run_tree.c ------------------------------------------- */

/* Prints the summary; if energy was not conserved, also a warning on standard
 * error, even with --quiet. */
void report_end(struct report *report, struct koshu_simulation *simulation);

/* Prints lists, stages, errors and rates of the tree, if there is one. */
void print_tree(struct koshu_simulation *simulation);

/* ---- run_next.c ---------------------------------------------------------- */

/* Prints commands with which to continue. */
void print_next(const struct report *report, enum koshu_stop stop,
                const struct koshu_progress *p, struct koshu_context *context);

/* ---- run_times.c --------------------------------------------------------- */

/* Prints a table of where the wall time went. */
void print_times(const struct report *report,
                 const struct koshu_simulation *simulation);

/* ---- run_report.c -------------------------------------------------------- */

/* The next progress line will be the first. */
void report_start(struct report *report);
void report_progress(struct report *report,
                     const struct koshu_simulation *simulation);
/* Leaves the progress line as it is, because something else is to be
 * printed. */
void report_break(const struct report *report);

/* memory: bytes available to the ranks of a host, or to a run on one rank. */
void report_estimate(const struct koshu_parameter_values *values,
                     const struct koshu_estimate *estimate, uint64_t memory,
                     int ranks);
void report_flow_estimate(const struct koshu_parameter_values *values,
                          const struct koshu_estimate *estimate,
                          uint64_t memory);

/* The progress; all zeros for NULL. */
struct koshu_progress run_progress(const struct koshu_simulation *simulation);
void
print_progress(const struct report *report, const struct koshu_progress *p);

/* The name of energy_error: "dE/E", or "dE/T" in a periodic box. */
const char *energy_name(const struct koshu_progress *progress);

/* "0.3 s", "12 min 34 s", "3 h 25 min", "2 d 3 h"; "1.5 KiB" */
const char *duration_text(double seconds, char text[32]);
const char *bytes_text(uint64_t n, char text[32]);

/* "11 snapshots", "1 snapshot" */
void print_count(const char *before, uint64_t n, const char *thing);

/* ---- run_signals.c ------------------------------------------------------- */

/* From here on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 requests a stop,
 * and a second one kills. Signals that are ignored stay so. To be called before
 * the simulation is created: once its files exist, others may send a signal
 * before every rank has finished creating it. */
void signals_catch(void);
/* A request, past or future, stops this simulation at its next step. */
void signals_stop(struct koshu_simulation *simulation);
struct koshu_flow;
struct koshu_flow_fields;
void signals_stop_flow(struct koshu_flow *flow);
/* Restores the handlers of before signals_catch(), if no signal has come. */
void signals_restore(void);
/* Has a stop been requested? */
bool signals_requested(void);

/* ---- run_analyse.c ------------------------------------------------------ */

/* What is measured of each snapshot during a run. */
struct run_measures {
    bool spectrum, groups;
    uint64_t first, done; /* snapshots before this part of the run, and in it */
};

/* To be called before a run. KOSHU_ERROR_BAD_INPUT: it is not in a box;
 * KOSHU_ERROR_UNSUPPORTED. */
KOSHU_MUST_CHECK koshu_status
run_analyse_check(struct koshu_context *context,
                  const struct koshu_parameter_values *values,
                  const struct run_measures *measures);

void run_analyse_begin(const struct koshu_simulation *simulation,
                       bool restarted, struct run_measures *measures);

/* Measures the snapshots written since the last call. Collective. */
void run_analyse_update(struct run_measures *measures,
                        const struct koshu_simulation *simulation);

/* ---- run_view.c --------------------------------------------------------- */

/* Opens a live view at a port (0: any) or at the path of a socket; NULL: there
 * is none. Prints its address. Collective. */
KOSHU_MUST_CHECK koshu_status run_view_open(struct koshu_context *context,
                                            const char *place, bool control,
                                            const char *directory,
                                            struct koshu_view **view);

/* To be called after each step, and at the end; waits while a pause is
 * requested. Collective. */
void
run_view_update(struct koshu_view **view, struct koshu_simulation *simulation);

/* ---- run_flow.c --------------------------------------------------------- */

/* Runs a flow from beginning to end; returns the exit status. */
int run_flow(struct koshu_context *context, const struct koshu_parameters *p,
             bool force, struct report *out);

/* Prints what a flow would take; returns the exit status. */
int estimate_flow(struct koshu_context *context,
                  const struct koshu_parameters *p, uint64_t memory);

/* ---- run_fields.c, no_fields.c ------------------------------------------ */

/* The functions of libkoshu-fields that flows need; NULL: it was not built. */
const struct koshu_flow_fields *flow_fields(void);

/* ---- run_farewell.c ------------------------------------------------------ */

/* From here on, if mpirun ends the run, the first rank says so. Collective. */
void farewell_prepare(struct koshu_context *context, const char *directory);
/* To be called in a signal handler; prints the message if mpirun sent the
 * signal. */
void farewell(const siginfo_t *signal);

#endif

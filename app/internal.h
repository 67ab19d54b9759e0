/* SPDX-License-Identifier: MIT */
/*
 * Everything that the program uses from inside the library; the rest comes from
 * the public headers, as in any other program. scripts/check-includes refuses
 * such an include in any other file of app/. Each include has its reason here,
 * and goes when that is gone.
 */
#ifndef KOSHU_APP_INTERNAL_H
#define KOSHU_APP_INTERNAL_H

/*
 * Errors with a message that the context keeps (all), and whether memory was
 * refused, for the exit status (report.c); unprintable characters and nearest
 * names (text.c); a stream that signals do not interrupt (streams.c); the stack
 * that threads need (threads.c); numbers with a decimal point in any locale
 * (interact_write.c); compensated sums (info_file.c); the memory limits
 * (run_report.c).
 */
#include "base/base.h"

/* Files that are written completely or not at all, checked reading, tables and
 * datasets of snapshots (built_in_kernels.c, interact*.c, rank_costs.c). */
#include "io/io.h"

/* The memory for a second copy of the particles (convert.c); the arrays of a
 * snapshot by number and name (also info_file.c, interact_set.c). */
#include "particles/particles.h"

/* Random numbers that select particles (convert_select.c). */
#include "initial/initial.h"

/* Whether a file is the log of a run (plot.c); stars of a picture (plot*.c);
 * the plots of `koshu tune` and `koshu analyse`; the density centre
 * (convert_move.c); diagnostics without potentials (info_state.c). */
#include "output/output.h"

/* The table of keys, as a template and as a page; the values of all keys, for
 * what a run prints (run*.c). */
#include "parameters/parameters.h"

/* Gathering texts and numbers of all ranks, to print them in one line
 * (run_report.c). */
#include "domain/domain.h"

/* The backend of a context (interact.c); the exchange mode of several devices
 * (run_report.c). */
#include "backend/backend.h"

/* Whether a method works with cells or pairs (run_next.c, run_ranks.c). */
#include "solve/solve.h"

/* Cosmologies, their particles and spectra (init_cosmology.c, linear_power.c,
 * analyse*.c). */
#include "cosmology/cosmology.h"
#include "fields/fields.h"

/* Groups of particles (analyse_find.c, analyse_groups.c); columns of clusters
 * (analyse_cluster*.c). */
#include "analysis/analysis.h"

/* The values of a run, including those that solver.accuracy has chosen
 * (run.c); energies of a universe (info_state.c). */
#include "simulation/simulation.h"
/* koshu run: flows, whose interface is not public yet */
#include "flow/flow.h"

/* The parameter study, and the model for the time of sums on ranks, which are
 * not in the library's interface (tune.c, predict.c, rank_costs.c). */
#include "performance/performance.h"
#include "tune/tune.h"

#endif

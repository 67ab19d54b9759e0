/* SPDX-License-Identifier: MIT */
/*
 * All that the program takes from inside the library: everything else it does
 * by the public headers, as any other program could. scripts/check-includes
 * refuses such an include in any other file of app/. Each has its reason; one
 * whose reason is gone goes too.
 */
#ifndef KOSHU_APP_INTERNAL_H
#define KOSHU_APP_INTERNAL_H

/* Failure with a message that the context keeps (all), and whether memory was
 * refused, for the exit status (report.c); unprintable characters and nearest
 * names (text.c); a stream that signals do not interrupt (streams.c); the stack
 * that threads need (threads.c); numbers with a point in any locale
 * (interact_write.c); compensated sums (info_file.c); the memory limits
 * (run_report.c). */
#include "base/base.h"

/* Files that appear whole or not at all, counted reading, tables and datasets
 * of snapshots (built_in_kernels.c, interact*.c, rank_costs.c). */
#include "io/io.h"

/* The memory that a second copy of the particles needs (convert.c); the arrays
 * of a snapshot by number and name (also info_file.c, interact_set.c). */
#include "particles/particles.h"

/* Random numbers by which particles are selected (convert_select.c). */
#include "initial/initial.h"

/* Is a file the log of a run (plot.c)? Stars of a picture (plot*.c). The plots
 * of `koshu tune` and `koshu analyse`. The density centre (convert_move.c).
 * Diagnostics without potentials (info_state.c). */
#include "output/output.h"

/* The table of keys, as a template and as a page; the values of all of them,
 * for what a run prints (run*.c). */
#include "parameters/parameters.h"

/* Texts and numbers of all ranks, for one line about them (run_report.c). */
#include "domain/domain.h"

/* The backend of a context (interact.c); how several devices exchange
 * particles (run_report.c). */
#include "backend/backend.h"

/* What a method is by, cells or pairs (run_next.c, run_ranks.c). */
#include "solve/solve.h"

/* Universes, particles of them, and their spectra (init_cosmology.c,
 * linear_power.c, analyse*.c). */
#include "cosmology/cosmology.h"
#include "fields/fields.h"

/* Groups of particles (analyse_find.c, analyse_groups.c); columns of clusters
 * (analyse_cluster*.c). */
#include "analysis/analysis.h"

/* The values of a run, those that solver.accuracy chose among them (run.c). */
#include "simulation/simulation.h"
/* koshu run: flows, whose interface is not public yet */
#include "flow/flow.h"

/* The parameter study, and the model of the time of sums on ranks: no part of
 * the library's interface (tune.c, predict.c, rank_costs.c). */
#include "performance/performance.h"
#include "tune/tune.h"

#endif

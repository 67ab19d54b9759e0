/* SPDX-License-Identifier: MIT */
/*
 * Everything that benchmarks use from inside the library, because they measure
 * parts of it. As in app/internal.h, each include has its reason here.
 */
#ifndef KOSHU_BENCH_INTERNAL_H
#define KOSHU_BENCH_INTERNAL_H

/* The clock; memory with its limits; messages in a context. */
#include "base/base.h"

/* The backend of a context: its name and device, its launches, shapes, and sums
 * over lists. */
#include "backend/backend.h"

#ifndef __CUDACC__ /* cases/listings_kernels.cu needs no more */

/* Tables of numbers (papers.c). */
#include "io/io.h"

/* The memory that particles need, checked before they are made. */
#include "particles/particles.h"

/* Trees and their lists, summed in other ways (cases/tree_schemes.c). */
#include "tree/tree.h"

/* The largest number of any rank, and transfers between two
 * (cases/scaling*.c). */
#include "domain/domain.h"

/* Adding up the reports of ranks (cases/scaling_step.c). */
#include "solve/solve.h"

/* Pictures (picture.c). */
#include "output/output.h"

/* A run and its values (cases/run.c). */
#include "simulation/simulation.h"

/* Flows and their velocities, without files (cases/turbulence*.c). */
#include "flow/flow.h"
#include "vortex/vortex.h"

/* Random numbers of particles (cases/analysis.c). */
#include "initial/initial.h"

/* Groups and power spectra, without files (cases/analysis.c). */
#include "analysis/analysis.h"
#include "fields/fields.h"

/* The model of the time of direct sums, and least squares. */
#include "performance/performance.h"

/* Which particles a sample has. */
#include "kernels/sample.h"

/* The pair formula, summed in two other ways (styles.c). */
#include "kernels/kernels.h"
#define KOSHU_REAL float
#define KOSHU_TYPED(name) name##_f32
#include "kernels/gravity.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

#endif /* __CUDACC__ */

#endif

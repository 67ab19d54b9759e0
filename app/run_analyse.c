/* SPDX-License-Identifier: MIT */
/* Measures the snapshots of a run as soon as they are written, from their
 * files, as `koshu analyse` does. */
#include <stdio.h>

#include <koshu/simulation.h>

#include "analyse.h"
#include "app.h"
#include "run.h"

koshu_status
run_analyse_check(struct koshu_context *context,
                  const struct koshu_parameter_values *v,
                  const struct run_measures *m)
{
    if (!m->spectrum && !m->groups) return KOSHU_OK;
    if (m->spectrum && !flow_fields())
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "--power-spectrum: this koshu was built without "
                          "Fourier transforms: install libfftw3-dev (or "
                          "libkissfft-dev) and build it again");
    if (v->flow.method == KOSHU_FLOW_METHOD_NONE &&
        v->boundary == KOSHU_BOUNDARY_PERIODIC)
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "--power-spectrum and --groups are of particles in a "
                      "periodic box (solver.boundary: periodic); of a star "
                      "cluster there is output.log.cluster: yes, of a flow "
                      "koshu analyse");
}

void
run_analyse_begin(const struct koshu_simulation *s, bool restarted,
                  struct run_measures *m)
{
    m->first = restarted ? s->kept.snapshots : 0;
    m->done = 0;
}

/* The name KIND_0003.csv. */
static koshu_status
path_of(const struct koshu_simulation *s, const char *kind, uint64_t number,
        const char *ending, char path[KOSHU_PATH_SIZE])
{
    char name[64];
    snprintf(name, sizeof name, "%s_%04llu%s", kind, (unsigned long long)number,
             ending);
    return koshu_output_path(s->context, s->values->directory, name, path);
}

/* Measures a snapshot, which is read once. */
static koshu_status
measure(const struct run_measures *m, const struct koshu_simulation *s,
        uint64_t number)
{
    char in[KOSHU_PATH_SIZE];
    const char *files[] = {in};
    struct analyse_arguments a = analyse_defaults();
    a.power_spectrum = m->spectrum;
    a.groups = m->groups;
    a.files = (struct word_list){.word = files, .n = 1};
    a.force = a.quiet = true;
    KOSHU_TRY(path_of(s, "snapshot", number,
                      koshu_format_ending(s->values->snapshot.format), in));
    if (m->spectrum)
        KOSHU_TRY(path_of(s, "power", number, ".csv", a.to.spectrum));
    if (m->groups)
        KOSHU_TRY(path_of(s, "groups", number, ".hdf5", a.to.groups));
    return analyse(s->context, &a);
}

/* Prints a warning: a failed measurement does not end the run. */
static void
try_to_measure(const struct run_measures *m, const struct koshu_simulation *s,
               uint64_t number)
{
    if (measure(m, s, number) == KOSHU_OK) return;
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "snapshot %llu was not measured: %s", (unsigned long long)number,
              koshu_context_message(s->context));
}

void
run_analyse_update(struct run_measures *m, const struct koshu_simulation *s)
{
    if (!m->spectrum && !m->groups) return;
    const uint64_t written = run_progress(s).snapshots;
    for (; m->done < written; m->done++)
        try_to_measure(m, s, m->first + m->done);
}

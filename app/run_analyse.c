/* SPDX-License-Identifier: MIT */
/* Snapshots of a run, measured as soon as they are written, from their files:
 * what `koshu analyse` would say of each. */
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

/* A run does not end because something cannot be measured. */
static void
measure(const struct koshu_simulation *s, const struct analyse_arguments *a)
{
    if (analyse(s->context, a) == KOSHU_OK) return;
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING, "'%s' is not written: %s",
              a->output, koshu_context_message(s->context));
}

/* NAME_0003.csv beside snapshot_0003.hdf5 */
static void
measure_snapshot(const struct koshu_simulation *s, unsigned long long number,
                 const char *name, const char *ending,
                 struct analyse_arguments *a)
{
    char in[KOSHU_PATH_SIZE], out[KOSHU_PATH_SIZE];
    const char *directory = s->values->directory;
    const int n =
            snprintf(in, sizeof in, "%s/snapshot_%04llu%s", directory, number,
                     koshu_format_ending(s->values->snapshot.format));
    const int k = snprintf(out, sizeof out, "%s/%s_%04llu%s", directory, name,
                           number, ending);
    if (n >= KOSHU_PATH_SIZE || k >= KOSHU_PATH_SIZE) return;
    const char *files[] = {in};
    a->files = (struct word_list){.word = files, .n = 1};
    a->output = out;
    measure(s, a);
}

void
run_analyse_update(struct run_measures *m, const struct koshu_simulation *s)
{
    if (!m->spectrum && !m->groups) return;
    const uint64_t written = run_progress(s).snapshots;
    for (; m->done < written; m->done++) {
        struct analyse_arguments a = analyse_defaults();
        a.force = a.quiet = true;
        a.power_spectrum = m->spectrum;
        if (m->spectrum)
            measure_snapshot(s, m->first + m->done, "power", ".csv", &a);
        a.power_spectrum = false;
        a.groups = m->groups;
        if (m->groups)
            measure_snapshot(s, m->first + m->done, "groups", ".hdf5", &a);
    }
}

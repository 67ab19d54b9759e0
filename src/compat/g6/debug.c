/* SPDX-License-Identifier: MIT */
/* Functions that clients call during their development. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

int
koshu_g6_print_chip_status(int cluster)
{
    const struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    koshu_g6_introduce(c);
    return 0;
}

int
koshu_g6_debugfunc(int number)
{
    koshu_g6_say("g6_debugfunc: %d", number);
    return 0;
}

int
koshu_g6_debugfunc_double(double number)
{
    koshu_g6_say("g6_debugfunc_double: %.17g", number);
    return 0;
}

static bool
write_particles(FILE *file, int n, const double *m, double (*x)[3],
                double (*v)[3])
{
    for (int k = 0; k < n; k++)
        if (fprintf(file, "%+.16e %+.16e %+.16e %+.16e %+.16e %+.16e %+.16e\n",
                    m[k], x[k][0], x[k][1], x[k][2], v[k][0], v[k][1],
                    v[k][2]) < 0)
            return false;
    return true;
}

int
koshu_g6_dump(double time, int n, double m[], double x[][3], double v[][3])
{
    char name[32], fresh[40];
    if (!(fabs(time) < 1e9) || n < 0 || (n > 0 && (!m || !x || !v)))
        return koshu_g6_fail("g6_dump: time %g, %d particles: impossible, or "
                             "an array is NULL",
                             time, n);
    snprintf(name, sizeof name, "dump.dat.%05d", (int)time);
    snprintf(fresh, sizeof fresh, "%s.new", name);
    FILE *file = fopen(fresh, "w");
    bool done = file && write_particles(file, n, m, x, v);
    if (file) done = fclose(file) == 0 && done;
    if (done && rename(fresh, name) == 0) return 0;
    const char *reason = strerror(errno);
    if (file) remove(fresh);
    return koshu_g6_fail("g6_dump: %s: %s", name, reason);
}

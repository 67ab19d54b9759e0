/* SPDX-License-Identifier: MIT */
/* What `koshu run` prints during a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "run.h"

/* Seconds between two progress lines; on a terminal the line is rewritten. */
static const double terminal_seconds = 0.2, plain_seconds = 10,
                    plain_part = 0.1;

struct koshu_progress
run_progress(const struct koshu_simulation *simulation)
{
    struct koshu_progress p = {.size = sizeof p};
    if (koshu_simulation_progress(simulation, &p) != KOSHU_OK)
        p.newest_checkpoint = "";
    return p;
}

/* ---- quantities as text ----------------------------------------------- */

const char *
duration_text(double seconds, char text[32])
{
    const unsigned long long s = (unsigned long long)fmin(seconds + 0.5, 1e15),
                             min = s / 60, h = min / 60, d = h / 24;
    if (seconds < 9.95)
        snprintf(text, 32, "%.1f s", seconds);
    else if (min == 0)
        snprintf(text, 32, "%llu s", s);
    else if (h == 0)
        snprintf(text, 32, "%llu min %llu s", min, s % 60);
    else if (d == 0)
        snprintf(text, 32, "%llu h %llu min", h, min % 60);
    else
        snprintf(text, 32, "%llu d %llu h", d, h % 24);
    return text;
}

const char *
bytes_text(uint64_t n, char text[32])
{
    static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    double x = (double)n;
    int unit = 0;
    for (; x >= 1024 && unit < 6; unit++) x /= 1024;
    snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", x, units[unit]);
    return text;
}

void
print_count(const char *before, uint64_t n, const char *thing)
{
    printf("%s%llu %s%s", before, (unsigned long long)n, thing,
           n == 1 ? "" : "s");
}

/* ---- progress ---------------------------------------------------------- */

const char *
energy_name(const struct koshu_progress *p)
{
    return p->energy_of_kinetic ? "dE/T" : "dE/E";
}

void
print_progress(const struct report *report, const struct koshu_progress *p)
{
    char left[32], time[QUANTITY_TEXT], end[QUANTITY_TEXT];
    const struct koshu_units *units = &report->values->units;
    if (koshu_is_comoving(report->values))
        printf("step %llu  z %.3f to %.3g", (unsigned long long)p->step,
               1 / p->time - 1, 1 / p->end - 1);
    else {
        koshu_quantity_text(units, KOSHU_QUANTITY_TIME, p->time, sizeof time,
                            time);
        koshu_quantity_text(units, KOSHU_QUANTITY_TIME, p->end, sizeof end,
                            end);
        time[strcspn(time, " ")] = '\0'; /* only the end time shows the unit */
        printf("step %llu  time %s of %s", (unsigned long long)p->step, time,
               end);
    }
    printf("  %s %+.1e  %.2e pairs/s", energy_name(p), p->energy_error,
           p->interactions_per_s);
    if (p->seconds_left >= 0)
        printf("  %s left", duration_text(p->seconds_left, left));
}

void
report_start(struct report *report)
{
    report->terminal = is_terminal(STDOUT_FILENO);
    report->next_part = plain_part;
    report->next_seconds = report->terminal ? 0 : plain_seconds;
}

/* Is it time for the next line? */
static bool
is_due(struct report *report, const struct koshu_progress *p)
{
    double left = p->seconds_left < 0 ? INFINITY : p->seconds_left;
    double part = p->wall_seconds / (p->wall_seconds + left);
    bool due = p->wall_seconds >= report->next_seconds;
    if (!report->terminal && part >= report->next_part) due = true;
    if (!due) return false;
    report->next_seconds =
            p->wall_seconds +
            (report->terminal ? terminal_seconds : plain_seconds);
    report->next_part = part + plain_part;
    return true;
}

void
report_progress(struct report *report,
                const struct koshu_simulation *simulation)
{
    if (report->quiet) return;
    struct koshu_progress p = run_progress(simulation);
    if (!is_due(report, &p)) return;
    if (report->terminal) printf("\r");
    print_progress(report, &p);
    printf(report->terminal ? "\033[K" : "\n");
    fflush(stdout);
}

void
report_break(const struct report *report)
{
    if (!report->quiet && report->terminal) printf("\n");
    fflush(stdout);
}

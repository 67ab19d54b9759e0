/* SPDX-License-Identifier: MIT */
/* Title and labels of pictures of snapshots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "plot.h"

/* "N = 1,000,000" */
static void
write_number(unsigned long long n, char *text, size_t size)
{
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%llu", n);
    size_t at = (size_t)snprintf(text, size, "N = ");
    for (int k = 0; k < length && at + 2 < size; k++) {
        if (k && (length - k) % 3 == 0) text[at++] = ',';
        text[at++] = digits[k];
    }
    text[at] = '\0';
}

static bool
same_number(const struct plot *p)
{
    for (size_t k = 1; k < p->n; k++)
        if (p->panels[k].info.n != p->panels[0].info.n) return false;
    return true;
}

/* The title of the run, and the number of particles if it is the same in all
 * panels. */
static void
write_title(struct plot *p)
{
    char number[40] = "", title[200];
    plot_title_of(p->context, p->panels[0].path, title, sizeof title);
    if (same_number(p))
        write_number(p->panels[0].info.n, number, sizeof number);
    snprintf(p->title, sizeof p->title, "%s%s%s", title,
             title[0] && number[0] ? ", " : "", number);
    if (p->title[0]) p->options.title = p->title;
}

void
plot_time_text(const struct koshu_snapshot_info *info, size_t size, char *text)
{
    char time[40];
    if (info->hubble > 0) {
        snprintf(text, size, "z = %.3g", fabs(1 / info->time - 1));
        return;
    }
    koshu_quantity_text(&info->units, KOSHU_QUANTITY_TIME, info->time,
                        sizeof time, time);
    snprintf(text, size, "t = %s", time);
}

/* Each panel has its time, and the number of particles if it differs between
 * panels or the user gave a title. */
void
plot_write_texts(struct plot *plot)
{
    const bool in_title = !plot->a->title && same_number(plot);
    plot->options.title = plot->a->title;
    if (!plot->a->title) write_title(plot);
    for (size_t k = 0; k < plot->n; k++) {
        struct plot_panel *panel = &plot->panels[k];
        char number[40] = "", time[48];
        if (!in_title && !same_number(plot))
            write_number(panel->info.n, number, sizeof number);
        plot_time_text(&panel->info, sizeof time, time);
        snprintf(panel->label, sizeof panel->label, "%s%s%s", time,
                 number[0] ? ", " : "", number);
    }
}

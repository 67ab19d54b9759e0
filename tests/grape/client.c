/* SPDX-License-Identifier: MIT */
/*
 * A C program for a GRAPE-6: it calls every function of the library, by
 * prototypes as they stand in the headers of such programs, both by the C names
 * and by those that Fortran sees. One header takes the units by pointers to
 * double.
 */
#include <math.h>
#include <stdio.h>

int g6_open(int cluster);
int g6_close(int cluster);
int g6_reset(int cluster);
int g6_reset_fofpga(int cluster);
void g6_reinitialize(int cluster);
int g6_open_special(int n, int *list);
int g6_npipes(void);
void g6_set_tunit(double unit);
void g6_set_xunit(double unit);
void g6_set_ti(int cluster, double t);
int g6_set_j_particle(int cluster, int address, int index, double tj,
                      double dtj, double mass, double a2by18[3],
                      double a1by6[3], double aby2[3], double v[3],
                      double x[3]);
void g6calc_firsthalf(int cluster, int nj, int ni, int index[], double xi[][3],
                      double vi[][3], double aold[][3], double jold[][3],
                      double phiold[], double eps2, double h2[]);
int g6calc_lasthalf(int cluster, int nj, int ni, int index[], double xi[][3],
                    double vi[][3], double eps2, double h2[], double acc[][3],
                    double jerk[][3], double pot[]);
int g6calc_lasthalf2(int cluster, int nj, int ni, int index[], double xi[][3],
                     double vi[][3], double eps2, double h2[], double acc[][3],
                     double jerk[][3], double pot[], int nnbindex[]);
int g6_read_neighbour_list(int cluster);
int g6_get_neighbour_list(int cluster, int ipipe, int maxlen, int *nblen,
                          int nbl[]);
void g6_setup_njdata(int cluster, int nj);
int g6_initialize_jp_buffer(int cluster, int size);
int g6_flush_jp_buffer(int cluster);
void g6_set_neighbour_list_sort_mode(int mode);
int g6_set_overflow_flag_test_mode(int a, int j, int p);

int g6_open_(int *cluster);
int g6_close_(int *cluster);
int g6_reset_(int *cluster);
int g6_reset_fofpga_(int *cluster);
int g6_reinitialize_(int *cluster);
int g6_open_special_(int *n, int *list);
int g6_npipes_(void);
int g6_set_tunit_(double *unit);
int g6_set_xunit_(double *unit);
int g6_set_ti_(int *cluster, double *t);
int g6_set_j_particle_(int *cluster, int *address, int *index, double *tj,
                       double *dtj, double *mass, double k18[3], double j6[3],
                       double a2[3], double v[3], double x[3]);
void g6calc_firsthalf_(int *cluster, int *nj, int *ni, int index[],
                       double xi[][3], double vi[][3], double aold[][3],
                       double j6old[][3], double phiold[], double *eps2,
                       double h2[]);
int g6calc_lasthalf_(int *cluster, int *nj, int *ni, int index[],
                     double xi[][3], double vi[][3], double *eps2, double h2[],
                     double acc[][3], double jerk[][3], double pot[]);
int g6calc_lasthalf2_(int *cluster, int *nj, int *ni, int index[],
                      double xi[][3], double vi[][3], double *eps2, double h2[],
                      double acc[][3], double jerk[][3], double pot[],
                      int *inn);
int g6_read_neighbour_list_(int *cluster);
int g6_get_neighbour_list_(int *cluster, int *ipipe, int *maxlength,
                           int *n_neighbours, int neighbour_list[]);
void g6_setup_njdata_(int *cluster, int *nj);
int g6_initialize_jp_buffer_(int *cluster, int *size);
int g6_flush_jp_buffer_(int *cluster);
int g6_set_neighbour_list_sort_mode_(int *mode);
int g6_set_overflow_flag_test_mode_(int *cluster);

int GPU_open(int cluster);
int GPU_close(int cluster);
int GPU_npipes(void);
int GPU_set_j_particle(int cluster, int address, int index, double tj,
                       double dtj, double mass, double a2by18[3],
                       double a1by6[3], double aby2[3], double v[3],
                       double x[3]);
void GPU_set_ti(int cluster, double t);
void GPUcalc_firsthalf(int cluster, int nj, int ni, int index[], double xi[][3],
                       double vi[][3], double aold[][3], double jold[][3],
                       double phiold[], double eps2, double h2[]);
int GPUcalc_lasthalf(int cluster, int nj, int ni, int index[], double xi[][3],
                     double vi[][3], double eps2, double h2[], double acc[][3],
                     double jerk[][3], double pot[]);

/* Two particles, 1 apart, of mass 1; each is i-particle, too. Both rest, and
 * the second is to be found there one unit of time after it was sent. */
static double zero[3], x0[3], x1[3] = {2, 0, 0}, v1[3] = {-1, 0, 0};
static int index_of[2] = {17, -3}, nearest[2], list[2];
static double xi[2][3] = {{0, 0, 0}, {1, 0, 0}}, vi[2][3], acc[2][3],
              jerk[2][3], pot[2], h2[2] = {2, 0};

static int
is_right(void)
{
    return fabs(acc[0][0] - 1) < 1e-6 && fabs(acc[1][0] + 1) < 1e-6 &&
           fabs(jerk[0][0] - 2) < 1e-5 && fabs(pot[0] + 1) < 1e-6 &&
           fabs(pot[1] + 1) < 1e-6;
}

static int
by_c_names(void)
{
    int length = 0, clusters[1] = {0};
    g6_open(0);
    g6_open_special(1, clusters);
    g6_set_tunit(45.0);
    g6_set_xunit(45.0);
    g6_reset(0);
    g6_reset_fofpga(0);
    g6_reinitialize(0);
    g6_set_overflow_flag_test_mode(0, 0, 0);
    g6_set_neighbour_list_sort_mode(0);
    g6_initialize_jp_buffer(0, 2);
    g6_setup_njdata(0, 2);
    g6_set_j_particle(0, 0, 17, 0, 0.5, 1, zero, zero, zero, zero, x0);
    g6_set_j_particle(0, 1, -3, 0, 0.5, 1, zero, zero, zero, v1, x1);
    g6_flush_jp_buffer(0);
    g6_set_ti(0, 1);
    g6calc_firsthalf(0, 2, 2, index_of, xi, vi, acc, jerk, pot, 0, h2);
    g6calc_lasthalf2(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk, pot, nearest);
    int lists = g6_read_neighbour_list(0) == 0 &&
                g6_get_neighbour_list(0, 0, 2, &length, list) == 0 &&
                length == 1 && list[0] == -3;
    g6calc_firsthalf(0, 2, 2, index_of, xi, vi, acc, jerk, pot, 0, h2);
    int failed =
            g6calc_lasthalf(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk, pot);
    int pipes = g6_npipes();
    g6_close(0);
    return !failed && lists && pipes == 48 && nearest[0] == -3 &&
           nearest[1] == 17 && is_right();
}

static int
by_fortran_names(void)
{
    int cluster = 0, addresses[2] = {0, 1}, two = 2, length = 0, mode = 0;
    double unit = 45, t = 0, dt = 0.5, one = 1, eps2 = 0;
    g6_open_(&cluster);
    g6_open_special_(&cluster, NULL);
    g6_set_tunit_(&unit);
    g6_set_xunit_(&unit);
    g6_reset_(&cluster);
    g6_reset_fofpga_(&cluster);
    g6_reinitialize_(&cluster);
    g6_set_overflow_flag_test_mode_(&cluster);
    g6_set_neighbour_list_sort_mode_(&mode);
    g6_initialize_jp_buffer_(&cluster, &two);
    g6_setup_njdata_(&cluster, &two);
    g6_set_j_particle_(&cluster, &addresses[0], &index_of[0], &t, &dt, &one,
                       zero, zero, zero, zero, x0);
    g6_set_j_particle_(&cluster, &addresses[1], &index_of[1], &t, &dt, &one,
                       zero, zero, zero, v1, x1);
    g6_flush_jp_buffer_(&cluster);
    g6_set_ti_(&cluster, &one);
    g6calc_firsthalf_(&cluster, &two, &two, index_of, xi, vi, acc, jerk, pot,
                      &eps2, h2);
    g6calc_lasthalf2_(&cluster, &two, &two, index_of, xi, vi, &eps2, h2, acc,
                      jerk, pot, nearest);
    int lists = g6_read_neighbour_list_(&cluster) == 0 &&
                g6_get_neighbour_list_(&cluster, &addresses[0], &two, &length,
                                       list) == 0 &&
                length == 1 && list[0] == -3;
    g6calc_firsthalf_(&cluster, &two, &two, index_of, xi, vi, acc, jerk, pot,
                      &eps2, h2);
    int failed = g6calc_lasthalf_(&cluster, &two, &two, index_of, xi, vi, &eps2,
                                  h2, acc, jerk, pot);
    int pipes = g6_npipes_();
    g6_close_(&cluster);
    return !failed && lists && pipes == 48 && nearest[0] == -3 &&
           nearest[1] == 17 && is_right();
}

static int
by_kirin_names(void)
{
    GPU_open(0);
    GPU_set_j_particle(0, 0, 17, 0, 0.5, 1, zero, zero, zero, zero, x0);
    GPU_set_j_particle(0, 1, -3, 0, 0.5, 1, zero, zero, zero, v1, x1);
    GPU_set_ti(0, 1);
    GPUcalc_firsthalf(0, 2, 2, index_of, xi, vi, acc, jerk, pot, 0, h2);
    int failed =
            GPUcalc_lasthalf(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk, pot);
    int pipes = GPU_npipes();
    GPU_close(0);
    return !failed && pipes == 48 && is_right();
}

int
main(void)
{
    if (!by_c_names()) puts("the C names: wrong");
    if (!by_fortran_names()) puts("the Fortran names: wrong");
    if (!by_kirin_names()) puts("the names of kirin: wrong");
    puts("all is well");
    return 0;
}

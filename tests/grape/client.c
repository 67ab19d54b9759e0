/* SPDX-License-Identifier: MIT */
/*
 * A C program for a GRAPE-6: it calls every function of the library, with
 * prototypes as in the headers of such programs, by the C names and by those
 * that Fortran uses. One such header passes units by pointers to double.
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

int g6_open_special2(int n, int *list, int nmax);
int g6_get_number_of_pipelines(void);
int g6_set_j_particle_mxonly(int cluster, int address, int index, double mass,
                             double x[3]);
int g6_set_j_particle_multisend_mxfast_(int *cluster, int *clusters,
                                        int *address, int *index, double *mass,
                                        double x[3]);
int g6_flush_jp_buffer_and_multisend(int cluster, int something);
int g6_getnjmax(int cluster);
void g6_set_nip(int cluster, int nip);
void g6_set_njp(int cluster, int njp);
void g6_set_i_particle_scales_from_real_value(int cluster, int address,
                                              double acc[3], double jerk[3],
                                              double phi, double jfactor,
                                              double ffactor);
void g6_set_i_particle(int cluster, int address, int index, double x[3],
                       double v[3], double eps2, double h2);
int g6_get_force(int cluster, double acc[][3], double jerk[][3], double phi[],
                 int flag[]);
int g6_get_force_etc(int cluster, double acc[][3], double jerk[][3],
                     double phi[], int nnbindex[], int flag[]);
int g6calc_lasthalfn(int, int, int, int *, double (*)[3], double (*)[3], double,
                     double *, double (*)[3], double (*)[3], double *);
int g6calc_lasthalf2n(int, int, int, int *, double (*)[3], double (*)[3],
                      double, double *, double (*)[3], double (*)[3], double *,
                      int *);
int g6calc_lasthalf2p(int, int, int, int *, double (*)[3], double (*)[3],
                      double, double *, double (*)[3], double (*)[3], double *,
                      int *, float *);
int g6calc_lasthalf2np(int, int, int, int *, double (*)[3], double (*)[3],
                       double, double *, double (*)[3], double (*)[3], double *,
                       int *, float *);
int g6calc_lasthalf2np_(int *, int *, int *, int *, double (*)[3],
                        double (*)[3], double *, double *, double (*)[3],
                        double (*)[3], double *, int *, float *);
int g6_read_neighbour_list_old(int cluster);
int g6_get_neighbour_list_sort_mode(void);
int g6_print_chip_status(int cluster);
void g6_debugfunc(int);
void g6_debugfunc_double(double);
void g6_dump(double, int, double *, double (*)[3], double (*)[3]);

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

/* Two particles of mass 1 that are 1 apart; each is also an i-particle. Both
 * rest, and the second reaches this place one time unit after it was sent. */
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

static void
spoil(void)
{
    for (int k = 0; k < 2; k++) {
        acc[k][0] = jerk[k][0] = pot[k] = 1e300;
        nearest[k] = list[k] = 1000;
    }
}

/* Both bodies at their positions at time 1, from sources that have no time. */
static void
open_at_rest(void)
{
    int cluster = 0, one_cluster = 1, address = 1;
    double mass = 1, x[3] = {1, 0, 0};
    g6_open_special2(1, &cluster, 1024);
    g6_set_j_particle_mxonly(0, 0, 17, 1, x0);
    g6_set_j_particle_multisend_mxfast_(&cluster, &one_cluster, &address,
                                        &index_of[1], &mass, x);
    g6_flush_jp_buffer_and_multisend(0, 1);
    g6_set_ti(0, 1);
}

/* Functions that only some of the libraries have; here j-particles are at
 * rest. */
static int
is_right_at_rest(int failed)
{
    int right = !failed && fabs(acc[0][0] - 1) < 1e-6 &&
                fabs(acc[1][0] + 1) < 1e-6 && fabs(jerk[0][0]) < 1e-6 &&
                fabs(pot[0] + 1) < 1e-6 && fabs(pot[1] + 1) < 1e-6;
    spoil();
    return right;
}

static int
are_nearest(void)
{
    return nearest[0] == -3 && nearest[1] == 17;
}

static int
have_lists(void)
{
    int length = 0;
    return g6_read_neighbour_list_old(0) == 0 &&
           g6_get_neighbour_list(0, 0, 2, &length, list) == 0 && length == 1 &&
           list[0] == -3 &&
           g6_get_neighbour_list(0, 1, 2, &length, list) == 0 && length == 0;
}

static int
by_other_halves(void)
{
    int cluster = 0, two = 2, right = 1;
    double eps2 = 0;
    float r[2] = {0};
    open_at_rest();
    spoil();
    int failed;
    g6calc_firsthalf(0, 2, 2, index_of, xi, vi, acc, jerk, pot, 0, h2);
    failed = g6calc_lasthalfn(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk, pot);
    right = right && have_lists() && is_right_at_rest(failed);
    failed = g6calc_lasthalf2n(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk, pot,
                               nearest);
    right = right && are_nearest() && have_lists() && is_right_at_rest(failed);
    failed = g6calc_lasthalf2p(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk, pot,
                               nearest, r);
    right = right && are_nearest() && is_right_at_rest(failed) && r[0] == 1;
    failed = g6calc_lasthalf2np(0, 2, 2, index_of, xi, vi, 0, h2, acc, jerk,
                                pot, nearest, r);
    right = right && are_nearest() && have_lists() && is_right_at_rest(failed);
    failed = g6calc_lasthalf2np_(&cluster, &two, &two, index_of, xi, vi, &eps2,
                                 h2, acc, jerk, pot, nearest, r);
    right = right && are_nearest() && is_right_at_rest(failed) && r[1] == 1;
    g6_close(0);
    return right;
}

static int
by_steps(void)
{
    int flag[2] = {1, 1}, right = 1;
    open_at_rest();
    g6_set_nip(0, 2);
    for (int k = 0; k < 2; k++) {
        g6_set_i_particle_scales_from_real_value(0, k, acc[k], jerk[k], 1, 1,
                                                 1);
        g6_set_i_particle(0, k, index_of[k], xi[k], vi[k], 0, h2[k]);
    }
    g6_set_njp(0, 2);
    spoil();
    int failed = g6_get_force(0, acc, jerk, pot, flag);
    right = right && flag[0] == 0 && flag[1] == 0 && is_right_at_rest(failed);
    failed = g6_get_force_etc(0, acc, jerk, pot, nearest, flag);
    right = right && are_nearest() && is_right_at_rest(failed);
    right = right && g6_getnjmax(0) > 2 && g6_get_number_of_pipelines() == 48;
    g6_set_neighbour_list_sort_mode(3);
    right = right && g6_get_neighbour_list_sort_mode() == 3;
    g6_set_neighbour_list_sort_mode(0);
    g6_close(0);
    return right;
}

/* Checks the file; what goes to stderr is not examined. */
static int
by_debugging(void)
{
    static double m[2] = {1, 2}, x[2][3] = {{3, 4, 5}, {6, 7, 8}},
                  v[2][3] = {{-1, -2, -3}, {9, 10, 11}};
    static const char file[] = "dump.dat.00012";
    double got[14];
    int n = 0;
    g6_debugfunc(7);
    g6_debugfunc_double(0.5);
    int right = g6_print_chip_status(0) == 0;
    g6_dump(12.7, 2, m, x, v);
    FILE *dump = fopen(file, "r");
    if (!dump) return 0;
    while (n < 14 && fscanf(dump, "%lf", &got[n]) == 1) n++;
    fclose(dump);
    remove(file);
    return right && n == 14 && got[0] == 1 && got[3] == 5 && got[7] == 2 &&
           got[13] == 11;
}

int
main(void)
{
    if (!by_c_names()) puts("the C names: wrong");
    if (!by_fortran_names()) puts("the Fortran names: wrong");
    if (!by_kirin_names()) puts("the names of kirin: wrong");
    if (!by_other_halves()) puts("g6calc_lasthalfn and its kin: wrong");
    if (!by_steps()) puts("g6_set_i_particle and its kin: wrong");
    if (!by_debugging()) puts("g6_dump and its kin: wrong");
    puts("all is well");
    return 0;
}

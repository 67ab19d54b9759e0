/* SPDX-License-Identifier: MIT */
/* The MPI communicator of a context; for mpi.c and mpi_messages.c. */
#ifndef KOSHU_DEVICES_MPI_COMMUNICATOR_H
#define KOSHU_DEVICES_MPI_COMMUNICATOR_H

#include <mpi.h>

#include "devices/communicator.h"

struct mpi_communicator {
    struct koshu_communicator base;
    struct koshu_communicator_ops ops;
    MPI_Comm comm; /* ours */
    MPI_Request *requests;
    size_t n_requests, capacity; /* under way */
};

/* All operations except making another communicator. */
extern const struct koshu_communicator_ops koshu_mpi_messages;

/* KOSHU_ERROR_EXTERNAL, with MPI's message. */
koshu_status
koshu_mpi_check(struct koshu_context *context, int error, const char *what);

/* Reserves memory for n requests under way. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_mpi_reserve(struct mpi_communicator *m, size_t n);

#endif

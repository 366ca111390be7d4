/* What ranks need of MPI, in C, since much of mpi.h are macros. Without the package's trait MPI nothing is behind it.
 *
 * Functions answer 0, or an error code of MPI, which mpi_shim_text puts into words. One thread calls them. */
#ifndef MPI_SHIM_H
#define MPI_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* Joins the other processes that were started together with this one. */
int mpi_shim_start(int *rank, int *count);

/* Waits until the others have got all that was sent to them, and leaves. */
int mpi_shim_finish(void);

/* Ends all processes. */
void mpi_shim_abort(int code);

/* Sends bytes and does not wait for them to arrive: they are copied. */
int mpi_shim_send(const uint8_t *bytes, size_t size, int rank);

/* Waits for the next message of a rank and answers its size; mpi_shim_receive then takes it. */
int mpi_shim_await(int rank, size_t *size);
int mpi_shim_receive(uint8_t *bytes, size_t size, int rank);

/* Replaces each number by the least, or the sum, of those of all ranks. */
int mpi_shim_least(int64_t *numbers, int count);
int mpi_shim_sum(uint64_t *numbers, int count);

/* Has this process killed when the one that has begun it ends; on Linux. */
void mpi_shim_end_with_parent(void);

/* An error code in words, at most `size` bytes with the zero at the end. */
void mpi_shim_text(int code, char *text, size_t size);

#endif

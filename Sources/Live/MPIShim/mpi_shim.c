#include "mpi_shim.h"

#ifdef BLUETHROAT_MPI

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

/* A message that is under way, and its bytes. */
struct letter {
    MPI_Request request;
    uint8_t *bytes;
};

static struct letter *letters;
static size_t letter_count, letter_room;

/* Gives back what has arrived; waits for all of it if `is_last`. */
static int sweep(int is_last) {
    size_t left = 0;
    for (size_t index = 0; index < letter_count; index++) {
        int has_arrived = 1;
        int code = is_last ? MPI_Wait(&letters[index].request, MPI_STATUS_IGNORE)
                           : MPI_Test(&letters[index].request, &has_arrived, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) return code;
        if (has_arrived)
            free(letters[index].bytes);
        else
            letters[left++] = letters[index];
    }
    letter_count = left;
    return MPI_SUCCESS;
}

int mpi_shim_start(int *rank, int *count) {
    int provided = 0;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    if (code != MPI_SUCCESS) return code;
    return MPI_Comm_size(MPI_COMM_WORLD, count);
}

int mpi_shim_finish(void) {
    int code = sweep(1);
    if (code != MPI_SUCCESS) return code;
    return MPI_Finalize();
}

void mpi_shim_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

int mpi_shim_send(const uint8_t *bytes, size_t size, int rank) {
    if (size > INT_MAX) return MPI_ERR_COUNT;
    if (letter_count > 16) {
        int code = sweep(0);
        if (code != MPI_SUCCESS) return code;
    }
    if (letter_count == letter_room) {
        size_t room = letter_room ? 2 * letter_room : 64;
        struct letter *more = realloc(letters, room * sizeof *letters);
        if (!more) return MPI_ERR_NO_MEM;
        letters = more;
        letter_room = room;
    }
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return MPI_ERR_NO_MEM;
    if (size) memcpy(copy, bytes, size);
    int code = MPI_Isend(copy, (int)size, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &letters[letter_count].request);
    if (code != MPI_SUCCESS) {
        free(copy);
        return code;
    }
    letters[letter_count++].bytes = copy;
    return MPI_SUCCESS;
}

int mpi_shim_await(int rank, size_t *size) {
    MPI_Status status;
    int count = 0;
    int code = MPI_Probe(rank, 0, MPI_COMM_WORLD, &status);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Get_count(&status, MPI_BYTE, &count);
    *size = count > 0 ? (size_t)count : 0;
    return code;
}

int mpi_shim_receive(uint8_t *bytes, size_t size, int rank) {
    uint8_t none;
    return MPI_Recv(size ? bytes : &none, (int)size, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int mpi_shim_least(int64_t *numbers, int count) {
    if (count == 0) return MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
}

int mpi_shim_sum(uint64_t *numbers, int count) {
    if (count == 0) return MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void mpi_shim_end_with_parent(void) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

void mpi_shim_text(int code, char *text, size_t size) {
    char words[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, words, &length) != MPI_SUCCESS) length = 0;
    snprintf(text, size, "%.*s", length, words);
}

#endif

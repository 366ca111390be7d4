"""What the tests with processes of MPI have in common."""

import os
import subprocess


def mpirun(count, program, *arguments, **how):
    """Starts so many processes, which `mpirun` joins."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    # Processes that wait for each other leave the processor to others: there are more of them than processors.
    command = ["mpirun", "--quiet", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(count)]
    return subprocess.Popen(
        [*command, program, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, **how,
    )  # fmt: skip

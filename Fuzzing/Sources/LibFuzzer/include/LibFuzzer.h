#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer, which is linked in, with its command line. LLVM, "libFuzzer", "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*testOneInput)(const uint8_t *data, size_t size));

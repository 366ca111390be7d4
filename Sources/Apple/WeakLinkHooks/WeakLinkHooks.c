#include "WeakLinkHooks.h"

#include <stddef.h>

// Weak: the linked modules decide whether there is such a function.
extern void bluethroat_provide_process_default(void) __attribute__((weak));
extern void bluethroat_provide_persistent_bonds(void) __attribute__((weak));

void bluethroat_ask_for_process_default(void) {
    if (bluethroat_provide_process_default != NULL) bluethroat_provide_process_default();
}

void bluethroat_ask_for_persistent_bonds(void) {
    if (bluethroat_provide_persistent_bonds != NULL) bluethroat_provide_persistent_bonds();
}

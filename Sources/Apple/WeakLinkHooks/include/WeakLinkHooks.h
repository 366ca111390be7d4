// What a program may have been linked with or not: each function asks such a part to introduce itself, and does nothing
// in a program that has none.

#ifndef BLUETHROAT_WEAK_LINK_HOOKS_H
#define BLUETHROAT_WEAK_LINK_HOOKS_H

/// Asks for the Bluetooth of a process that has said nothing about it: `LivePhones` has one.
void bluethroat_ask_for_process_default(void);

/// Asks for a place where bonds survive the process: `PersistentBonds` has one.
void bluethroat_ask_for_persistent_bonds(void);

#endif

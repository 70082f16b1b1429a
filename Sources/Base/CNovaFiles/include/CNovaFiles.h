// System functions that Swift cannot call directly.

#ifndef NOVA_FILES_H
#define NOVA_FILES_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Atomically exchanges two names in a file system. Returns 0, or -1 with `errno`, which is ENOTSUP if the system
/// cannot do it.
int nova_exchange(const char *one, const char *other);

/// Makes the system start to write a part of a file to the disk, without waiting. Does nothing if the system cannot do
/// it.
void nova_start_writeback(int descriptor, int64_t offset, int64_t count);

#pragma clang assume_nonnull end

#endif

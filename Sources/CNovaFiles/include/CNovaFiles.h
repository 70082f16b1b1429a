// What Swift cannot reach by itself.

#ifndef NOVA_FILES_H
#define NOVA_FILES_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Lets two names in file systems change places at once. Returns 0, or -1 with `errno` set, ENOTSUP where the system cannot.
int nova_exchange(const char *one, const char *other);

/// Lets the system begin to bring a part of a file to the disk, without waiting. Does nothing where the system cannot.
void nova_start_writeback(int descriptor, int64_t offset, int64_t count);

#pragma clang assume_nonnull end

#endif

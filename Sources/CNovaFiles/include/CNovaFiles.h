// What Swift cannot reach by itself.

#ifndef NOVA_FILES_H
#define NOVA_FILES_H

#pragma clang assume_nonnull begin

/// Lets two names in file systems change places at once. Returns 0, or -1 with `errno` set, ENOTSUP where the system cannot.
int nova_exchange(const char *one, const char *other);

#pragma clang assume_nonnull end

#endif

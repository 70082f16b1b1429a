#define _GNU_SOURCE

#include "CNovaFiles.h"

#include <errno.h>
#include <stdio.h>

#ifdef __linux__

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int nova_exchange(const char *one, const char *other) {
  // By number, because older C libraries have no function for it. 2 is RENAME_EXCHANGE.
  int result = (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2u);
  if (result != 0 && (errno == ENOSYS || errno == EINVAL)) errno = ENOTSUP;
  return result;
}

#else

#include <sys/stdio.h>

int nova_exchange(const char *one, const char *other) { return renamex_np(one, other, RENAME_SWAP); }

#endif

#define _GNU_SOURCE

#include "CNovaFiles.h"

#ifdef __linux__

#include <fcntl.h>

void nova_start_writeback(int descriptor, int64_t offset, int64_t count) {
  sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

#else

void nova_start_writeback(int descriptor, int64_t offset, int64_t count) {}

#endif

#include "CNovaProgram.h"

#include <errno.h>
#include <fcntl.h>

static bool output_was_missing = false;

// Opens the standard descriptors that were closed when the program started. Otherwise, the next file or socket gets
// such a number, and receives the program's output. When `main` starts, libraries have already opened some files.
__attribute__((constructor)) static void open_missing_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The system assigns the lowest free number.
    if (open("/dev/null", O_RDWR) != descriptor) continue;
    if (descriptor == 1) output_was_missing = true;
  }
}

bool nova_output_was_missing(void) { return output_was_missing; }

#include "CNovaProgram.h"

// Any header of the C library defines __GLIBC__, if it is glibc.
#include <stdlib.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
const char *nova_glibc_version(void) { return gnu_get_libc_version(); }
#else
const char *nova_glibc_version(void) { return NULL; }
#endif

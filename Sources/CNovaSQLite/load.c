// Finds SQLite at run time.

#include "load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct nova_sqlite_functions nova_sqlite;

static char problem[512];

#define RESOLVE(name, result, parameters)                                                            \
  if (!(nova_sqlite.name = (__typeof__(nova_sqlite.name))dlsym(library, #name))) {                   \
    snprintf(problem, sizeof problem,                                                                \
             "SQLite is too old: it has no " #name " (3.12 or later is needed)");                    \
    return;                                                                                          \
  }

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("/usr/lib/libsqlite3.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) {
    snprintf(problem, sizeof problem,
             "SQLite could not be loaded; install it (Debian, Ubuntu: apt-get install libsqlite3-0; Fedora, RHEL: "
             "dnf install sqlite-libs; Alpine: apk add sqlite-libs)");
    return;
  }
  NOVA_SQLITE_FUNCTIONS(RESOLVE)
}

const char *nova_sqlite_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

// Finds libpq at run time.

#include "load.h"

#include <CNovaLoader.h>

struct nova_pg_functions nova_pg;

#define SYMBOL(name, result, parameters) {#name, &nova_pg.name},

static const nova_symbol symbols[] = {NOVA_PG_FUNCTIONS(SYMBOL, , , , , ){NULL, NULL}};

static const char *const file_names[] = {
#ifdef __APPLE__
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
    NULL};

const char *nova_postgresql_load(void) {
  static nova_library library = {
      .title = "libpq, PostgreSQL's client library,",
      .oldest_version = "10",
      .installation = "Debian, Ubuntu: apt-get install libpq5; Fedora, RHEL: dnf install libpq; Alpine: apk add libpq; "
                      "macOS: brew install libpq",
      .file_names = file_names,
      .symbols = symbols,
      NOVA_LIBRARY_STATE};
  return nova_library_load(&library);
}

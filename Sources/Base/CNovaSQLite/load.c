// Finds SQLite at run time.

#include "load.h"

#include <CNovaLoader.h>

struct nova_sqlite_functions nova_sqlite;

#define SYMBOL(name, result, parameters) {#name, &nova_sqlite.name},

static const nova_symbol symbols[] = {NOVA_SQLITE_FUNCTIONS(SYMBOL){NULL, NULL}};

static const char *const file_names[] = {
#ifdef __APPLE__
    "/usr/lib/libsqlite3.dylib",
#else
    "libsqlite3.so.0",
#endif
    NULL};

const char *nova_sqlite_version(void) { return nova_sqlite.sqlite3_libversion(); }

const char *nova_sqlite_load(void) {
  static nova_library library = {
      .title = "SQLite",
      .oldest_version = "3.12",
      .installation = "Debian, Ubuntu: apt-get install libsqlite3-0; Fedora, RHEL: dnf install sqlite-libs; Alpine: apk "
                      "add sqlite-libs",
      .file_names = file_names,
      .symbols = symbols,
      NOVA_LIBRARY_STATE};
  return nova_library_load(&library);
}

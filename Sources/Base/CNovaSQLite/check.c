// Checks the types of load.h against SQLite's own header, if it is installed (as in CI).

#include "load.h"

#if __has_include(<sqlite3.h>)

#include <sqlite3.h>

#define CHECK(name, result, parameters)                                                                       \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&name), __typeof__(nova_sqlite.name)), #name);

NOVA_SQLITE_FUNCTIONS(CHECK)

// The constants that database.c writes as numbers.
_Static_assert(SQLITE_OPEN_READWRITE == 2 && SQLITE_OPEN_CREATE == 4 && SQLITE_OPEN_NOMUTEX == 0x8000, "SQLITE_OPEN");
_Static_assert(SQLITE_OK == NOVA_SQLITE_OK && SQLITE_DONE == NOVA_SQLITE_DONE && SQLITE_TOOBIG == 18, "SQLITE");

// The constants that CNovaSQLite.h declares for Swift.
#define SAME(name) _Static_assert(SQLITE_##name == NOVA_SQLITE_##name, #name);
SAME(BUSY) SAME(NOMEM) SAME(READONLY) SAME(IOERR) SAME(CORRUPT) SAME(FULL) SAME(CANTOPEN) SAME(PROTOCOL)
SAME(CONSTRAINT) SAME(MISUSE) SAME(NOTADB) SAME(ROW) SAME(NULL)

#endif

#include "load.h"

#include <limits.h>

// The numbers of <sqlite3.h>; check.c checks them.
enum { OPEN_READWRITE = 2, OPEN_CREATE = 4, OPEN_NOMUTEX = 0x8000, TOO_BIG = 18 };

// SQLITE_TRANSIENT: SQLite keeps a copy.
#define COPIED ((void (*)(void *))(intptr_t)-1)

int nova_sqlite_open(const char *path, void **database) {
  struct sqlite3 *opened = NULL;
  int code = nova_sqlite.sqlite3_open_v2(path, &opened, OPEN_READWRITE | OPEN_CREATE | OPEN_NOMUTEX, NULL);
  *database = opened;
  return code;
}

int nova_sqlite_close(void *database) { return nova_sqlite.sqlite3_close_v2(database); }

const char *nova_sqlite_message(void *database) { return nova_sqlite.sqlite3_errmsg(database); }

int nova_sqlite_system_error(void *database) { return nova_sqlite.sqlite3_system_errno(database); }

int nova_sqlite_execute(void *database, const char *sql) {
  return nova_sqlite.sqlite3_exec(database, sql, NULL, NULL, NULL);
}

int nova_sqlite_prepare(void *database, const char *sql, void **statement) {
  struct sqlite3_stmt *prepared = NULL;
  int code = nova_sqlite.sqlite3_prepare_v2(database, sql, -1, &prepared, NULL);
  *statement = prepared;
  return code;
}

void nova_sqlite_finalize(void *statement) { nova_sqlite.sqlite3_finalize(statement); }

int nova_sqlite_bind_null(void *statement, int parameter) { return nova_sqlite.sqlite3_bind_null(statement, parameter); }

int nova_sqlite_bind_integer(void *statement, int parameter, int64_t value) {
  return nova_sqlite.sqlite3_bind_int64(statement, parameter, value);
}

int nova_sqlite_bind_double(void *statement, int parameter, double value) {
  return nova_sqlite.sqlite3_bind_double(statement, parameter, value);
}

int nova_sqlite_bind_text(void *statement, int parameter, const char *text, size_t count) {
  if (count > INT_MAX) return TOO_BIG;
  // NULL would be SQL's NULL rather than an empty text.
  return nova_sqlite.sqlite3_bind_text(statement, parameter, text ? text : "", (int)count, COPIED);
}

int nova_sqlite_run(void *statement) {
  int code = nova_sqlite.sqlite3_step(statement);
  int again = nova_sqlite.sqlite3_reset(statement);
  return again != NOVA_SQLITE_OK ? again : code;
}

#include "load.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

// The constants of <sqlite3.h>; check.c compares them.
enum { OPEN_READWRITE = 2, OPEN_CREATE = 4, OPEN_NOMUTEX = 0x8000, TOO_BIG = 18 };

// SQLITE_TRANSIENT: SQLite keeps a copy.
#define COPIED ((void (*)(void *))(intptr_t)-1)

int nova_sqlite_open(const char *path, void **database) {
  struct sqlite3 *opened = NULL;
  errno = 0;
  int code = nova_sqlite.sqlite3_open_v2(path, &opened, OPEN_READWRITE | OPEN_CREATE | OPEN_NOMUTEX, NULL);
  *database = opened;
  if (opened) nova_sqlite.sqlite3_extended_result_codes(opened, 1);
  return code;
}

int nova_sqlite_close(void *database) {
  struct sqlite3_stmt *statement;
  while (database && (statement = nova_sqlite.sqlite3_next_stmt(database, NULL))) {
    nova_sqlite.sqlite3_finalize(statement);
  }
  return nova_sqlite.sqlite3_close_v2(database);
}

const char *nova_sqlite_message(void *database) { return nova_sqlite.sqlite3_errmsg(database); }

int nova_sqlite_system_error(void *database) {
  // SQLite does not keep the error number of a COMMIT that fails, but keeps older ones. So calls that use files start
  // with 0.
  return errno ? errno : nova_sqlite.sqlite3_system_errno(database);
}

int nova_sqlite_set_busy_timeout(void *database, int milliseconds) {
  return nova_sqlite.sqlite3_busy_timeout(database, milliseconds);
}

int nova_sqlite_is_autocommit(void *database) { return nova_sqlite.sqlite3_get_autocommit(database); }

int nova_sqlite_changes(void *database) { return nova_sqlite.sqlite3_changes(database); }

int nova_sqlite_has_active_statements(void *database) {
  struct sqlite3_stmt *statement = NULL;
  while ((statement = nova_sqlite.sqlite3_next_stmt(database, statement))) {
    if (nova_sqlite.sqlite3_stmt_busy(statement)) return 1;
  }
  return 0;
}

void nova_sqlite_reset_all(void *database) {
  struct sqlite3_stmt *statement = NULL;
  while ((statement = nova_sqlite.sqlite3_next_stmt(database, statement))) {
    if (nova_sqlite.sqlite3_stmt_busy(statement)) nova_sqlite.sqlite3_reset(statement);
  }
}

int nova_sqlite_execute(void *database, const char *sql) {
  errno = 0;
  return nova_sqlite.sqlite3_exec(database, sql, NULL, NULL, NULL);
}

int nova_sqlite_prepare(void *database, const char *sql, void **statement) {
  struct sqlite3_stmt *prepared = NULL;
  const char *rest = NULL;
  errno = 0;
  int code = nova_sqlite.sqlite3_prepare_v2(database, sql, -1, &prepared, &rest);
  *statement = NULL;
  if (code != NOVA_SQLITE_OK) return code;
  while (*rest && strchr("; \t\r\n", *rest)) rest++;
  if (!prepared || *rest) {
    nova_sqlite.sqlite3_finalize(prepared);
    return NOVA_SQLITE_MISUSE;
  }
  *statement = prepared;
  return code;
}

void nova_sqlite_finalize(void *statement) { nova_sqlite.sqlite3_finalize(statement); }

int nova_sqlite_parameter_count(void *statement) { return nova_sqlite.sqlite3_bind_parameter_count(statement); }

int nova_sqlite_bind_null(void *statement, int parameter) { return nova_sqlite.sqlite3_bind_null(statement, parameter); }

int nova_sqlite_bind_integer(void *statement, int parameter, int64_t value) {
  return nova_sqlite.sqlite3_bind_int64(statement, parameter, value);
}

int nova_sqlite_bind_double(void *statement, int parameter, double value) {
  return nova_sqlite.sqlite3_bind_double(statement, parameter, value);
}

int nova_sqlite_bind_text(void *statement, int parameter, const char *text, size_t count) {
  if (count > INT_MAX) return TOO_BIG;
  // NULL would become SQL's NULL instead of an empty text.
  return nova_sqlite.sqlite3_bind_text(statement, parameter, text ? text : "", (int)count, COPIED);
}

int nova_sqlite_bind_blob(void *statement, int parameter, const void *bytes, size_t count) {
  if (count > INT_MAX) return TOO_BIG;
  // NULL would become SQL's NULL instead of an empty blob.
  return nova_sqlite.sqlite3_bind_blob(statement, parameter, bytes ? bytes : "", (int)count, COPIED);
}

void nova_sqlite_clear_bindings(void *statement) { nova_sqlite.sqlite3_clear_bindings(statement); }

int nova_sqlite_step(void *statement) {
  errno = 0;
  return nova_sqlite.sqlite3_step(statement);
}

int nova_sqlite_reset(void *statement) { return nova_sqlite.sqlite3_reset(statement); }

int nova_sqlite_run(void *statement) {
  int code;
  errno = 0;
  do {
    code = nova_sqlite.sqlite3_step(statement);
  } while (code == NOVA_SQLITE_ROW);
  int again = nova_sqlite.sqlite3_reset(statement);
  return again != NOVA_SQLITE_OK ? again : code;
}

int nova_sqlite_column_type(void *statement, int column) { return nova_sqlite.sqlite3_column_type(statement, column); }

int64_t nova_sqlite_column_integer(void *statement, int column) {
  return nova_sqlite.sqlite3_column_int64(statement, column);
}

double nova_sqlite_column_double(void *statement, int column) {
  return nova_sqlite.sqlite3_column_double(statement, column);
}

const char *nova_sqlite_column_text(void *statement, int column, size_t *count) {
  // The text first: it may convert the value, and the count is that of the converted one.
  const unsigned char *text = nova_sqlite.sqlite3_column_text(statement, column);
  *count = (size_t)nova_sqlite.sqlite3_column_bytes(statement, column);
  return (const char *)text;
}

const void *nova_sqlite_column_blob(void *statement, int column, size_t *count) {
  const void *bytes = nova_sqlite.sqlite3_column_blob(statement, column);
  *count = (size_t)nova_sqlite.sqlite3_column_bytes(statement, column);
  return bytes;
}

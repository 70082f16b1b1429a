// The functions of SQLite for Swift. Most programs don't need it, so all calls use function pointers that
// nova_sqlite_load() resolves. Call nothing else before that has returned NULL.

#ifndef NOVA_SQLITE_H
#define NOVA_SQLITE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads SQLite once. Returns NULL if it is ready, or a sentence that names what is missing.
const char *_Nullable nova_sqlite_load(void);

/// The version of SQLite: "3.45.1".
const char *nova_sqlite_version(void);

/// The constants of <sqlite3.h> that the functions below return. The low eight bits of a result are one of these; the
/// other bits give details.
enum {
  NOVA_SQLITE_OK = 0,
  NOVA_SQLITE_BUSY = 5,
  NOVA_SQLITE_NOMEM = 7,
  NOVA_SQLITE_READONLY = 8,
  NOVA_SQLITE_IOERR = 10,
  NOVA_SQLITE_CORRUPT = 11,
  NOVA_SQLITE_FULL = 13,
  NOVA_SQLITE_CANTOPEN = 14,
  NOVA_SQLITE_PROTOCOL = 15,
  NOVA_SQLITE_CONSTRAINT = 19,
  NOVA_SQLITE_MISUSE = 21,
  NOVA_SQLITE_NOTADB = 26,
  NOVA_SQLITE_ROW = 100,
  NOVA_SQLITE_DONE = 101,
  /// The type of a column without a value.
  NOVA_SQLITE_NULL = 5,
};

/// Opens or creates a database, for one thread at a time. `*database` must be closed, even after a failure.
int nova_sqlite_open(const char *path, void *_Nullable *_Nonnull database);
/// Finalizes all statements of a database, whose pointers become invalid, and closes it.
int nova_sqlite_close(void *_Nullable database);
/// The reason why the last call failed, as SQLite's message; valid until the next call.
const char *nova_sqlite_message(void *_Nullable database);
/// The `errno` of the last call, right after NOVA_SQLITE_IOERR or NOVA_SQLITE_CANTOPEN; 0 if there is none.
int nova_sqlite_system_error(void *database);
/// How long to wait for locks of other connections.
int nova_sqlite_set_busy_timeout(void *database, int milliseconds);
/// Whether no transaction is running: none began, or SQLite rolled it back.
int nova_sqlite_is_autocommit(void *database);
/// The number of rows that the last INSERT, UPDATE, or DELETE changed.
int nova_sqlite_changes(void *database);
/// Whether a statement of the database is between two rows, which keeps its read transaction open.
int nova_sqlite_has_active_statements(void *database);
/// Resets all statements that are between two rows.
void nova_sqlite_reset_all(void *database);

/// Runs statements without parameters.
int nova_sqlite_execute(void *database, const char *sql);

/// Prepares the single statement in `sql`. Returns NOVA_SQLITE_MISUSE if there is none, or more than one.
int nova_sqlite_prepare(void *database, const char *sql, void *_Nullable *_Nonnull statement);
void nova_sqlite_finalize(void *_Nullable statement);
int nova_sqlite_parameter_count(void *statement);
/// Parameters are counted from 1. Bytes are copied.
int nova_sqlite_bind_null(void *statement, int parameter);
int nova_sqlite_bind_integer(void *statement, int parameter, int64_t value);
int nova_sqlite_bind_double(void *statement, int parameter, double value);
int nova_sqlite_bind_text(void *statement, int parameter, const char *_Nullable text, size_t count);
int nova_sqlite_bind_blob(void *statement, int parameter, const void *_Nullable bytes, size_t count);
void nova_sqlite_clear_bindings(void *statement);
/// NOVA_SQLITE_ROW: there is a row. NOVA_SQLITE_DONE: there are no more.
int nova_sqlite_step(void *statement);
/// Ends the statement and makes it ready to run again. Returns the reason why its last step failed.
int nova_sqlite_reset(void *statement);
/// Runs a statement to its end, ignoring rows, and makes it ready to run again. Returns NOVA_SQLITE_DONE on success.
int nova_sqlite_run(void *statement);

/// The values of the current row. Columns are counted from 0; one that does not exist is NULL. Texts and blobs are
/// valid until the next call for the statement, and NULL if they have no bytes.
int nova_sqlite_column_type(void *statement, int column);
int64_t nova_sqlite_column_integer(void *statement, int column);
double nova_sqlite_column_double(void *statement, int column);
const char *_Nullable nova_sqlite_column_text(void *statement, int column, size_t *count);
const void *_Nullable nova_sqlite_column_blob(void *statement, int column, size_t *count);

#pragma clang assume_nonnull end

#endif

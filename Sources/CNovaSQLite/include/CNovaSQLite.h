// What Swift needs from SQLite to write a database. Most programs need none of it, so everything goes through function
// pointers that nova_sqlite_load() resolves. Call nothing else before that has returned NULL.

#ifndef NOVA_SQLITE_H
#define NOVA_SQLITE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads SQLite once. Returns NULL when it is ready, or a sentence that names what is missing.
const char *_Nullable nova_sqlite_load(void);

/// The numbers of <sqlite3.h> that the functions below return.
enum { NOVA_SQLITE_OK = 0, NOVA_SQLITE_DONE = 101 };

/// Creates or opens a database for writing, from one thread at a time. `*database` must be closed whatever is returned.
int nova_sqlite_open(const char *path, void *_Nullable *_Nonnull database);
int nova_sqlite_close(void *_Nullable database);
/// Why the last call failed, as SQLite's message; valid until the next call.
const char *nova_sqlite_message(void *_Nullable database);
/// The `errno` of that failure; 0 if it has none.
int nova_sqlite_system_error(void *database);

/// Runs statements that have no parameters.
int nova_sqlite_execute(void *database, const char *sql);

int nova_sqlite_prepare(void *database, const char *sql, void *_Nullable *_Nonnull statement);
void nova_sqlite_finalize(void *_Nullable statement);
/// Parameters are counted from 1. Bytes are copied.
int nova_sqlite_bind_null(void *statement, int parameter);
int nova_sqlite_bind_integer(void *statement, int parameter, int64_t value);
int nova_sqlite_bind_double(void *statement, int parameter, double value);
int nova_sqlite_bind_text(void *statement, int parameter, const char *_Nullable text, size_t count);
/// Runs a statement that gives no rows, and makes it ready to run again. NOVA_SQLITE_DONE for success.
int nova_sqlite_run(void *statement);

#pragma clang assume_nonnull end

#endif

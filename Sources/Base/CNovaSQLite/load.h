// The functions of SQLite that we call, as pointers that are NULL until nova_sqlite_load() has run.
//
// Their types are declared here instead of including <sqlite3.h>, so that building requires no SQLite headers. SQLite
// never changes them; check.c compares them if the header is installed.

#ifndef NOVA_SQLITE_LOAD_H
#define NOVA_SQLITE_LOAD_H

#include "CNovaSQLite.h"

struct sqlite3;
struct sqlite3_stmt;

#define NOVA_SQLITE_FUNCTIONS(DO)                                                                                     \
  DO(sqlite3_libversion, const char *, (void))                                                                        \
  DO(sqlite3_open_v2, int, (const char *, struct sqlite3 **, int, const char *))                                      \
  DO(sqlite3_close_v2, int, (struct sqlite3 *))                                                                       \
  DO(sqlite3_errmsg, const char *, (struct sqlite3 *))                                                                \
  DO(sqlite3_system_errno, int, (struct sqlite3 *))                                                                   \
  DO(sqlite3_extended_result_codes, int, (struct sqlite3 *, int))                                                     \
  DO(sqlite3_busy_timeout, int, (struct sqlite3 *, int))                                                              \
  DO(sqlite3_get_autocommit, int, (struct sqlite3 *))                                                                 \
  DO(sqlite3_changes, int, (struct sqlite3 *))                                                                        \
  DO(sqlite3_next_stmt, struct sqlite3_stmt *, (struct sqlite3 *, struct sqlite3_stmt *))                             \
  DO(sqlite3_stmt_busy, int, (struct sqlite3_stmt *))                                                                 \
  DO(sqlite3_exec, int, (struct sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **))    \
  DO(sqlite3_prepare_v2, int, (struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **))           \
  DO(sqlite3_finalize, int, (struct sqlite3_stmt *))                                                                  \
  DO(sqlite3_bind_null, int, (struct sqlite3_stmt *, int))                                                            \
  DO(sqlite3_bind_int64, int, (struct sqlite3_stmt *, int, long long))                                                \
  DO(sqlite3_bind_double, int, (struct sqlite3_stmt *, int, double))                                                  \
  DO(sqlite3_bind_text, int, (struct sqlite3_stmt *, int, const char *, int, void (*)(void *)))                       \
  DO(sqlite3_bind_blob, int, (struct sqlite3_stmt *, int, const void *, int, void (*)(void *)))                       \
  DO(sqlite3_bind_parameter_count, int, (struct sqlite3_stmt *))                                                      \
  DO(sqlite3_clear_bindings, int, (struct sqlite3_stmt *))                                                            \
  DO(sqlite3_column_type, int, (struct sqlite3_stmt *, int))                                                          \
  DO(sqlite3_column_int64, long long, (struct sqlite3_stmt *, int))                                                   \
  DO(sqlite3_column_double, double, (struct sqlite3_stmt *, int))                                                     \
  DO(sqlite3_column_text, const unsigned char *, (struct sqlite3_stmt *, int))                                        \
  DO(sqlite3_column_blob, const void *, (struct sqlite3_stmt *, int))                                                 \
  DO(sqlite3_column_bytes, int, (struct sqlite3_stmt *, int))                                                         \
  DO(sqlite3_step, int, (struct sqlite3_stmt *))                                                                      \
  DO(sqlite3_reset, int, (struct sqlite3_stmt *))

#define NOVA_SQLITE_DECLARE(name, result, parameters) result (*name) parameters;

struct nova_sqlite_functions {
  NOVA_SQLITE_FUNCTIONS(NOVA_SQLITE_DECLARE)
};

extern struct nova_sqlite_functions nova_sqlite;

#endif

// The functions of libpq for Swift. Most programs don't need it, so all calls use function pointers that
// nova_postgresql_load() resolves. Call nothing else before that has returned NULL.

#ifndef NOVA_POSTGRESQL_H
#define NOVA_POSTGRESQL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads libpq once. Returns NULL if it is ready, or a sentence that names what is missing.
const char *_Nullable nova_postgresql_load(void);

/// The version of libpq: 150014 for 15.14.
int nova_postgresql_version(void);

/// Constants of <libpq-fe.h>.
enum {
  NOVA_PG_STATUS_OK = 0,
  NOVA_PG_EMPTY_QUERY = 0,
  NOVA_PG_COMMAND_OK = 1,
  NOVA_PG_TUPLES_OK = 2,
  NOVA_PG_COPY_OUT = 3,
  NOVA_PG_COPY_IN = 4,
  NOVA_PG_COPY_BOTH = 8,
  NOVA_PG_TRANSACTION_IDLE = 0,
  NOVA_PG_TRANSACTION_OPEN = 2,
  NOVA_PG_TRANSACTION_FAILED = 3,
};

/// Checks a connection string, and calls `body` for each option that it sets. Returns 0 if it is invalid.
int nova_pg_parse(const char *text, void *_Nullable context,
                  void (*body)(void *_Nullable context, const char *keyword, const char *value));

/// Connects, and waits until that has succeeded or failed. The lists end with NULL. Returns NULL without memory. Sets
/// `is_ended`, which must live as long as the connection, to 1 when the server announces that it ends the connection.
void *_Nullable nova_pg_connect(const char *_Nullable const *_Nonnull keywords,
                                const char *_Nullable const *_Nonnull values, int *is_ended);
void nova_pg_close(void *connection);
/// NOVA_PG_STATUS_OK while the connection is usable.
int nova_pg_status(void *connection);
int nova_pg_transaction_status(void *connection);
int nova_pg_socket(void *connection);
/// The last error of the connection, with line breaks.
const char *nova_pg_message(void *connection);
/// The password that was used.
const char *_Nullable nova_pg_password(void *connection);
int nova_pg_backend_pid(void *connection);
/// 1 if the connection is encrypted.
int nova_pg_uses_tls(void *connection);
/// Makes calls return instead of waiting for the network. Returns 0, or -1.
int nova_pg_set_nonblocking(void *connection);

/// Begins to send a statement. Returns 1, or 0 after a failure.
int nova_pg_send(void *connection, const char *sql, int count, const uint32_t *_Nullable types,
                 const char *_Nullable const *_Nullable values, const int *_Nullable lengths,
                 const int *_Nullable formats);
/// 0 if all is sent, 1 if not yet, -1 after a failure.
int nova_pg_flush(void *connection);
/// Reads what has arrived. Returns 1, or 0 if the connection is lost.
int nova_pg_consume(void *connection);
int nova_pg_is_busy(void *connection);
/// The next result of the statement; NULL at its end.
void *_Nullable nova_pg_result(void *connection);
/// Takes a notification: calls `body` and returns 1, or returns 0 if there is none.
int nova_pg_take_notification(void *connection, void *_Nullable context,
                              void (*body)(void *_Nullable context, const char *channel, const char *payload));
/// Asks the server to cancel the running statement, over a connection of its own, from another thread. Returns at once.
void nova_pg_cancel(void *connection);

int nova_pg_result_status(void *result);
/// A field of an error, by the letter of PostgreSQL's protocol; NULL if there is none.
const char *_Nullable nova_pg_error_field(void *result, int field);
const char *nova_pg_result_message(void *result);
int nova_pg_row_count(void *result);
int nova_pg_column_count(void *result);
const char *nova_pg_column_name(void *result, int column);
uint32_t nova_pg_column_type(void *result, int column);
/// A value, NULL for SQL's NULL.
const char *_Nullable nova_pg_value(void *result, int row, int column, int *length);
/// The statement's kind: `ROLLBACK`, `INSERT 0 1`.
const char *nova_pg_command(void *result);
/// The number of affected rows, as text; empty if the statement has none.
const char *nova_pg_affected(void *result);
void nova_pg_clear(void *result);

/// Runs `body` on a new thread. Returns 0, or an errno.
int nova_pg_start_thread(void (*body)(void *), void *context);

#pragma clang assume_nonnull end

#endif

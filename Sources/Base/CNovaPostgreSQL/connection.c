#define _GNU_SOURCE  // pthread_setname_np
#include "load.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int nova_pg_parse(const char *text, void *context, void (*body)(void *, const char *, const char *)) {
  // Not the message: it quotes the text, and so parts of passwords.
  struct nova_pg_option *options = nova_pg.PQconninfoParse(text, NULL);
  if (!options) return 0;
  for (struct nova_pg_option *option = options; option->keyword; option++) {
    if (option->val) body(context, option->keyword, option->val);
  }
  nova_pg.PQconninfoFree(options);
  return 1;
}

// By default, libpq prints the server's notices to the standard error. One that comes between two statements can be the
// error with which the server ends the connection.
static void receive_notice(void *is_ended, const struct pg_result *notice) {
  const char *severity = nova_pg.PQresultErrorField(notice, 'V');
  if (severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0)) *(int *)is_ended = 1;
}

void *nova_pg_connect(const char *const *keywords, const char *const *values, int *is_ended) {
  struct pg_conn *connection = nova_pg.PQconnectdbParams(keywords, values, 0);
  if (connection) nova_pg.PQsetNoticeReceiver(connection, receive_notice, is_ended);
  return connection;
}

void nova_pg_close(void *connection) { nova_pg.PQfinish(connection); }
int nova_pg_status(void *connection) { return (int)nova_pg.PQstatus(connection); }
int nova_pg_transaction_status(void *connection) { return (int)nova_pg.PQtransactionStatus(connection); }
int nova_pg_socket(void *connection) { return nova_pg.PQsocket(connection); }
const char *nova_pg_message(void *connection) { return nova_pg.PQerrorMessage(connection); }
const char *nova_pg_password(void *connection) { return nova_pg.PQpass(connection); }
int nova_postgresql_version(void) { return nova_pg.PQlibVersion(); }
int nova_pg_backend_pid(void *connection) { return nova_pg.PQbackendPID(connection); }
int nova_pg_uses_tls(void *connection) { return nova_pg.PQsslInUse(connection); }
int nova_pg_set_nonblocking(void *connection) { return nova_pg.PQsetnonblocking(connection, 1); }

int nova_pg_send(void *connection, const char *sql, int count, const uint32_t *types, const char *const *values,
                 const int *lengths, const int *formats) {
  return nova_pg.PQsendQueryParams(connection, sql, count, types, values, lengths, formats, 0);
}

int nova_pg_flush(void *connection) { return nova_pg.PQflush(connection); }
int nova_pg_consume(void *connection) { return nova_pg.PQconsumeInput(connection); }
int nova_pg_is_busy(void *connection) { return nova_pg.PQisBusy(connection); }
void *nova_pg_result(void *connection) { return nova_pg.PQgetResult(connection); }

int nova_pg_take_notification(void *connection, void *context, void (*body)(void *, const char *, const char *)) {
  struct nova_pg_notification *notification = nova_pg.PQnotifies(connection);
  if (!notification) return 0;
  body(context, notification->relname, notification->extra);
  nova_pg.PQfreemem(notification);
  return 1;
}

static void run_cancel(void *cancel) {
  char message[256];
  nova_pg.PQcancel(cancel, message, sizeof message);
  nova_pg.PQfreeCancel(cancel);
}

void nova_pg_cancel(void *connection) {
  // On a thread of its own: it waits for the server, and a stopped server answers never.
  struct pg_cancel *cancel = nova_pg.PQgetCancel(connection);
  if (cancel && nova_pg_start_thread(run_cancel, cancel) != 0) nova_pg.PQfreeCancel(cancel);
}

int nova_pg_result_status(void *result) { return (int)nova_pg.PQresultStatus(result); }
const char *nova_pg_error_field(void *result, int field) { return nova_pg.PQresultErrorField(result, field); }
const char *nova_pg_result_message(void *result) { return nova_pg.PQresultErrorMessage(result); }
int nova_pg_row_count(void *result) { return nova_pg.PQntuples(result); }
int nova_pg_column_count(void *result) { return nova_pg.PQnfields(result); }
const char *nova_pg_column_name(void *result, int column) { return nova_pg.PQfname(result, column); }
uint32_t nova_pg_column_type(void *result, int column) { return nova_pg.PQftype(result, column); }

const char *nova_pg_value(void *result, int row, int column, int *length) {
  *length = nova_pg.PQgetlength(result, row, column);
  return nova_pg.PQgetisnull(result, row, column) ? NULL : nova_pg.PQgetvalue(result, row, column);
}

const char *nova_pg_command(void *result) { return nova_pg.PQcmdStatus(result); }
const char *nova_pg_affected(void *result) { return nova_pg.PQcmdTuples(result); }
void nova_pg_clear(void *result) { nova_pg.PQclear(result); }

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
#ifdef __APPLE__
  pthread_setname_np("nova-postgresql");
#else
  pthread_setname_np(pthread_self(), "nova-postgresql");
#endif
  start.body(start.context);
  return NULL;
}

int nova_pg_start_thread(void (*body)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct start){body, context};
  // The program's signals are for its own threads. The new thread inherits this mask.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int status = pthread_create(&thread, NULL, run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (status != 0) {
    free(start);
    return status;
  }
  pthread_detach(thread);
  return 0;
}

// The functions of libpq that we call, as pointers that are NULL until nova_postgresql_load() has run.
//
// Their types are declared here instead of including <libpq-fe.h>, so that building requires no headers of PostgreSQL.
// libpq never changes them; check.c compares them if the header is installed.

#ifndef NOVA_POSTGRESQL_LOAD_H
#define NOVA_POSTGRESQL_LOAD_H

#include "CNovaPostgreSQL.h"

struct pg_conn;
struct pg_result;
struct pg_cancel;

/// PQconninfoOption.
struct nova_pg_option {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
};

/// PGnotify.
struct nova_pg_notification {
  char *relname;
  int be_pid;
  char *extra;
  struct nova_pg_notification *next;
};

// With types of libpq itself, as OPTION and NOTIFICATION, for check.c.
#define NOVA_PG_FUNCTIONS(DO, OPTION, NOTIFICATION, CONNECTION_STATUS, RESULT_STATUS, TRANSACTION_STATUS)              \
  DO(PQlibVersion, int, (void))                                                                                       \
  DO(PQconninfoParse, OPTION *, (const char *, char **))                                                              \
  DO(PQconninfoFree, void, (OPTION *))                                                                                \
  DO(PQconnectdbParams, struct pg_conn *, (const char *const *, const char *const *, int))                            \
  DO(PQfinish, void, (struct pg_conn *))                                                                              \
  DO(PQstatus, CONNECTION_STATUS, (const struct pg_conn *))                                                           \
  DO(PQtransactionStatus, TRANSACTION_STATUS, (const struct pg_conn *))                                               \
  DO(PQsocket, int, (const struct pg_conn *))                                                                         \
  DO(PQerrorMessage, char *, (const struct pg_conn *))                                                                \
  DO(PQpass, char *, (const struct pg_conn *))                                                                        \
  DO(PQbackendPID, int, (const struct pg_conn *))                                                                     \
  DO(PQsslInUse, int, (struct pg_conn *))                                                                             \
  DO(PQsetnonblocking, int, (struct pg_conn *, int))                                                                  \
  DO(PQsendQueryParams, int,                                                                                          \
     (struct pg_conn *, const char *, int, const unsigned *, const char *const *, const int *, const int *, int))     \
  DO(PQflush, int, (struct pg_conn *))                                                                                \
  DO(PQconsumeInput, int, (struct pg_conn *))                                                                         \
  DO(PQisBusy, int, (struct pg_conn *))                                                                               \
  DO(PQgetResult, struct pg_result *, (struct pg_conn *))                                                             \
  DO(PQnotifies, NOTIFICATION *, (struct pg_conn *))                                                                  \
  DO(PQfreemem, void, (void *))                                                                                       \
  DO(PQgetCancel, struct pg_cancel *, (struct pg_conn *))                                                             \
  DO(PQcancel, int, (struct pg_cancel *, char *, int))                                                                \
  DO(PQfreeCancel, void, (struct pg_cancel *))                                                                        \
  DO(PQresultStatus, RESULT_STATUS, (const struct pg_result *))                                                       \
  DO(PQresultErrorField, char *, (const struct pg_result *, int))                                                     \
  DO(PQresultErrorMessage, char *, (const struct pg_result *))                                                        \
  DO(PQntuples, int, (const struct pg_result *))                                                                      \
  DO(PQnfields, int, (const struct pg_result *))                                                                      \
  DO(PQfname, char *, (const struct pg_result *, int))                                                                \
  DO(PQftype, unsigned, (const struct pg_result *, int))                                                              \
  DO(PQgetvalue, char *, (const struct pg_result *, int, int))                                                        \
  DO(PQgetlength, int, (const struct pg_result *, int, int))                                                          \
  DO(PQgetisnull, int, (const struct pg_result *, int, int))                                                          \
  DO(PQcmdStatus, char *, (struct pg_result *))                                                                       \
  DO(PQcmdTuples, char *, (struct pg_result *))                                                                       \
  DO(PQclear, void, (struct pg_result *))                                                                             \
  DO(PQsetNoticeReceiver, nova_pg_notice *, (struct pg_conn *, nova_pg_notice *, void *))

typedef void nova_pg_notice(void *, const struct pg_result *);

#define NOVA_PG_DECLARE(name, result, parameters) result(*name) parameters;

struct nova_pg_functions {
  // The statuses are enumerations without negative values, which compilers store as unsigned numbers.
  NOVA_PG_FUNCTIONS(NOVA_PG_DECLARE, struct nova_pg_option, struct nova_pg_notification, unsigned, unsigned, unsigned)
};

extern struct nova_pg_functions nova_pg;

#endif

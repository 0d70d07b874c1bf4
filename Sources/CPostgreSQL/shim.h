#include <libpq-fe.h>

// The fields of an error: the header has their codes as macros of characters, which aren't imported.
enum {
    village_pg_sqlstate = PG_DIAG_SQLSTATE,
    village_pg_message = PG_DIAG_MESSAGE_PRIMARY,
    village_pg_detail = PG_DIAG_MESSAGE_DETAIL,
    village_pg_table = PG_DIAG_TABLE_NAME,
    village_pg_column = PG_DIAG_COLUMN_NAME,
    village_pg_constraint = PG_DIAG_CONSTRAINT_NAME
};

static inline void village_pg_ignore(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}

// A server's notices would go to the standard error.
static inline void village_pg_silence(PGconn *connection) {
    PQsetNoticeReceiver(connection, village_pg_ignore, NULL);
}

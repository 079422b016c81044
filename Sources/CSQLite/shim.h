// SQLite's macros as functions, which Swift can call (sqlite.org/c3ref/c_static.html).
#pragma once
#include <sqlite3.h>
#include <stddef.h>

/// Binds a copy of the text.
static inline int jb_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a copy of the bytes; none are an empty blob, not NULL.
static inline int jb_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// The shape of a function of SQL.
typedef void (*jb_sql_function)(sqlite3_context *context, int count, sqlite3_value **values);

/// Makes a function of one text that always gives the same for the same.
static inline int jb_add_function(sqlite3 *database, const char *name, jb_sql_function body) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    return sqlite3_create_function_v2(database, name, 1, flags, NULL, body, NULL, NULL, NULL);
}

/// Gives a copy of the text as a function's result.
static inline void jb_result_text(sqlite3_context *context, const char *bytes, int count) {
    sqlite3_result_text(context, bytes, count, SQLITE_TRANSIENT);
}

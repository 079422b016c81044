// SQLite's macros as functions, which Swift can call (sqlite.org/c3ref/c_static.html).
#pragma once
#include <sqlite3.h>

/// Binds a copy of the text.
static inline int jb_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a copy of the bytes; none are an empty blob, not NULL.
static inline int jb_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

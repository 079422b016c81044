// inih, with its settings chosen once: they are global variables, which Swift 6 does not let us touch.
#pragma once
#include <ini.h>
#include <stddef.h>

/// Parses with lines of up to 8 KiB, no continuation lines, and `;` after a blank as a comment where wanted.
/// The reader is called once a line. Returns 0, the number of the first bad line, or -2 without memory.
static inline int jb_ini_parse(ini_reader reader, void *stream, ini_handler handler, void *user,
                               int inline_comments) {
    ini_max_line = 8192;
    ini_use_stack = 0;
    ini_allow_multiline = 0;
    ini_stop_on_first_error = 1;
    ini_allow_inline_comments = inline_comments != 0;
    return ini_parse_stream(reader, stream, handler, user);
}

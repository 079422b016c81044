// ncurses with wide characters, https://invisible-island.net/ncurses/ : a terminal as a grid of cells.
#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// Of term.h, whose macros take every other short name.
extern int setupterm(const char *term, int fd, int *error);

/// How a text stands out; what the terminal cannot show is shown by what it can.
enum jb_style {
    jb_plain, jb_bold, jb_faint, jb_selected, jb_good, jb_warning, jb_bad
};

/// Takes the terminal over: no echo, keys at once. Returns 0, or -1 where that cannot be: an unknown terminal, or one whose
/// cursor cannot be moved (curs_initscr(3X), curs_terminfo(3X)).
/// A locale that knows nothing but ASCII is mostly one that nobody chose: UTF-8 is tried then.
static inline int jb_screen_open(int wants_colour) {
    setlocale(LC_ALL, "");
    if (strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0) setlocale(LC_CTYPE, "C.UTF-8");
    int error;
    if (setupterm(NULL, 1, &error) != OK || !tigetstr("cup") || !newterm(NULL, stdout, stdin)) return -1;
    cbreak(), noecho(), nonl(), curs_set(0), set_escdelay(25);
    keypad(stdscr, TRUE), nodelay(stdscr, TRUE), intrflush(stdscr, FALSE);
    if (wants_colour && has_colors() && start_color() == OK) {
        use_default_colors();
        init_pair(1, COLOR_GREEN, -1), init_pair(2, COLOR_YELLOW, -1), init_pair(3, COLOR_RED, -1);
    }
    return 0;
}

/// True where more than ASCII can be shown.
static inline int jb_screen_has_unicode(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

/// Gives the terminal back as it was.
static inline void jb_screen_close(void) { endwin(); }

static inline void jb_screen_clear(void) { erase(); }

/// Shows what was put since the last time.
static inline void jb_screen_show(void) { refresh(); }

/// The terminal has another size now; all is drawn anew (resizeterm(3X)).
static inline void jb_screen_resize(int rows, int columns) {
    resizeterm(rows, columns);
    clearok(stdscr, TRUE);
}

static inline attr_t jb_attribute(int style) {
    int pair = style == jb_good ? 1 : style == jb_warning ? 2 : style == jb_bad ? 3 : 0;
    attr_t colour = pair && COLOR_PAIRS > 3 ? COLOR_PAIR(pair) : A_NORMAL;
    switch (style) {
    case jb_bold: return A_BOLD;
    case jb_faint: return A_DIM;
    case jb_selected: return A_REVERSE;
    case jb_bad: return colour | A_BOLD;
    default: return colour;
    }
}

/// Puts `count` characters at a place; what does not fit the line is left out.
static inline void jb_screen_put(int row, int column, const wchar_t *text, int count, int style) {
    attrset(jb_attribute(style));
    mvaddnwstr(row, column, text, count);
    attrset(A_NORMAL);
}

/// A line downwards.
static inline void jb_screen_divide(int row, int column, int rows) { mvvline(row, column, 0, rows); }

/// Shows the cursor at a place, or nowhere with a column below 0.
static inline void jb_screen_cursor(int row, int column) {
    curs_set(column >= 0);
    if (column >= 0) move(row, column);
}

/// The next key that was pressed: 0 for none, 1 for a character, 2 for one of the `KEY_` codes.
static inline int jb_screen_key(uint32_t *key) {
    wint_t code = 0;
    int kind = get_wch(&code);
    *key = (uint32_t)code;
    return kind == OK ? 1 : kind == KEY_CODE_YES ? 2 : 0;
}

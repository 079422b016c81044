// GD (https://libgd.github.io): pictures from bytes, made smaller.
#pragma once
#include <gd.h>

static inline void jb_gd_be_quiet(int priority, const char *format, va_list arguments) {
    (void)priority, (void)format, (void)arguments;
}

/// A damaged picture is told by its result, not on standard error.
static inline void jb_gd_silence(void) { gdSetErrorMethod(jb_gd_be_quiet); }

static inline int jb_gd_width(gdImagePtr image) { return gdImageSX(image); }
static inline int jb_gd_height(gdImagePtr image) { return gdImageSY(image); }

/// True when some of its pixels may be seen through.
static inline int jb_gd_has_alpha(gdImagePtr image) {
    for (int y = 0; y < gdImageSY(image); y++)
        for (int x = 0; x < gdImageSX(image); x++)
            if (gdTrueColorGetAlpha(gdImageGetTrueColorPixel(image, x, y)) != 0) return 1;
    return 0;
}

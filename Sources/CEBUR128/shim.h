// libebur128, https://github.com/jiixyj/libebur128 : loudness after EBU R 128.
#pragma once
#include <ebur128.h>

/// A meter of integrated loudness that needs no memory while it measures (ebur128.h); NULL when it cannot be had.
static inline ebur128_state *jb_ebur128_create(unsigned channels, unsigned long rate) {
    return ebur128_init(channels, rate, EBUR128_MODE_I | EBUR128_MODE_HISTOGRAM);
}

/// Frees a meter.
static inline void jb_ebur128_delete(ebur128_state *meter) {
    ebur128_destroy(&meter);
}

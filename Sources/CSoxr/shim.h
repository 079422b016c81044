// libsoxr, https://sourceforge.net/p/soxr/ : sample-rate conversion.
#pragma once
#include <soxr.h>

/// A converter of interleaved float frames in high quality (soxr.h, "SOXR_HQ"); NULL when it cannot be had.
static inline soxr_t jb_soxr_create(double from, double to, unsigned channels) {
    soxr_error_t error = 0;
    soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_t converter = soxr_create(from, to, channels, &error, &io, &quality, 0);
    return error ? 0 : converter;
}

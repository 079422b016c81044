// FFmpeg's libraries (https://ffmpeg.org/doxygen/5.1/): macros and strings that Swift cannot import.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <stdbool.h>
#include <string.h>

static inline int jb_av_eof(void) { return AVERROR_EOF; }
/// What a callback says whose caller is to stop.
static inline int jb_av_exit(void) { return AVERROR_EXIT; }
static inline int jb_av_again(void) { return AVERROR(EAGAIN); }
static inline int jb_av_refused(void) { return AVERROR(EACCES); }
static inline int jb_av_input(void) { return AVERROR(EIO); }
static inline int jb_av_memory(void) { return AVERROR(ENOMEM); }
static inline int jb_av_decoder_missing(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int64_t jb_av_no_time(void) { return AV_NOPTS_VALUE; }
static inline int64_t jb_av_time_base(void) { return AV_TIME_BASE; }
static inline int jb_av_probe_score(void) { return AVPROBE_SCORE_RETRY; }

/// Nothing is said on standard error.
static inline void jb_av_silence(void) { av_log_set_level(AV_LOG_QUIET); }

/// Whoever names another resource in a container is refused.
static inline int jb_av_open_nothing(
    struct AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context, (void)io, (void)url, (void)flags, (void)options;
    return AVERROR(EACCES);
}
static inline void jb_av_open_nothing_further(AVFormatContext *context) { context->io_open = jb_av_open_nothing; }

/// Streams are in an array of pointers; NULL beyond it.
static inline AVStream *jb_av_stream(const AVFormatContext *context, unsigned int index) {
    return index < context->nb_streams ? context->streams[index] : NULL;
}

/// Frames of float, interleaved, from frames in any of FFmpeg's forms; false for a form that is not known.
///
/// `from` counts the frames of `frame` that are left out, `count` those that are written. Integers become what they are
/// over half their range, so that up to 24 bits every value stays exact.
static inline bool jb_av_interleave(const AVFrame *frame, int from, int count, int channels, float *output) {
#define JB_EACH(type, expression) \
    for (int c = 0; c < channels; c++) { \
        const type *in = planar ? (const type *)frame->extended_data[c] + from \
                                : (const type *)frame->extended_data[0] + (size_t)from * channels + c; \
        int step = planar ? 1 : channels; \
        float *out = output + c; \
        for (int i = 0; i < count; i++, in += step, out += channels) { \
            type x = *in; \
            *out = (float)(expression); \
        } \
    } \
    return true
    enum AVSampleFormat form = (enum AVSampleFormat)frame->format;
    int planar = av_sample_fmt_is_planar(form);
    switch (av_get_packed_sample_fmt(form)) {
    case AV_SAMPLE_FMT_U8: JB_EACH(uint8_t, (x - 128) * (1.0f / 128));
    case AV_SAMPLE_FMT_S16: JB_EACH(int16_t, x * (1.0f / 32768));
    case AV_SAMPLE_FMT_S32: JB_EACH(int32_t, x * (1.0f / 2147483648.0f));
    case AV_SAMPLE_FMT_S64: JB_EACH(int64_t, x * (1.0 / 9223372036854775808.0));
    case AV_SAMPLE_FMT_FLT: JB_EACH(float, x);
    case AV_SAMPLE_FMT_DBL: JB_EACH(double, x);
    default: return false;
    }
#undef JB_EACH
}

// A sound card for tests: an ALSA PCM plugin with a clock of its own that records what it plays.
//
// It runs on CLOCK_MONOTONIC and appends to a file the frames that its clock has reached, when asked for its
// pointer, on pause and on stop. So the file holds exactly what a listener would have heard.
//
// Configuration:  pcm.NAME { type fakecard  file PATH  speed 1.0  ... }
//   file      where played frames go, in the device's own format; required
//   speed     the clock's speed against real time
//   nopause   1: cannot pause
//   gran      the pointer moves in steps of so many frames
//   patient   1: with nothing queued its clock stands, instead of an xrun; so a slow machine changes nothing
//   short     takes at most so many frames a write, and refuses every other write with EAGAIN
//   format    the only sample format, such as "S32_LE"; "any" for all of ours
//   rate      the only rate; 0 for any
//   channels  the only number of channels; 0 for any
//   log       1: PATH.log gets a line "silent NANOSECONDS" (CLOCK_MONOTONIC) whenever the sound ceases, and
//             "xrun NANOSECONDS" whenever the player came too late
//
// Files beside PATH steer it while it runs:
//   PATH.gone   present: the card is away (ENODEV at open and prepare; alsa-lib makes it EPIPE elsewhere)
//   PATH.busy   present: EBUSY at open
//   PATH.hang   present: open does not return, for at most 20 s
//   PATH.xrun   removed by the card, which then reports one xrun although frames are queued
//   PATH.suspend  removed by the card, which is then as after the machine slept (ESTRPIPE)
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { PATH_LIMIT = 1024 };

struct card {
    snd_pcm_ioplug_t io;
    char path[PATH_LIMIT];
    int capture;
    int timer;
    double speed;
    long granularity;
    long patient;
    long short_write;
    long logs;
    int refuses;
    char *buffer;          // Only with short_write: alsa-lib keeps the frames otherwise.
    size_t frame_bytes;
    uint64_t started_at;   // Nanoseconds; moved on by pauses.
    uint64_t paused_at;
    uint64_t played;       // Frames since prepare.
    uint64_t told;         // Those of them that alsa-lib knows of.
};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// The path of a steering file; false when it does not fit.
static int flag_path(const char *path, const char *flag, char out[PATH_LIMIT]) {
    return snprintf(out, PATH_LIMIT, "%s.%s", path, flag) < PATH_LIMIT;
}

static int has_flag(const char *path, const char *flag) {
    char name[PATH_LIMIT];
    return flag_path(path, flag, name) && access(name, F_OK) == 0;
}

static int take_flag(const char *path, const char *flag) {
    char name[PATH_LIMIT];
    return flag_path(path, flag, name) && unlink(name) == 0;
}

static void set_timer(struct card *card, int on) {
    struct itimerspec when = {0};
    if (on) {
        double nanoseconds = (double)card->io.period_size * 1e9 / card->io.rate / card->speed;
        when.it_interval.tv_sec = (time_t)(nanoseconds / 1e9);
        when.it_interval.tv_nsec = (long)(nanoseconds - when.it_interval.tv_sec * 1e9);
        when.it_value = when.it_interval;
    }
    timerfd_settime(card->timer, 0, &when, 0);
}

static const char *frames_address(struct card *card) {
    if (card->buffer) return card->buffer;
    const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas(&card->io);
    return (const char *)areas->addr + areas->first / 8;
}

/// Plays up to a moment; returns 1 when the clock has passed the last frame queued.
static int play_until(struct card *card, uint64_t moment) {
    snd_pcm_ioplug_t *io = &card->io;
    uint64_t due = (uint64_t)((double)(moment - card->started_at) * 1e-9 * io->rate * card->speed);
    if (card->granularity > 1) due -= due % (uint64_t)card->granularity;
    uint64_t advance = due > card->played ? due - card->played : 0;
    uint64_t queued = snd_pcm_ioplug_hw_avail(io, io->hw_ptr, io->appl_ptr);
    uint64_t untold = card->played - card->told;
    queued -= untold < queued ? untold : queued;
    // The pointer is told modulo the buffer: a whole round between two calls would look like none.
    if (card->patient && queued > io->buffer_size - 1 - untold) queued = io->buffer_size - 1 - untold;
    int ran_dry = advance > queued;
    if (ran_dry && card->patient) {
        card->started_at += (uint64_t)((double)(advance - queued) * 1e9 / io->rate / card->speed);
        ran_dry = 0;
    }
    if (advance > queued) advance = queued;
    const char *frames = frames_address(card);
    while (advance > 0) {
        uint64_t at = card->played % io->buffer_size;
        uint64_t part = io->buffer_size - at < advance ? io->buffer_size - at : advance;
        ssize_t written = write(card->capture, frames + at * card->frame_bytes, part * card->frame_bytes);
        if (written != (ssize_t)(part * card->frame_bytes)) SNDERR("capture file: short write");
        card->played += part;
        advance -= part;
    }
    return ran_dry;
}

/// Notes a moment: `silent`, from which nothing is heard, or `xrun`.
static void log_moment(const struct card *card, const char *what) {
    char name[PATH_LIMIT];
    if (!card->logs || !flag_path(card->path, "log", name)) return;
    int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    dprintf(file, "%s %llu\n", what, (unsigned long long)now());
    close(file);
}

static int card_start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card->started_at = now();
    set_timer(card, 1);
    return 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (io->state == SND_PCM_STATE_RUNNING && !has_flag(card->path, "gone")) {
        play_until(card, now());
        log_moment(card, "silent");
    }
    set_timer(card, 0);
    return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    int runs = io->state == SND_PCM_STATE_RUNNING || io->state == SND_PCM_STATE_DRAINING;
    int ran_dry = runs ? play_until(card, now()) : 0;
    if (has_flag(card->path, "gone")) return -ENODEV;
    if (runs && take_flag(card->path, "xrun")) return -EPIPE;
    if (runs && take_flag(card->path, "suspend")) {
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
        return (snd_pcm_sframes_t)(card->told % io->buffer_size);
    }
    card->told = card->played;
    if (ran_dry && io->state == SND_PCM_STATE_RUNNING) {
        log_moment(card, "xrun");
        return -EPIPE;
    }
    return (snd_pcm_sframes_t)(card->played % io->buffer_size);
}

static int card_pause(snd_pcm_ioplug_t *io, int enable) {
    struct card *card = io->private_data;
    if (enable) {
        card->paused_at = now();
        play_until(card, card->paused_at);
        log_moment(card, "silent");
    } else {
        card->started_at += now() - card->paused_at;
    }
    set_timer(card, !enable);
    return 0;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
    struct card *card = io->private_data;
    (void)parameters;
    card->frame_bytes = (size_t)snd_pcm_format_physical_width(io->format) * io->channels / 8;
    if (card->short_write > 0) {
        free(card->buffer);
        card->buffer = calloc(io->buffer_size, card->frame_bytes);
        if (!card->buffer) return -ENOMEM;
    }
    return 0;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (has_flag(card->path, "gone")) return -ENODEV;
    card->played = card->told = 0;
    // A program may poll for room before the card has started, as for a card with an empty buffer.
    set_timer(card, 1);
    return 0;
}

/// Only with short_write: takes some frames, and none every other time.
static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    card->refuses = !card->refuses;
    if (!card->refuses) return -EAGAIN;
    if (size > (snd_pcm_uframes_t)card->short_write) size = (snd_pcm_uframes_t)card->short_write;
    const char *source = (const char *)areas->addr + areas->first / 8 + offset * card->frame_bytes;
    for (snd_pcm_uframes_t frame = 0; frame < size; frame++) {
        size_t at = (io->appl_ptr + frame) % io->buffer_size;
        memcpy(card->buffer + at * card->frame_bytes, source + frame * card->frame_bytes, card->frame_bytes);
    }
    return (snd_pcm_sframes_t)size;
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count,
                             unsigned short *events) {
    struct card *card = io->private_data;
    uint64_t ticks;
    (void)entries;
    (void)count;
    (void)!read(card->timer, &ticks, sizeof ticks);
    snd_pcm_sframes_t room = snd_pcm_avail_update(io->pcm);
    *events = room < 0 ? POLLERR : room >= (snd_pcm_sframes_t)io->period_size ? POLLOUT : 0;
    return 0;
}

static int card_close(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (card->capture >= 0) close(card->capture);
    if (card->timer >= 0) close(card->timer);
    free(card->buffer);
    free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t plain = {
    .start = card_start, .stop = card_stop, .pointer = card_pointer, .pause = card_pause,
    .hw_params = card_hw_params, .prepare = card_prepare, .poll_revents = card_poll_revents,
    .close = card_close,
};
static const snd_pcm_ioplug_callback_t without_pause = {
    .start = card_start, .stop = card_stop, .pointer = card_pointer, .hw_params = card_hw_params,
    .prepare = card_prepare, .poll_revents = card_poll_revents, .close = card_close,
};
static const snd_pcm_ioplug_callback_t with_transfer = {
    .start = card_start, .stop = card_stop, .pointer = card_pointer, .pause = card_pause,
    .hw_params = card_hw_params, .prepare = card_prepare, .poll_revents = card_poll_revents,
    .close = card_close, .transfer = card_transfer,
};

struct options {
    const char *file;
    const char *format;
    double speed;
    long nopause, granularity, patient, short_write, rate, channels, logs;
};

static int read_options(snd_config_t *conf, struct options *options) {
    snd_config_iterator_t entry, next;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *item = snd_config_iterator_entry(entry);
        const char *id;
        int code = 0;
        if (snd_config_get_id(item, &id) < 0) continue;
        if (!strcmp(id, "comment") || !strcmp(id, "type") || !strcmp(id, "hint")) continue;
        if (!strcmp(id, "file")) code = snd_config_get_string(item, &options->file);
        else if (!strcmp(id, "format")) code = snd_config_get_string(item, &options->format);
        else if (!strcmp(id, "speed")) code = snd_config_get_ireal(item, &options->speed);
        else if (!strcmp(id, "nopause")) code = snd_config_get_integer(item, &options->nopause);
        else if (!strcmp(id, "gran")) code = snd_config_get_integer(item, &options->granularity);
        else if (!strcmp(id, "patient")) code = snd_config_get_integer(item, &options->patient);
        else if (!strcmp(id, "short")) code = snd_config_get_integer(item, &options->short_write);
        else if (!strcmp(id, "rate")) code = snd_config_get_integer(item, &options->rate);
        else if (!strcmp(id, "channels")) code = snd_config_get_integer(item, &options->channels);
        else if (!strcmp(id, "log")) code = snd_config_get_integer(item, &options->logs);
        else code = -EINVAL;
        if (code < 0) {
            SNDERR("fakecard: bad field %s", id);
            return code;
        }
    }
    return options->file && strlen(options->file) < PATH_LIMIT - 8 ? 0 : -EINVAL;
}

static int set_limits(snd_pcm_ioplug_t *io, const struct options *options) {
    unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    unsigned formats[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE,
                          SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_FLOAT_LE};
    unsigned format_count = 5;
    if (options->format && strcmp(options->format, "any")) {
        formats[0] = (unsigned)snd_pcm_format_value(options->format);
        format_count = 1;
    }
    unsigned rate = (unsigned)options->rate, channels = (unsigned)options->channels;
    int code = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    if (code >= 0) code = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, format_count, formats);
    if (code >= 0)
        code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, channels ? channels : 1,
                                               channels ? channels : 8);
    if (code >= 0)
        code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, rate ? rate : 8000,
                                               rate ? rate : 192000);
    if (code >= 0) code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 18);
    if (code >= 0) code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    return code;
}

static int may_open(const char *path) {
    struct timespec pause = {0, 10000000};
    for (int i = 0; i < 2000 && has_flag(path, "hang"); i++) nanosleep(&pause, 0);
    if (has_flag(path, "gone")) return -ENODEV;
    return has_flag(path, "busy") ? -EBUSY : 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(fakecard) {
    struct options options = {.speed = 1};
    (void)root;
    int code = read_options(conf, &options);
    if (code < 0 || stream != SND_PCM_STREAM_PLAYBACK) return code < 0 ? code : -EINVAL;
    code = may_open(options.file);
    if (code < 0) return code;
    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    strcpy(card->path, options.file);
    card->speed = options.speed;
    card->granularity = options.granularity;
    card->patient = options.patient;
    card->short_write = options.short_write;
    card->logs = options.logs;
    card->capture = open(options.file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "fake card";
    card->io.callback = options.short_write ? &with_transfer : options.nopause ? &without_pause : &plain;
    card->io.private_data = card;
    card->io.mmap_rw = options.short_write ? 0 : 1;
    card->io.poll_fd = card->timer;
    card->io.poll_events = POLLIN;
    if (card->capture < 0 || card->timer < 0) {
        code = -errno;
        card_close(&card->io);
        return code;
    }
    code = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (code < 0) {
        card_close(&card->io);
        return code;
    }
    code = set_limits(&card->io, &options);
    if (code < 0) {
        snd_pcm_ioplug_delete(&card->io);
        return code;
    }
    *pcmp = card->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(fakecard);

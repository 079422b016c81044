// alsa-lib's PCM interface, https://www.alsa-project.org/alsa-doc/alsa-lib/pcm.html
#pragma once
#include <alsa/asoundlib.h>

static inline void jb_alsa_ignore(const char *file, int line, const char *function, int error,
                                  const char *format, ...) {}

/// Keeps alsa-lib from writing to standard error; what fails is told by return codes.
static inline void jb_alsa_silence(void) { snd_lib_error_set_handler(jb_alsa_ignore); }

/// The longest time between two pointer updates without a wrap, or the buffer's size when it is not told.
static inline snd_pcm_uframes_t jb_alsa_boundary(const snd_pcm_sw_params_t *parameters,
                                                 snd_pcm_uframes_t buffer) {
    snd_pcm_uframes_t boundary = 0;
    return snd_pcm_sw_params_get_boundary(parameters, &boundary) < 0 ? buffer : boundary;
}

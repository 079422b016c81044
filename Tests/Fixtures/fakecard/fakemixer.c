// The mixer of the card for tests: an ALSA control plugin with one volume and one switch, which all who open it share.
//
// Configuration:  ctl.NAME { type fakecard  file PATH }
//
// PATH.mixer holds both as text, "VOLUME SWITCH", 0 to 100 (-50 to 0 dB) and 0 or 1; "100 1" without it. Whoever opens
// the mixer is told of each change by inotify(7), as a kernel's driver would tell. While PATH.gone is there it cannot be
// opened.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <libgen.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { PATH_LIMIT = 1024, VOLUME = 0, SWITCH = 1, ELEMENTS = 2 };

static const char *const names[ELEMENTS] = {"Master Playback Volume", "Master Playback Switch"};

/// In hundredths of a dB: the least, then the step.
static const unsigned decibels[] = {SND_CTL_TLVT_DB_SCALE, 2 * sizeof(unsigned), (unsigned)-5000, 50};

struct mixer {
    snd_ctl_ext_t ext;
    char path[PATH_LIMIT];
    int pending;   // A bit for each element whose change is still to be told.
};

static void read_state(const struct mixer *mixer, long values[ELEMENTS]) {
    values[VOLUME] = 100;
    values[SWITCH] = 1;
    FILE *file = fopen(mixer->path, "re");
    if (!file) return;
    if (fscanf(file, "%ld %ld", &values[VOLUME], &values[SWITCH]) != ELEMENTS) SNDERR("fakemixer: bad state");
    fclose(file);
}

/// Another file takes the place of the old one, so that nobody reads a half.
static int write_state(const struct mixer *mixer, const long values[ELEMENTS]) {
    char fresh[PATH_LIMIT + 32];
    snprintf(fresh, sizeof fresh, "%s.%d", mixer->path, (int)getpid());
    FILE *file = fopen(fresh, "we");
    if (!file) return -errno;
    fprintf(file, "%ld %ld\n", values[VOLUME], values[SWITCH]);
    fclose(file);
    return rename(fresh, mixer->path) == 0 ? 0 : -errno;
}

static void mixer_close(snd_ctl_ext_t *ext) {
    if (ext->poll_fd >= 0) close(ext->poll_fd);
    free(ext->private_data);
}

static int mixer_count(snd_ctl_ext_t *ext) {
    (void)ext;
    return ELEMENTS;
}

static int mixer_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
    (void)ext;
    if (offset >= ELEMENTS) return -EINVAL;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, names[offset]);
    return 0;
}

static snd_ctl_ext_key_t mixer_find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    (void)ext;
    for (int i = 0; i < ELEMENTS; i++)
        if (!strcmp(snd_ctl_elem_id_get_name(id), names[i])) return (snd_ctl_ext_key_t)i;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int mixer_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
    (void)ext;
    *type = key == VOLUME ? SND_CTL_ELEM_TYPE_INTEGER : SND_CTL_ELEM_TYPE_BOOLEAN;
    *access = SND_CTL_EXT_ACCESS_READWRITE | (key == VOLUME ? SND_CTL_EXT_ACCESS_TLV_READ : 0);
    *count = 1;
    return 0;
}

static int mixer_info(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
    (void)ext;
    *least = 0;
    *most = key == VOLUME ? 100 : 1;
    *step = 1;
    return 0;
}

static int mixer_read(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    long values[ELEMENTS];
    read_state(ext->private_data, values);
    *value = values[key];
    return 0;
}

static int mixer_write(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    long values[ELEMENTS];
    read_state(ext->private_data, values);
    if (values[key] == *value) return 0;
    values[key] = *value;
    int code = write_state(ext->private_data, values);
    return code < 0 ? code : 1;
}

static int mixer_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
    struct mixer *mixer = ext->private_data;
    char events[4096] __attribute__((aligned(8)));
    const char *slash = strrchr(mixer->path, '/');
    ssize_t length;
    while (!mixer->pending && (length = read(ext->poll_fd, events, sizeof events)) > 0) {
        for (char *at = events; at < events + length;) {
            struct inotify_event *event = (struct inotify_event *)at;
            if (event->len && !strcmp(event->name, slash + 1)) mixer->pending = (1 << ELEMENTS) - 1;
            at += sizeof *event + event->len;
        }
    }
    for (unsigned i = 0; i < ELEMENTS; i++) {
        if (!(mixer->pending & 1 << i)) continue;
        mixer->pending &= ~(1 << i);
        mixer_list(ext, i, id);
        *mask = SND_CTL_EVENT_MASK_VALUE;
        return 1;
    }
    return -EAGAIN;
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = mixer_close, .elem_count = mixer_count, .elem_list = mixer_list, .find_elem = mixer_find,
    .get_attribute = mixer_attribute, .get_integer_info = mixer_info, .read_integer = mixer_read,
    .write_integer = mixer_write, .read_event = mixer_event,
};

static int read_path(snd_config_t *conf, const char **path) {
    snd_config_iterator_t entry, next;
    *path = NULL;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *item = snd_config_iterator_entry(entry);
        const char *id;
        if (snd_config_get_id(item, &id) >= 0 && !strcmp(id, "file")) snd_config_get_string(item, path);
    }
    return *path && **path == '/' && strlen(*path) < PATH_LIMIT - 16 ? 0 : -EINVAL;
}

SND_CTL_PLUGIN_DEFINE_FUNC(fakecard) {
    const char *path;
    char text[PATH_LIMIT];
    (void)root;
    int code = read_path(conf, &path);
    if (code < 0) return code;
    snprintf(text, sizeof text, "%s.gone", path);
    if (access(text, F_OK) == 0) return -ENODEV;
    struct mixer *mixer = calloc(1, sizeof *mixer);
    if (!mixer) return -ENOMEM;
    snprintf(mixer->path, sizeof mixer->path, "%s.mixer", path);
    strcpy(text, mixer->path);
    mixer->ext.version = SND_CTL_EXT_VERSION;
    mixer->ext.card_idx = -1;
    strcpy(mixer->ext.id, "fake");
    strcpy(mixer->ext.driver, "fake");
    strcpy(mixer->ext.name, "fake card");
    strcpy(mixer->ext.longname, "fake card");
    strcpy(mixer->ext.mixername, "fake card");
    mixer->ext.callback = &callbacks;
    mixer->ext.private_data = mixer;
    mixer->ext.tlv.p = decibels;
    mixer->ext.poll_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (mixer->ext.poll_fd >= 0 && inotify_add_watch(mixer->ext.poll_fd, dirname(text), IN_MOVED_TO) < 0) {
        close(mixer->ext.poll_fd);
        mixer->ext.poll_fd = -1;
    }
    code = mixer->ext.poll_fd < 0 ? -errno : snd_ctl_ext_create(&mixer->ext, name, mode);
    if (code < 0) {
        mixer_close(&mixer->ext);
        return code;
    }
    *handlep = mixer->ext.handle;
    return 0;
}
SND_CTL_PLUGIN_SYMBOL(fakecard);

// jansson's macros as functions, which Swift can call (jansson.readthedocs.io, "API Reference").
#pragma once
#include <jansson.h>

/// Parses any JSON value; a raw NUL, bad UTF-8, a lone surrogate or a name twice in an object is an error.
static inline json_t *jb_json_load(const char *bytes, size_t count, json_error_t *error) {
    return json_loadb(bytes, count, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, error);
}

/// `json_typeof` as a number, since its enumeration is anonymous to Swift.
static inline int jb_json_type(const json_t *value) { return (int)json_typeof(value); }

static inline const char *jb_json_error_text(const json_error_t *error) { return error->text; }
static inline int jb_json_error_position(const json_error_t *error) { return error->position; }

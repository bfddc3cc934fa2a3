/* json - writes strings and numbers of JSON. */
#ifndef WRITER_JSON_H
#define WRITER_JSON_H

#include "base/out.h"

/* Writes s in quotes, with the escapes of caption_clean. */
void json_string(struct out *o, struct str s);

/* A number that json_cell writes as null. */
#define JSON_NONE INT64_MIN

void json_cell(struct out *o, int64_t n);

#endif

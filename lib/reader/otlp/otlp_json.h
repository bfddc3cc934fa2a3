/*
 * otlp_json - profiles of OpenTelemetry in JSON: ProfilesData, export requests, and lines of them.
 *
 * The text is written as protobuf in the layout of 1.11, which otlp.h reads.  Large profiles go to
 * a temporary file (source/made.h), so memory does not grow with the samples.  Ids are hex text,
 * other bytes are base64, and integers of 64 bits are strings.  Unknown keys are ignored.
 */
#ifndef READER_OTLP_OTLP_JSON_H
#define READER_OTLP_OTLP_JSON_H

#include "reader/format.h"

extern const struct format otlp_json_format;

#endif

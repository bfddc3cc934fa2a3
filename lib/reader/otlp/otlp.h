/*
 * otlp - profiles of OpenTelemetry in protobuf: ProfilesData, and export requests.
 *
 * All tables are in one dictionary, and entry 0 of each means "none".  A file is one message, or several
 * messages, each after its length as a big-endian u32.  The field numbers of samples changed
 * between 1.9 and 1.10 without a version field, so the types of the fields show the layout.
 * Source: open-telemetry/opentelemetry-proto profiles/v1development/profiles.proto.
 */
#ifndef READER_OTLP_OTLP_H
#define READER_OTLP_OTLP_H

#include "reader/format.h"

extern const struct format otlp_format;

#endif

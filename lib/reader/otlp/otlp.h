/*
 * otlp - reads OpenTelemetry profiles in protobuf: ProfilesData, and export requests.
 *
 * All tables are in one dictionary.  Entry 0 of a table means that there is no entry.  A file
 * contains one message, or several messages with a length (big-endian u32) before each.  Between
 * 1.9 and 1.10, the field numbers of samples have changed, but there is no version field.  The
 * layout is detected from the types of the fields. Source: open-telemetry/opentelemetry-proto
 * profiles/v1development/profiles.proto.
 */
#ifndef READER_OTLP_OTLP_H
#define READER_OTLP_OTLP_H

#include "reader/format.h"

extern const struct format otlp_format;

#endif

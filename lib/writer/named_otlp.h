/*
 * named_otlp - profiles of OpenTelemetry with addresses, mappings and names, for psym.
 *
 * If the input is a profile of OpenTelemetry, it is written again with names added to its unnamed
 * locations.  All other fields keep their bytes, including unknown fields.  Other profiles are
 * written in the layout of 1.11, with a resource for each process.  Samples with equal stacks and
 * threads become one sample with several values.  The values have times if the recording has the
 * time of day.  Source: open-telemetry/opentelemetry-proto profiles/v1development/profiles.proto.
 */
#ifndef WRITER_NAMED_OTLP_H
#define WRITER_NAMED_OTLP_H

#include "writer/named.h"

extern const struct named_format named_otlp;

#endif

/*
 * otlp_json - reads OpenTelemetry profiles in JSON: ProfilesData and export requests.  A file
 * contains one message, or one message on each line.
 *
 * The text is converted to protobuf in the layout of version 1.11.  otlp.h reads the result.
 * Large profiles go to a temporary file (source/made.h), so memory does not grow with the
 * samples.  Ids are hex text, other bytes are base64, and integers of 64 bits are strings.
 * Unknown keys are ignored.
 */
#ifndef READER_OTLP_OTLP_JSON_H
#define READER_OTLP_OTLP_JSON_H

#include "reader/format.h"

extern const struct format otlp_json_format;

#endif

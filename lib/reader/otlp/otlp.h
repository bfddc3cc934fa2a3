/*
 * otlp - reads OpenTelemetry profiles in protobuf: ProfilesData, and export requests.
 *
 * The tables of a message are in its dictionary.  Index 0 of a table represents a missing entry.
 * A file contains one message, or several messages with a length (big-endian u32) before each.
 * Between 1.9 and 1.10, the field numbers of samples have changed, but there is no version field.
 * The layout is detected from the types of the fields.  Source: open-telemetry/opentelemetry-proto
 * profiles/v1development/profiles.proto.
 */
#ifndef READER_OTLP_OTLP_H
#define READER_OTLP_OTLP_H

#include "reader/format.h"

extern const struct format otlp_format;

/*
 * Opens `made`, a copy of a member that was converted to the layout of version 1.10 or later.
 * older: the member has the layout of version 1.7 or earlier.  Returns NULL after a report.
 */
struct reader *otlp_over(struct source *s, size_t member, struct str made, bool older,
                         struct arena *run, struct diag *diag);

/*
 * Sets *out to the next message of a file.  Removes the message and the length before it from
 * *rest.  Returns false at the end of the file.  Sets *cut if the file ends inside the message or
 * its length.
 */
bool otlp_message(struct str *rest, struct str *out, bool *cut);

#endif

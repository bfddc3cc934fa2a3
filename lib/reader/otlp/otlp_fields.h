/*
 * otlp_fields - the field numbers in the messages of OpenTelemetry profiles.
 *
 * The reader and the writer use them.  Samples have the field numbers of version 1.10 and later.
 * Source: open-telemetry/opentelemetry-proto profiles/v1development/profiles.proto.
 */
#ifndef READER_OTLP_OTLP_FIELDS_H
#define READER_OTLP_OTLP_FIELDS_H

enum { DATA_RESOURCE_PROFILES = 1, DATA_DICTIONARY };
enum { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE };
enum { RESOURCE_ATTRIBUTE = 1 };
enum { SCOPE_SCOPE = 1, SCOPE_PROFILES };
enum { INSTRUMENTATION_NAME = 1 };
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum {
	SAMPLE_STACK = 1,
	SAMPLE_ATTRIBUTES,
	SAMPLE_LINK,
	SAMPLE_VALUES,
	SAMPLE_TIMES,
	/* The field numbers that 1.8 and 1.9 use for a sample. */
	SAMPLE_OLD_VALUES = 2,
	SAMPLE_OLD_ATTRIBUTES
};

/* The tables of a dictionary. */
enum otlp_table {
	OTLP_MAPPING = 1,
	OTLP_LOCATION,
	OTLP_FUNCTION,
	OTLP_LINK,
	OTLP_STRING,
	OTLP_ATTRIBUTE,
	OTLP_STACK
};

enum { STACK_LOCATIONS = 1 };
enum {
	MAPPING_START = 1,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_ATTRIBUTES
};
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_BEGINS };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE, KEY_VALUE_STRINDEX };
enum { VALUE_STRING = 1, VALUE_INT = 3, VALUE_STRINDEX = 8 };

#endif

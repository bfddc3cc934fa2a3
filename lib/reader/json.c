#include "reader/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "base/arena.h"
#include "base/budget.h"

enum {
	KINDS = 256,
	/*
	 * maximum number of bytes between two values.  This limits the length of strings
	 */
	LONGEST = 64 << 20,
	NUMBER_MOST = 64 /* characters of a number */
};

/* An object or array that is open. */
struct level {
	/* rule of this value.  For an array, also the rule of its elements */
	const struct json_rule *rule;
	const struct json_rule
	        *next; /* rule of the value of the last key, or NULL to skip the value */
	bool array;
};

struct json {
	yajl_handle yajl;
	const struct json_rule *rule;
	uint16_t first[KINDS + 1]; /* first[k]: index of the first rule with `in` k */
	bool (*take)(void *ctx, const struct json_value *v);
	void *ctx;
	struct level level[JSON_DEPTH];
	size_t depth, skipped; /* skipped: open levels inside a skipped value */
	/*
	 * read: number of bytes passed to json_read.  value: `read` after the last json_read that
	 * found a key, a value, or the end of an object or array
	 */
	uint64_t read, value;
	uint64_t place;
	const char *reason;
	bool moved;  /* the current json_read found a key or a value */
	bool inside; /* a call of json_read is active */
};

static const struct level *here(const struct json *j)
{
	return j->depth ? &j->level[j->depth - 1] : NULL;
}

/* Sets the rule of the next value.  Returns false if the value is skipped. */
static bool wanted(struct json *j, const struct json_rule **rule)
{
	const struct level *in = here(j);

	j->moved = true;
	*rule = !in ? NULL : in->array ? in->rule : in->next;
	return !j->skipped && (!in || in->array || in->next);
}

static int give(struct json *j, enum json_type type, struct str text)
{
	struct json_value v = { .type = type, .text = text };

	return !wanted(j, &v.rule) || j->take(j->ctx, &v);
}

static int begin(struct json *j, enum json_type type)
{
	struct json_value v = { .type = type };

	if (j->depth + j->skipped == JSON_DEPTH) {
		j->reason = "values are nested too deeply";
		return 0;
	}
	if (!wanted(j, &v.rule)) {
		j->skipped++;
		return 1;
	}
	j->level[j->depth++] =
	        (struct level){ .rule = v.rule, .array = type == JSON_ARRAY };
	return j->take(j->ctx, &v);
}

static int end(struct json *j, enum json_type type)
{
	struct json_value v = { .type = type };

	j->moved = true;
	if (j->skipped) {
		j->skipped--;
		return 1;
	}
	v.rule = j->level[--j->depth].rule;
	return j->take(j->ctx, &v);
}

static int on_null(void *ctx)
{
	return give(ctx, JSON_NULL, STR(""));
}

static int on_boolean(void *ctx, int is_true)
{
	return give(ctx, is_true ? JSON_TRUE : JSON_FALSE, STR(""));
}

static int on_number(void *ctx, const char *p, size_t n)
{
	return give(ctx, JSON_NUMBER, (struct str){ p, n });
}

static int on_string(void *ctx, const unsigned char *p, size_t n)
{
	return give(ctx, JSON_STRING, (struct str){ (const char *)p, n });
}

static int on_object(void *ctx)
{
	return begin(ctx, JSON_OBJECT);
}

static int on_object_end(void *ctx)
{
	return end(ctx, JSON_OBJECT_END);
}

static int on_array(void *ctx)
{
	return begin(ctx, JSON_ARRAY);
}

static int on_array_end(void *ctx)
{
	return end(ctx, JSON_ARRAY_END);
}

static int on_key(void *ctx, const unsigned char *p, size_t n)
{
	struct json *j = ctx;
	struct str key = { (const char *)p, n };
	struct level *in;
	unsigned kind;

	j->moved = true;
	if (j->skipped)
		return 1;
	in = &j->level[j->depth - 1];
	kind = in->rule ? in->rule->is : 0;
	in->next = NULL;
	for (size_t i = j->first[kind]; i < j->first[kind + 1] && !in->next; i++)
		if (str_eq(j->rule[i].key, key))
			in->next = &j->rule[i];
	return 1;
}

/* Ends the program if memory runs out, because yajl does not check for this error. */
static void *change(void *ctx, void *old, size_t n)
{
	void *p = realloc(old, n);

	(void)ctx;
	if (!p && budget_extend())
		p = realloc(old, n);
	errno = ENOMEM;
	return arena_checked(p);
}

static void *allocate(void *ctx, size_t n)
{
	return change(ctx, NULL, n);
}

static void release(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

struct json *json_open(const struct json_rule *rule, size_t n,
                       bool (*take)(void *ctx, const struct json_value *v), void *ctx)
{
	static const yajl_callbacks calls = {
		.yajl_null = on_null,
		.yajl_boolean = on_boolean,
		.yajl_number = on_number,
		.yajl_string = on_string,
		.yajl_start_map = on_object,
		.yajl_map_key = on_key,
		.yajl_end_map = on_object_end,
		.yajl_start_array = on_array,
		.yajl_end_array = on_array_end,
	};
	yajl_alloc_funcs memory = { allocate, change, release, NULL };
	struct json *j = allocate(NULL, sizeof(*j));

	*j = (struct json){ .rule = rule, .take = take, .ctx = ctx };
	for (size_t kind = 0, i = 0; kind <= KINDS; kind++) {
		while (i < n && rule[i].in < kind)
			i++;
		j->first[kind] = (uint16_t)i;
	}
	j->yajl = yajl_alloc(&calls, &memory, j);
	yajl_config(j->yajl, yajl_allow_multiple_values, 1);
	/* Accept any bytes, because names of functions may not be UTF-8. */
	yajl_config(j->yajl, yajl_dont_validate_strings, 1);
	return j;
}

/* Sets the place and the reason of a failure.  Returns false. */
static bool failed(struct json *j, struct str bytes)
{
	unsigned char *why;

	j->place = j->read + yajl_get_bytes_consumed(j->yajl);
	if (j->reason)
		return false;
	why = yajl_get_error(j->yajl, 0, (const unsigned char *)bytes.p, bytes.n);
	j->reason = why && strstr((const char *)why, "premature")
	                    ? "the text ends inside a value"
	                    : "this is not JSON";
	yajl_free_error(j->yajl, why);
	return false;
}

bool json_read(struct json *j, struct str bytes)
{
	yajl_status status;

	j->moved = false;
	j->inside = true;
	status = yajl_parse(j->yajl, (const unsigned char *)bytes.p, bytes.n);
	j->inside = false;
	if (status == yajl_status_client_canceled) {
		j->place = j->read + yajl_get_bytes_consumed(j->yajl);
		return false;
	}
	if (status != yajl_status_ok)
		return failed(j, bytes);
	j->read += bytes.n;
	if (j->moved)
		j->value = j->read;
	if (j->read - j->value <= LONGEST)
		return true;
	j->place = j->value;
	j->reason = "a string is longer than 64 MiB";
	return false;
}

bool json_end(struct json *j)
{
	if (yajl_complete_parse(j->yajl) == yajl_status_ok)
		return true;
	failed(j, STR(""));
	/* yajl adds a space to the text and counts it, so its count is too large. */
	j->place = j->read;
	return false;
}

uint64_t json_place(const struct json *j)
{
	return j->inside ? j->read + yajl_get_bytes_consumed(j->yajl) : j->place;
}

const char *json_reason(const struct json *j)
{
	return j->reason;
}

void json_close(struct json *j)
{
	if (j)
		yajl_free(j->yajl);
	free(j);
}

bool json_real(struct str text, double *out)
{
	char copy[NUMBER_MOST + 1] = { 0 }, *end;

	if (!text.n || text.n > NUMBER_MOST)
		return false;
	memcpy(copy, text.p, text.n);
	*out = strtod(copy, &end);
	return end == copy + text.n;
}

bool json_integer(struct str text, uint64_t *out)
{
	bool negative = text.n && *text.p == '-';
	double real;

	if (str_is_dec(str_from(text, negative), out)) {
		*out = negative ? -*out : *out;
		return true;
	}
	/* A writer may print 1000 as 1e3, so an integer can look like a real number. */
	if (!json_real(text, &real) || !(fabs(real) < 0x1p63))
		return false;
	*out = (uint64_t)(int64_t)real;
	return (double)(int64_t)real == real;
}

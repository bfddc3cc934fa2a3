#include "image/dotnet/sig.h"

#include "image/dotnet/metadata.h"

uint32_t sig_long(struct cursor *c)
{
	uint32_t v = cur_u8(c);

	if (v < 0x80)
		return v;
	if (v < 0xc0)
		return (v & 0x3f) << 8 | cur_u8(c);
	v = (v & 0x1f) << 24;
	v |= (uint32_t)cur_u8(c) << 16;
	v |= (uint32_t)cur_u8(c) << 8;
	return v | cur_u8(c);
}

/*
 * one_byte: types that consist of one byte.  numbered: types that consist of a byte and a
 * number.
 */
#define BIT(e) (UINT64_C(1) << (e))
static const uint64_t one_byte = (BIT(E_STRING + 1) - BIT(E_VOID)) | BIT(E_TYPEDREF) |
                                 BIT(E_I) | BIT(E_U) | BIT(E_OBJECT) | BIT(E_CANON);
static const uint64_t numbered =
        BIT(E_VALUETYPE) | BIT(E_CLASS) | BIT(E_VAR) | BIT(E_MVAR);
#undef BIT

static inline bool is_in(uint64_t set, unsigned e)
{
	return e < 64 && set >> e & 1;
}

static bool skip_other(struct cursor *c, uint64_t *steps, unsigned depth);

/*
 * Skips the frequent types without a call, except in the last bytes of the file.  Calls
 * skip_other in all other cases.
 */
bool sig_skip_type(struct cursor *c, uint64_t *steps, unsigned depth)
{
	const unsigned char *p = (const unsigned char *)c->p;
	size_t n = 1;

	if (cur_left(c) < 3 || depth > MD_DEPTH || !*steps ||
	    !is_in(one_byte | numbered, *p))
		return skip_other(c, steps, depth);
	if (is_in(numbered, *p)) {
		if (p[1] >= 0xc0)
			return skip_other(c, steps, depth);
		n = p[1] < 0x80 ? 2 : 3;
	}
	--*steps;
	c->p += n;
	return true;
}

bool sig_skip_types(struct cursor *c, uint64_t n, uint64_t *steps, unsigned depth)
{
	for (; n; n--)
		if (!sig_skip_type(c, steps, depth))
			return false;
	return true;
}

static bool skip_method(struct cursor *c, uint64_t *steps, unsigned depth)
{
	uint64_t n;

	if (cur_u8(c) & CONV_GENERIC)
		sig_uint(c);
	n = sig_uint(c);
	return sig_skip_types(c, n + 1, steps, depth + 1);
}

static bool skip_shape(struct cursor *c)
{
	uint32_t n;

	sig_uint(c);
	for (int list = 0; list < 2; list++) {
		n = sig_uint(c);
		for (uint32_t i = 0; i < n && !c->bad; i++)
			sig_uint(c);
	}
	return !c->bad;
}

static bool skip_other(struct cursor *c, uint64_t *steps, unsigned depth)
{
	unsigned e = cur_u8(c);

	if (c->bad || depth > MD_DEPTH || !*steps)
		return false;
	--*steps;
	switch (e) {
	case E_PTR:
	case E_BYREF:
	case E_SZARRAY:
	case E_NATIVE_VALUETYPE:
	case E_PINNED:
	case E_SENTINEL:
		return sig_skip_type(c, steps, depth + 1);
	case E_CMOD_REQD:
	case E_CMOD_OPT:
	case E_MODULE_OVERRIDE:
		sig_uint(c);
		return sig_skip_type(c, steps, depth + 1);
	case E_ARRAY:
		return sig_skip_type(c, steps, depth + 1) && skip_shape(c);
	case E_GENERICINST:
		return sig_skip_type(c, steps, depth + 1) &&
		       sig_skip_types(c, sig_uint(c), steps, depth + 1) && !c->bad;
	case E_FNPTR:
		return skip_method(c, steps, depth);
	default:
		if (is_in(numbered, e))
			sig_uint(c);
		return is_in(one_byte | numbered, e) && !c->bad;
	}
}

/*
 * sig - reads numbers of signatures, and skips types.  Private to image/dotnet/.
 *
 * Specification: ECMA-335 II.23.2.
 */
#ifndef IMAGE_DOTNET_SIG_H
#define IMAGE_DOTNET_SIG_H

#include "base/cursor.h"

/* Values of the first byte of a type. */
enum element {
	E_VOID = 0x01,
	E_STRING = 0x0e,
	E_PTR,
	E_BYREF,
	E_VALUETYPE,
	E_CLASS,
	E_VAR,
	E_ARRAY,
	E_GENERICINST,
	E_TYPEDREF,
	E_I = 0x18,
	E_U = 0x19,
	E_FNPTR = 0x1b,
	E_OBJECT,
	E_SZARRAY,
	E_MVAR,
	E_CMOD_REQD,
	E_CMOD_OPT,
	E_NATIVE_VALUETYPE = 0x3d,
	E_CANON,
	E_MODULE_OVERRIDE,
	E_SENTINEL = 0x41,
	E_PINNED = 0x45,
};

enum { CONV_GENERIC = 0x10 }; /* flag of a calling convention: the method is generic */

/*
 * Reads a compressed number of any length.  For one byte, which is the usual length, sig_uint is
 * faster.
 */
uint32_t sig_long(struct cursor *c);

static inline uint32_t sig_uint(struct cursor *c)
{
	if (c->p < c->end && !(*c->p & 0x80))
		return (uint8_t)*c->p++;
	return sig_long(c);
}

/*
 * Skips one type, or n types.  Decrements *steps for each type, including nested types.  depth:
 * the current nesting.  Returns false if a type cannot be read, or if *steps is 0.
 */
bool sig_skip_type(struct cursor *c, uint64_t *steps, unsigned depth);
bool sig_skip_types(struct cursor *c, uint64_t n, uint64_t *steps, unsigned depth);

#endif

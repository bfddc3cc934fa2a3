/*
 * verified - how what names code showed that it is of what ran; private to symbol/.
 */
#ifndef BIND_VERIFIED_H
#define BIND_VERIFIED_H

enum verified {
	VERIFIED_NOT,    /* nothing names it */
	VERIFIED_ID,     /* same build-id */
	VERIFIED_PATH,   /* by name and the length of its code only: nothing tells more */
	VERIFIED_TEXT,   /* a kernel's symbols: its text has the same length */
	VERIFIED_CODE,   /* .NET image: length, and calls before return addresses */
	VERIFIED_BESIDE, /* .NET image: others of its framework's directory */
	VERIFIED_MVID,   /* .NET map: the image's MVID, from perfinfo */
	VERIFIED_COVERS, /* map of JIT code: it covers what was sampled */
	VERIFIED_FORCED, /* by -p */
	VERIFIED_RECORDED, /* text of the same capture */
	VERIFIED_EVENT,    /* the profile itself says it */
	VERIFIED_GIVEN,    /* the text that is the profile has the name */
};

#endif

/*
 * address_form - what a text prints as the address of a frame of a file.
 */
#ifndef SYMBOL_TEXT_ADDRESS_FORM_H
#define SYMBOL_TEXT_ADDRESS_FORM_H

enum address_form {
	FORM_UNSURE,
	FORM_OFFSET,   /* perf 5.16 to 6.3: offset in the file */
	FORM_ABSOLUTE, /* earlier and later: the ip */
};

#endif

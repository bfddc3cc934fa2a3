/*
 * tidy_native - removes additions of compilers and libraries from names of compiled languages.
 *
 * 	std::map<std::__cxx11::basic_string<char, std::char_traits<char>,
 * 		std::allocator<char> >, int, std::less<...>, std::allocator<...> >::find(...)
 * 	-> std::map<std::string, int>::find
 * 	_ZN4core3fmt5write17h0123456789abcdefE, core::fmt::write::h0123456789abcdef
 * 	-> core::fmt::write
 * 	std::_Function_handler<void (), app::run()::{lambda()#1}>::_M_invoke
 * 	-> app::run (lambda)
 * 	memcpy@@GLIBC_2.14
 * 	-> memcpy
 * 	gopkg.in/yaml%2ev2.Map[go.shape.int].func1-fm
 * 	-> gopkg.in/yaml.v2.Map[int].func1
 */
#ifndef LABEL_TIDY_NATIVE_H
#define LABEL_TIDY_NATIVE_H

#include "label/tidy.h"

void tidy_native(struct tidy *t, struct str s);

/* Removes the hash "::h" and 16 hexadecimal digits from the end of a Rust legacy name. */
struct str tidy_native_without_hash(struct str s);

/*
 * Returns true if s is a shim of rustc.  A vtable uses the shim to call the function with the
 * same name.
 */
bool tidy_native_is_shim(struct str s);

/*
 * Decodes an escape of Rust's legacy mangling at the start of s, such as "$LT$".  Returns the
 * decoded text, "<", and sets *code to the escape.  Both strings are empty if s does not begin
 * with an escape.
 */
struct str tidy_native_escape(struct str s, struct str *code);

#endif

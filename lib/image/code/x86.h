/* x86 - decodes x86-64 instructions with Zydis.  Private to image/code/. */
#ifndef IMAGE_CODE_X86_H
#define IMAGE_CODE_X86_H

#include "image/code/decoder.h"

extern const struct decoder x86_decoder;

#endif

/* arm64 - decodes arm64 instructions with Capstone.  Private to image/code/. */
#ifndef IMAGE_CODE_ARM64_H
#define IMAGE_CODE_ARM64_H

#include "image/code/decoder.h"

extern const struct decoder arm64_decoder;

#endif

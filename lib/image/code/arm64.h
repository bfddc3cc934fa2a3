/* arm64 - the decoder of arm64, which uses Capstone.  Private to image/code/. */
#ifndef IMAGE_CODE_ARM64_H
#define IMAGE_CODE_ARM64_H

#include "image/code/decoder.h"

extern const struct decoder arm64_decoder;

#endif

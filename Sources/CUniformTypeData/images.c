#include "CUniformTypeData.h"

// Read as arrays of words. A file of its own, so that the linker leaves it out where nothing uses it.
static const _Alignas(8) unsigned char types[] = {
#embed "images/types"
};

static const _Alignas(8) unsigned char formats[] = {
#embed "images/formats"
};

const unsigned char *inbox_types_image(void) { return types; }

const unsigned char *inbox_formats_image(void) { return formats; }

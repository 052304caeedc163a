#include "CUniformTypeData.h"

static const unsigned char declarations[] = {
#embed "declarations.txt"
};

// Functions, because Swift imports no array of unknown length and turns a long one into a tuple.
const unsigned char *inbox_uniform_type_declarations(void) { return declarations; }

size_t inbox_uniform_type_declarations_size(void) { return sizeof declarations; }

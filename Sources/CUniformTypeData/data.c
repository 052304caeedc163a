#include "CUniformTypeData.h"

static const unsigned char declarations[] = {
#embed "declarations.txt"
};

static const unsigned char formats[] = {
#embed "formats/images.txt"
    ,
#embed "formats/archives.txt"
    ,
#embed "formats/media.txt"
    ,
#embed "formats/documents.txt"
    ,
#embed "formats/programs.txt"
    ,
#embed "formats/texts.txt"
};

// Functions, because Swift imports no array of unknown length and turns a long one into a tuple.
const unsigned char *inbox_uniform_type_declarations(void) { return declarations; }

size_t inbox_uniform_type_declarations_size(void) { return sizeof declarations; }

const unsigned char *inbox_formats(void) { return formats; }

size_t inbox_formats_size(void) { return sizeof formats; }

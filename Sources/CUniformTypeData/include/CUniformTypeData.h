#ifndef C_UNIFORM_TYPE_DATA_H
#define C_UNIFORM_TYPE_DATA_H

#include <stddef.h>

/// The text of `declarations.txt`, embedded at compile time; not NUL-terminated; lives as long as the program.
const unsigned char *inbox_uniform_type_declarations(void);

/// Its length in bytes.
size_t inbox_uniform_type_declarations_size(void);

/// The texts of the files in `formats`, one after the other; not NUL-terminated; they live as long as the program.
const unsigned char *inbox_formats(void);

/// Their length in bytes.
size_t inbox_formats_size(void);

/// The tables of the declarations as UniformTypeIdentifiers builds them, to be read instead; aligned to 8 bytes.
const unsigned char *inbox_types_image(void);

/// The tables of the formats as InboxDetection builds them, to be read instead; aligned to 8 bytes.
const unsigned char *inbox_formats_image(void);

#endif

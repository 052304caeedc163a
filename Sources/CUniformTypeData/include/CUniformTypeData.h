#ifndef C_UNIFORM_TYPE_DATA_H
#define C_UNIFORM_TYPE_DATA_H

#include <stddef.h>

/// The text of `declarations.txt`, embedded at compile time; not NUL-terminated.
extern const unsigned char inbox_uniform_type_declarations[];
extern const size_t inbox_uniform_type_declarations_size;

#endif

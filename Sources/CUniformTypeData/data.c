#include "CUniformTypeData.h"

const unsigned char inbox_uniform_type_declarations[] = {
#embed "declarations.txt"
};
const size_t inbox_uniform_type_declarations_size = sizeof inbox_uniform_type_declarations;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of all functions that the library replaces, for the preprocessor: a line "WRAP NAME"
 * for each. Of these CMake makes the options of the linker. */
#define CALL(type, name, ...)  WRAP name
#define OPEN(type, name, ...)  WRAP name
#define OTHER(type, name, ...) WRAP name
#define OLD(...)
#include "preload-ops.h"
#define STREAM(type, name, ...) WRAP name
#define NAMED(name)		WRAP name
#include "preload-stdio-ops.h"

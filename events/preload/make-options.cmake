# SPDX-License-Identifier: LGPL-2.1-or-later
# The file OUT of linker options, of the names in the header NAMES.
execute_process(COMMAND ${CC} -E -P ${NAMES} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "WRAP +[a-z0-9_]+" names "${text}")
list(TRANSFORM names REPLACE "WRAP +" "-Wl,--wrap=")
list(JOIN names "\n" lines)
file(WRITE ${OUT} "${lines}\n")

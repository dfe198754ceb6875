# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the page of the output html, and a C file that holds it: an array of bytes, which every compiler takes.
# usage: cmake -DHTML=index.html -DCSS=page.css -DJS=bundle.js -DPAGE=iotrace-page.html -DOUT=html-page.c -P embed-page.cmake
# Without HTML the file PAGE is a page that was made elsewhere; without PAGE the array is empty.
if(HTML)
	file(READ "${HTML}" page)
	file(READ "${CSS}" css)
	file(READ "${JS}" js)
	string(REPLACE "/*page.css*/" "${css}" page "${page}")
	string(REPLACE "/*bundle.js*/" "${js}" page "${page}")
	file(WRITE "${PAGE}" "${page}")
endif()
set(bytes "")
set(size 0)
if(PAGE)
	file(READ "${PAGE}" bytes HEX)
	string(LENGTH "${bytes}" size)
	math(EXPR size "${size} / 2")
	file(STRINGS "${PAGE}" marker REGEX "<!--data-->")
	if(NOT marker)
		message(FATAL_ERROR "${PAGE} has no line <!--data-->, so it is no page of iotrace")
	endif()
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
	string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
endif()
file(WRITE "${OUT}" "/* Made by embed-page.cmake. */
#include \"sinks/html/html-page.h\"

const guint8 iot_html_page[] = {
${bytes}0
};
const gsize iot_html_page_size = ${size};
")

# SPDX-License-Identifier: Apache-2.0
# Writes what a command prints into a file.
# Usage: cmake "-DCOMMAND=<command;argument...>" -DOUTPUT=<file> -P print_to_file.cmake
list(REMOVE_ITEM COMMAND "")
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE text RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${COMMAND}: ${status}")
endif()
get_filename_component(directory "${OUTPUT}" DIRECTORY)
file(MAKE_DIRECTORY "${directory}")
file(WRITE "${OUTPUT}" "${text}")

# SPDX-License-Identifier: Apache-2.0
# Runs COMMAND and checks its exit STATUS and that what it prints matches PATTERN.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT status EQUAL STATUS)
  message(FATAL_ERROR "exit status ${status}, expected ${STATUS}\n${out}${err}")
endif()
if(NOT "${out}${err}" MATCHES "${PATTERN}")
  message(FATAL_ERROR "the output does not match '${PATTERN}':\n${out}${err}")
endif()

# Runs PROGRAM and compares what it prints with the file EXPECTED.
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE got ERROR_VARIABLE errors)
if(NOT status EQUAL 0 OR NOT errors STREQUAL "")
  message(FATAL_ERROR "ended with ${status}\n${errors}")
endif()
file(READ ${EXPECTED} expected)
if(NOT got STREQUAL expected)
  message(FATAL_ERROR "printed\n${got}\nexpected\n${expected}")
endif()

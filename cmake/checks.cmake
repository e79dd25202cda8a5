# Checks on the text and on what was built, as tests.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

foreach(what layers sources links tolerances)
  add_test(NAME check_${what} COMMAND Python3::Interpreter tools/check_${what}.py
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()
foreach(what layers tolerances)
  add_test(NAME ${what}_planted COMMAND Python3::Interpreter tests/tools/test_${what}.py
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()
add_test(NAME mutations_apply COMMAND Python3::Interpreter tests/tools/test_mutations.py
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
add_test(NAME docs_constants COMMAND Python3::Interpreter tests/docs/test_constants.py
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
add_test(NAME check_exports COMMAND Python3::Interpreter tools/check_exports.py
  $<TARGET_FILE:trammel_shared> WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})

# models and programs in the documentation; a program cannot load a library with sanitizers
if(NOT TRAMMEL_SANITIZE)
  add_test(NAME docs COMMAND Python3::Interpreter tests/docs/test_docs.py $<TARGET_FILE:trammel>
    $<TARGET_FILE:trammel_shared> WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endif()

# a program outside the tree must be able to use the installed library
if(NOT TRAMMEL_SANITIZE)
  add_test(NAME check_install COMMAND tools/check_install.sh ${CMAKE_CURRENT_BINARY_DIR}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endif()

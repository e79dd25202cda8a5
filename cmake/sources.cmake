# Files of the library. Element and integrator types come from their registries: a line without a
# file fails here, a file without a line is not compiled.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  src/model/elements.def src/analysis/integrators.def tests/suites.def)
file(GLOB TRAMMEL_SOURCES CONFIGURE_DEPENDS
  src/base/*.c src/math/*.c src/sparse/*.c src/expr/*.c src/model/*.c src/adams/*.c src/system/*.c
  src/analysis/*.c src/io/*.c)

file(STRINGS src/model/elements.def lines REGEX "^TML_[A-Z]+\\([a-z0-9_]+\\)")
foreach(line ${lines})
  string(REGEX MATCH "^TML_([A-Z]+)\\(([a-z0-9_]+)\\)" _ "${line}")
  string(TOLOWER ${CMAKE_MATCH_1} family)
  list(APPEND REGISTERED src/model/${family}/${CMAKE_MATCH_2}.c)
endforeach()
file(STRINGS src/analysis/integrators.def lines REGEX "^TML_INTEGRATOR\\([a-z0-9_]+")
foreach(line ${lines})
  string(REGEX MATCH "^TML_INTEGRATOR\\(([a-z0-9_]+)" _ "${line}")
  list(APPEND REGISTERED src/analysis/integrator/${CMAKE_MATCH_1}.c)
endforeach()

list(REMOVE_DUPLICATES REGISTERED)
foreach(file ${REGISTERED})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    message(FATAL_ERROR "${file} is named by a registry line, but does not exist")
  endif()
  list(APPEND TRAMMEL_SOURCES ${file})
endforeach()

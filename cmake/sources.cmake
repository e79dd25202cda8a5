# Files of the library: every .c file below src/. A registry line that names no file fails here; a
# table that no registry line names fails tools/check_sources.py.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  src/model/elements.def src/model/contact/contacts.def src/reduce/element/fe_elements.def
  src/model/wheel/road/roads.def
  src/analysis/integrator/integrators.def tests/suites.def)
file(GLOB_RECURSE TRAMMEL_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} src/*.c)

set(FOLDER_BODY src/model/body)
set(FOLDER_CONSTRAINT src/model/constraint)
set(FOLDER_FORCE src/model/force)
set(FOLDER_FLEX src/model/flexible/element)
set(FOLDER_SHAPE src/model/contact/shape)
set(FOLDER_PRESS src/model/contact/law)
set(FOLDER_SLIP src/model/contact/law)
set(FOLDER_ROLL src/model/contact/law)
set(FOLDER_FE src/reduce/element)
set(FOLDER_ROAD src/model/wheel/road)
file(STRINGS src/model/elements.def lines REGEX "^TML_[A-Z]+\\([a-z0-9_]+\\)")
file(STRINGS src/model/contact/contacts.def more REGEX "^TML_[A-Z]+\\([a-z0-9_]+\\)")
file(STRINGS src/reduce/element/fe_elements.def solids REGEX "^TML_[A-Z]+\\([a-z0-9_]+\\)")
file(STRINGS src/model/wheel/road/roads.def roads REGEX "^TML_[A-Z]+\\([a-z0-9_]+\\)")
foreach(line ${lines} ${more} ${solids} ${roads})
  string(REGEX MATCH "^TML_([A-Z]+)\\(([a-z0-9_]+)\\)" _ "${line}")
  set(kind ${CMAKE_MATCH_1})
  set(folder ${FOLDER_${kind}})
  set(name ${CMAKE_MATCH_2})
  if(kind STREQUAL ROAD)
    set(name road_${name})
  endif()
  if(name MATCHES "_tyre$")
    set(folder src/model/wheel/tyre) # tyres are forces with a room of their own
  endif()
  if(name MATCHES "^rail_")
    set(folder src/model/wheel/rail)
  endif()
  list(APPEND REGISTERED ${folder}/${name}.c)
endforeach()
file(STRINGS src/analysis/integrator/integrators.def lines REGEX "^TML_INTEGRATOR\\([a-z0-9_/]+")
foreach(line ${lines})
  string(REGEX MATCH "^TML_INTEGRATOR\\(([a-z0-9_/]+)" _ "${line}")
  list(APPEND REGISTERED src/analysis/integrator/${CMAKE_MATCH_1}.c)
endforeach()

foreach(file ${REGISTERED})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    message(FATAL_ERROR "${file} is named by a registry line, but does not exist")
  endif()
endforeach()

# Comparisons of numbers tell the fuzzer nothing, and recording them takes most of its time.
if(TRAMMEL_FUZZ)
  set(numeric ${TRAMMEL_SOURCES})
  list(FILTER numeric INCLUDE REGEX "src/(math|sparse|system|analysis|model/(flex|body|force|constraint))")
  set_source_files_properties(${numeric} PROPERTIES COMPILE_OPTIONS
    "-fno-sanitize-coverage=trace-cmp")
endif()

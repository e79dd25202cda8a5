# the Python package in build/python, where there is a Python with numpy and cffi: sources, the library, and _abi.py, made
# from the public headers
set(TRAMMEL_PYTHON "")
find_program(TRAMMEL_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_package(Python3 COMPONENTS Interpreter)
foreach(candidate ${Python3_EXECUTABLE} ${TRAMMEL_SYSTEM_PYTHON})
  if(NOT TRAMMEL_PYTHON)
    execute_process(COMMAND ${candidate} -c "import sys, numpy, cffi, pycparser; sys.exit(sys.version_info < (3, 11))"
      RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(missing EQUAL 0)
      set(TRAMMEL_PYTHON ${candidate})
    endif()
  endif()
endforeach()

if(TRAMMEL_PYTHON)
  set(package ${PROJECT_BINARY_DIR}/python/trammel)
  file(GLOB python_sources CONFIGURE_DEPENDS python/trammel/*.py python/trammel/py.typed)
  file(GLOB python_headers CONFIGURE_DEPENDS include/trammel/*.h)
  add_custom_command(OUTPUT ${package}/_abi.py
    COMMAND ${CMAKE_COMMAND} -E make_directory ${package}
    COMMAND ${TRAMMEL_PYTHON} ${PROJECT_SOURCE_DIR}/python/make_abi.py ${PROJECT_SOURCE_DIR}/include ${package}/_abi.py
    DEPENDS python/make_abi.py ${python_headers} VERBATIM)
  add_custom_command(OUTPUT ${package}/copied
    COMMAND ${CMAKE_COMMAND} -E make_directory ${package}
    COMMAND ${CMAKE_COMMAND} -E copy ${python_sources} ${package}
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:trammel_shared> ${package}/libtrammel.so
    COMMAND ${CMAKE_COMMAND} -E touch ${package}/copied
    DEPENDS ${python_sources} trammel_shared VERBATIM)
  add_custom_target(trammel_python ALL DEPENDS ${package}/_abi.py ${package}/copied)
else()
  message(STATUS "no Python 3.11 with numpy and cffi: the Python package is left out")
  add_custom_target(trammel_python)
endif()

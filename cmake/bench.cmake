# Benchmarks, built by the target `bench` only.
add_custom_target(bench)

# one program with a table of benchmarks; it may look inside the library to time its parts
add_executable(trammel-bench EXCLUDE_FROM_ALL
  bench/main.c bench/report.c bench/process.c bench/chain.c bench/projection.c bench/krylov.c bench/micro.c
  bench/orders.c bench/violations.c bench/flexible.c bench/contact.c bench/modal.c)
set_target_properties(trammel-bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
target_compile_definitions(trammel-bench PRIVATE TRAMMEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  BENCH_COMPILER="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}")
target_link_libraries(trammel-bench PRIVATE trammel_objects)
add_dependencies(bench trammel-bench)

# single parts as programs of their own; they use the matrices of the tests
file(GLOB BENCH_SOURCES CONFIGURE_DEPENDS bench/micro_*.c)
foreach(source ${BENCH_SOURCES})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL ${source} tests/test_util.c)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  target_include_directories(${name} PRIVATE tests)
  target_compile_definitions(${name} PRIVATE TRAMMEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE trammel_objects)
  add_dependencies(bench ${name})
endforeach()

# evaluations of adams beside those of another code, where that is installed
find_package(SUNDIALS QUIET COMPONENTS cvode nvecserial)
if(TARGET SUNDIALS::cvode AND TARGET SUNDIALS::nvecserial)
  add_executable(adams_evaluations EXCLUDE_FROM_ALL bench/adams_evaluations.c)
  set_target_properties(adams_evaluations PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  target_link_libraries(adams_evaluations PRIVATE trammel_flags trammel_static SUNDIALS::cvode
    SUNDIALS::nvecserial)
  add_dependencies(bench adams_evaluations)
endif()

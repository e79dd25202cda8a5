# Benchmarks, built by the target `bench` only.
add_custom_target(bench)

# one program with a table of benchmarks; it may look inside the library to time its parts
add_executable(trammel-bench EXCLUDE_FROM_ALL
  bench/main.c bench/report.c bench/process.c bench/chain.c bench/projection.c bench/krylov.c bench/micro.c
  bench/orders.c bench/violations.c bench/flexible.c bench/contact.c bench/heap.c bench/settle.c bench/modal.c bench/reduction.c)
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
  target_compile_definitions(${name} PRIVATE TRAMMEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    TRAMMEL_BINARY_DIR="${PROJECT_BINARY_DIR}")
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

# bench/peers: our runs, and programs for other codes where their packages are installed (libmujoco-dev, libsimbody-dev,
# libsundials-dev of Debian; TRAMMEL_PEERS_ROOT names another prefix)
set(TRAMMEL_PEERS_ROOT "" CACHE PATH "prefix of MuJoCo, Simbody and SUNDIALS for bench/peers")
add_custom_target(peers)
function(trammel_peer name source header suffix)
  find_path(PEER_${name}_INCLUDE ${header} HINTS ${TRAMMEL_PEERS_ROOT}/include PATH_SUFFIXES ${suffix})
  set(libraries "")
  foreach(library ${ARGN})
    find_library(PEER_${library} ${library} HINTS ${TRAMMEL_PEERS_ROOT}/lib
      ${TRAMMEL_PEERS_ROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
    list(APPEND libraries ${PEER_${library}})
  endforeach()
  if(NOT PEER_${name}_INCLUDE OR "${libraries}" MATCHES "NOTFOUND")
    return()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL bench/peers/${source})
  target_include_directories(${name} SYSTEM PRIVATE ${PEER_${name}_INCLUDE})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_link_libraries(${name} PRIVATE ${libraries} m)
  if(TRAMMEL_PEERS_ROOT) # libraries that these need lie there, too
    target_link_options(${name} PRIVATE
      -Wl,-rpath-link,${TRAMMEL_PEERS_ROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}
      -Wl,--disable-new-dtags,-rpath,${TRAMMEL_PEERS_ROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  add_dependencies(peers ${name})
endfunction()
add_executable(peer_ours EXCLUDE_FROM_ALL bench/peers/ours.c)
set_target_properties(peer_ours PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
target_link_libraries(peer_ours PRIVATE trammel_flags trammel_static m)
add_dependencies(peers peer_ours)
trammel_peer(peer_mujoco mujoco_run.c mujoco/mujoco.h "" mujoco)
trammel_peer(peer_cvode cvode_p4.c cvode/cvode.h "" sundials_cvode sundials_nvecserial
  sundials_sunlinsoldense sundials_sunmatrixdense)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  trammel_peer(peer_simbody simbody_run.cpp Simbody.h simbody SimTKsimbody SimTKmath SimTKcommon)
endif()

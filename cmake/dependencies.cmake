# Third-party libraries, each used by one layer: SuiteSparse and ARPACK by sparse, LAPACK by math,
# libfyaml, HDF5, zlib, cairo and NLopt by io.
find_package(PkgConfig REQUIRED)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
# hdf5 alone is the MPI build where that is installed beside the serial one, as packages of Debian prefer it
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
find_package(LAPACK REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(NLOPT REQUIRED IMPORTED_TARGET nlopt)
find_path(SUITESPARSE_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
foreach(name spqr cholmod klu btf colamd amd suitesparseconfig)
  find_library(SUITESPARSE_${name} ${name} REQUIRED)
  list(APPEND SUITESPARSE_LIBRARIES ${SUITESPARSE_${name}})
endforeach()

find_path(ARPACK_INCLUDE arpack/arpack.h REQUIRED)
find_library(ARPACK_LIBRARY arpack REQUIRED)

add_library(trammel_dependencies INTERFACE)
target_include_directories(trammel_dependencies SYSTEM INTERFACE ${SUITESPARSE_INCLUDE} ${ARPACK_INCLUDE})
target_link_libraries(trammel_dependencies INTERFACE PkgConfig::FYAML PkgConfig::NLOPT ZLIB::ZLIB ${SUITESPARSE_LIBRARIES} ${ARPACK_LIBRARY} LAPACK::LAPACK m ${CMAKE_DL_LIBS})

# HDF5 and cairo are loaded by the first command that needs them (src/io/lazy/lazy.h), by the name that a shared library
# carries; static ones, and all where this is off, are linked.
option(TRAMMEL_LAZY "load HDF5 and cairo when they are needed" ON)
add_library(trammel_direct INTERFACE) # what is linked by programs that call these libraries themselves
target_link_libraries(trammel_direct INTERFACE PkgConfig::HDF5)
function(trammel_lazy which package)
  target_include_directories(trammel_dependencies SYSTEM INTERFACE ${${which}_INCLUDE_DIRS})
  list(GET ${which}_LINK_LIBRARIES 0 library)
  set(soname "")
  if(TRAMMEL_LAZY AND NOT TRAMMEL_FUZZ AND CMAKE_OBJDUMP AND library MATCHES "\\.so$")
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE facts ERROR_QUIET)
    string(REGEX MATCH "SONAME +([^\n]+)" _ "${facts}")
    set(soname "${CMAKE_MATCH_1}")
  endif()
  if(soname)
    string(TOLOWER ${which} file)
    set_property(SOURCE src/io/lazy/${file}_calls.c APPEND PROPERTY COMPILE_DEFINITIONS
      "TML_${which}_LIBRARY=\"${soname}\"")
  else()
    target_link_libraries(trammel_dependencies INTERFACE PkgConfig::${which})
    set(TRAMMEL_PC_${which} ${package} PARENT_SCOPE)
  endif()
endfunction()
trammel_lazy(HDF5 ${HDF5_MODULE_NAME})

# Loops over elements may run on several threads.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
target_link_libraries(trammel_dependencies INTERFACE Threads::Threads)

# Without cairo plots are SVG only.
pkg_check_modules(CAIRO IMPORTED_TARGET cairo)
if(CAIRO_FOUND)
  trammel_lazy(CAIRO cairo)
else()
  message(STATUS "cairo (libcairo2-dev) is missing: 'trammel plot' writes .svg only, no .png")
endif()
set_property(SOURCE src/io/figure/draw_png.c src/io/lazy/cairo_calls.c APPEND PROPERTY COMPILE_DEFINITIONS
  "TML_CAIRO=$<BOOL:${CAIRO_FOUND}>")

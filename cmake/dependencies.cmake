# Third-party libraries, each used by one layer: SuiteSparse and ARPACK by sparse, LAPACK by math,
# libfyaml, HDF5, zlib and cairo by io.
find_package(PkgConfig REQUIRED)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
find_package(LAPACK REQUIRED)
find_package(ZLIB REQUIRED)
find_path(SUITESPARSE_INCLUDE klu.h PATH_SUFFIXES suitesparse REQUIRED)
foreach(name spqr cholmod klu btf colamd amd suitesparseconfig)
  find_library(SUITESPARSE_${name} ${name} REQUIRED)
  list(APPEND SUITESPARSE_LIBRARIES ${SUITESPARSE_${name}})
endforeach()

find_path(ARPACK_INCLUDE arpack/arpack.h REQUIRED)
find_library(ARPACK_LIBRARY arpack REQUIRED)

add_library(trammel_dependencies INTERFACE)
target_include_directories(trammel_dependencies SYSTEM INTERFACE ${SUITESPARSE_INCLUDE} ${ARPACK_INCLUDE})
target_link_libraries(trammel_dependencies INTERFACE PkgConfig::FYAML PkgConfig::HDF5
  ZLIB::ZLIB ${SUITESPARSE_LIBRARIES} ${ARPACK_LIBRARY} LAPACK::LAPACK m ${CMAKE_DL_LIBS})

# Without OpenMP the loops over elements are serial.
find_package(OpenMP COMPONENTS C)
if(OpenMP_C_FOUND)
  target_link_libraries(trammel_dependencies INTERFACE OpenMP::OpenMP_C)
endif()

# Without cairo plots are SVG only.
pkg_check_modules(CAIRO IMPORTED_TARGET cairo)
if(CAIRO_FOUND)
  target_link_libraries(trammel_dependencies INTERFACE PkgConfig::CAIRO)
  set(TRAMMEL_PC_CAIRO cairo)
else()
  message(STATUS "cairo (libcairo2-dev) is missing: 'trammel plot' writes .svg only, no .png")
endif()
set_source_files_properties(src/io/figure/draw_png.c PROPERTIES COMPILE_DEFINITIONS
  "TML_CAIRO=$<BOOL:${CAIRO_FOUND}>")

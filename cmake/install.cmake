# Command, both libraries, headers, pkg-config file, CMake package and shell completions.
include(CMakePackageConfigHelpers)

# programs that use the package link the shared library; static linking goes through pkg-config
set_target_properties(trammel_shared PROPERTIES EXPORT_NAME trammel)
# the same name where the sources are part of another build
add_library(Trammel::trammel ALIAS trammel_shared)
install(TARGETS trammel trammel_static)
install(TARGETS trammel_shared EXPORT TrammelTargets)
install(DIRECTORY include/trammel TYPE INCLUDE FILES_MATCHING PATTERN "*.h")

set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Trammel)
install(EXPORT TrammelTargets NAMESPACE Trammel:: DESTINATION ${PACKAGE_DIR})
configure_package_config_file(cmake/TrammelConfig.cmake.in TrammelConfig.cmake
  INSTALL_DESTINATION ${PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(TrammelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TrammelConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/TrammelConfigVersion.cmake DESTINATION ${PACKAGE_DIR})

# the file finds its own prefix, so that the tree can be moved
file(RELATIVE_PATH TRAMMEL_PC_UP /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
string(REGEX REPLACE "/$" "" TRAMMEL_PC_UP "${TRAMMEL_PC_UP}")
configure_file(cmake/trammel.pc.in trammel.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/trammel.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES completions/trammel.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME trammel OPTIONAL)
install(FILES completions/_trammel DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)

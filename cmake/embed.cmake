# Texts that the command carries with it, as C arrays: the models of `trammel bench`.
set(CLI_EMBEDDED ${CMAKE_CURRENT_BINARY_DIR}/cli_models.c)
set(EMBEDDED_TEXT "#include \"bench.h\"\n")
foreach(path double_pendulum flexible/pendulum papers/hmmwv papers/belt_drive papers/atv papers/parts/atv_frame
             papers/tracked_vehicle papers/include/tracked_vehicle_base papers/tracked_vehicle_cable papers/tracked_vehicle_beam
             papers/excavator_track papers/pantograph_catenary papers/engine_scale)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS models/${path}.yaml)
  file(READ models/${path}.yaml bytes HEX)
  string(REPLACE "/" "_" name ${path})
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(APPEND EMBEDDED_TEXT "const char cli_model_${name}[] = {\n${bytes}0};\n")
endforeach()
file(CONFIGURE OUTPUT ${CLI_EMBEDDED} CONTENT "${EMBEDDED_TEXT}" @ONLY)

# No target or optimisation level may fuse or reorder arithmetic: no contraction, no fast math.
add_library(trammel_flags INTERFACE)
target_compile_options(trammel_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla
  -Wundef -Wdouble-promotion -ffp-contract=off -fvisibility=hidden
  $<$<C_COMPILER_ID:Clang>:-Wmissing-variable-declarations>
  $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>)
target_compile_definitions(trammel_flags INTERFACE _GNU_SOURCE $<$<CONFIG:Debug>:TML_DEBUG>)
if(TRAMMEL_SANITIZE)
  target_compile_definitions(trammel_flags INTERFACE TML_DEBUG)
  target_compile_options(trammel_flags INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(trammel_flags INTERFACE -fsanitize=address,undefined)
endif()

# Coverage by libFuzzer, and both sanitizers; a number that its integer cannot hold is a finding, too.
if(TRAMMEL_FUZZ)
  set(TRAMMEL_FUZZ_FLAGS -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow)
  target_compile_definitions(trammel_flags INTERFACE TML_DEBUG)
  target_compile_options(trammel_flags INTERFACE ${TRAMMEL_FUZZ_FLAGS}
    -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only)
  target_link_options(trammel_flags INTERFACE ${TRAMMEL_FUZZ_FLAGS})
endif()

# Compiles the kernels of a target ahead of time, and links them into it.
#
#   selvage_offload(TARGET TARGETS ARCHITECTURE... [WITH LIBRARY...])
#
# TARGET: an executable, shared or module library. ARCHITECTURE: sm_90, gfx942, spirv64, x86-64-v3, ptx, ...: those that
# `selvagec --help` lists. WITH: static and object libraries whose kernels go in too. Before the target is linked, selvagec
# reads the kernels out of its object files; a kernel whose image has not changed is not compiled again.
function(selvage_offload target)
  cmake_parse_arguments(ARG "" "" "TARGETS;WITH" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_TARGETS)
    message(FATAL_ERROR "selvage_offload(${target} ...): say TARGETS and their architectures, such as TARGETS sm_90 x86-64-v3")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
    message(FATAL_ERROR "selvage_offload(${target} ...): it is a ${type}, which is not linked; name the executable or shared "
                        "library that links it, WITH ${target}")
  endif()
  set(bundle ${CMAKE_CURRENT_BINARY_DIR}/${target}.kernels.o)
  list(JOIN ARG_TARGETS "," architectures)
  set(libraries "")
  foreach(library IN LISTS ARG_WITH)
    get_target_property(kind ${library} TYPE)
    if(kind STREQUAL OBJECT_LIBRARY)
      list(APPEND libraries $<TARGET_OBJECTS:${library}>)
    else()
      list(APPEND libraries $<TARGET_FILE:${library}>)
    endif()
    add_dependencies(${target} ${library})
  endforeach()
  add_custom_command(TARGET ${target} PRE_LINK
    COMMAND selvage::selvagec --bundle --targets=${architectures} -o ${bundle} $<TARGET_OBJECTS:${target}> ${libraries}
    COMMENT "Compiling the kernels of ${target} for ${architectures}" COMMAND_EXPAND_LISTS VERBATIM)
  target_link_options(${target} PRIVATE ${bundle})
  set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES ${bundle} ${bundle}.cache)
endfunction()

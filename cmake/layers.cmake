# Declares a library of one layer, with its folder's include/ as its public headers and the project's settings.
#   selvage_library(NAME STATIC|SHARED|MODULE SOURCES ... LINKS ... [PRIVATE_LINKS ...])
function(selvage_library name type)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} ${type} ${ARG_SOURCES})
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:include>)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE $<BUILD_INTERFACE:selvage_warnings> ${ARG_PRIVATE_LINKS})
endfunction()

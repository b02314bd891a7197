# Functions for the tests: a ctest label is the test's folder under test/.
#   selvage_test(NAME SOURCES ... [LINKS ...] [LABELS ...])   a doctest executable, one ctest
function(selvage_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  # The warnings first: the main library takes one of them back.
  target_link_libraries(${name} PRIVATE selvage_warnings selvage_test_main ${ARG_LINKS})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_LABELS)
    file(RELATIVE_PATH ARG_LABELS ${PROJECT_SOURCE_DIR}/test ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 300)
endfunction()

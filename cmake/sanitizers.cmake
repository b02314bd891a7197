# SELVAGE_SANITIZE names the sanitizers of the whole build (presets asan-ubsan, tsan), as -fsanitize takes them.
set(SELVAGE_SANITIZE "" CACHE STRING "sanitizers, separated by commas, as -fsanitize= takes them")
if(SELVAGE_SANITIZE)
  add_compile_options(-fsanitize=${SELVAGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SELVAGE_SANITIZE})
endif()

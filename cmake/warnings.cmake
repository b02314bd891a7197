# Warnings for the project's own targets; errors where SELVAGE_WERROR says so (presets dev, ci).
option(SELVAGE_WERROR "treat warnings as errors" OFF)

add_library(selvage_warnings INTERFACE)
target_compile_options(selvage_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                       $<$<BOOL:${SELVAGE_WERROR}>:-Werror>)

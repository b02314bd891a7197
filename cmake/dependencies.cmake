# Every dependency of the project, found once. LLVM is found by codegen/ and runtime/ alone, since nobody else may use it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost 1.74 REQUIRED)

# Install rules: libraries, plug-ins beside the runtime, headers, tools, and the package that find_package(selvage) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Names behind selvage:: are those of the layers: selvage::selvage is all that a program links.
foreach(layer dsl ir recipe runtime)
  set_target_properties(selvage_${layer} PROPERTIES EXPORT_NAME ${layer})
endforeach()
install(TARGETS selvage selvage_dsl selvage_ir selvage_recipe selvage_runtime EXPORT selvageTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${SELVAGE_PLUGINS} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS selvagec EXPORT selvageTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS selvage-info RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(layer dsl codegen runtime)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/selvage)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/selvageConfig.cmake.in ${PROJECT_BINARY_DIR}/selvageConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/selvageOffload.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/selvageConfig.cmake ${PROJECT_BINARY_DIR}/selvageConfigVersion.cmake
  DESTINATION ${package_dir})
install(EXPORT selvageTargets NAMESPACE selvage:: DESTINATION ${package_dir})

# SPDX-License-Identifier: Apache-2.0
# An overlay port: it builds the sources it lies in. For a registry, replace the next line by
# vcpkg_from_git() or vcpkg_from_github() with the address and hash of a release.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options FEATURES tools SINEW_BUILD_TOOL)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${feature_options} -DSINEW_BUILD_TESTS=OFF -DSINEW_BUILD_EXAMPLES=OFF -DSINEW_FETCH_DEPS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sinew)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES sinew AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")

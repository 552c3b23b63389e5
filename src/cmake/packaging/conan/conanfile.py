# SPDX-License-Identifier: Apache-2.0
# Conan 2 recipe; builds the sources it lies in: conan create src/cmake/packaging/conan
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

REQUIREMENTS = {
    "eigen": "[>=3.4 <4]",
    "fast_float": "[>=3.9 <9]",
    "fmt": "[>=9.1 <10]",
    "highway": "[>=1.0.3 <2]",
    "lz4": "[>=1.9.4 <2]",
    "nlohmann_json": "[>=3.11.2 <4]",
    "pugixml": "[>=1.11 <2]",
    "qhull": "[>=8.0.1 <9]",
}
TOOL_REQUIREMENTS = {
    "cli11": "[>=2.1.2 <3]",
}


class SinewConan(ConanFile):
    name = "sinew"
    description = "USD characters and USD physics without OpenUSD"
    license = "Apache-2.0"
    topics = ("usd", "skinning", "animation", "physics")
    package_type = "library"
    implements = ["auto_shared_fpic"]
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "tool": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tool": False}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, *[os.pardir] * 4)

    def set_version(self):
        project = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = re.search(r"^\s+VERSION (\S+)$", project, re.MULTILINE).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "src/*", "examples/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        for package, versions in REQUIREMENTS.items():
            # Public headers include Eigen and nothing else.
            self.requires(f"{package}/{versions}", transitive_headers=package == "eigen")
        if self.options.tool:
            for package, versions in TOOL_REQUIREMENTS.items():
                self.requires(f"{package}/{versions}", visible=False)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SINEW_BUILD_TESTS"] = False
        toolchain.cache_variables["SINEW_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["SINEW_BUILD_TOOL"] = bool(self.options.tool)
        toolchain.generate()
        dependencies = CMakeDeps(self)
        dependencies.set_property("highway", "cmake_file_name", "hwy")
        dependencies.set_property("highway", "cmake_target_name", "hwy::hwy")
        dependencies.set_property("lz4", "cmake_target_name", "LZ4::lz4")
        dependencies.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "sinew")
        compute = self.cpp_info.components["compute"]
        compute.set_property("cmake_target_name", "sinew::compute")
        compute.set_property("pkg_config_name", "sinew-compute")
        compute.libs = ["sinew_compute"]
        compute.requires = ["eigen::eigen", "highway::highway"]
        whole = self.cpp_info.components["sinew"]
        whole.set_property("cmake_target_name", "sinew::sinew")
        whole.set_property("pkg_config_name", "sinew")
        whole.libs = ["sinew"]
        whole.requires = [f"{package}::{package}" for package in REQUIREMENTS]
        for component in (compute, whole):
            if self.options.shared:
                component.defines = ["SINEW_SHARED"]
            if self.settings.os in ("Linux", "FreeBSD"):
                component.system_libs = ["m"]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The opencl back end against a stand-in for the loader and its drivers: which devices it takes, and how it hands them
// code.
#include "opencl_fixture.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace selvage;
using namespace selvage::test;

namespace {

/// A folder with a translator llvm-spirv-99 that is a script, first on PATH.
class translator {
 public:
  explicit translator(const char* script) {
    std::filesystem::create_directories(folder_);
    const std::filesystem::path file = folder_ / "llvm-spirv-99";
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    setenv("PATH", (folder_.string() + ":" + old_).c_str(), 1);
  }
  ~translator() {
    setenv("PATH", old_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path folder_ = std::filesystem::path(SELVAGE_TEST_FOLDER) / "translator";
  std::string old_ = std::getenv("PATH");
};

}  // namespace

TEST_CASE("devices are described, the processor last, without making a context") {
  REQUIRE(library != nullptr);
  const devices all = all_of_them();
  std::vector<std::string> names;
  for (const auto& d : all) names.push_back(d->describe().name);
  CHECK(names ==
        std::vector<std::string>{"shared", "fine", "coarse", "single", "older", "half shared", "framed", "processor"});
  const backend::description& d = all[0]->describe();
  CHECK(d.architecture == "spirv64");
  CHECK(d.driver == "Fake Platform 1.2.3");
  CHECK(d.memory_bytes == std::uint64_t{4} << 20);
  CHECK(d.compute_units == 96);
  CHECK(d.maximum_group == 1024);
  CHECK(d.float64);
  CHECK_FALSE(d.is_host_processor);
  CHECK_FALSE(d.shares_host_memory);
  CHECK_FALSE(all[3]->describe().float64);
  CHECK(all[4]->describe().architecture == "spirv64v1.2");
  CHECK(all[7]->describe().is_host_processor);
  CHECK(fake().contexts == 0);
}

TEST_CASE("of each device that cannot be used it is said why") {
  all_of_them();
  const std::string start = "opencl: '";
  const std::string of = "' of platform 'Fake Platform' is left out: ";
  CHECK(backend::opencl_provider()->left_out() ==
        std::vector<std::string>{
            start + "small" + of + "its groups have 128 work-items at most; 256 are needed",
            start + "source only" + of + "it does not take SPIR-V (CL_DEVICE_IL_VERSION is empty)",
            start + "oldest" + of + "it takes SPIR-V of versions before 1.2 only (SPIR-V_1.0 SPIR-V_1.1)",
            start + "narrow" + of + "its addresses are not of 64 bits, low byte first",
            start + "off" + of + "it or its compiler is not available",
            start + "frozen" + of + "it or its compiler is not available",
            start + "apart" + of +
                "it has neither unified shared memory (cl_intel_unified_shared_memory) nor shared virtual memory "
                "(OpenCL 2.0); it is OpenCL 1.2 fake",
            start +
                "bitcode' of platform 'Portable Computing Language' is left out: it takes kernels as its LLVM's "
                "bitcode only, and the translator llvm-spirv-99 is not on PATH; install it (package llvm-spirv-99)"});
  std::vector<std::string> problems;
  device::all(&problems);
  CHECK(std::ranges::count_if(problems,
                              [](const std::string& p) { return p.find("is left out: ") != std::string::npos; }) == 8);
}

TEST_CASE("why there is no device") {
  fake();
  backend::provider& opencl = *backend::opencl_provider();
  fake().shown = 0;
  check_throws(error_code::no_device, {"opencl: the loader is here, but it shows no device", "pocl-opencl-icd"},
               [&] { opencl.devices(); });
  fake().shown = ~std::size_t{0};
  const failing f("clGetPlatformIDs", -30);
  check_throws(error_code::device_failure, {"opencl: counting platforms failed: CL_INVALID_VALUE (-30)"},
               [&] { opencl.devices(); });
}

TEST_CASE("a processor by OpenCL is chosen only by its name") {
  fake();
  unsetenv("SELVAGE_DEVICE");
  CHECK(device().name() == "opencl");
  CHECK(device().describe().name == "shared");
  CHECK(of_runtime("processor").name() == "opencl:7");
  CHECK(device::all().back() == of_runtime("processor"));
  setenv("SELVAGE_DEVICE", "opencl:7", 1);
  CHECK(device() == of_runtime("processor"));
  unsetenv("SELVAGE_DEVICE");
}

TEST_CASE("which code suits a device") {
  using enum codegen::code_format;
  backend::device& d = named("fine");
  backend::device& older = named("older");
  CHECK(d.suits("spirv64", spirv) == 1000);
  CHECK(d.suits("spirv64v1.2", spirv) > 0);
  CHECK(d.suits("spirv64v1.2", spirv) < 1000);
  CHECK(older.suits("spirv64v1.2", spirv) == 1000);
  CHECK(older.suits("spirv64", spirv) == 0);
  CHECK(d.suits("spirv64", ptx) == 0);
  CHECK(d.suits("sm_90", spirv) == 0);
  check_throws(error_code::unsupported, {"opencl: the machine code is not SPIR-V; compile it for 'spirv64v1.2'"},
               [&] { older.load(code_of(), ptx); });
}

TEST_CASE("a kernel with double precision on a device without it is refused before the launch") {
  const device d = of_runtime("single");
  buffer<double> x(8), r(1);
  std::ranges::fill(x.write(), 1.0);
  const argument list[] = {make_argument(r), make_argument(x)};
  const built_image image = sum_image();
  const codegen::compiled_kernel sum = for_opencl(compiled_sum());
  fake().log.clear();
  check_throws(error_code::unsupported,
               {"kernel 'sum' computes in double precision, which device 'opencl:3' (single) lacks"},
               [&] { launch_compiled(sum, image.view(), d.default_queue(), list); });
  CHECK(fake().log.empty());
  launch_compiled(sum, image.view(), of_runtime("older").default_queue(), list);
  CHECK(r.read()[0] == 8.0);
}

TEST_CASE("code that does not build is refused with the driver's build log") {
  backend::device& d = named("fine");
  const std::size_t programs = fake().programs;
  const auto load = [&](const std::vector<std::byte>& code) { d.load(code, codegen::code_format::spirv); };
  check_throws(error_code::device_failure,
               {"opencl: building a kernel's code for 'fine' failed: CL_BUILD_PROGRAM_FAILURE (-11); the build log: "
                "word 1: no such version build failed"},
               [&] { load(code_of({}, 0xbad)); });
  CHECK(fake().programs == programs);
  check_throws(error_code::device_failure, {"handing a kernel's SPIR-V to 'fine' failed: CL_INVALID_VALUE"},
               [&] { load({}); });
  const failing silent("clGetProgramBuildInfo", -5);
  check_throws(error_code::device_failure, {"CL_BUILD_PROGRAM_FAILURE (-11)"}, [&] { load(code_of({}, 0xbad)); });
}

TEST_CASE("PoCL gets bitcode from the translator of its LLVM") {
  const translator t("printf 'BC\\300\\336' > \"$4\"; cat \"$2\" >> \"$4\"");
  const devices all = all_of_them();
  const auto pocl = std::ranges::find_if(all, [](const auto& d) { return d->describe().name == "bitcode"; });
  REQUIRE(pocl != all.end());
  backend::device& d = **pocl;
  // Types int 32, int 64, bool, float 64; a null of each; a null of a type that is no number.
  const auto code = code_of({4 << 16 | 21,
                             1,
                             32,
                             0,
                             4 << 16 | 21,
                             2,
                             64,
                             0,
                             2 << 16 | 20,
                             3,
                             3 << 16 | 22,
                             4,
                             64,
                             3 << 16 | 46,
                             1,
                             5,
                             3 << 16 | 46,
                             2,
                             6,
                             3 << 16 | 46,
                             3,
                             7,
                             3 << 16 | 46,
                             4,
                             8,
                             3 << 16 | 46,
                             9,
                             10});
  const std::vector<std::uint32_t> expected{0xdec04342,
                                            0x07230203,
                                            0x10400,
                                            0,
                                            9,
                                            0,
                                            4 << 16 | 21,
                                            1,
                                            32,
                                            0,
                                            4 << 16 | 21,
                                            2,
                                            64,
                                            0,
                                            2 << 16 | 20,
                                            3,
                                            3 << 16 | 22,
                                            4,
                                            64,
                                            4 << 16 | 43,
                                            1,
                                            5,
                                            0,
                                            5 << 16 | 43,
                                            2,
                                            6,
                                            0,
                                            0,
                                            3 << 16 | 42,
                                            3,
                                            7,
                                            5 << 16 | 43,
                                            4,
                                            8,
                                            0,
                                            0,
                                            3 << 16 | 46,
                                            9,
                                            10};
  fake().log.clear();
  backend::module* const m = d.load(code, codegen::code_format::spirv);
  CHECK(fake().log == std::vector<std::string>{"program of bitcode"});
  CHECK(fake().code == expected);
  CHECK(fake().build_options == "-x spir -spir-std=1.2");
  d.unload(m);
  const auto refuses = [&](const std::vector<std::byte>& bad, const char* part) {
    check_throws(error_code::invalid_file, {part}, [&] { d.load(bad, codegen::code_format::spirv); });
  };
  refuses({}, "not SPIR-V");
  refuses(code_of({5 << 16 | 21, 1, 32}), "SPIR-V is damaged");
  refuses(code_of({21}), "SPIR-V is damaged");
  {
    const translator broken("echo 'InvalidModule: no entry'; exit 3");
    check_throws(error_code::device_failure, {"llvm-spirv-99' does not translate", "InvalidModule: no entry"},
                 [&] { d.load(code, codegen::code_format::spirv); });
  }
  check_throws(error_code::unsupported, {"'bitcode' takes kernels as its LLVM's bitcode only", "llvm-spirv-99"},
               [&] { d.load(code, codegen::code_format::spirv); });
}

TEST_CASE("a device that cannot be opened says so at each try, and works when it can") {
  const devices fresh = all_of_them();
  {
    const failing failure("clCreateContext", -6);
    for (int k = 0; k < 2; ++k)
      check_throws(error_code::out_of_memory, {"opencl: opening 'shared' failed: CL_OUT_OF_HOST_MEMORY (-6)"},
                   [&] { fresh[0]->open_queue(); });
  }
  {
    const failing missing("clMemFreeINTEL", -59);
    const std::size_t contexts = fake().contexts;
    check_throws(error_code::device_failure, {"opencl: the driver of 'shared' lacks clMemFreeINTEL"},
                 [&] { fresh[0]->open_queue(); });
    CHECK(fake().contexts == contexts);
  }
  fresh[0]->close_queue(fresh[0]->open_queue());
}

# Programs that must not compile, with the one error that they get. Run once a compiler: lit -Dcxx=COMPILER -Dinclude=FOLDER.
import os
import subprocess
import lit.formats

config.name = "compile_fail"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
config.environment["PATH"] = lit_config.params["tools"] + os.pathsep + os.environ["PATH"]
compiler, include = lit_config.params["cxx"], lit_config.params["include"]
warnings = "-std=c++20 -Wall -Wextra -Wno-unused-parameter -I" + include
# The language's headers precompiled, since every program begins with them; g++ finds them by name, clang is told.
folder = os.path.join(config.test_exec_root, "precompiled")
os.makedirs(os.path.join(folder, "selvage"), exist_ok=True)
header = os.path.join(include, "selvage", "dsl.hpp")
made = os.path.join(folder, "selvage", "dsl.hpp.gch")
subprocess.run([compiler, *warnings.split(), "-x", "c++-header", header, "-o", made], check=True, stderr=subprocess.DEVNULL)
use = "-include-pch " + made if "clang" in os.path.basename(compiler) else "-I" + folder
config.substitutions.append(("%cxx", " ".join([compiler, "-fsyntax-only", use, warnings])))

# Programs that must not compile, with the one error that they get. Run once a compiler: lit -Dcxx=COMPILER -Dinclude=FOLDER.
import os
import lit.formats

config.name = "compile_fail"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
config.environment["PATH"] = lit_config.params["tools"] + os.pathsep + os.environ["PATH"]
flags = "-std=c++20 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -I" + lit_config.params["include"]
config.substitutions.append(("%cxx", lit_config.params["cxx"] + " " + flags))

# Golden tests: what the code generator makes of a kernel, checked where it matters. The kernels of all files are compiled
# by the build; %object is the object of the test's own file.
import os
import shutil
import lit.formats

config.name = "golden"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".cpp", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
folders = [lit_config.params["selvagec"], lit_config.params["tools"], os.environ["PATH"], "/usr/local/cuda/bin"]
config.environment["PATH"] = os.pathsep.join(folders)
objects = lit_config.params["objects"].split(",")
config.substitutions.append(("%objects", " ".join(objects)))
config.substitutions.append(("%object", os.path.dirname(objects[0]) + "/%{basename}.o"))
config.substitutions.append(("%{basename}", "%basename_t"))
if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")

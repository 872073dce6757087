"""Compiles the inner modules when a wheel is built with `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1`.

`pyproject.toml` lists the modules. The wheel has their sources, too, for whoever reads a trace. All
is built in a folder of its own, so that a clone stays as it is: pure Python.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Compile(BuildHookInterface[BuilderConfig]):
    """Adds to a wheel what mypyc makes of the modules that the hook's table lists."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the project is only installed to be edited."""
        if version == "editable":
            return
        from mypyc.build import mypycify  # these two are there only where something is compiled
        from setuptools import Distribution

        self._folder = TemporaryDirectory()
        place = Path(self._folder.name)
        extensions = mypycify(
            # What is only imported needs packages that are not there where a wheel is built.
            [
                "--follow-imports=silent",
                "--cache-dir",
                str(place / "cache"),
                *self.config["modules"],
            ],
            target_dir=str(place / "c"),
            group_name="arena.compiled",
        )
        for each in extensions:  # what helps a debugger names folders, and theirs are random
            each.extra_compile_args.append("-g0")
        built = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        built.build_lib, built.build_temp = str(place / "lib"), str(place / "o")
        built.ensure_finalized()
        built.run()
        for path in sorted((place / "lib").rglob("*.*")):
            build_data["force_include"][str(path)] = path.relative_to(place / "lib").as_posix()
        build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel was made from."""
        if version != "editable":
            self._folder.cleanup()

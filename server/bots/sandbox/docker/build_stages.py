"""Carries out a Dockerfile, instruction by instruction.

Commands run in containers with this program's limits. All other instructions go to the Docker Engine's builder, one at
a time. The builder sees only the files and images that it needs for the current instruction.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from server.bots.sandbox.docker.build_context import build_context, build_paths, has_archives, max_copied_bytes
from server.bots.sandbox.docker.build_session import BuildSession, one_line
from server.bots.sandbox.docker.build_steps import build_by_engine, find_base_image, run_command
from server.bots.sandbox.docker.engine import ENGINE_FAULTS, describe_error, inspect_image
from server.bots.sandbox.dockerfile import (
    Dockerfile,
    DockerfileFault,
    ExpansionLimit,
    Instruction,
    fill_variables,
    json_words,
    read_pairs,
)
from server.bots.sandbox.dockerfile_rules import allowed_image, check_single_source, image_of, sources_of
from server.bots.sandbox.runner import CannotRun

_MAX_QUOTED = 60
_NO_BASE_IMAGE = "scratch"
_MAX_DECLARED = {"Volumes": 20, "ExposedPorts": 100}
"""How many volumes and ports an image may declare. If it declares more, the build fails, because thousands of them
would delay every step by minutes.
"""


class BuildNetwork(Struct, frozen=True):
    """The network of a build's commands: Docker's network mode, and the environment variables that name a proxy."""

    mode: str = "none"
    environment: Mapping[str, str] = {}


class _BuildStage(Struct):
    image: str
    size_bytes: int
    has_command: bool
    arguments: dict[str, str] = {}
    settings: list[str] = []
    """Pending instructions for the Engine's builder."""
    commands: list[str] = []
    """The CMD and ENTRYPOINT instructions, in order. They are carried out last."""


class BuildStages:
    """One build: each stage of a Dockerfile becomes an image."""

    def __init__(self, session: BuildSession, dockerfile: Dockerfile, folder: Path, network: BuildNetwork) -> None:
        self._session = session
        self._dockerfile = dockerfile
        self._folder = folder
        self._network = network
        self._global_arguments: dict[str, str] = {}
        """The arguments declared before the first FROM."""
        self._stages: list[_BuildStage] = []
        self._stage_indices: dict[str, int] = {}
        self._context_id = ""
        self._bytes_left = session.limits.build_disk_bytes
        """How many more bytes the images of all stages may take."""
        self._expansion_limit = ExpansionLimit()
        """Limits how long instructions may become when their variables are filled in."""

    def build(self, extra_labels: Mapping[str, str]) -> str:
        """Builds the image, with the additional labels `extra_labels`. Raises CannotRun or ENGINE_FAULTS."""
        total = len(self._dockerfile.instructions)
        for number, instruction in enumerate(self._dockerfile.instructions, 1):
            text = " ".join([instruction.name, *(f"--{flag}" for flag in instruction.flags), instruction.rest])
            self._session.log_output(f"Step {number}/{total} : {text}")
            try:
                self._expansion_limit.add(instruction)
                self._carry_out(instruction)
            except DockerfileFault:
                raise
            except (CannotRun, *ENGINE_FAULTS) as error:
                place = f"Dockerfile line {instruction.line} ({one_line(text)[:_MAX_QUOTED]})"
                raise CannotRun(f"{place}: {describe_error(error)}") from None
        last_stage = self._stages[-1]
        if not last_stage.has_command:
            raise CannotRun("the Dockerfile names no command: it needs a CMD or an ENTRYPOINT.")
        self._build_pending(last_stage, last_stage.commands, extra_labels)
        self._session.log_output("Successfully built.")
        return last_stage.image

    def _carry_out(self, instruction: Instruction) -> None:
        stage = self._stages[-1] if self._stages else None
        if instruction.name == "FROM" or stage is None:
            self._begin_stage(instruction) if instruction.name == "FROM" else self._set_arguments(
                instruction, self._global_arguments
            )
        elif instruction.name == "ARG":
            self._set_arguments(instruction, stage.arguments)
        elif instruction.name == "RUN":
            self._build_pending(stage)
            stage.image = self._run_command(stage, instruction)
            self._check_size(stage)
        elif instruction.name in ("ADD", "COPY"):
            self._build_pending(stage, [self._copy(stage, instruction)])
        elif instruction.name in ("CMD", "ENTRYPOINT"):
            stage.commands.append(f"{instruction.name} {instruction.rest}")
            stage.has_command = True
        else:
            stage.settings.append(f"{instruction.name} {instruction.rest}")

    def _begin_stage(self, instruction: Instruction) -> None:
        if self._stages:
            self._build_pending(self._stages[-1], self._stages[-1].commands)
        name, stage_name = image_of(instruction, self._global_arguments)
        if name.lower() in self._stage_indices:
            earlier = self._stages[self._stage_indices[name.lower()]]
            stage = replace(earlier, arguments={}, commands=[], settings=[])
        elif name == _NO_BASE_IMAGE:
            stage = _BuildStage(_NO_BASE_IMAGE, 0, has_command=False)
        else:
            image = find_base_image(self._session, allowed_image(instruction.line, name, self._session.registries))
            image_info = inspect_image(self._session.engine, image)
            config = image_info["Config"] or {}
            stage = _BuildStage(
                image, int(image_info["Size"]), has_command=bool(config.get("Cmd") or config.get("Entrypoint"))
            )
            self._expansion_limit.add_variables(config.get("Env") or ())
            self._check_size(stage)
        if stage_name:
            self._stage_indices[stage_name] = len(self._stages)
        self._stages.append(stage)

    def _set_arguments(self, instruction: Instruction, variables: dict[str, str]) -> None:
        for name, value in read_pairs(instruction.rest):
            if not name.isidentifier():
                raise DockerfileFault(instruction.line, f"{name[:40]!r} is not a valid argument name.")
            default = fill_variables(value, variables) if "=" in instruction.rest else ""
            variables[name] = default or self._global_arguments.get(name, "")

    def _run_command(self, stage: _BuildStage, instruction: Instruction) -> str:
        if stage.image == _NO_BASE_IMAGE:
            raise CannotRun("the image has no program to run yet.")
        config = inspect_image(self._session.engine, stage.image)["Config"]
        command = json_words(instruction.rest) or (*(config.get("Shell") or ("/bin/sh", "-c")), instruction.rest)
        is_offline = "network=none" in instruction.flags
        environment = {**stage.arguments, **({} if is_offline else self._network.environment)}
        image_variables = {entry.partition("=")[0] for entry in config.get("Env") or ()}
        assignments = [f"{name}={value}" for name, value in environment.items() if name not in image_variables]
        if assignments:  # variables set on the container would end up in the image
            command = ("env", *assignments, *command)
        mode = "none" if is_offline else self._network.mode
        return run_command(self._session, stage.image, command, mode)

    def _copy(self, stage: _BuildStage, instruction: Instruction) -> str:
        """Turns a COPY or ADD into a COPY from an image, for the Engine's builder to carry out. Returns the new
        instruction.
        """
        if instruction.name == "ADD":
            added_paths = [fill_variables(source, stage.arguments) for source in sources_of(instruction)]
            if has_archives(self._folder, added_paths):
                raise CannotRun("ADD does not unpack archives here: COPY the archive, then unpack it with RUN.")
        source = instruction.flag("from")
        copied_paths = self._copied_sources(stage, instruction)
        if source:
            check_single_source(instruction, copied_paths)
        elif max_copied_bytes(self._folder, copied_paths) > self._session.limits.build_disk_bytes:
            raise CannotRun("it copies more than the image may grow by.")
        origin = self._origin_image(instruction.line, source) if source else self._context_image()
        flags = f"--chown={instruction.flag('chown')} " if instruction.flag("chown") else ""
        return f"COPY --from={origin} {flags}{instruction.rest}"

    def _copied_sources(self, stage: _BuildStage, instruction: Instruction) -> Sequence[str]:
        """Returns the sources of a COPY. If a source contains variables, appends their values to the source, so that
        the caller can check the values, too.
        """
        copied = sources_of(instruction)
        if "$" not in "".join(copied):
            return copied
        self._build_pending(stage)
        is_scratch = stage.image == _NO_BASE_IMAGE
        image_variables = (
            () if is_scratch else inspect_image(self._session.engine, stage.image)["Config"].get("Env") or ()
        )
        known_variables = stage.arguments | dict(entry.partition("=")[::2] for entry in image_variables)
        return [
            source + "".join(known_variables.get(name, "") for name in re.findall(r"\w+", source)) for source in copied
        ]

    def _origin_image(self, line: int, source: str) -> str:
        number = self._stage_indices.get(source.lower(), int(source) if source.isdecimal() else -1)
        if 0 <= number < len(self._stages) - 1:
            return self._stages[number].image
        return find_base_image(self._session, allowed_image(line, source, self._session.registries))

    def _context_image(self) -> str:
        """Returns the id of an image that contains the bot's files. Builds this image first if it is missing."""
        if not self._context_id:
            paths = build_paths(self._folder)
            with build_context(self._folder, paths, f"FROM {_NO_BASE_IMAGE}\nCOPY bot/ /\n") as archive:
                labels = self._session.labels
                self._context_id = build_by_engine(self._session, _NO_BASE_IMAGE, archive, arguments={}, labels=labels)
        return self._context_id

    def _build_pending(
        self, stage: _BuildStage, more_instructions: Sequence[str] = (), extra_labels: Mapping[str, str] | None = None
    ) -> None:
        """Lets the Engine's builder carry out the pending instructions of a stage, then `more_instructions`."""
        lines = [*stage.settings, *more_instructions]
        stage.settings = []
        if not lines and not extra_labels:
            return
        arguments = [f"ARG {name}" for name in stage.arguments]
        text = "\n".join([f"# escape={self._dockerfile.escape}", f"FROM {stage.image}", *arguments, *lines, ""])
        labels = {**self._session.labels, **(extra_labels or {})}
        with build_context(self._folder, [], text) as archive:
            stage.image = build_by_engine(self._session, stage.image, archive, arguments=stage.arguments, labels=labels)
        self._check_size(stage)

    def _check_size(self, stage: _BuildStage) -> None:
        """Raises CannotRun if all images together are too large, or if the stage's image declares too many volumes or
        ports.
        """
        image_info = inspect_image(self._session.engine, stage.image)
        size, limit = int(image_info["Size"]), self._session.limits.build_disk_bytes
        self._bytes_left -= max(0, size - stage.size_bytes)
        stage.size_bytes = size
        if self._bytes_left < 0:
            raise CannotRun(f"its images become larger than the {limit >> 20} MB allowed.")
        for item, max_count in _MAX_DECLARED.items():
            if len((image_info["Config"] or {}).get(item) or ()) > max_count:
                raise CannotRun(f"the image has more than {max_count} {item}.")

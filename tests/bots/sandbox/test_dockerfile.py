"""Dockerfiles are parsed as in Docker, anything forbidden is refused with its line and a fix, and bubblewrap obeys."""

import pytest

from server.bots.sandbox.bubblewrap.command import bot_folder_path
from server.bots.sandbox.bubblewrap.dockerfile_recipe import Recipe, read_recipe
from server.bots.sandbox.dockerfile import DockerfileFault, ExpansionLimit, fill_variables, parse_dockerfile
from server.bots.sandbox.dockerfile_rules import allowed_image, check_rules
from server.bots.sandbox.runner import CannotRun

BASE = "FROM python:3.11-slim\n"


@pytest.mark.parametrize(
    ("text", "instructions"),
    [
        ("\ufefffrom a\r\nrUn b\r\n", ["1 FROM a", "2 RUN b"]),
        ("\n# c\n  FROM\ta\n\n\tRUN   b  \n", ["3 FROM a", "5 RUN b"]),
        ("FROM a\nRUN b \\\n  c\\  \nd", ["1 FROM a", "2 RUN b   cd"]),
        ("FROM a\nRUN b \\\n# not c\n\n  # nor this\n d\nUSER e", ["1 FROM a", "2 RUN b  d", "7 USER e"]),
        ("FROM a\nRUN b \\\\\nUSER c", ["1 FROM a", "2 RUN b \\\\", "3 USER c"]),
        ("#Escape = `\nFROM a\nRUN b `\n c \\\nUSER d", ["2 FROM a", "3 RUN b  c \\", "5 USER d"]),
        ("# a comment\n# escape=`\nFROM a\nRUN b `\nUSER d", ["3 FROM a", "4 RUN b `", "5 USER d"]),
        ("# syntax=docker/dockerfile:1\n# escape=`\nFROM a`\nb", ["3 FROM ab"]),
        ("FROM a\nRUN b \\", ["1 FROM a", "2 RUN b"]),
        ('FROM a\nRUN ["sh", "-c", "cat <<EOF"]', ["1 FROM a", '2 RUN ["sh", "-c", "cat <<EOF"]']),
        ("FROM a\nCOPY --chown=x --from=b c d", ["1 FROM a", "2 COPY chown=x from=b c d"]),
    ],
)  # fmt: skip
def test_instructions_are_parsed_as_docker_parses_them(text: str, instructions: list[str]) -> None:
    found = parse_dockerfile(text.encode()).instructions
    assert [" ".join([str(each.line), each.name, *each.flags, each.rest]) for each in found] == instructions


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ("ADD http://127.0.0.1:24300/secret /x", 2, "not allowed"),
        ("ADD FTP://example.org/x /x", 2, "not allowed"),
        ("AD\\\nD \\\n# c\n\nht\\\ntp://127.0.0.1/x /x", 2, "not allowed"),
        ('ADD ["http://127.0.0.1/x", "/x"]', 2, "not allowed"),
        ('ADD ["bot.py", "\\u0068ttp://127.0.0.1/x", "/x"]', 2, "not allowed"),
        ("ARG URL=http://127.0.0.1/x\nADD $URL /x", 3, "not allowed"),
        ("ENV S http\nCOPY ${S:+http}://x/y /x", 3, "not allowed"),
        ("ADD git@github.com:ada/bot.git /x", 2, "not allowed"),
        ("ADD github.com/ada/bot /x", 2, "not allowed"),
        ("ADD some/where.git#main:sub /x", 2, "not allowed"),
        ('COPY ["' + ".git#" * 40_000 + '\\n\\n", "/x"]', 2, "not allowed"),
        ("ADD --checksum=sha256:00 http://a/b /x", 2, "--checksum"),
        ("COPY --chmod=755 a b", 2, "RUN chmod"),
        ('COPY --from="a b" c d', 2, "--from"),
        ("RUN --mount=type=ssh ls", 2, "--mount=type=ssh"),
        ("RUN --mount=type=secret,id=aws cat /run/secrets/aws", 2, "--mount=type=secret"),
        ("RUN --mount=type=cache,target=/c --mount=from=python:3,target=/p ls", 2, "COPY the files"),
        ("RUN --network=host ls", 2, "--network=host"),
        ("RUN --device=nvidia.com/gpu=all ls", 2, "--device"),
        ("ONBUILD ADD http://127.0.0.1/x /x", 2, "ONBUILD"),
        ("RUN <<EOF\nADD http://127.0.0.1/x /x\nEOF", 2, "<<"),
        ("COPY <<-'EOF' /x\nhello\nEOF", 2, "<<"),
        ("INCLUDE other", 2, "'INCLUDE' is not an instruction"),
        ("RUN a\rADD http://x /x", 2, "control character"),
        ("ENV a=b \\\n c=d\\\v\nCOPY x y", 3, "control character"),
        ("COPY \u00a0--network=host a b", 2, "--network=host"),
        ("COPY --from=0 /a /b /c/", 2, "one file or folder"),
        ("COPY " + "a " * 102, 2, "more than 100 things"),
        ("ENV A=" + "a" * 2000 + "\nENV B=" + "$A" * 500 + "\nENV C=" + "$B" * 500, 4, "more than 1024 kB"),
        ("RUN a\n" * 400, 301, "more than 300"),
        ("RUN " + "a" * 300_000, 1, "more than 256 kB"),
    ],
)
def test_forbidden_instruction_is_refused_with_its_line_and_a_fix(lines: str, line: int, reason: str) -> None:
    with pytest.raises(DockerfileFault) as refused:
        check_rules(parse_dockerfile(f"{BASE}{lines}\n".encode()))
    assert str(refused.value).startswith(f"Dockerfile line {line}: ")
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "lines",
    [
        BASE + "ADD --chown=nobody:nogroup bot.py models/ /bot/\nCOPY --link a b",
        BASE + "RUN --mount=type=cache,target=/root/.cache/pip pip install -r requirements.txt",
        BASE + "RUN git clone https://github.com/ada/bot.git && curl http://example.org # ADD http://x",
        "ARG V=3.11\nFROM --platform=$BUILDPLATFORM python:$V AS build\nFROM scratch\nCOPY --from=build /b /b",
        BASE + 'HEALTHCHECK --interval=5s CMD curl http://127.0.0.1\nSHELL ["/bin/bash", "-c"]\nVOLUME /x',
        BASE + "RUN x=$((1 << 4)) && echo '<< here'",
        BASE + "COPY " + "a " * 100 + "/bot/",
    ],
)
def test_ordinary_dockerfiles_are_allowed(lines: str) -> None:
    check_rules(parse_dockerfile(lines.encode()))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "no FROM line") for text in ("", "ARG a\nRUN ls\nFROM x")),
        (f"#SYNTAX=127.0.0.1:5000/docker/dockerfile:1\n{BASE}", "the syntax .* is not supported"),
    ],
)
def test_dockerfile_must_begin_with_from_and_name_no_other_parser(text: str, reason: str) -> None:
    with pytest.raises(DockerfileFault, match=reason):
        check_rules(parse_dockerfile(text.encode()))


@pytest.mark.parametrize(
    ("image", "name"),
    [
        ("python", "python:latest"),
        ("python:3.11-slim", "python:3.11-slim"),
        ("docker.io/library/python:3", "library/python:3"),
        ("ghcr.io/astral-sh/uv:0.5", "ghcr.io/astral-sh/uv:0.5"),
        ("python@sha256:" + "a" * 64, "python@sha256:" + "a" * 64),
        *((bad, None) for bad in ("127.0.0.1:5000/x", "localhost/x", "LOCALHOST/x", "registry:5000/x", "[::1]:5000/x")),
        *((bad, None) for bad in ("quay.io/x", "docker.io.evil.org/x", "http://10.0.0.1/x", "python:3*", "$NONE", "")),
        *((bad, None) for bad in ("." * 200_000, "sha256:" + "a" * 64, "a" * 64)),
    ],
)
def test_images_come_from_docker_hub_and_the_registries_of_the_event_file(image: str, name: str | None) -> None:
    if name:
        assert allowed_image(1, image, ["ghcr.io"]) == name
        return
    with pytest.raises(DockerfileFault, match="line 1: "):
        allowed_image(1, image, ["ghcr.io"])


def test_variables_are_substituted() -> None:
    assert fill_variables("$a-${a} ${b:-c} ${a:-c} ${a:+c}${b:+d} \\$a $b.", {"a": "x"}) == "x-x c x c $a ."


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("ENV A=" + "a" * 2000 + "\nENV B=" + "\\$A" * 500 + "\nLABEL C=" + "`$B" * 500, "more than 1024 kB"),
        ("ENV A=" + "a" * 2000 + "\nENV A=$A${A}\n" * 10, "more than 1024 kB"),
        ("ENV A=a\nENV B=${A//a/bb}", "write variables as"),
        ("ENV PATH=/a:$PATH\n" * 50 + "ENV B=${C:-d}${E-f}\n" * 9, ""),
        ("RUN echo ${A//a/b} " + "$A" * 9999 + "\nCMD echo ${A%b}", ""),
    ],
)
def test_substituted_variables_cannot_make_an_instruction_too_long(lines: str, reason: str) -> None:
    """The limit does not depend on how Docker parses quotation marks and escapes, or on the base image."""
    growth, why = ExpansionLimit(), ""
    growth.add_variables(["BASE=" + "b" * 20])
    try:
        for each in parse_dockerfile(f"{BASE}{lines}\n".encode()).instructions:
            growth.add(each)
    except CannotRun as fault:
        why = str(fault)
    assert reason in why
    assert bool(reason) == bool(why)


TWO_STAGES = """\
# syntax=docker/dockerfile:1
FROM node:20 AS built
WORKDIR /elsewhere
CMD ["never"]

from python:3.11-slim
ARG place=bots
ENV GREETING="how do" HOME=/$place
ENV OLD way of saying it
WORKDIR /usr/src/${place}
WORKDIR mine
COPY requirements.txt .
RUN pip install \\
    # the one thing needed
    -r requirements.txt
COPY . /usr/src/bots/mine
COPY --from=built /x /y
EXPOSE 5000
ENTRYPOINT ["python", "-u"]
CMD ["bot.py"]
"""


def test_bubblewrap_runs_the_last_stage_and_reports_skipped_instructions() -> None:
    recipe = read_recipe(parse_dockerfile(TWO_STAGES.encode()))
    assert recipe.folder == "/usr/src/bots/mine"
    assert recipe.command == ("python", "-u", "bot.py")
    assert recipe.environment == {"GREETING": "how do", "HOME": "/bots", "OLD": "way of saying it"}
    assert [" ".join(sentence.split()) for sentence in recipe.skipped] == [
        "Not carried out: RUN pip install -r requirements.txt",
        "Not carried out: COPY --from=built /x /y",
    ]


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        ("CMD python bot.py", ("/bin/sh", "-c", "python bot.py")),
        ('ENTRYPOINT ./bot\nCMD ["ignored"]', ("/bin/sh", "-c", "./bot")),
        ('CMD ["a"]\nCMD ["b"]', ("b",)),
        ('CMD ["early"]\nENTRYPOINT ["./bot"]', ("./bot",)),
        ("COPY . .", ()),
    ],
)
def test_command_is_a_json_list_or_a_shell_line(lines: str, command: tuple[str, ...]) -> None:
    parsed = parse_dockerfile(f"FROM scratch\n{lines}\n".encode())
    if command:
        assert read_recipe(parsed).command == command
        return
    with pytest.raises(CannotRun, match="CMD or an ENTRYPOINT"):
        read_recipe(parsed)


@pytest.mark.parametrize(("folder", "path"), [("/", "/bot"), ("/app", "/app"), ("/usr/src/app", "/usr/src/app")])
def test_bubblewrap_bot_runs_in_its_workdir_unless_that_is_a_system_folder(folder: str, path: str) -> None:
    assert bot_folder_path(Recipe(folder, {}, ("bot",), ())) == path
    for system in ("/usr", "/usr/bin", "/usr/lib/bot", "/etc", "/proc/bot", "/tmp", "/bin"):  # noqa: S108
        with pytest.raises(CannotRun, match="part of the system"):
            bot_folder_path(Recipe(system, {}, ("bot",), ()))

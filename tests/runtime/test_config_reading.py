"""Which lines of a Markdown configuration count, and what they say."""

from pathlib import Path

import pytest

from relay_runtime import config
from relay_runtime.config import Document
from relay_runtime.errors import Exit, RelayError
from relay_runtime.paths import Project
from support.world import build_tree

NAME = "knowzcode/knowzcode_orchestration.md"


def read(root: Path, content: str | bytes) -> Document:
    build_tree(root, {NAME: content})
    return config.load(Project(root))


def fenced(*lines: str, language: str = "yaml", fence: str = "```") -> str:
    return "\n".join((f"{fence}{language}", *lines, fence, ""))


def values(document: Document) -> dict[str, str | None]:
    return {key: entry.value for key, entry in document.entries.items()}


def refusal(root: Path, content: str | bytes) -> RelayError:
    with pytest.raises(RelayError) as caught:
        read(root, content)
    assert caught.value.exit == Exit.HALT
    return caught.value


@pytest.mark.parametrize(
    "content",
    [
        fenced("relay: codex"),
        fenced('relay: "codex"'),
        fenced("relay: 'codex'"),
        fenced("relay:   codex   # the other one"),
        fenced("# who", "relay: codex", "").replace("\n", "\r\n"),
        "\ufeff# Title\n\n" + fenced("relay: codex"),
        "relay: codex\n",
        "Text.\n\n  relay: codex",
        fenced("  relay: codex", "  profile: teams"),
        fenced("---", "relay: codex", "..."),
        fenced('"relay": codex'),
        fenced("relay : codex"),
        fenced("relay:\tcodex\t# tab"),
        fenced('relay: "\\x63ode\\u0078"'),
        fenced("relay: codex", language="yml"),
        fenced("relay: codex", language=" YAML title=settings"),
        fenced("relay: codex", fence="~~~"),
        fenced("relay: codex", fence="`````"),
        "- item\n\n  ```yaml\n  relay: codex\n  ```\n",
        fenced(
            "max_builders: 2", "list:", "  - relay: claude", "nested:", "    relay: claude", "relay: codex"
        ),
        fenced("relay: codex") + "\n" + fenced("relay: codex"),
        fenced("relay: codex").replace("\n", "\r"),
        "```yaml\nrelay: codex",
    ],
)
def test_one_value_in_many_spellings(tmp_path: Path, content: str) -> None:
    """REQ CFG-27: comments, quotes, line ends, fences and loose lines change nothing."""
    assert config.selector(read(tmp_path, content)) == "codex"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\ufeff",
        "# Only text\n",
        fenced("relay: claude", language="bash"),
        fenced("relay: claude", language=""),
        "    ```yaml\n    relay: claude\n    ```\n",
        "    relay: claude\n",
        "~~~text\n" + fenced("relay: claude") + "~~~\n",
        "````markdown\n" + fenced("relay: claude") + "````\n",
        "<!--\n" + fenced("relay: claude") + "-->\n",
        "<!-- relay: claude -->\n",
        "<!--\nrelay: claude\n",
        "> relay: claude\n",
        "- relay: claude\n",
        "| relay: claude |\n",
        "# relay: claude\n",
        fenced("# relay: claude"),
        fenced("other:", "  relay: claude"),
        fenced("text: |", "  relay: claude"),
        fenced("relay:"),
        fenced("relay: ~"),
        fenced("relay: null # not yet"),
        "The key relay: claude is an example.\n",
        "relay:claude\n",
    ],
)
def test_what_is_no_setting(tmp_path: Path, content: str) -> None:
    """REQ CFG-26, CFG-27: examples, comments and other programs' text select nothing."""
    assert config.selector(read(tmp_path, content)) == "none"


def test_a_missing_file_has_no_settings(tmp_path: Path) -> None:
    """REQ CFG-01, CFG-26."""
    document = config.load(Project(tmp_path))
    assert not document.exists
    assert document.entries == {}
    assert config.selector(document) == "none"


def test_settings_after_a_closed_comment_are_read(tmp_path: Path) -> None:
    """A comment ends where CommonMark ends it."""
    assert config.selector(read(tmp_path, "<!-- a -->\n<!--\nb\n-->\n" + fenced("relay: auto"))) == "auto"


def test_a_comment_marker_inside_a_fence_opens_nothing(tmp_path: Path) -> None:
    """A fence's content is not HTML."""
    content = fenced("<!--", language="html") + fenced("relay: auto")
    assert config.selector(read(tmp_path, content)) == "auto"


def test_a_closing_fence_is_as_long_as_the_opening_one(tmp_path: Path) -> None:
    """Shorter fences inside are content."""
    content = "````text\n```\nrelay: claude\n```\n````\n" + fenced("relay: auto")
    assert config.selector(read(tmp_path, content)) == "auto"


def test_neighbours_and_foreign_keys(tmp_path: Path) -> None:
    """KnowzCode's own settings are read where a relay needs them; the rest is left alone without a word."""
    content = fenced(
        "profile: teams", "max_builders: 2", "execute_on_fable: false", "default_specialists: []", "a: {b: c}"
    )
    document = read(tmp_path, content)
    assert values(document) == {"profile": "teams", "max_builders": "2", "execute_on_fable": "false"}
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("relay: 'codex", "the closing quote is missing"),
        ('relay: "codex', "the closing quote is missing"),
        ('relay: "codex" x', "something follows the closing quote"),
        ('relay: "codex"#x', "something follows the closing quote"),
        ('relay: "\\q"', "the escape \\q is unknown"),
        ('relay: "\\\x1b"', "the escape '\\\\\\x1b' is unknown"),
        ('relay: "\\UFFFFFFFF"', "the escape \\UFFFFFFFF is no character"),
        ("relay: [codex]", "a single value is needed, not a list"),
        ("relay: {a: b}", "a single value is needed, not a mapping"),
        ("relay: &x codex", "anchors are not read here"),
        ("relay: *x", "aliases are not read here"),
        ("relay: !!str codex", "tags are not read here"),
        ("relay: |", "the value must stand on the same line"),
        ("relay: a: b", "a value with a colon needs quotes"),
        ("relay: @x", "a value that starts with @ needs quotes"),
        ("relay: - x", "a value that starts with - needs quotes"),
        ("relay:codex", "a space must follow the colon"),
        ("\trelay: codex", "YAML forbids tabs at the start of a line"),
    ],
)
def test_broken_yaml_names_file_and_line(tmp_path: Path, line: str, why: str) -> None:
    """REQ A-20: what cannot be read is named, never guessed."""
    error = refusal(tmp_path, "# Title\n\n" + fenced("max_builders: 2", line))
    assert error.problem == "config.yaml"
    assert error.message == f"{NAME}:5: relay cannot be read: {why}."


@pytest.mark.parametrize("after", ["  codex", "  - codex", "- codex", "  target: codex"])
def test_a_value_on_the_next_line_is_refused(tmp_path: Path, after: str) -> None:
    """YAML allows it, we do not read it, so silence would be a wrong answer."""
    error = refusal(tmp_path, fenced("relay:", after))
    assert error.message == f"{NAME}:3: relay cannot be read: the value must stand on the same line."


def test_a_key_left_of_its_block_is_refused(tmp_path: Path) -> None:
    """Broken indentation in a key of ours."""
    error = refusal(tmp_path, fenced("  profile: teams", "relay: codex"))
    assert error.message == f"{NAME}:3: relay cannot be read: it is indented less than the keys above it."


def test_broken_yaml_of_others_is_theirs(tmp_path: Path) -> None:
    """We are no linter of the rest of the file."""
    content = fenced("x: 'open", "y: [a", "&z *z", "%", "relay: other")
    assert config.selector(read(tmp_path, content)) == "other"


@pytest.mark.parametrize("second", ["relay: claude", "relay:"])
def test_two_values_for_one_key_are_refused_with_both_lines(tmp_path: Path, second: str) -> None:
    """REQ A-20: neither the first nor the last wins by itself."""
    error = refusal(tmp_path, fenced("relay: codex") + second + "\n")
    said = "'claude'" if second.endswith("claude") else "nothing"
    assert error.message == f"{NAME} sets relay twice: line 2 says 'codex', line 4 says {said}."
    assert error.hint == "Keep one of the two lines."


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        (
            fenced("relay_codx_model: x"),
            f"{NAME}:2: relay_codx_model is no setting; relay_codex_model is one.",
        ),
        (fenced('"relay_zz\x1b[2J": x'), f"{NAME}:2: 'relay_zz\\x1b[2J' is no setting."),
        (fenced("relay_zzz: x"), f"{NAME}:2: relay_zzz is no setting."),
        (fenced("Relay: x"), f"{NAME}:2: Relay is no setting; relay is one."),
        (
            fenced("relay-transport: x"),
            f"{NAME}:2: relay-transport is no setting; relay_transport is one.",
        ),
        (
            fenced("a:", "  relay: codex"),
            f"{NAME}:3: relay is not read: it is not at the top level of the block.",
        ),
        (
            fenced("{relay: codex}"),
            f"{NAME}:2: relay is not read: it is not at the top level of the block.",
        ),
        (
            fenced("relay: codex", language=""),
            f"{NAME}:2: relay is not read: the fence does not say yaml.",
        ),
        (
            "- **relay:** codex\n",
            f"{NAME}:1: relay is not read: it stands in a list, not in a yaml fence.",
        ),
    ],
)
def test_what_looks_like_a_setting_but_is_none_is_warned_about(
    tmp_path: Path, content: str, warning: str
) -> None:
    """Field report 14: an accepted and ignored setting is the worst of answers."""
    assert read(tmp_path, content).warnings == (warning,)


@pytest.mark.parametrize("content", ["relay: codex\n".encode("utf-16"), b"relay: c\0dex\n"])
def test_a_file_that_is_not_utf8_text_is_refused(tmp_path: Path, content: bytes) -> None:
    """Field report 53: read as empty it would silently lose every setting."""
    error = refusal(tmp_path, content)
    assert error.message == f"{NAME} is not a UTF-8 text file."


def test_a_stray_byte_matters_only_in_a_value(tmp_path: Path) -> None:
    """Old text in another encoding around our settings does no harm."""
    assert config.selector(read(tmp_path, b"caf\xe9\n\nrelay: other\n")) == "other"
    error = refusal(tmp_path, b"relay_codex_model: caf\xe9\n")
    assert error.message == f"{NAME}:1: relay_codex_model cannot be read: the value is not UTF-8."


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    """Field report 53: not readable is not the same as missing."""
    (tmp_path / NAME).mkdir(parents=True)
    with pytest.raises(RelayError, match="is not a regular file") as caught:
        config.load(Project(tmp_path))
    assert caught.value.exit == Exit.HALT


def test_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    """Field report 53: a link that leads nowhere is damage."""
    build_tree(tmp_path, {"knowzcode/x": ""})
    (tmp_path / NAME).symlink_to("gone.md")
    with pytest.raises(RelayError, match="does not exist"):
        config.load(Project(tmp_path))

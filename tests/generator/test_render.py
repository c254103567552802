"""Rendering: same input, same bytes; a name nobody defined, a link or a dropping never gets in silently."""

import shutil
from pathlib import Path

import pytest

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts import facts
from knowzcode_relay.render.build import Rendering, render
from knowzcode_relay.render.text import front_matter
from support.checkout import ROOT


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "skill_templates", tmp_path / "skill_templates")


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    folder = tmp_path / "runtime"
    (folder / "relay_runtime").mkdir(parents=True)
    (folder / "relay.py").write_text("print()\n")
    (folder / "relay_runtime" / "template.md").write_text("# words\n")
    return folder


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def content(rendering: Rendering, path: str) -> str:
    return next(file.data for file in rendering.files if file.path == path).decode()


def test_the_same_input_gives_the_same_bytes(templates: Path, runtime: Path) -> None:
    assert render(templates, runtime, "1.0.0").files == render(templates, runtime, "1.0.0").files


def test_an_undefined_name_is_refused_with_template_line_and_name(templates: Path, runtime: Path) -> None:
    append(templates / "partials" / "stop.md", "{{ nobody_said }}\n")

    with pytest.raises(RelayError, match=r"^partials/stop\.md, line 2: 'nobody_said' is undefined\.$"):
        render(templates, runtime, "1.0.0")


def test_an_undefined_fact_of_a_host_is_refused_with_its_name(templates: Path, runtime: Path) -> None:
    append(templates / "skills" / "status.md", "{{ host.pager }}\n")

    with pytest.raises(RelayError, match=r"skills/status\.md, line \d+: .*has no attribute 'pager'"):
        render(templates, runtime, "1.0.0")


def test_a_mistake_in_a_template_is_refused_with_its_line(templates: Path, runtime: Path) -> None:
    (templates / "skills" / "status.md").write_text("one\n{% if %}\n")

    with pytest.raises(RelayError, match=r"skills/status\.md, line 2"):
        render(templates, runtime, "1.0.0")


def test_a_neutral_text_cannot_use_what_differs_per_host(templates: Path, runtime: Path) -> None:
    """REQ PKG-04: the execution reference is the same bytes in every package, by construction."""
    append(templates / "references" / "relay-execution.md", "{{ host.name }}\n")

    with pytest.raises(RelayError, match=r"references/relay-execution\.md.*'host' is undefined"):
        render(templates, runtime, "1.0.0")


def test_the_version_comes_from_one_place(templates: Path, runtime: Path) -> None:
    """REQ PKG-11: manifests, marketplaces, indexes and the reference carry the version by rendering."""
    rendering = render(templates, runtime, "9.8.7")

    carriers = {file.path for file in rendering.files if b"9.8.7" in file.data}
    assert carriers == {
        ".agents/plugins/marketplace.json",
        ".claude-plugin/marketplace.json",
        "dist/cc-agents/.claude-plugin/plugin.json",
        "dist/cc-agents/relay-package.json",
        "dist/claude/.claude-plugin/plugin.json",
        "dist/claude/relay-package.json",
        "dist/claude/skills/work/references/relay-execution.md",
        "dist/codex/.codex-plugin/plugin.json",
        "dist/codex/skills/knowzcode-relay/relay-package.json",
        "dist/codex/skills/knowzcode-work/references/relay-execution.md",
    }


def test_the_runtime_is_bundled_in_every_package(templates: Path, runtime: Path) -> None:
    rendering = render(templates, runtime, "1.0.0")

    bundled = {file.path: file.data for file in rendering.files if "/runtime/" in file.path}
    assert bundled == {
        "dist/cc-agents/runtime/relay.py": b"print()\n",
        "dist/cc-agents/runtime/relay_runtime/template.md": b"# words\n",
        "dist/claude/runtime/relay.py": b"print()\n",
        "dist/claude/runtime/relay_runtime/template.md": b"# words\n",
        "dist/codex/skills/knowzcode-relay/runtime/relay.py": b"print()\n",
        "dist/codex/skills/knowzcode-relay/runtime/relay_runtime/template.md": b"# words\n",
    }


@pytest.mark.parametrize(
    "name",
    [
        "relay_runtime/__pycache__/cli.cpython-311.pyc",
        "relay_runtime/cli.pyc",
        "relay_runtime/.#cli.py",
        "relay_runtime/.cli.py.swp",
        "relay_runtime/cli.py~",
        "relay_runtime/cli.py.orig",
        ".DS_Store",
        ".mypy_cache/a.py",
    ],
)
def test_bytecode_and_editor_droppings_are_never_bundled(templates: Path, runtime: Path, name: str) -> None:
    clean = render(templates, runtime, "1.0.0").files
    (runtime / name).parent.mkdir(exist_ok=True)
    (runtime / name).write_bytes(b"x")

    assert render(templates, runtime, "1.0.0").files == clean


@pytest.mark.parametrize("folder", ["runtime", "skill_templates"])
def test_a_link_among_the_sources_is_refused(
    tmp_path: Path, templates: Path, runtime: Path, folder: str
) -> None:
    link = tmp_path / folder / "linked.py"
    link.symlink_to("/etc/hostname")

    with pytest.raises(RelayError, match=r"linked\.py is a link"):
        render(templates, runtime, "1.0.0")


def test_a_windows_checkout_renders_the_same_bytes(templates: Path, runtime: Path) -> None:
    clean = render(templates, runtime, "1.0.0").files
    for path in [*templates.rglob("*.*"), *runtime.rglob("*.*")]:
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert render(templates, runtime, "1.0.0").files == clean


def test_a_byte_order_mark_is_refused(templates: Path, runtime: Path) -> None:
    """Claude does not see front matter behind one, Codex drops the skill."""
    path = templates / "skills" / "relay.md"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    with pytest.raises(RelayError, match=r"skills/relay\.md starts with a byte order mark"):
        render(templates, runtime, "1.0.0")


def test_a_manifest_that_is_no_json_is_refused(templates: Path, runtime: Path) -> None:
    replace(templates / "manifests" / "plugin.json", '"license": "MIT",', '"license": "MIT",,')

    with pytest.raises(RelayError, match=r"plugin\.json gives no JSON"):
        render(templates, runtime, "1.0.0")


def test_adding_a_package_is_one_entry_in_the_list(templates: Path, runtime: Path) -> None:
    append(
        templates / "packages.toml",
        '\n[package.more]\nname = "more"\nhost = "claude"\ncommand = ""\nroot = "dist/more"\n'
        'index = "relay-package.json"\nruntime = "runtime"\n\n[package.more.files]\n'
        '"skills/one/SKILL.md" = "skills/status.md"\n',
    )

    rendering = render(templates, runtime, "1.0.0")

    assert [file.path for file in rendering.packages["more"].all_files] == [
        "relay-package.json",
        "runtime/relay.py",
        "runtime/relay_runtime/template.md",
        "skills/one/SKILL.md",
    ]
    assert content(rendering, "dist/more/skills/one/SKILL.md").startswith("---\nname: one\n")


def test_two_templates_for_one_file_are_refused(templates: Path, runtime: Path) -> None:
    replace(
        templates / "packages.toml", "[beside]\n", '[beside]\n"dist/claude/bin/kc-relay" = "bin/kc-relay"\n'
    )

    with pytest.raises(RelayError, match="Two templates make dist/claude/bin/kc-relay"):
        render(templates, runtime, "1.0.0")


def test_a_template_that_is_not_there_is_named(templates: Path, runtime: Path) -> None:
    (templates / "skills" / "setup.md").unlink()

    with pytest.raises(RelayError, match=r"no template skills/setup\.md"):
        render(templates, runtime, "1.0.0")


def test_a_skill_without_front_matter_is_refused(templates: Path, runtime: Path) -> None:
    replace(templates / "front_matter.toml", '["skills/setup.md"]', '["skills/other.md"]')

    with pytest.raises(RelayError, match=r"has no entry for skills/setup\.md"):
        render(templates, runtime, "1.0.0")


def test_front_matter_quotes_what_yaml_would_misread() -> None:
    assert front_matter({"name": "relay", "description": 'a: b # "c" é 🙂'}) == (
        '---\nname: relay\ndescription: "a: b # \\"c\\" é 🙂"\n---\n'
    )


@pytest.mark.parametrize("name", ["yes", "null", "1", "a: b"])
def test_a_name_that_yaml_reads_as_something_else_is_refused(name: str) -> None:
    with pytest.raises(RelayError):
        front_matter({"name": name})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("poll_wait = 25", "poll_wait = '25'", "poll_wait is not of type int"),
        ("poll_wait = 25", "", "missing or unknown key: poll_wait"),
        ("poll_wait = 25", "poll_wait = 25\nextra = 1", "missing or unknown key: extra"),
        ('front_matter = ["description"]', 'front_matter = "description"', "not of type tuple"),
        ("poll_wait = 25", "poll_wait =", "cannot be read"),
        ("poll_wait = 25", "poll_wait = 30", "a poll must end before its limit"),
        ("poll_limit_ms = 30000", "poll_limit_ms = 30001", "a poll must end before its limit"),
    ],
)
def test_facts_of_a_host_that_do_not_fit_are_named(templates: Path, old: str, new: str, message: str) -> None:
    path = templates / "hosts" / "codex.toml"
    replace(path, old, new)

    with pytest.raises(RelayError, match=message) as caught:
        facts.load(path)
    assert str(path) in caught.value.message

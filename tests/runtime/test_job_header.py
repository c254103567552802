"""A job's header: what it may say, what it means, and every refusal."""

import re
from pathlib import Path

import pytest

from relay_runtime.adapters.job import Mode
from relay_runtime.jobs import task
from relay_runtime.jobs.backends import BACKENDS
from relay_runtime.jobs.header import KEYS, Header, HeaderError, parse, split

OPENCODE = ("kimi", "grok", "zcode")


def header(text: str) -> Header:
    return parse(text.encode())


def sentence(text: str | bytes) -> str:
    """What the header is refused with: one sentence on one line."""
    with pytest.raises(HeaderError) as refused:
        parse(text if isinstance(text, bytes) else text.encode())
    found = refused.value.sentence
    assert found.isprintable()
    assert found.endswith(".")
    return found


@pytest.mark.parametrize(
    "line",
    [
        "backend: codex",
        "model: gpt-5.6-sol",
        "effort: high",
        "mode: read-only",
        "network: on",
        "web-search: off",
        "cd: /srv/repo",
        "add-dir: /srv/extra",
        "brief: /srv/brief.md",
        "fast: on",
        "grok-home: /srv/grok",
        "kimi-home: /srv/kimi",
    ],
)
def test_each_key_alone(line: str) -> None:
    """REQ JHD-01: twelve keys are accepted."""
    assert line.partition(":")[0] in KEYS
    assert header(line).backend.name == "codex"


def test_there_are_twelve_keys() -> None:
    """REQ JHD-01."""
    assert len(KEYS) == len(set(KEYS)) == 12


@pytest.mark.parametrize("line", ["modle: x", "Mode: write", "MODE: write", "-mode: write", "mo de: write"])
def test_any_other_key_is_refused(line: str) -> None:
    """REQ JHD-02: and the sentence names it and the keys that there are."""
    said = sentence(line)
    assert line.partition(":")[0] in said
    assert "web-search" in said


@pytest.mark.parametrize("path", ["src", "../x", "./x", "~/x", "x/y", "a b/ü"])
@pytest.mark.parametrize("key", ["cd", "add-dir", "brief"])
def test_relative_paths_are_refused(key: str, path: str) -> None:
    """REQ JHD-03, JHD-05, JHD-18, field report 87."""
    said = sentence(f"{key}: {path}")
    assert key in said
    assert path in said


def test_add_dir_in_read_only_mode_is_refused() -> None:
    """REQ JHD-04."""
    assert "add-dir" in sentence("mode: read-only\nadd-dir: /srv/extra")


@pytest.mark.parametrize(
    ("backend", "target", "provider"),
    [
        ("codex", "codex", ""),
        ("kimi", "opencode", "kimi-code-plan-global"),
        ("grok", "opencode", "xai"),
        ("zcode", "opencode", "zai-coding-plan"),
    ],
)
def test_backends(backend: str, target: str, provider: str) -> None:
    """REQ JHD-06: without a model an OpenCode backend names its own, never the user's default."""
    found = header(f"backend: {backend}")
    assert found.backend.target == target
    assert found.model.partition("/")[0] == provider


def test_no_backend_is_codex() -> None:
    """A-J5."""
    assert header("").backend.name == "codex"


@pytest.mark.parametrize(
    ("backend", "model", "named"),
    [
        ("kimi", "kimi", "kimi-code-plan-global/kimi-for-coding"),
        ("kimi", "k3", "kimi-code-plan-global/k3"),
        ("kimi", "kimi-code-plan-global/k3", "kimi-code-plan-global/k3"),
        ("kimi", "default", "kimi-code-plan-global/kimi-for-coding"),
        ("grok", "grok", "xai/grok-4.7"),
        ("grok", "grok-4.5", "xai/grok-4.5"),
        ("zcode", "glm-5.2", "zai-coding-plan/glm-5.2"),
        ("codex", "gpt-5.6-sol", "gpt-5.6-sol"),
        ("codex", "default", ""),
    ],
)
def test_the_model_that_the_client_is_told(backend: str, model: str, named: str) -> None:
    """REQ JHD-07, A-J10, field report 13: an alias is mapped; OpenCode always gets provider/model."""
    assert header(f"backend: {backend}\nmodel: {model}").model == named


@pytest.mark.parametrize(
    ("model", "owner"),
    [
        ("kimi", "kimi"),
        ("kimi-for-coding", "kimi"),
        ("k3", "kimi"),
        ("grok-4.7", "grok"),
        ("xai/grok-4.7", "grok"),
        ("glm-5.3", "zcode"),
        ("zai-coding-plan/something-new", "zcode"),
    ],
)
def test_a_model_of_another_backend_needs_that_backend(model: str, owner: str) -> None:
    """REQ JHD-08: the sentence says which to state."""
    assert f"backend: {owner}" in sentence(f"model: {model}")
    assert header(f"backend: {owner}\nmodel: {model}").backend.name == owner


@pytest.mark.parametrize("model", ["gpt-5.6-sol", "o4-mini", "something-new", "codex-1"])
def test_other_models_go_to_codex(model: str) -> None:
    """REQ JHD-08."""
    assert header(f"model: {model}").backend.name == "codex"


@pytest.mark.parametrize("more", ["", "\neffort: high"])
def test_a_model_glued_to_an_effort_is_refused(more: str) -> None:
    """Field report 13: no Codex model has a slash, so it is never sent one."""
    assert "effort" in sentence(f"model: gpt-x/medium{more}")


def test_a_model_of_another_provider_is_refused() -> None:
    assert "kimi-code-plan-global" in sentence("backend: kimi\nmodel: xai/grok-4.7")


@pytest.mark.parametrize("model", ["-m", "a b", "a;b", "$(touch x)", "a'b"])
def test_a_model_is_one_plain_word(model: str) -> None:
    sentence(f"model: {model}")


def test_write_unless_stated() -> None:
    """REQ JHD-09: with a note that Relay's default was yolo."""
    found = header("backend: codex")
    assert found.mode is Mode.WRITE
    (note,) = found.notes
    assert "yolo" in note


@pytest.mark.parametrize("mode", ["read-only", "write", "yolo"])
def test_a_stated_mode_is_taken_without_a_note(mode: str) -> None:
    """REQ JHD-10: yolo only when it is stated."""
    found = header(f"mode: {mode}")
    assert found.mode.value == mode
    assert found.notes == ()


@pytest.mark.parametrize("backend", OPENCODE)
def test_yolo_is_refused_on_opencode(backend: str) -> None:
    """REQ JHD-11."""
    assert "yolo" in sentence(f"backend: {backend}\nmode: yolo")


@pytest.mark.parametrize("key", ["fast", "grok-home", "kimi-home"])
def test_keys_that_change_nothing_are_noted(key: str) -> None:
    """REQ JHD-12: and nothing but the note differs."""
    plain, found = header("mode: write"), header(f"mode: write\n{key}: anything at all")
    (note,) = found.notes
    assert key in note
    assert (found.model, found.effort, found.mode, found.network, found.add_dirs) == (
        plain.model,
        plain.effort,
        plain.mode,
        plain.network,
        plain.add_dirs,
    )


def test_add_dir_may_be_repeated_and_may_have_commas() -> None:
    """A-J9: in order, each once."""
    text = "add-dir: /srv/a, /srv/b c\nadd-dir: /srv/ü\nadd-dir: /srv/a"
    assert header(text).add_dirs == ("/srv/a", "/srv/b c", "/srv/ü")
    assert "commas" in sentence("add-dir: /srv/a,,/srv/b")


@pytest.mark.parametrize(
    ("word", "meaning"),
    [("on", True), ("true", True), ("yes", True), ("off", False), ("false", False), ("no", False)],
)
def test_switches(word: str, meaning: bool) -> None:
    """A-J7."""
    found = header(f"network: {word}\nweb-search: {word}")
    assert (found.network, found.web_search) == (meaning, meaning)


@pytest.mark.parametrize("key", ["network", "web-search"])
@pytest.mark.parametrize("word", ["1", "On", "maybe", "on off"])
def test_other_words_for_switches_are_refused(key: str, word: str) -> None:
    """A-J7."""
    assert word in sentence(f"{key}: {word}")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("mode: read-only\nnetwork: on", "read-only"),
        ("mode: yolo\nnetwork: off", "yolo"),
        ("backend: kimi\nnetwork: off", "OpenCode"),
    ],
)
def test_wishes_that_cannot_be_kept_are_refused(text: str, word: str) -> None:
    """Field report 90: never lost in silence."""
    assert word in sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "mode: write\nmode: write",
        "brief: /a\nmode: write\nbrief: /b",
        "model:",
        "mode:   ",
        "mode: wirte",
        "backend: opencode",
        "backend: Codex",
        "backend:codex,kimi",
        "do it",
        "mode write",
        b"model: caf\xe9",
        "model: a\x0bb",
        "model: a\rmode: yolo",
        "model: a\u2028mode: yolo",
        "model: a\x85b",
        "effort: \x1b[31mhigh",
    ],
)
def test_what_is_not_understood_is_refused(text: str | bytes) -> None:
    """REQ JHD-19, JBL-10: doubled, no value, unknown words, no `key: value`, a line end in a value."""
    sentence(text)


def test_the_first_mistake_is_said_and_the_rest_is_still_read() -> None:
    """A-J2: the block of a refused job shows what was stated."""
    with pytest.raises(HeaderError) as refused:
        header("modle: x\nbackend: kimi\nmode: read-only\nmodel: k3")
    assert "modle" in refused.value.sentence
    assert refused.value.stated == {"backend": "kimi", "mode": "read-only", "model": "k3"}


@pytest.mark.parametrize(
    "text",
    [
        "backend: codex\nmode: read-only\n---\nDo it.\n",
        "backend: codex\r\nmode: read-only\r\n---\r\nDo it.\n",
        "\ufeffbackend: codex\nmode: read-only\n---\nDo it.\n",
        "\n\nbackend: codex\n\nmode: read-only\n\n---\nDo it.\n",
        "  backend: codex\n\tmode:read-only  \n  --- \nDo it.\n",
    ],
)
def test_forms_of_the_same_header(text: str) -> None:
    """A-J4, field report 88: CRLF, byte order mark, blank lines, blanks around."""
    above, body = split(text.encode())
    found = parse(above)
    assert (found.backend.name, found.mode, body) == ("codex", Mode.READ_ONLY, b"Do it.\n")


def test_a_value_may_hold_colons() -> None:
    """Field report 88."""
    assert header("cd: /srv/a:b: c").cd == "/srv/a:b: c"


def test_the_task_is_never_read_as_header() -> None:
    """REQ JHD-20, field report 88: whatever it looks like, and byte for byte."""
    body = b"mode: yolo\n---\nbackend: kimi\r\nexplain --sandbox danger-full-access\n\xff\x00 end"
    above, found = split(b"mode: read-only\n---\n" + body)
    assert found == body
    assert parse(above).mode is Mode.READ_ONLY


def test_a_task_that_looks_like_a_header_without_dashes_is_a_header() -> None:
    """Field report 88: no line of dashes means that all of it is header, so a sentence is refused."""
    above, body = split(b"mode: write\nplease fix it\n")
    assert body == b""
    assert "please fix it" in sentence(above)


def test_the_task_after_the_dashes(tmp_path: Path) -> None:
    """REQ JHD-15: its bytes as they are, in the folder of the caller unless the header says otherwise."""
    found = task.read(b"---\n  Do it.\r\n\n", tmp_path)
    assert (found.text, found.cwd) == (b"  Do it.\r\n\n", tmp_path.resolve())
    other = tmp_path / "a b ü"
    other.mkdir()
    assert task.read(f"cd: {other}\n---\nx".encode(), tmp_path).cwd == other.resolve()


def test_a_brief_is_the_task(tmp_path: Path) -> None:
    """REQ JHD-15, field report 87: any absolute path that leads to a regular file, through a link too."""
    brief, link = tmp_path / "brief.md", tmp_path / "link.md"
    brief.write_bytes(b"\xef\xbb\xbfDo it.\r\nmode: yolo\n")
    link.symlink_to(brief)
    for path in (brief, link):
        found = task.read(f"brief: {path}\n---\n \n".encode(), tmp_path)
        assert found.text == brief.read_bytes()
        assert found.header.mode is Mode.WRITE


def refused_task(text: str, cwd: Path) -> str:
    with pytest.raises(HeaderError) as refused:
        task.read(text.encode(), cwd)
    assert refused.value.stated["backend"] == "codex"
    return refused.value.sentence


def test_a_brief_and_a_text_are_refused(tmp_path: Path) -> None:
    """REQ JHD-16."""
    assert "brief" in refused_task("brief: /etc/hostname\n---\nDo it.", tmp_path)


@pytest.mark.parametrize("text", ["mode: write", "mode: write\n---", "mode: write\n---\n \n\t\r\n", ""])
def test_no_task_is_refused(text: str, tmp_path: Path) -> None:
    """REQ JHD-17, A-J3."""
    assert "no task" in refused_task(text, tmp_path)


def test_a_brief_that_is_no_file_with_text_in_it_is_refused(tmp_path: Path) -> None:
    """REQ JHD-18, field report 87: a missing one, a folder, an empty one, a link to nothing, a device."""
    (tmp_path / "empty").write_bytes(b" \n\n")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    names = ("missing", ".", "empty", "nowhere")
    for path in (*(tmp_path / name for name in names), Path("/dev/null")):
        assert str(path) in refused_task(f"brief: {path}", tmp_path)


def test_a_brief_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * (task.BRIEF_LIMIT + 1))
    assert "larger" in refused_task(f"brief: {tmp_path / 'big'}", tmp_path)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """REQ JHD-03."""
    assert "/gone" in refused_task(f"cd: {tmp_path}/gone\n---\nx", tmp_path)


def test_no_two_backends_claim_the_same_model() -> None:
    """REQ JHD-08: the rule has one answer for each default and alias."""
    for backend in BACKENDS.values():
        for model in filter(None, (backend.default_model, *backend.aliases)):
            assert [other.name for other in BACKENDS.values() if other.owns(model)] == [backend.name]
            assert re.fullmatch(r"[\w.-]+", model)

"""The call forms that skills show, run by a shell with whatever a user may have written."""

import json
import subprocess
from pathlib import Path

import pytest

from relay_runtime.approval.approve import UNASKED_VERBS, Own, approval
from support import observed
from support.approvals import BIG, HOSTILE, REPORT_3
from support.call_forms import call_forms, fill, request_form
from support.observed import Observed, calls
from support.rendered import rendered

TEXTS = {
    "field report 3": REPORT_3,
    "the form's own delimiter, and more": HOSTILE,
    "30 KB of JSON": BIG,
    "flags": "--relay=codex --relay-effort=high add a page for 'Zoë'",
    "a backslash at the end": "keep this \\",
    "empty lines": "\n\none\n\n",
    "tabs": "\tKC_REQUEST\n\t$(touch PWNED)",
}
HOSTS = ("claude", "codex")


@pytest.fixture(scope="module")
def skills(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    roots = {host: rendered(host, tmp_path_factory.mktemp(host)) for host in HOSTS}
    return {host: sorted(root.glob("skills/*/SKILL.md")) for host, root in roots.items()}


def run(shell: str, command: str, folder: Path) -> tuple[list[Observed], list[str]]:
    """The calls that `command` makes in an empty folder, and the files that it leaves there."""
    observers = observed.place(folder / "bin", "python3", "touch", "sh")
    (empty := folder / "empty").mkdir()
    environ = {"PATH": str(observers), "OBSERVED": str(folder / "log"), "HOME": str(folder)}
    subprocess.run(
        [f"/bin/{shell}", "-c", command], cwd=empty, env=environ, stdin=subprocess.DEVNULL, check=True
    )
    return calls(folder / "log"), sorted(path.name for path in empty.iterdir())


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("host", HOSTS)
def test_a_request_never_becomes_a_shell_word(
    skills: dict[str, list[Path]], tmp_path: Path, host: str, text: str, shell: str
) -> None:
    """REQ NL-13, Field report 3: no PWNED file, and the runtime gets the text unchanged on stdin."""
    forms = {
        form
        for skill in skills[host]
        if "<the whole request" in (body := skill.read_text())
        for form in [request_form(body)]
    }
    assert len(forms) == 2
    for number, form in enumerate(sorted(forms)):
        command = fill(form, TEXTS[text]).replace("<dir>", "/srv/my skills é/knowzcode-relay")
        (seen,), left = run(shell, command, tmp_path / str(number))
        assert (seen.stdin, left) == (TEXTS[text] + "\n", [])
        assert seen.words[-3:-1] == ("resolve", "--entry")


@pytest.mark.parametrize("host", HOSTS)
def test_every_form_is_one_call(skills: dict[str, list[Path]], tmp_path: Path, host: str) -> None:
    forms = [form for skill in skills[host] for form in call_forms(skill.read_text())]
    assert len(forms) >= 7
    for number, form in enumerate(forms):
        (seen,), left = run("sh", form, tmp_path / str(number))
        words = seen.words if seen.name == "kc-relay" else seen.words[1:]
        assert words[0] in UNASKED_VERBS
        assert left == []


@pytest.mark.parametrize("text", TEXTS)
def test_every_form_of_the_claude_package_is_approved(skills: dict[str, list[Path]], text: str) -> None:
    """What the skills tell the host to run, the hook lets run."""
    own = Own("kc-relay", "knowzcode", ())
    for skill in skills["claude"]:
        for form in call_forms(skill.read_text()):
            event = {
                "hook_event_name": "PreToolUse",
                "cwd": "/srv",
                "tool_name": "Bash",
                "tool_input": {"command": fill(form, TEXTS[text])},
            }
            assert approval(json.dumps(event).encode(), own), form

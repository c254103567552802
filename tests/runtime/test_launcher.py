"""The bundled runtime starts on any supported Python, from any folder, and leaves its package alone."""

import os
import re
import shutil
import sys
from collections.abc import Sequence

import pytest

from support.pythons import python
from support.runtime_package import package_of, run_runtime
from support.world import World, tree_digest

VERSION = "knowzcode-relay 0.1.0 (claude)\n"


@pytest.mark.parametrize("flags", [("-I",), ("-I", "-S"), ("-S",), ()])
def test_starts_isolated_from_a_path_with_spaces(world: World, flags: Sequence[str]) -> None:
    """REQ PKG-09, field report 15: standard library only, whatever surrounds the package."""
    package = package_of(world, "claude")
    done = run_runtime(world, "claude", "--version", flags=flags)
    assert " " in str(package)
    assert "é" in str(package)
    assert (done.code, done.out, done.err) == (0, VERSION, "")


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.11", "3.12", "3.13"])
def test_runs_on_every_supported_python(world: World, version: str) -> None:
    """REQ PKG-09."""
    done = run_runtime(world, "claude", "--version", python=python(version))
    assert (done.code, done.out, done.err) == (0, VERSION, "")


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7", "3.8"])
def test_an_old_python_gets_one_sentence(world: World, version: str) -> None:
    """Field report 8: no traceback, the version found and the version needed."""
    done = run_runtime(world, "claude", "--version", python=python(version), flags=())
    assert (done.code, done.out) == (3, "")
    assert re.fullmatch(rf"knowzcode-relay needs Python 3\.9 or newer; \S+ is {version}\..*\n", done.err), (
        done.err
    )


@pytest.mark.parametrize("version", ["3.9", "3.13"])
def test_writes_nothing_into_its_package(world: World, version: str) -> None:
    """REQ PKG-09: an installed package stays as its index describes it."""
    package = package_of(world, "claude")
    before = tree_digest(package)
    run_runtime(world, "claude", "--version", python=python(version))
    run_runtime(world, "claude", "nonsense", python=python(version))
    assert tree_digest(package) == before


def test_bytecode_is_kept_in_the_temporary_folder(world: World) -> None:
    """The second start need not compile again, and the home stays empty."""
    home = tree_digest(world.home)
    package_of(world, "claude")
    shutil.rmtree(world.root / "tmp" / f"knowzcode-relay-{os.getuid()}")
    run_runtime(world, "claude", "--version")
    assert list((world.root / "tmp").rglob("cli*.pyc"))
    assert tree_digest(world.home) == home


def test_a_bytecode_folder_that_others_may_write_to_is_not_used(world: World) -> None:
    """Foreign bytecode would be foreign code."""
    run_runtime(world, "claude", "--version")
    (folder,) = (world.root / "tmp").glob("knowzcode-relay-*")
    for compiled in folder.rglob("*.pyc"):
        compiled.unlink()
    folder.chmod(0o777)
    before = tree_digest(package_of(world, "claude"))
    done = run_runtime(world, "claude", "--version")
    assert done.out == VERSION
    assert not list(folder.rglob("*.pyc"))
    assert tree_digest(package_of(world, "claude")) == before


@pytest.mark.parametrize("version", ["3.9", "3.13"])
def test_answers_in_utf8_whatever_the_locale(world: World, version: str) -> None:
    """Field report 15: an agent's shell often has no locale."""
    done = run_runtime(
        world, "claude", "prüfe→", environ=world.environ(LC_ALL="C", LANG="C"), python=python(version)
    )
    assert done.code == 2
    assert "There is no verb 'prüfe→'." in done.out


def test_an_unknown_verb_is_a_usage_error_with_the_list(world: World) -> None:
    """REQ CFG-28 in kind: what does not exist is refused, and what exists is named."""
    done = run_runtime(world, "codex", "launhc")
    listed = run_runtime(world, "codex", "--help").out.partition("verbs:\n")[2]
    verbs = [line.split()[0] for line in listed.splitlines() if line.strip()]
    assert done.code == 2
    assert "[RELAY-HALT] There is no verb 'launhc'." in done.out
    assert "hint: One of: " + " ".join(verbs) in done.out


def test_an_unknown_verb_in_json(world: World) -> None:
    """Failures have the envelope too."""
    answer = run_runtime(world, "codex", "launhc", "--json").json()
    assert answer["schema"] == 1
    assert answer["verb"] == "launhc"
    assert answer["ok"] is False
    assert answer["code"] == 2
    assert answer["data"]["problem"] == "usage.verb"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (None, "is missing; it says which host this is."),
        (b"", "is damaged; it says which host this is."),
        (b"{", "is damaged; it says which host this is."),
        (b"[]", "is damaged; it says which host this is."),
        (b"{}", "is damaged; it says which host this is."),
        (b"\xff\xfe", "is damaged; it says which host this is."),
        (b'{"host":"claude"}', "is damaged; it says which host this is."),
        (
            b'{"host":"gemini","version":"1","command":""}',
            "names the host 'gemini', which is none of ours.",
        ),
    ],
    ids=["missing", "empty", "truncated", "list", "no-host", "bytes", "no-version", "unknown-host"],
)
def test_a_package_without_a_usable_index_halts(world: World, damage: bytes | None, says: str) -> None:
    """REQ RES-01, RES-25: the host comes from the index and from nowhere else."""
    index = package_of(world, "claude") / "relay-package.json"
    if damage is None:
        index.unlink()
    else:
        index.write_bytes(damage)
    done = run_runtime(world, "claude", "--version")
    assert (done.code, done.err) == (3, "")
    assert done.out == f"[RELAY-HALT] {index} {says}\nhint: Run: knowzcode-relay upgrade\n"


def test_the_host_cannot_be_changed_from_outside(world: World) -> None:
    """REQ RES-01, RES-03: neither a variable nor a flag."""
    lie = world.environ(RELAY_HOST="codex")
    assert run_runtime(world, "claude", "--version", environ=lie).out == VERSION
    assert run_runtime(world, "claude", "--host", "codex").code == 2


def test_a_fault_of_ours_is_one_line_and_a_log(world: World) -> None:
    """A damaged copy stands for any bug: exit 70, no traceback, details ready to paste."""
    module = package_of(world, "claude") / "runtime" / "relay_runtime" / "package.py"
    with module.open("a") as handle:
        handle.write("\n\ndef load():\n    raise ZeroDivisionError('a bug')\n")
    done = run_runtime(world, "claude", "--version")
    first, second = done.out.splitlines()
    assert (done.code, done.err) == (70, "")
    assert first == "[RELAY-FAULT] This is a fault of knowzcode-relay (ZeroDivisionError)."
    log = world.root / "tmp" / second.rpartition("/")[2]
    assert second == f"hint: Details: {log}"
    assert "ZeroDivisionError: a bug" in log.read_text()
    assert f"python {sys.version_info[0]}." in log.read_text()


def test_a_fault_log_holds_no_words_of_the_call(world: World) -> None:
    """A verb's words may be private: the log names the verb, never what followed it."""
    module = package_of(world, "claude") / "runtime" / "relay_runtime" / "package.py"
    with module.open("a") as handle:
        handle.write("\n\ndef load():\n    raise ZeroDivisionError('a bug')\n")
    run_runtime(world, "claude", "resolve", "--secret-word")
    (log,) = (world.root / "tmp").glob("knowzcode-relay-fault-*.log")
    assert "verb ['resolve']" in log.read_text()
    assert "secret-word" not in log.read_text()

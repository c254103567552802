"""`checkpoint`: exactly the owned paths, and nothing while anything is in doubt."""

from typing import Any

import pytest

from support.dialects import Step
from support.fake_client import PROBES
from support.relaying import Relaying, leg_rules, make_relaying
from support.world import World, build_tree


@pytest.fixture
def relaying(world: World) -> Relaying:
    return make_relaying(world, "claude")


def done(relaying: Relaying, *steps: Step, plan: dict[str, Any] | None = None) -> str:
    """A relay whose target did these steps and reports success; its WorkGroup."""
    assert relaying.start(plan=plan)["ok"]
    relaying.plays([*relaying.dialect.start(), *steps, *relaying.dialect.finish()])
    return relaying.leg()["data"]["wgid"]


def refused(relaying: Relaying, *more: str) -> dict[str, Any]:
    """The refusal, after proof that neither HEAD, index nor tree were touched."""
    before = relaying.everything()
    answer = relaying.json("checkpoint", *more)
    assert answer["code"] == 3, answer
    assert relaying.everything() == before
    return answer


def write(path: str, text: str = "1\n") -> Step:
    return ["write", path, text]


def test_the_commit_holds_the_owned_paths_and_says_who_made_them(relaying: Relaying) -> None:
    """REQ REV-01, REV-03, REV-04, REV-07, STA-06."""
    relaying.repo.commit({".gitignore": "*.log\n"})
    wgid = done(relaying, write("src/greet.py"), write("tests/new.py"), write("noise.log"))
    base = relaying.repo("rev-parse", "HEAD")
    answer = relaying.json("checkpoint")
    head = relaying.repo("rev-parse", "HEAD")
    assert answer["data"]["paths"] == ["src/greet.py", "tests/new.py"]
    assert answer["data"]["range"] == {"from": "C0", "to": "C1", "base": base, "head": head}
    assert answer["data"]["state"] == "REVIEWING"
    assert relaying.repo("log", "-1", "--format=%s") == f"KnowzCode relay: Codex round 0 for {wgid}"
    assert relaying.relay(wgid).checkpoint("C1") == head
    assert (relaying.repo.root / "noise.log").exists()


def test_odd_names_are_committed_exactly(relaying: Relaying) -> None:
    """Field report 65."""
    names = ["src/設計 説明.md", "src/a\tb", "src/-rf", "src/end\n", "src/:(top)x"]
    done(relaying, *(write(name) for name in names))
    assert relaying.json("checkpoint")["data"]["paths"] == sorted(names)
    assert relaying.repo("status", "--porcelain") == ""


def test_a_path_that_nobody_declared_is_refused_by_name(relaying: Relaying) -> None:
    """REQ REV-05 (A-29)."""
    done(relaying, write("src/greet.py"), write("lib/other é.py"), write("README.md"))
    answer = refused(relaying)
    assert answer["data"]["paths"] == ["README.md", "lib/other é.py"]
    assert "lib/other é.py" in answer["message"]


def test_a_foreign_staged_path_is_refused_and_stays_staged(relaying: Relaying) -> None:
    """REQ REV-05."""
    done(relaying, write("src/greet.py"))
    build_tree(relaying.repo.root, {"README.md": "mine\n"})
    relaying.repo("add", "README.md")
    assert refused(relaying)["data"]["problem"] in ("checkpoint.unowned", "checkpoint.departures")
    assert relaying.repo("diff", "--cached", "--name-only") == "README.md"


def test_edits_under_knowzcode_are_reported_and_not_committed(relaying: Relaying) -> None:
    """REQ REV-14, PRM-05 (A-30)."""
    done(relaying, write("src/greet.py"), write("knowzcode/specs/Cli.md", "easier\n"))
    answer = refused(relaying)
    assert [one["what"] for one in answer["data"]["departures"]] == ["knowzcode"]


def test_a_target_that_committed_is_reported_with_both_ids(relaying: Relaying) -> None:
    """REQ REV-06, CON-06 (A-30); field report 67."""
    done(relaying, write("src/greet.py"))
    base = relaying.repo("rev-parse", "HEAD")
    relaying.repo("commit", "-q", "-am", "the target's own")
    answer = refused(relaying)
    assert base in answer["message"]
    assert relaying.repo("rev-parse", "HEAD") in answer["message"]
    assert f"git reset --soft {base}" in answer["hint"]


def test_a_target_that_switched_branches_is_reported(relaying: Relaying) -> None:
    """REQ REV-06; field report 67."""
    done(relaying, write("src/greet.py"))
    relaying.repo("switch", "-q", "-c", "elsewhere")
    assert "elsewhere" in refused(relaying)["message"]


def test_a_hook_that_the_target_planted_is_not_run(relaying: Relaying) -> None:
    done(relaying, write("src/greet.py"))
    relaying.repo.hook("pre-commit", "touch PWNED\n")
    assert [one["what"] for one in refused(relaying)["data"]["departures"]] == ["hooks"]
    assert not (relaying.repo.root / "PWNED").exists()


def test_a_whitespace_error_is_refused_with_its_place(relaying: Relaying) -> None:
    """REQ REV-02."""
    done(relaying, write("src/greet.py", "trailing \n"))
    assert "src/greet.py:1: trailing whitespace" in refused(relaying)["message"]


def test_a_hook_that_refuses_leaves_the_work_and_the_state(relaying: Relaying) -> None:
    """Field report 72."""
    relaying.repo.hook("pre-commit", "echo 'line 3 is too long' >&2\nexit 1\n")
    wgid = done(relaying, write("src/greet.py"))
    assert "line 3 is too long" in refused(relaying)["message"]
    assert relaying.relay(wgid).state.value == "TARGET_DONE"


def test_what_a_hook_rewrites_is_told(relaying: Relaying) -> None:
    """Field report 72."""
    relaying.repo.hook("pre-commit", "echo rewritten > src/greet.py\n")
    done(relaying, write("src/greet.py"))
    assert "these files differ again: src/greet.py" in relaying.run("checkpoint").out


def test_a_submodule_cannot_be_part_of_it_and_is_named(relaying: Relaying, world: World) -> None:
    """Field report 71."""
    inner = world.root / "inner"
    relaying.repo("clone", "-q", str(relaying.repo.root), str(inner))
    relaying.repo("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "src/sub")
    relaying.repo("commit", "-q", "-m", "sub")
    done(relaying, write("src/sub/README.md"))
    assert "src/sub (submodule)" in refused(relaying)["message"]


def test_a_checkpoint_needs_a_leg_that_is_done(relaying: Relaying) -> None:
    assert relaying.start()["ok"]
    assert refused(relaying)["data"]["problem"] == "state.transition"
    assert refused(relaying, "--wip")["data"]["problem"] == "state.transition"


def failed(relaying: Relaying, *steps: Step) -> str:
    """A relay whose target did these steps and then failed."""
    assert relaying.start()["ok"]
    failing = [*relaying.dialect.start(), *steps, *relaying.dialect.fail("server")]
    relaying.client.plays(*leg_rules(relaying.dialect, failing, exit=1), *PROBES[relaying.target])
    return relaying.leg()["data"]["wgid"]


def test_unfinished_work_is_kept_under_its_own_label_and_the_round_goes_on(relaying: Relaying) -> None:
    """REQ FAIL-11 (A-12)."""
    wgid = failed(relaying, write("src/greet.py"))
    answer = relaying.json("checkpoint", "--wip")
    assert (answer["data"]["checkpoint_label"], answer["data"]["state"]) == ("W1", "TARGET_FAILED")
    relaying.plays([], [*relaying.dialect.start(), write("src/more.py"), *relaying.dialect.finish()])
    relaying.leg()
    answer = relaying.json("checkpoint")
    assert [row.label for row in relaying.relay(wgid).checkpoints] == ["C0", "W1", "C1"]
    base, head = answer["data"]["range"]["base"], answer["data"]["range"]["head"]
    assert relaying.repo("diff", "--name-only", base, head) == "src/greet.py\nsrc/more.py"


def test_a_resumed_leg_that_adds_nothing_to_kept_work_is_no_leg_without_changes(relaying: Relaying) -> None:
    """REQ FAIL-11."""
    failed(relaying, write("src/greet.py"))
    relaying.json("checkpoint", "--wip")
    relaying.plays([], [*relaying.dialect.start(), *relaying.dialect.finish()])
    assert relaying.leg()["data"]["outcome"] == "done"
    answer = relaying.json("checkpoint")
    assert answer["data"]["range"]["base"] != answer["data"]["range"]["head"]


def test_the_user_s_own_edit_beside_unfinished_work_is_left_alone(relaying: Relaying) -> None:
    """REQ FAIL-11; field report 68."""
    failed(relaying, write("src/greet.py"))
    build_tree(relaying.repo.root, {"README.md": "mine\n"})
    assert refused(relaying, "--wip")["data"]["paths"] == ["README.md"]


def test_the_residue_of_a_killed_client_is_removed_and_named(world: World) -> None:
    relaying = make_relaying(world, "codex")
    done(relaying, write("src/greet.py"))
    build_tree(relaying.repo.root, {".bashrc": "", ".zshrc": "mine\n", ".profile": ""})
    for name in (".bashrc", ".zshrc"):
        (relaying.repo.root / name).chmod(0o444)
    assert refused_paths(relaying) == [".profile", ".zshrc"]
    for name in (".profile", ".zshrc"):
        (relaying.repo.root / name).unlink()
    assert relaying.json("checkpoint")["data"]["paths"] == ["src/greet.py"]


def refused_paths(relaying: Relaying) -> list[str]:
    answer = relaying.json("checkpoint")
    assert answer["code"] == 3
    assert not (relaying.repo.root / ".bashrc").exists()
    return answer["data"]["paths"]


def test_many_changed_paths_are_shown_in_part_and_counted(relaying: Relaying) -> None:
    """Field report 93."""
    done(relaying, *(write(f"src/{number:03}.py") for number in range(200)))
    out = relaying.run("checkpoint").out
    assert "200 paths: src/000.py" in out
    assert "and 180 more" in out
    assert len(out) < 2000

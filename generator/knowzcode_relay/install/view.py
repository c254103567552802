"""A plan as a person and as a program see it: lines, a diff, JSON values. All three show the same actions."""

import difflib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from knowzcode_relay.hosts import PACKAGES
from knowzcode_relay.install import content
from knowzcode_relay.install.bring import Brought, runtime_of
from knowzcode_relay.install.draft import Draft
from knowzcode_relay.install.plan import Act, Action, Kind, State
from knowzcode_relay.install.runtime import identity
from knowzcode_relay.install.uninstall import Removed
from knowzcode_relay.result import Result

_OURS = (Act.CREATE, Act.UPDATE, Act.REMOVE)


def brought(result: Brought, *, diff: bool) -> Result:
    """What install and upgrade answer."""
    request = result.request
    lines = [*result.said]
    for each in result.drafts:
        lines.append(_headline(each, request.preview))
        lines += _noteworthy(each.real, each.actions)
        if request.preview:
            lines += _routine(each.real, each.actions)
        lines += [f"  note: {notice}" for notice in each.notices]
        if diff:
            lines += _diff(each)
    lines += result.readiness.lines()
    lines += [f"jobs: {each.text}" for each in result.exactness]
    if not request.preview:
        lines += [f"use {each.site.platform}: {PACKAGES[each.site.platform].USE}" for each in result.drafts]
    names = " and ".join(each.site.platform for each in result.drafts)
    message = f"{'Would install' if request.preview else 'Installed'} for {names}."
    if request.preview:
        lines.append("Nothing was changed.")
    return Result(
        message,
        lines=tuple(lines),
        data={
            "preview": request.preview,
            "installs": [_install_data(each) for each in result.drafts],
            "actions": _actions_data((each.site.platform, each.real, each.actions) for each in result.drafts),
            "said": list(result.said),
            "notices": [notice for each in result.drafts for notice in each.notices],
            "readiness": result.readiness.as_data(),
        },
    )


def removed(result: Removed, *, diff: bool) -> Result:
    """What uninstall answers."""
    preview = result.request.preview
    lines = [*result.said]
    for install, actions in result.installs:
        gone = _files(sum(each.changes for each in actions))
        what = f"{'would remove' if preview else 'removed'} {gone}"
        lines.append(f"{install.site.platform} {install.site.scope} {install.site.root}: {what}")
        if preview:
            lines += [*_noteworthy(install.real, actions), *_routine(install.real, actions)]
        if diff:
            lines += [f"- {install.real / each.path}" for each in actions if each.changes]
    message = "Nothing is installed there." if not result.installs else "Uninstalled."
    if preview:
        lines.append("Nothing was changed.")
    return Result(
        message,
        exit=result.exit,
        lines=tuple(lines),
        data={
            "preview": preview,
            "installs": [
                {
                    **identity(each.site.platform),
                    "scope": each.site.scope,
                    "root": str(each.site.root),
                    "version": each.version,
                }
                for each, _ in result.installs
            ],
            "actions": _actions_data(
                (each.site.platform, each.real, actions) for each, actions in result.installs
            ),
            "said": list(result.said),
        },
    )


def _headline(draft: Draft, preview: bool) -> str:
    before = draft.known or draft.moved
    changed = sum(each.changes for each in draft.actions)
    version = draft.package.version
    if before is not None and before.version != version:
        version = f"{before.version} -> {version}"
    what = f"{_files(changed)} {'to write' if preview else 'written'}" if changed else "up to date"
    if draft.moved is not None:
        what += f", moved from {draft.moved.site.root}"
    return f"{draft.site.platform} {draft.site.scope} {draft.site.root} {version}: {what}"


def _noteworthy(base: Path, actions: Iterable[Action]) -> list[str]:
    """The actions about files that the user has a part in, one by one."""
    return [
        f"  {each.state.value}: {base / each.path}: {each.act.value}"
        for each in actions
        if not _is_routine(each) and (each.changes or each.act is Act.KEEP)
    ]


def _routine(base: Path, actions: Iterable[Action]) -> list[str]:
    """The changes to files that are ours alone, counted by folder; --diff and --json name each."""
    counts = Counter(
        (each.state, each.act, each.path.partition("/")[0])
        for each in actions
        if each.changes and _is_routine(each)
    )
    return [
        f"  {state.value}: {base / folder}: {act.value} {_files(number)}"
        for (state, act, folder), number in counts.items()
    ]


def _is_routine(action: Action) -> bool:
    return action.state in (State.NEW, State.STALE, State.REMOVED_UPSTREAM) and action.act in _OURS


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"


def _install_data(draft: Draft) -> dict[str, object]:
    before = draft.known or draft.moved
    return {
        **identity(draft.site.platform),
        "scope": draft.site.scope,
        "kind": draft.site.kind,
        "root": str(draft.site.root),
        "runtime": str(runtime_of(draft)),
        "version": draft.package.version,
        "before": before.version if before else None,
    }


def _actions_data(plans: Iterable[tuple[str, Path, Iterable[Action]]]) -> list[dict[str, str]]:
    return [
        {
            "platform": platform,
            "path": str(base / each.path),
            "state": each.state.value,
            "action": each.act.value,
        }
        for platform, base, actions in plans
        for each in actions
    ]


def _diff(draft: Draft) -> list[str]:
    out: list[str] = []
    for each in draft.actions:
        if not each.changes or each.act is Act.RESTORE:
            continue
        path = draft.real / each.path
        before = content.read(path, each.disk.kind) if each.disk and each.disk.kind is Kind.FILE else b""
        after = draft.content[each.path] if each.after else b""
        out += difflib.unified_diff(_text(before), _text(after), str(path), str(path), lineterm="")
    return out


def _text(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines()

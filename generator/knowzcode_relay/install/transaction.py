"""Do what drafts say, all or nothing: backups and staging first, then the journal, then the steps."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from knowzcode_relay.errors import RelayError
from knowzcode_relay.hosts.base import Registration
from knowzcode_relay.hosts.surroundings import Surroundings
from knowzcode_relay.install import content, journal, manifest, recover, steps
from knowzcode_relay.install.backup import Backups
from knowzcode_relay.install.draft import Draft
from knowzcode_relay.install.journal import Journal, Register, Swap, Write
from knowzcode_relay.install.manifest import APPLIED, APPLYING, Manifest
from knowzcode_relay.install.plan import Act, Action, Print, Save
from knowzcode_relay.install.stage import stage


@dataclass
class _Work:
    """What is gathered for the journal: `data` to write by hash, folders `made` by platform, sentences."""

    steps: list[journal.Step] = field(default_factory=list[journal.Step])
    data: dict[str, bytes] = field(default_factory=dict[str, bytes])
    made: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    kept: list[str] = field(default_factory=list[str])


def commit(
    drafts: tuple[Draft, ...], before: Manifest, verb: str, made: tuple[str, ...], around: Surroundings
) -> tuple[str, ...]:
    """Install what `drafts` hold and give the sentences about copies that were kept for the user."""
    backups, work = Backups(around.data), _Work()
    for each in drafts:
        _prepare(each, verb, backups, work, around)
    plans = {state: _manifest(drafts, before, state, made, work) for state in (APPLYING, APPLIED)}
    record = Journal(
        verb=verb,
        steps=tuple(work.steps),
        made=tuple(sorted({folder for folders in work.made.values() for folder in folders})),
        before=before,
        after=plans[APPLIED],
    )
    journal.save(around.data, record)
    try:
        manifest.save(around.data, plans[APPLYING])
        for step in record.steps:
            steps.do(step, work.data, around)
        content.flush(_written(record))
        record = replace(record, committed=True)
        journal.save(around.data, record)
    except BaseException as error:
        recover.undo(record, around)
        if isinstance(error, RelayError):
            error.hint = error.hint or "Everything was undone."
        raise
    recover.finish(record, around)
    return tuple(work.kept)


def _written(record: Journal) -> Iterable[Path]:
    for step in record.steps:
        if isinstance(step, Write) and step.after is not None:
            yield step.path
        elif isinstance(step, Swap):
            yield from (step.live / name for name in step.files)


def _manifest(
    drafts: tuple[Draft, ...], before: Manifest, state: str, made: tuple[str, ...], work: _Work
) -> Manifest:
    after = replace(before, made=tuple(sorted({*before.made, *made})))
    for each in drafts:
        if each.moved is not None:
            after = after.without(each.moved.site)
        after = after.with_install(each.install(work.made[each.site.platform], state))
    return after


def _prepare(draft: Draft, verb: str, backups: Backups, work: _Work, around: Surroundings) -> None:
    site, already = draft.site, len(work.steps)
    inside = f"{site.prefix}/" if site.in_place else None
    _save(draft, backups, work)
    for aside in draft.asides:
        backups.put(aside.path, aside.look)
        work.steps.append(Write(aside.path, aside.look, None))
    for action in draft.actions:
        if inside is None or not action.path.startswith(inside):
            _write(action, draft.real, draft, backups, work)
    if inside is not None and draft.files_change:
        work.steps.append(stage(draft, around))
    if draft.tokens or draft.wants_client(verb):
        work.steps.append(
            Register(
                site=site,
                client=draft.client,
                version=draft.package.version,
                was_registered=draft.registration is not Registration.ABSENT,
                displaced=draft.tokens,
            )
        )
    if draft.moved is not None:
        for action in draft.leaving:
            _write(action, draft.moved.real, draft, backups, work)
    work.made[site.platform] = _folders_made(work.steps[already:])


def _save(draft: Draft, backups: Backups, work: _Work) -> None:
    for action in draft.actions:
        if action.disk is None or action.save is Save.NOTHING:
            continue
        place = draft.source(action.path)
        backups.put(place, action.disk)
        if action.save is Save.EDIT:
            kept = backups.keep(place, action.disk, f"{draft.site.platform}/{action.path}")
            work.kept.append(f"Your edited {place} is kept as {kept}.")


def _write(action: Action, base: Path, draft: Draft, backups: Backups, work: _Work) -> None:
    if not action.changes:
        return
    place = base / action.path
    if action.disk is not None:
        backups.put(place, action.disk)
    if action.after is not None:
        work.data[action.after.sha256] = _bytes(action, action.after, draft, backups)
    work.steps.append(Write(place, action.disk, action.after))


def _bytes(action: Action, after: Print, draft: Draft, backups: Backups) -> bytes:
    return backups.get(after) if action.act is Act.RESTORE else draft.content[action.path]


def _folders_made(new: list[journal.Step]) -> tuple[str, ...]:
    """The folders that these steps create."""
    paths: list[Path] = []
    for step in new:
        if isinstance(step, Write) and step.after is not None:
            paths.append(step.path)
        elif isinstance(step, Swap):
            paths += [step.live / name for name in ("any", *step.files)]
    return content.missing_parents(paths)
